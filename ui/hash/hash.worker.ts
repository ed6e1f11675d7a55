import { hashBlob, type FileHashes, type HashName, type HashTools } from './hash-blob.ts'
import { HashFailure, type HashFailureReason } from './hash-failure.ts'
import { runningHash } from './running-hash.ts'

export type HashRequest =
  | {
      readonly kind: 'hash'
      readonly id: number
      readonly file: Blob
      readonly names: readonly HashName[]
      readonly held: boolean
    }
  | { readonly kind: 'pause' | 'resume' | 'cancel'; readonly id: number }

export type HashAnswer =
  | { readonly kind: 'progress'; readonly id: number; readonly done: number }
  | { readonly kind: 'hashed'; readonly id: number; readonly hashes: Partial<FileHashes> }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: HashFailureReason | 'cancelled' }

class Cancelled extends Error {}

type Job = { cancelled: boolean; waiting: PromiseWithResolvers<void> | null }
const jobs = new Map<number, Job>()

/** Between two tellings of how far it is. */
const toldEveryMs = 100

let tools: Promise<HashTools> | null = null
async function findTools(): Promise<HashTools> {
  const [sha256, sha512] = await Promise.all([runningHash('sha256'), runningHash('sha512')])
  // Web Crypto is there in secure contexts alone.
  return { subtle: globalThis.isSecureContext ? globalThis.crypto.subtle : undefined, sha256, sha512 }
}

function answer(message: HashAnswer): void {
  const worker = self as unknown as { postMessage(message: HashAnswer): void }
  // A worker has no origin to name; the rule is about windows.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  worker.postMessage(message)
}

async function hash({ id, file, names, held }: Extract<HashRequest, { kind: 'hash' }>): Promise<HashAnswer> {
  const job: Job = { cancelled: false, waiting: null }
  jobs.set(id, job)
  let told = 0
  try {
    tools ??= findTools()
    const hashes = await hashBlob(file, await tools, {
      names,
      held,
      step: async () => {
        await job.waiting?.promise
        if (job.cancelled) throw new Cancelled()
      },
      onProgress: (done) => {
        const now = performance.now()
        if (now - told < toldEveryMs) return
        told = now
        answer({ kind: 'progress', id, done })
      },
    })
    return { kind: 'hashed', id, hashes }
  } catch (error) {
    if (error instanceof Cancelled) return { kind: 'failed', id, reason: 'cancelled' }
    return { kind: 'failed', id, reason: error instanceof HashFailure ? error.reason : 'unreadable' }
  } finally {
    jobs.delete(id)
  }
}

/** Apart from the page, which goes on answering; asked for several small files at once, since most of their time is reading. */
self.addEventListener('message', ({ data }: MessageEvent<HashRequest>) => {
  if (data.kind === 'hash') {
    void hash(data).then(answer)
    return
  }
  const job = jobs.get(data.id)
  if (job === undefined) return
  if (data.kind === 'pause') job.waiting ??= Promise.withResolvers()
  else {
    if (data.kind === 'cancel') job.cancelled = true
    job.waiting?.resolve()
    job.waiting = null
  }
})
