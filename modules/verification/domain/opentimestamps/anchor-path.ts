import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8 } from '../../../../kernel/bytes.ts'
import type { Operation } from './operation.ts'

/** Domain separators of the public log's entries and of what is anchored (docs/package-format.md). */
export const logDomain = utf8('probant-log/1\n')
export const anchorDomain = utf8('probant-anchor/1\n')

export type PathOperation = Extract<Operation, { op: 'append' | 'prepend' }> | { readonly op: 'sha256' }

const hash: PathOperation = { op: 'sha256' }
const node = Uint8Array.of(1)

/**
 * From a sealed root to what is anchored under a checkpoint: the salted entry, its leaf hash, the inclusion path of RFC 9162 §2.1.3.2
 * to the root of the tree of `size` leaves, and the anchor's commitment:
 *
 *     entry = SHA-256("probant-log/1\n" ‖ salt ‖ root), leaf = SHA-256(0x00 ‖ entry), …,
 *     SHA-256("probant-anchor/1\n" ‖ tree root ‖ SHA-256(checkpoint note))
 *
 * It starts from the 32 octets of the root.
 * @param input.path nearest first, 32 octets each. @param input.noteHash SHA-256 of the checkpoint note, 32 octets.
 * @throws RangeError when `path` is not of the length that `index` and `size` ask for.
 */
export function anchorPath(input: {
  readonly salt: Uint8Array
  readonly index: number
  readonly size: number
  readonly path: readonly Uint8Array[]
  readonly noteHash: Uint8Array
}): PathOperation[] {
  return [
    { op: 'prepend', data: concatBytes(logDomain, input.salt) },
    hash,
    { op: 'prepend', data: Uint8Array.of(0) },
    hash,
    ...inclusionOperations(input.index, input.size, input.path),
    { op: 'prepend', data: anchorDomain },
    { op: 'append', data: input.noteHash },
    hash,
  ]
}

/** The same for the checkpoint itself: it starts from SHA-256 of its note. @param rootHash of its tree, 32 octets. */
export function checkpointAnchorPath(rootHash: Uint8Array): PathOperation[] {
  return [{ op: 'prepend', data: concatBytes(anchorDomain, rootHash) }, hash]
}

/** What is anchored: 32 octets. */
export function anchorCommitment(rootHash: Uint8Array, noteHash: Uint8Array): Uint8Array {
  return sha256(concatBytes(anchorDomain, rootHash, noteHash))
}

/** RFC 9162 §2.1.3.2, as operations: on which side each sibling stands follows from the leaf's place and the tree's size. */
export function inclusionOperations(index: number, size: number, path: readonly Uint8Array[]): PathOperation[] {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size)
    throw new RangeError('the leaf is not in the tree')
  const operations: PathOperation[] = []
  let at = index
  let last = size - 1
  for (const sibling of path) {
    if (last === 0) throw new RangeError('the inclusion path is too long')
    if (at % 2 === 1 || at === last) {
      operations.push({ op: 'prepend', data: concatBytes(node, sibling) }, hash)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else operations.push({ op: 'append', data: sibling }, { op: 'prepend', data: node }, hash)
    ;[at, last] = [half(at), half(last)]
  }
  if (last !== 0) throw new RangeError('the inclusion path is too short')
  return operations
}

function half(value: number): number {
  return Math.floor(value / 2)
}
