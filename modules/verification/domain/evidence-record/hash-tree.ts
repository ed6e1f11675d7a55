import { concatBytes } from '../../../../kernel/bytes.ts'
import { compareBytes } from '../opentimestamps/operation.ts'
import type { Operation } from '../opentimestamps/operation.ts'

/** SHA-256 of the host or a portable one: 32 octets of any octets. */
export type Hash = (bytes: Uint8Array) => Uint8Array

/**
 * The binary hash tree of RFC 4998 §4.2 over the digests of documents. A leaf is the digest itself, a node the hash of its two
 * children, concatenated in binary ascending order; an odd one goes up as it is. Leaves are put in that order first and equal ones are
 * one leaf, so that the same digests have the same root however they were listed; of one leaf the root is that leaf (decision 0280).
 */
export type HashTree = {
  readonly root: Uint8Array
  /** How many different leaves there are. */
  readonly size: number
  /** Siblings of the leaf that was given at `index`, nearest first; none where the leaf is the root. @throws RangeError */
  path(index: number): Uint8Array[]
}

export const mostLeaves = 100_000

/** @param leaves 1 to {@link mostLeaves} digests of one length, 20 to 64 octets. @throws RangeError when they are not */
export function buildHashTree(leaves: readonly Uint8Array[], hash: Hash): HashTree {
  const width = leaves[0]?.length ?? 0
  if (leaves.length === 0 || leaves.length > mostLeaves) throw new RangeError(`a tree of ${leaves.length} leaves`)
  if (width < 20 || width > 64 || leaves.some(({ length }) => length !== width))
    throw new RangeError('leaves are no digests of one length')
  const { first, positions } = orderedLeaves(leaves, width)
  // Each level in one piece: two octets are held for each octet of the leaves, and no object for each node.
  const levels = [first]
  for (let level = first; level.length > width;) {
    level = levelAbove(level, width, hash)
    levels.push(level)
  }
  return {
    root: (levels.at(-1) as Uint8Array).slice(),
    size: first.length / width,
    path: (index) => {
      let at = positions[index]
      if (at === undefined) throw new RangeError(`leaf ${index} is not in the tree`)
      const path: Uint8Array[] = []
      for (const level of levels) {
        const sibling = (at ^ 1) * width
        if (sibling < level.length) path.push(level.slice(sibling, sibling + width))
        at >>= 1
      }
      return path
    },
  }
}

/** Different leaves in binary ascending order, and where each given one stands among them. */
function orderedLeaves(leaves: readonly Uint8Array[], width: number): { first: Uint8Array; positions: Uint32Array } {
  const leafAt = (index: number): Uint8Array => leaves[index] as Uint8Array
  const order = Uint32Array.from(leaves.keys()).sort((a, b) => compareBytes(leafAt(a), leafAt(b)))
  const positions = new Uint32Array(leaves.length)
  const first = new Uint8Array(leaves.length * width)
  let size = 0
  let last: Uint8Array | undefined
  for (const index of order) {
    const leaf = leafAt(index)
    if (last === undefined || compareBytes(last, leaf) !== 0) {
      first.set(leaf, size * width)
      size += 1
      last = leaf
    }
    positions[index] = size - 1
  }
  return { first: first.subarray(0, size * width), positions }
}

function levelAbove(level: Uint8Array, width: number, hash: Hash): Uint8Array {
  const count = level.length / width
  const above = new Uint8Array(Math.ceil(count / 2) * width)
  for (let i = 0; i < count; i += 2) {
    const [left, right] = [level.subarray(i * width, (i + 1) * width), level.subarray((i + 1) * width, (i + 2) * width)]
    above.set(right.length === 0 ? left : nodeOf(left, right, hash), (i / 2) * width)
  }
  return above
}

function nodeOf(a: Uint8Array, b: Uint8Array, hash: Hash): Uint8Array {
  return hash(compareBytes(a, b) <= 0 ? concatBytes(a, b) : concatBytes(b, a))
}

/** The root that a leaf and its path lead to (RFC 4998 §4.3). */
export function rootOf(leaf: Uint8Array, path: readonly Uint8Array[], hash: Hash): Uint8Array {
  let node = leaf
  for (const sibling of path) node = nodeOf(node, sibling, hash)
  return node
}

/**
 * The same way as operations on the leaf: the beginning of an `.ots`, and of the branch of a Chainpoint proof. @param hash SHA-256, which
 * is what the operations say.
 */
export function operationsOf(leaf: Uint8Array, path: readonly Uint8Array[], hash: Hash): Operation[] {
  const operations: Operation[] = []
  let node = leaf
  for (const sibling of path) {
    operations.push({ op: compareBytes(node, sibling) <= 0 ? 'append' : 'prepend', data: sibling }, { op: 'sha256' })
    node = nodeOf(node, sibling, hash)
  }
  return operations
}
