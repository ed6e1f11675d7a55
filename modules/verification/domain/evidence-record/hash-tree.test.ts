import { createHash } from 'node:crypto'
import { array, assert, nat, property, uint8Array, uniqueArray } from '../../../../testing/fast-check.ts'
import { sha256 as noble } from '@noble/hashes/sha2.js'
import { describe, expect, test } from 'vitest'
import { fromHex, toHex } from '../../../../kernel/bytes.ts'
import { applyOperation } from '../opentimestamps/operation.ts'
import { buildHashTree, mostLeaves, operationsOf, rootOf } from './hash-tree.ts'

const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(bytes).digest())
const leafOf = (number: number): Uint8Array => sha256(new TextEncoder().encode(String(number)))
const digests = uint8Array({ minLength: 32, maxLength: 32 })

describe('the hash tree of a batch (RFC 4998 §4.2)', () => {
  test('of one leaf is that leaf, and nothing leads to it', () => {
    const tree = buildHashTree([leafOf(1)], sha256)
    expect(toHex(tree.root)).toBe(toHex(leafOf(1)))
    expect(tree.path(0)).toEqual([])
    expect(operationsOf(leafOf(1), [], sha256)).toEqual([])
  })

  test('of three has the root that is calculated by hand, whatever their order: the odd one goes up', () => {
    const sorted = [leafOf(1), leafOf(2), leafOf(3)].map((leaf) => Buffer.from(leaf)).toSorted((a, b) => Buffer.compare(a, b))
    const [a, b, c] = sorted as [Buffer, Buffer, Buffer]
    const pair = createHash('sha256').update(a).update(b).digest()
    const ends = Buffer.compare(pair, c) < 0 ? [pair, c] : [c, pair]
    const root = createHash('sha256').update(Buffer.concat(ends)).digest('hex')
    for (const order of [
      [1, 2, 3],
      [3, 1, 2],
      [2, 3, 1],
    ])
      expect(toHex(buildHashTree(order.map(leafOf), sha256).root)).toBe(root)
  })

  test('leads from every leaf to the root, by siblings and by operations, for any leaves, equal ones too', () => {
    assert(
      property(array(digests, { minLength: 1, maxLength: 40 }), array(nat(39), { maxLength: 5 }), (leaves, again) => {
        const all = [...leaves, ...again.map((at) => leaves[at % leaves.length] as Uint8Array)]
        const tree = buildHashTree(all, sha256)
        expect(tree.size).toBe(new Set(all.map(toHex)).size)
        for (const [i, leaf] of all.entries()) {
          const path = tree.path(i)
          expect(path.length).toBeLessThanOrEqual(Math.ceil(Math.log2(tree.size)))
          expect(toHex(rootOf(leaf, path, sha256))).toBe(toHex(tree.root))
          const steps = operationsOf(leaf, path, sha256)
          expect(toHex(steps.reduce((message, step) => applyOperation(step, message), leaf))).toBe(toHex(tree.root))
        }
      }),
      { numRuns: 60 },
    )
  })

  test('has the same root for the same set, and another one when a bit of any leaf is another', () => {
    assert(
      property(uniqueArray(digests, { minLength: 1, maxLength: 12, selector: toHex }), nat(), nat(255), (leaves, at, bit) => {
        const { root } = buildHashTree(leaves, sha256)
        expect(toHex(buildHashTree([...leaves.toReversed(), ...leaves], sha256).root)).toBe(toHex(root))
        const index = at % leaves.length
        const leaf = leaves[index] as Uint8Array
        const other = leaf.with(bit >> 3, (leaf[bit >> 3] as number) ^ (1 << (bit & 7)))
        const changed = leaves.with(index, other)
        expect(toHex(buildHashTree(changed, sha256).root)).not.toBe(toHex(root))
      }),
      { numRuns: 60 },
    )
  })

  test('answers what is not its own, and cannot be one', () => {
    const tree = buildHashTree([leafOf(1), leafOf(2)], sha256)
    for (const index of [-1, 2, 0.5, Number.NaN]) expect(() => tree.path(index)).toThrow(RangeError)
    expect(() => buildHashTree([], sha256)).toThrow(RangeError)
    expect(() => buildHashTree([leafOf(1), leafOf(2).subarray(1)], sha256)).toThrow(RangeError)
    expect(() => buildHashTree([Uint8Array.of(1)], sha256)).toThrow(RangeError)
    expect(() =>
      buildHashTree(
        Array.from({ length: mostLeaves + 1 }, () => leafOf(1)),
        sha256,
      ),
    ).toThrow(RangeError)
  })

  test('holds a hundred thousand leaves', () => {
    const numbered = (number: number): Uint8Array => {
      const leaf = new Uint8Array(32)
      new DataView(leaf.buffer).setUint32(0, number)
      return leaf
    }
    const leaves = Array.from({ length: mostLeaves }, (_, i) => numbered(i + 1))
    const tree = buildHashTree(leaves, noble)
    expect(tree.size).toBe(mostLeaves)
    for (const i of [0, 1, 65_535, 65_536, mostLeaves - 1])
      expect(toHex(rootOf(leaves[i] as Uint8Array, tree.path(i), noble))).toBe(toHex(tree.root))
  })

  test('takes digests of any one length', () => {
    const sha512 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha512').update(bytes).digest())
    const leaves = [fromHex('00'.repeat(64)), fromHex('ff'.repeat(64)), fromHex('7f'.repeat(64))]
    const tree = buildHashTree(leaves, sha512)
    for (const [i, leaf] of leaves.entries()) expect(toHex(rootOf(leaf, tree.path(i), sha512))).toBe(toHex(tree.root))
  })
})
