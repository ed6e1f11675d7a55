import { z } from 'zod'
import { ApiError } from '../api/api-error.ts'
import type { WorkDone } from '../../kernel/work-done.ts'
import type { WorkAnswer } from './work.worker.ts'

const puzzleData = z.object({ challenge: z.string(), parts: z.int().positive(), hashes: z.int().positive() })

/** In the meantime the price may have risen: then it is worked for once more, and no further. */
const mostTries = 2

type Working = { readonly signal: AbortSignal; readonly onProgress: (done: number) => void }

/** @throws DOMException `AbortError` when the visitor gave up; Error when this browser runs no worker */
async function solve(puzzle: z.infer<typeof puzzleData>, { signal, onProgress }: Working): Promise<WorkDone> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./work.worker.ts', import.meta.url), { type: 'module' })
  const solved = Promise.withResolvers<WorkDone>()
  const giveUp = () => solved.reject(signal.reason)
  signal.addEventListener('abort', giveUp, { once: true })
  worker.addEventListener('error', () => solved.reject(new Error('the worker ended')))
  worker.addEventListener('message', ({ data }: MessageEvent<WorkAnswer>) => {
    if (data.kind === 'progress') onProgress(data.done)
    else solved.resolve({ challenge: puzzle.challenge, nonces: [...data.nonces] })
  })
  onProgress(0)
  // As above: a worker is no window.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  worker.postMessage(puzzle)
  try {
    return await solved.promise
  } finally {
    signal.removeEventListener('abort', giveUp)
    worker.terminate()
  }
}

/**
 * Does the work that a refused request asks for, and sends it again.
 * @param refused what the first sending was answered with
 * @throws what it was, when it asks for no work; what the last sending was answered with
 */
export async function workAndSend<T>(refused: unknown, send: (work: WorkDone) => Promise<T>, working: Working): Promise<T> {
  let error = refused
  for (let tries = 0; tries < mostTries; tries += 1) {
    const puzzle = puzzleData.safeParse(error instanceof ApiError ? error.data : null)
    if (!puzzle.success) throw error
    const work = await solve(puzzle.data, working)
    try {
      return await send(work)
    } catch (next) {
      error = next
    }
  }
  throw error
}
