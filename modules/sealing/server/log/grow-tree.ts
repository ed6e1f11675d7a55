import { concatBytes } from '../../../../kernel/bytes.ts'
import { nodeHash } from './read-log.ts'

/** What a tree of `size` leaves is known by: the hashes of the complete subtrees that its leaves form, the largest first. */
export type Frontier = { readonly size: number; readonly hashes: readonly Uint8Array[] }

export type GrownTree = Frontier & {
  readonly rootHash: Uint8Array
  /** Complete subtrees of 256^level leaves that came to be. */
  readonly subtrees: readonly { readonly level: number; readonly index: number; readonly hash: Uint8Array }[]
}

/** @param octets as stored. @throws RangeError when their number does not fit the size */
export function readFrontier(size: number, octets: Uint8Array): Frontier {
  const hashes = Array.from({ length: octets.length / 32 }, (_, i) => octets.subarray(i * 32, i * 32 + 32))
  if (hashes.length * 32 !== octets.length || hashes.length !== levelsOf(size).length) {
    throw new RangeError(`the frontier of ${size} leaves does not have ${octets.length} octets`)
  }
  return { size, hashes }
}

export const writeFrontier = ({ hashes }: Frontier): Uint8Array => concatBytes(...hashes)

/** Appends leaf hashes, each in amortised constant time. @throws RangeError when the tree stays empty: it has no root for us */
export function growTree(frontier: Frontier, leafHashes: readonly Uint8Array[]): GrownTree {
  let { size } = frontier
  const levels = levelsOf(size)
  const stack = frontier.hashes.map((hash, i) => ({ level: levels[i] ?? 0, hash }))
  const subtrees: { level: number; index: number; hash: Uint8Array }[] = []
  for (const leaf of leafHashes) {
    let hash = leaf
    let level = 0
    for (let top = stack.at(-1); top?.level === level; top = stack.at(-1)) {
      stack.pop()
      hash = nodeHash(top.hash, hash)
      level += 1
      if (level % 8 === 0) subtrees.push({ level: level / 8, index: Math.floor(size / 2 ** level), hash })
    }
    stack.push({ level, hash })
    size += 1
  }
  const hashes = stack.map(({ hash }) => hash)
  return { size, hashes, rootHash: rootOfFrontier({ size, hashes }), subtrees }
}

export function rootOfFrontier({ hashes }: Frontier): Uint8Array {
  const last = hashes.at(-1)
  if (last === undefined) throw new RangeError('the log has no leaf')
  return hashes.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last)
}

/** Heights of the complete subtrees of a tree, the largest first: the ones of its size in binary. */
function levelsOf(size: number): number[] {
  const levels: number[] = []
  for (let level = 0, rest = size; rest > 0; level += 1, rest = Math.floor(rest / 2)) if (rest % 2 === 1) levels.unshift(level)
  return levels
}
