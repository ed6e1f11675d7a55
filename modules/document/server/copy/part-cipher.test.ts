import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openPart, PartDamaged, sealedLength, sealedRange, sealPart, segmentBytes } from './part-cipher.ts'

const key = randomBytes(32)
const place = { copyId: 'a', part: 3 }

async function* chunked(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}
async function whole(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const held: Uint8Array[] = []
  // Each is good until the next is asked for.
  for await (const chunk of chunks) held.push(Uint8Array.from(chunk))
  return Buffer.concat(held)
}
const seal = async (clear: Uint8Array, chunk = 10_000) => await whole(sealPart(key, place, chunked(clear, chunk)))

test.each([1, segmentBytes - 1, segmentBytes, segmentBytes + 1, 3 * segmentBytes + 77])(
  'E-33 a piece of %d bytes comes out as it went in, whole or any part of it, however it is chunked',
  async (length) => {
    const clear = randomBytes(length)
    const sealed = await seal(clear, 1000 + (length % 70_000))
    expect(sealed).toHaveLength(sealedLength(length))
    const ends = [0, 1, segmentBytes - 1, segmentBytes, segmentBytes + 1, 2 * segmentBytes, length].filter((at) => at <= length)
    for (const start of ends)
      for (const end of ends) {
        if (start >= end) continue
        const range = sealedRange(length, start, end)
        const cut = sealed.subarray(range.start, range.end + 1)
        const opened = await whole(openPart(key, place, chunked(cut, 7001), { start, end }))
        expect([start, end, opened.equals(clear.subarray(start, end))]).toEqual([start, end, true])
      }
  },
)

test('what was changed, moved, cut, or sealed with another key opens to nothing', async () => {
  const clear = randomBytes(2 * segmentBytes + 5)
  const sealed = await seal(clear)
  const segment = sealedLength(segmentBytes)
  const [first, second] = [sealed.subarray(0, segment), sealed.subarray(segment, 2 * segment)]
  const open = async (bytes: Uint8Array, by = key, where = place) =>
    await whole(openPart(by, where, chunked(bytes, 9999), { start: 0, end: clear.length }))
  expect((await open(sealed)).equals(clear)).toBe(true)
  for (const at of [0, 12, 5000, segment - 1, segment, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    await expect(open(changed)).rejects.toThrow(PartDamaged)
  }
  await expect(open(Buffer.concat([second, first, sealed.subarray(2 * segment)]))).rejects.toThrow(PartDamaged)
  for (const length of [0, 5, segment, 2 * segment, 2 * segment + 20, sealed.length - 1])
    await expect(open(sealed.subarray(0, length))).rejects.toThrow(PartDamaged)
  await expect(open(sealed, randomBytes(32))).rejects.toThrow(PartDamaged)
  await expect(open(sealed, key, { ...place, part: 4 })).rejects.toThrow(PartDamaged)
  await expect(open(sealed, key, { ...place, copyId: 'b' })).rejects.toThrow(PartDamaged)
})

test('the same bytes twice are nowhere alike', async () => {
  const clear = Buffer.alloc(2 * segmentBytes)
  const [one, other] = [await seal(clear), await seal(clear)]
  expect(one.equals(other)).toBe(false)
  expect(one.subarray(12, 100).equals(other.subarray(12, 100))).toBe(false)
})
