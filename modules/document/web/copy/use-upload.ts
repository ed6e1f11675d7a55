import { useSyncExternalStore } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { sendFile } from '../../../../ui/api/send-file.ts'
import { beginDocumentCopy, completeDocumentCopy, sendDocumentCopyPart } from '../../contract/copy.ts'
import { startUpload, type Upload, type UploadGlance } from './upload.ts'

export type RunningUpload = { readonly user: string; readonly glance: UploadGlance; readonly upload: Upload }

/** By the id of the deposit. They outlive the page they were begun on, not the reload of all pages. */
const running = new Map<string, RunningUpload>()
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

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

/** @param user in whose session it is sent: another’s does not see it */
export function uploadCopy(id: string, user: string, file: Blob): void {
  running.get(id)?.upload.cancel()
  let glance: UploadGlance = { kind: 'sending', sent: 0, size: file.size }
  const params = { id }
  const upload = startUpload(file, {
    begin: (bytes, signal) => call(beginDocumentCopy, { params, body: { bytes }, signal }),
    send: async ({ upload: to, part, bytes, onProgress }, signal) => {
      await sendFile(sendDocumentCopyPart, { params: { id, part }, query: { upload: to }, file: bytes, signal, onProgress })
    },
    complete: (to, signal) => call(completeDocumentCopy, { params, body: { upload: to }, signal }),
    rest,
    onChange: (next) => {
      glance = next
      const one = running.get(id)
      if (one === undefined) return
      running.set(id, { ...one, glance: next })
      tell()
    },
  })
  running.set(id, { user, glance, upload })
  tell()
}

export function forgetUpload(id: string): void {
  running.get(id)?.upload.cancel()
  running.delete(id)
  tell()
}

export function useUpload(id: string, user: string): RunningUpload | null {
  const found = useSyncExternalStore(subscribe, () => running.get(id))
  return found?.user === user ? found : null
}
