import { concatBytes } from '../../../../kernel/bytes.ts'
import { compareBytes } from '../opentimestamps/operation.ts'
import type { Hash } from './hash-tree.ts'
import type { Chain } from './read-evidence-record.ts'

/** One hash that was calculated: what went in, and what came out. */
export type Hashed = { readonly input: Uint8Array; readonly output: Uint8Array }

/**
 * The root of a reduced hash tree (RFC 4998 §4.3): each list with the hash of the one before, in binary ascending order, concatenated
 * and hashed. One value alone in the first list is that hash itself, as §5.2 point 5, RFC 6283 §3.2.1 and every implementation at
 * hand have it. Undefined when there is no value.
 */
export function rootOfLists(
  lists: readonly (readonly Uint8Array[])[],
  hash: Hash,
): { readonly root: Uint8Array; readonly hashed: readonly Hashed[] } | undefined {
  const hashed: Hashed[] = []
  let node: Uint8Array | undefined
  for (const list of lists) {
    const values = node === undefined ? list : [...list, node]
    if (values.length < 2) {
      node = values[0]
      continue
    }
    const input = concatBytes(...values.toSorted(compareBytes))
    node = hash(input)
    hashed.push({ input, output: node })
  }
  return node === undefined ? undefined : { root: node, hashed }
}

/**
 * What the first time stamp of a new chain is over, for one document (RFC 4998 §5.2, hash-tree renewal, points 2 to 4):
 * `H(H(document) ‖ H(all chains before, as one sequence))`, not sorted.
 */
export function hashOfRenewedTree(documentDigest: Uint8Array, before: readonly Pick<Chain, 'encoded'>[], hash: Hash): Uint8Array {
  return hash(concatBytes(documentDigest, hash(derSequence(before.map(({ encoded }) => encoded)))))
}

/** SEQUENCE, its length in the fewest octets (X.690 §10.1). */
export function derSequence(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return derElement(0x30, parts)
}

/** @param tag low tag number, one octet. */
export function derElement(tag: number, parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  const head = [tag]
  if (size < 0x80) head.push(size)
  else {
    const octets: number[] = []
    for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
    head.push(0x80 | octets.length, ...octets)
  }
  return concatBytes(Uint8Array.from(head), ...parts)
}
