import { useEffect, useSyncExternalStore } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { sendFile } from '../../../../ui/api/send-file.ts'
import { currentSession, onSession } from '../../../../ui/api/session.ts'
import { beginDocumentCopy, completeDocumentCopy, sendDocumentCopyPart } from '../../contract/copy.ts'
import { onSent } from '../outbox/use-outbox.ts'
import { startUpload } from './upload.ts'
import { makeUploads, type QueuedCopy, type Uploads } from './uploads.ts'
import { openWishStore } from './wish-store.ts'

/** Until the browser says that the network is back, or the time is over. */
async function rest(seconds: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  const either = AbortSignal.any([signal, over.signal])
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000)
    window.addEventListener('online', () => resolve(), { signal: either })
    signal.addEventListener('abort', () => resolve(), { signal: over.signal })
    either.addEventListener('abort', () => clearTimeout(timer))
  })
  over.abort()
}

const lockPrefix = 'probant.copies.'

/** Each page holds a lock of its own as long as it is open; where there are no locks, every page asks for what it does not have. */
async function openTabs(): Promise<ReadonlySet<string>> {
  if (!('locks' in navigator)) return new Set()
  const { held = [] } = await navigator.locks.query()
  return new Set(held.flatMap(({ name }) => (name?.startsWith(lockPrefix) === true ? name.slice(lockPrefix.length) : [])))
}

function open(): Uploads {
  const tab = crypto.randomUUID()
  if ('locks' in navigator) void navigator.locks.request(`${lockPrefix}${tab}`, () => new Promise(() => undefined))
  const made = makeUploads({
    store: openWishStore(),
    start: (id, file, onChange) => {
      const params = { id }
      return startUpload(file, {
        begin: (bytes, signal) => call(beginDocumentCopy, { params, body: { bytes }, signal }),
        send: async ({ upload, part, from, bytes, onProgress }, signal) => {
          const query = from === null ? { upload } : { upload, from }
          await sendFile(sendDocumentCopyPart, { params: { id, part }, query, file: bytes, signal, onProgress })
        },
        complete: (upload, signal) => call(completeDocumentCopy, { params, body: { upload }, signal }),
        rest,
        clock: () => performance.now(),
        onChange,
      })
    },
    isMine: ({ user, delegation }) => {
      const session = currentSession()
      return session !== null && session.userId === user && session.delegation === delegation
    },
    tab,
    tabs: openTabs,
  })
  onSession(() => made.lookAgain())
  window.addEventListener('beforeunload', (event) => {
    if (made.isBusy()) event.preventDefault()
  })
  return made
}

let opened: Uploads | null = null
/** They outlive the page they were begun on, not the reload of all pages. */
export function theUploads(): Uploads {
  return (opened ??= open())
}

/** Files whose deposits are on their way to the server, by their fingerprints. */
const held = new Map<string, Blob>()

/** The files of what is about to be deposited, whose copies are sent once it is. */
export function holdForCopies(files: readonly { readonly sha256: string; readonly file: Blob | null }[]): void {
  for (const { sha256, file } of files) if (file !== null) held.set(sha256, file)
}

onSent((batch, deposited) => {
  // A draft may still be thrown away: nothing of it is sent before somebody agrees.
  if (!batch.agree) return
  const wished = deposited.filter((_, i) => batch.documents[i]?.store === true)
  if (wished.length === 0) return
  theUploads().add(
    wished.map(({ id, name, sha256 }) => ({ id, user: batch.user, delegation: batch.delegation, name, sha256 })),
    (sha256) => held.get(sha256) ?? null,
  )
  for (const { sha256 } of wished) held.delete(sha256)
})

/** One that somebody gave on the page of its deposit. */
export function uploadCopy(copy: { readonly id: string; readonly name: string; readonly sha256: string }, file: Blob): void {
  const session = currentSession()
  if (session === null) return
  theUploads().add([{ ...copy, user: session.userId, delegation: session.delegation }], () => file, true)
}

export function useUploads(): { readonly uploads: Uploads; readonly copies: readonly QueuedCopy[] } {
  const uploads = theUploads()
  useEffect(() => void uploads.load(), [uploads])
  return { uploads, copies: useSyncExternalStore(uploads.onChange, uploads.glance) }
}

/** Of one deposit; what this page has no file of is none. */
export function useUpload(id: string): QueuedCopy | null {
  const uploads = theUploads()
  const copies = useSyncExternalStore(uploads.onChange, uploads.glance)
  const found = copies.find((copy) => copy.id === id)
  return found === undefined || found.glance.kind === 'absent' ? null : found
}
