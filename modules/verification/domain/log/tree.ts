import { nodeHash as portableNodeHash } from '../hash/merkle.ts'
import type { NodeHash } from './merkle-proof.ts'

/**
 * Which complete subtrees a proof is made of, and how they are read from tiles. Pure arithmetic: the log computes its proofs
 * so, and so does whoever holds its tiles.
 */

/** A complete subtree: `2^level` leaves from leaf `index × 2^level`. */
export type Subtree = { readonly level: number; readonly index: number }

/** Subtrees that fold from the right to the hash of a range of leaves. */
export type Fold = readonly Subtree[]

/** Heights of a tile: 256 hashes (C2SP tlog-tiles). */
export const tileHeight = 8
export const tileWidth = 256

/** Leaves `[start, end)`, `start` being a multiple of the smallest power of two that is not below the length. */
export function foldOf(start: number, end: number): Fold {
  const found: Subtree[] = []
  let at = start
  while (at < end) {
    let level = 0
    while (2 ** (level + 1) <= end - at) level += 1
    found.push({ level, index: at / 2 ** level })
    at += 2 ** level
  }
  return found
}

/** RFC 9162 §2.1.3.1, nearest first. @throws RangeError when the leaf is not in the tree */
export function inclusionFolds(index: number, size: number): Fold[] {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size) {
    throw new RangeError(`leaf ${index} is not in a tree of ${size}`)
  }
  const found: Fold[] = []
  let [start, end] = [0, size]
  while (end - start > 1) {
    const middle = start + largestPowerBelow(end - start)
    if (index < middle) {
      found.push(foldOf(middle, end))
      end = middle
    } else {
      found.push(foldOf(start, middle))
      start = middle
    }
  }
  return found.toReversed()
}

/** RFC 9162 §2.1.4.1. Empty when there is nothing to prove. @throws RangeError when `from` is the larger */
export function consistencyFolds(from: number, to: number): Fold[] {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 0 || from > to) {
    throw new RangeError(`no proof leads from ${from} leaves to ${to}`)
  }
  if (from === 0 || from === to) return []
  const found: Fold[] = []
  let [start, end, whole] = [0, to, true]
  // What is left of the first tree is the whole of `[start, end)` when from === end.
  while (from !== end) {
    const middle = start + largestPowerBelow(end - start)
    if (from <= middle) {
      found.push(foldOf(middle, end))
      end = middle
    } else {
      found.push(foldOf(start, middle))
      start = middle
      whole = false
    }
  }
  if (!whole) found.push(foldOf(start, end))
  return found.toReversed()
}

/** A tile of the hash tree: level and number of C2SP tlog-tiles, and how many of its hashes the tree of that size has. */
export type Tile = { readonly level: number; readonly number: number; readonly width: number }

/** The tile that holds a subtree, as a tree of `size` leaves has it. */
export function tileOf({ level, index }: Subtree, size: number): Tile {
  const tileLevel = Math.floor(level / tileHeight)
  const number = Math.floor((index * 2 ** (level % tileHeight)) / tileWidth)
  return { level: tileLevel, number, width: widthOfTile(tileLevel, number, size) }
}

/** 0 for a tile that a tree of `size` leaves does not have. */
export function widthOfTile(level: number, number: number, size: number): number {
  return Math.max(0, Math.min(tileWidth, Math.floor(size / tileWidth ** level) - number * tileWidth))
}

export const tileKey = ({ level, number }: Pick<Tile, 'level' | 'number'>): string => `${level}/${number}`

/** The tiles that those folds are read from, each once. */
export function tilesOf(folds: readonly Fold[], size: number): Tile[] {
  const found = new Map<string, Tile>()
  for (const fold of folds) {
    for (const subtree of fold) {
      const tile = tileOf(subtree, size)
      found.set(tileKey(tile), tile)
    }
  }
  return [...found.values()]
}

/**
 * Computes folds from the octets of tiles, by {@link tileKey}. Each tile is hashed once, whatever is read from it.
 * @throws RangeError when a tile is absent or shorter than what is asked of it
 */
export function hashFolds(
  folds: readonly Fold[],
  tiles: ReadonlyMap<string, Uint8Array>,
  nodeHash: NodeHash = portableNodeHash,
): Uint8Array[] {
  const pyramids = new Map<string, Uint8Array[][]>()
  const pyramidOf = (key: string): Uint8Array[][] => {
    const known = pyramids.get(key)
    if (known !== undefined) return known
    const octets = tiles.get(key) ?? new Uint8Array()
    const made = [Array.from({ length: Math.floor(octets.length / 32) }, (_, i) => octets.subarray(i * 32, i * 32 + 32))]
    pyramids.set(key, made)
    return made
  }
  const hashOf = (subtree: Subtree): Uint8Array => {
    const height = subtree.level % tileHeight
    const tile = tileOf(subtree, Number.MAX_SAFE_INTEGER)
    const pyramid = pyramidOf(tileKey(tile))
    for (let at = pyramid.length; at <= height; at += 1) {
      const below = pyramid[at - 1] ?? []
      pyramid.push(
        Array.from({ length: Math.floor(below.length / 2) }, (_, i) =>
          nodeHash(below[2 * i] ?? new Uint8Array(), below[2 * i + 1] ?? new Uint8Array()),
        ),
      )
    }
    const hash = pyramid[height]?.[subtree.index - tile.number * (tileWidth / 2 ** height)]
    if (hash === undefined) throw new RangeError(`tile ${tileKey(tile)} lacks subtree ${subtree.level}/${subtree.index}`)
    return hash
  }
  return folds.map((fold) => {
    const hashes = fold.map(hashOf)
    const last = hashes.pop()
    if (last === undefined) throw new RangeError('an empty range has no hash')
    return hashes.reduceRight((right, left) => nodeHash(left, right), last)
  })
}

function largestPowerBelow(length: number): number {
  let power = 1
  while (power * 2 < length) power *= 2
  return power
}
