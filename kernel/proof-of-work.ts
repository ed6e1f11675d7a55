/**
 * Proof of work (decision 0336): what a stranger's machine computes before it may ask for more than its share. After hashcash
 * (Back 2002), in many small parts, so that the time it takes varies little and its progress can be shown.
 */

/** As `node:crypto`, hash-wasm and @noble/hashes have it: 32 bytes of 40. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array

export type Puzzle = {
  /** SHA-256 of the challenge, as it was sent. */
  readonly seed: Uint8Array
  readonly parts: number
  /** Hashes that a part takes on the mean. */
  readonly hashes: number
}

export const parts = 32

/** The bytes that answer `nonce` to `part` hashes: the seed, then both as 32 bits, big-endian. */
function answerBytes(seed: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(40)
  bytes.set(seed)
  return bytes
}

/** Below which the first 32 bits of the hash of an answer must be. */
const boundOf = ({ hashes }: Puzzle): number => Math.floor(2 ** 32 / hashes)
const firstWord = (hash: Uint8Array): number => new DataView(hash.buffer, hash.byteOffset).getUint32(0)

/** @returns the first answer to that part from `from` on, or null when none of the `many` next ones is */
export function findAnswer(puzzle: Puzzle, sha256: Sha256, part: number, from: number, many: number): number | null {
  const bytes = answerBytes(puzzle.seed)
  const view = new DataView(bytes.buffer)
  const bound = boundOf(puzzle)
  view.setUint32(32, part)
  for (let nonce = from; nonce < from + many; nonce += 1) {
    view.setUint32(36, nonce)
    if (firstWord(sha256(bytes)) < bound) return nonce
  }
  return null
}

/** Whether each part has its answer. */
export function isSolved(puzzle: Puzzle, sha256: Sha256, answers: readonly number[]): boolean {
  return answers.length === puzzle.parts && answers.every((nonce, part) => findAnswer(puzzle, sha256, part, nonce, 1) === nonce)
}
