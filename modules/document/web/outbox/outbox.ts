import type { Status } from '../../domain/status.ts'
import type { OutboxStore, WaitingBatch, WholeBatch } from './outbox-store.ts'

export type Deposited = {
  readonly id: string
  readonly name: string
  readonly sha256: string
  readonly status: Status
  readonly duplicate_of: { readonly id: string; readonly sealed_at: string | null } | null
}

/** What the server answers of each, in the order that was sent. */
export type Sent = readonly Omit<Deposited, 'name'>[]

export type SendFailure =
  | { readonly kind: 'later' }
  | { readonly kind: 'refused'; readonly code: string; readonly data: Readonly<Record<string, unknown>> }

export type OutboxGlance = {
  readonly lasting: boolean
  readonly waiting: readonly WaitingBatch[]
  readonly sending: boolean
  /** The last attempt found no server. */
  readonly cutOff: boolean
  /** What was deposited since the page was opened. */
  readonly deposited: readonly Deposited[]
}

export type Outbox = {
  readonly glance: () => OutboxGlance
  readonly onChange: (listener: () => void) => () => void
  /** To be sent. @throws when the browser could not keep them */
  readonly keep: (batches: readonly WholeBatch[]) => Promise<void>
  readonly send: () => Promise<void>
  /** Once more, as it is or changed. */
  readonly retry: (id: string, change: Partial<Pick<WaitingBatch, 'agree'>>) => Promise<void>
  readonly discard: (id: string) => Promise<void>
  readonly dismiss: () => void
}

export type OutboxDeps = {
  readonly store: OutboxStore
  /** @throws nothing: a failure is an answer */
  readonly send: (batch: WholeBatch) => Promise<{ readonly sent: Sent } | SendFailure>
  /** Whose batches may be sent now. */
  readonly isMine: (batch: WaitingBatch) => boolean
  /** One tab at a time; what it is given runs when it is this one's turn, or not at all. */
  readonly alone: (act: () => Promise<void>) => Promise<void>
  readonly onSent: (batch: WholeBatch, deposited: readonly Deposited[]) => void
}

/**
 * Fingerprints on their way to the server. What is not sent waits in the browser, through lost networks and reloads; the mark that
 * each has lets the server know again what it has already.
 */
export async function makeOutbox(deps: OutboxDeps): Promise<Outbox> {
  const { store } = deps
  let waiting = await store.batches()
  let sending = false
  let cutOff = false
  let deposited: readonly Deposited[] = []
  let shown: OutboxGlance | null = null
  const listeners = new Set<() => void>()
  const changed = () => {
    shown = null
    for (const listener of listeners) listener()
  }
  const readAnew = async () => {
    waiting = await store.batches()
    changed()
  }
  const sendOne = async (head: WaitingBatch): Promise<boolean> => {
    const content = await store.contentOf(head.id)
    if (content === null) return true
    const batch = { ...head, ...content }
    const answer = await deps.send(batch)
    if ('sent' in answer) {
      const added = answer.sent.map((each, i) => ({ ...each, name: batch.names[i] ?? '' }))
      // Names first: should the page end between the two, the same batch is sent once more, and is known again.
      if (batch.hidden)
        await store.keepNames(added.flatMap(({ id, name }) => (name === '' ? [] : [{ id, name, user: batch.user }])))
      await store.remove(batch.id)
      deposited = [...deposited, ...added]
      cutOff = false
      deps.onSent(batch, added)
      return true
    }
    if (answer.kind === 'later') {
      cutOff = true
      return false
    }
    await store.change({ ...head, refused: { code: answer.code, data: answer.data } })
    cutOff = false
    return true
  }
  const send = async (): Promise<void> => {
    if (sending) return
    sending = true
    try {
      await deps.alone(async () => {
        for (;;) {
          await readAnew()
          const next = waiting.find((batch) => batch.refused === null && deps.isMine(batch))
          if (next === undefined || !(await sendOne(next))) return
        }
      })
    } finally {
      sending = false
      await readAnew()
    }
  }
  return {
    glance: () => (shown ??= { lasting: store.lasting, waiting: waiting.filter(deps.isMine), sending, cutOff, deposited }),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    keep: async (batches) => {
      await store.put(batches)
      await readAnew()
    },
    send,
    retry: async (id, change) => {
      const batch = waiting.find((each) => each.id === id)
      if (batch === undefined) return
      await store.change({ ...batch, ...change, refused: null })
      await send()
    },
    discard: async (id) => {
      await store.remove(id)
      await readAnew()
    },
    dismiss: () => {
      deposited = []
      changed()
    },
  }
}
