import { sha256 } from '@noble/hashes/sha2.js'
import { findAnswer, type Puzzle } from '../../kernel/proof-of-work.ts'

export type WorkAnswer =
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'solved'; readonly nonces: readonly number[] }

/** Where the search of a part ends: no machine comes so far. */
const mostNonces = 2 ** 32

function answer(message: WorkAnswer): void {
  const worker = self as unknown as { postMessage(message: WorkAnswer): void }
  // A worker has no origin to name; the rule is about windows.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  worker.postMessage(message)
}

/** Apart from the page, which goes on answering. Whoever gives up ends the worker. */
self.addEventListener('message', ({ data }: MessageEvent<{ challenge: string; parts: number; hashes: number }>) => {
  const { challenge, parts, hashes } = data
  const puzzle: Puzzle = { seed: sha256(new TextEncoder().encode(challenge)), parts, hashes }
  const nonces: number[] = []
  for (let part = 0; part < parts; part += 1) {
    const nonce = findAnswer(puzzle, sha256, part, 0, mostNonces)
    if (nonce === null) throw new Error('no answer')
    nonces.push(nonce)
    answer({ kind: 'progress', done: (part + 1) / parts })
  }
  answer({ kind: 'solved', nonces })
})
