import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '../../../../kernel/bytes.ts'

const leafPrefix = Uint8Array.of(0)
const nodePrefix = Uint8Array.of(1)

export function leafHash(leaf: Uint8Array): Uint8Array {
  return sha256(concatBytes(leafPrefix, leaf))
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(concatBytes(nodePrefix, left, right))
}

/**
 * Merkle tree hash of RFC 9162 §2.1.1 over leaf *hashes*, in linear time and logarithmic memory: complete subtrees are
 * kept on a stack and merged as their twins arrive, then the rest folds from the right.
 * @param leafHashes at least one; the hash of the empty tree is not used by our formats. @throws RangeError when empty.
 */
export function merkleRoot(leafHashes: Iterable<Uint8Array>): Uint8Array {
  const stack: { hash: Uint8Array; size: number }[] = []
  for (const hash of leafHashes) {
    let subtree = { hash, size: 1 }
    for (let top = stack.at(-1); top !== undefined && top.size === subtree.size; top = stack.at(-1)) {
      stack.pop()
      subtree = { hash: nodeHash(top.hash, subtree.hash), size: top.size + subtree.size }
    }
    stack.push(subtree)
  }
  const last = stack.pop()
  if (last === undefined) throw new RangeError('a Merkle tree needs at least one leaf')
  return stack.reduceRight((right, left) => nodeHash(left.hash, right), last.hash)
}
