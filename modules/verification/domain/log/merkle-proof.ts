import { equalBytes } from '../../../../kernel/bytes.ts'
import { nodeHash as portableNodeHash } from '../hash/merkle.ts'

/** Hash of an inner node, RFC 9162 §2.1.1; a host may have a faster one. */
export type NodeHash = (left: Uint8Array, right: Uint8Array) => Uint8Array

/** No path is longer than the height of the largest tree that we count: 2⁵³ leaves. */
export const longestPath = 64

/**
 * The root that an inclusion path leads to, RFC 9162 §2.1.3.2. @param path nearest first
 * @returns null when the path has not the length that index and size ask for
 */
export function rootOfInclusion(
  { leafHash, index, size, path }: { leafHash: Uint8Array; index: number; size: number; path: readonly Uint8Array[] },
  nodeHash: NodeHash = portableNodeHash,
): Uint8Array | null {
  if (!isCount(index) || !isCount(size) || index >= size || path.length > longestPath || leafHash.length !== 32) return null
  let node = index
  let last = size - 1
  let hash = leafHash
  for (const sibling of path) {
    if (last === 0 || sibling.length !== 32) return null
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash)
      while (node % 2 === 0 && node !== 0) {
        node /= 2
        last = Math.floor(last / 2)
      }
    } else {
      hash = nodeHash(hash, sibling)
    }
    node = Math.floor(node / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 ? hash : null
}

export type TreeHead = { readonly size: number; readonly rootHash: Uint8Array }

/** Whether the first `from.size` leaves of `to` are those of `from`, RFC 9162 §2.1.4.2. */
export function isConsistent(
  from: TreeHead,
  to: TreeHead,
  proof: readonly Uint8Array[],
  nodeHash: NodeHash = portableNodeHash,
): boolean {
  if (!isCount(from.size) || !isCount(to.size) || from.size > to.size || proof.length > longestPath) return false
  if (proof.some((hash) => hash.length !== 32)) return false
  // Every tree begins as the empty one: there is nothing that a proof could say.
  if (from.size === 0) return false
  if (from.size === to.size) return proof.length === 0 && equalBytes(from.rootHash, to.rootHash)
  if (from.rootHash.length !== 32) return false
  let node = from.size - 1
  let last = to.size - 1
  while (node % 2 === 1) {
    node = Math.floor(node / 2)
    last = Math.floor(last / 2)
  }
  // The first is a complete subtree: its root is what the proof begins with, and is left out.
  const hashes = node === 0 ? [from.rootHash, ...proof] : proof
  const [first, ...rest] = hashes
  if (first === undefined) return false
  let before = first
  let after = first
  for (const hash of rest) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      before = nodeHash(hash, before)
      after = nodeHash(hash, after)
      while (node % 2 === 0 && node !== 0) {
        node /= 2
        last = Math.floor(last / 2)
      }
    } else {
      after = nodeHash(after, hash)
    }
    node = Math.floor(node / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && equalBytes(before, from.rootHash) && equalBytes(after, to.rootHash)
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
