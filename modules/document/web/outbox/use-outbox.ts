import { useEffect, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { call } from '../../../../ui/api/call.ts'
import { currentSession, onSession } from '../../../../ui/api/session.ts'
import { createDocuments } from '../../contract/endpoints.ts'
import { makeOutbox, type Outbox, type OutboxGlance, type SendFailure, type Sent } from './outbox.ts'
import { openOutboxStore, type OutboxStore, type WaitingBatch, type WholeBatch } from './outbox-store.ts'

let store: Promise<OutboxStore> | null = null
export function outboxStore(): Promise<OutboxStore> {
  return (store ??= openOutboxStore())
}

function isMine(batch: WaitingBatch): boolean {
  const session = currentSession()
  return session !== null && session.userId === batch.user && session.delegation === batch.delegation
}

/** Refused for what it says; all else may be otherwise the next time. */
function failureOf(error: unknown): SendFailure {
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return { kind: 'later' }
  if (error.status === 401 || error.status === 408) return { kind: 'later' }
  // Too many calls: it says after how many seconds. Too many drafts is a refusal: to wait changes nothing.
  if (error.status === 429 && typeof error.data['seconds'] === 'number') return { kind: 'later' }
  return { kind: 'refused', code: error.code, data: error.data }
}

async function send(batch: WholeBatch): Promise<{ readonly sent: Sent } | SendFailure> {
  try {
    const { documents } = await call(createDocuments, {
      body: { documents: [...batch.documents], agree: batch.agree },
    })
    // Whatever answers otherwise is not the server of this page.
    const same =
      documents.length === batch.documents.length && documents.every(({ sha256 }, i) => sha256 === batch.documents[i]?.sha256)
    return same ? { sent: documents } : { kind: 'refused', code: 'ui.error.unreadable', data: {} }
  } catch (error) {
    return failureOf(error)
  }
}

/** Where there are no locks the mark of each deposit keeps two tabs from depositing it twice. */
async function alone(act: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request('probant.documents', act)
  else await act()
}

type SentListener = Parameters<typeof makeOutbox>[0]['onSent']
const sentListeners = new Set<SentListener>()
/** Hears of deposits that reached the server. */
export function onSent(listener: SentListener): () => void {
  sentListeners.add(listener)
  return () => sentListeners.delete(listener)
}

let outbox: Promise<Outbox> | null = null
function theOutbox(): Promise<Outbox> {
  outbox ??= outboxStore().then((opened) =>
    makeOutbox({
      store: opened,
      send,
      isMine,
      alone,
      onSent: (batch, deposited) => {
        for (const listener of sentListeners) listener(batch, deposited)
      },
    }),
  )
  return outbox
}

/** null while it is opened. */
export function useTheOutbox(): Outbox | null {
  const [opened, setOpened] = useState<Outbox | null>(null)
  useEffect(() => {
    let current = true
    void theOutbox().then((found) => {
      if (current) setOpened(found)
    })
    return () => {
      current = false
    }
  }, [])
  return opened
}

const firstWaitMs = 4_000
const longestWaitMs = 60_000

const none: OutboxGlance = { lasting: true, waiting: [], sending: false, cutOff: false, deposited: [] }
const never = () => () => undefined

/** What waits to be sent is sent while this is shown: at once, when the network is back, and again from time to time. */
export function useOutbox(): { outbox: Outbox | null; glance: OutboxGlance } {
  const opened = useTheOutbox()
  const glance = useSyncExternalStore(opened?.onChange ?? never, opened?.glance ?? (() => none))
  useEffect(() => {
    if (opened === null) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let wait = firstWaitMs
    const attempt = () => {
      clearTimeout(timer)
      timer = undefined
      void opened.send()
    }
    const plan = () => {
      const { cutOff, sending } = opened.glance()
      if (!cutOff) wait = firstWaitMs
      if (!cutOff || sending || timer !== undefined) return
      timer = setTimeout(attempt, wait)
      wait = Math.min(longestWaitMs, wait * 2)
    }
    const looked = () => {
      if (document.visibilityState === 'visible') attempt()
    }
    attempt()
    const stops = [opened.onChange(plan), onSession(attempt)]
    window.addEventListener('online', attempt)
    document.addEventListener('visibilitychange', looked)
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
      window.removeEventListener('online', attempt)
      document.removeEventListener('visibilitychange', looked)
    }
  }, [opened])
  return { outbox: opened, glance }
}
