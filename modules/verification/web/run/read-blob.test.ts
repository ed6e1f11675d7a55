import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { readBlob } from './read-blob.ts'

const bytes = new Uint8Array(randomBytes(7 * 1024 * 1024 + 5))
const piece = 2 * 1024 * 1024

test('what is read by turns, in order or not, is what the file has there', async () => {
  const read = readBlob(new Blob([bytes]))
  const asked = [
    [0, 10],
    [0, piece],
    [piece, piece],
    [5, 100],
    [2 * piece, piece],
    [3 * piece, bytes.length - 3 * piece],
    [bytes.length - 1, 1],
    [3, piece],
    [3 + piece, 1],
    [4 + piece, 0],
    [4 + piece, 12],
  ] as const
  for (const [at, length] of asked)
    expect(Buffer.compare(await read(at, length), bytes.subarray(at, at + length)), `${String(at)} ${String(length)}`).toBe(0)
})

test('two who read at once get their own octets', async () => {
  const read = readBlob(new Blob([bytes]))
  const found = await Promise.all([read(0, piece), read(piece, piece), read(2, piece)])
  expect(found.map((each, i) => Buffer.compare(each, bytes.subarray([0, piece, 2][i], ([0, piece, 2][i] ?? 0) + piece)))).toEqual(
    [0, 0, 0],
  )
})

test('many files by turns: what is read ahead of each is let go, and read again', async () => {
  const readers = Array.from({ length: 9 }, () => readBlob(new Blob([bytes])))
  for (const at of [0, piece, 2 * piece])
    for (const read of readers) expect(Buffer.compare(await read(at, piece), bytes.subarray(at, at + piece))).toBe(0)
})

test('one slice after the other is one stream of the file', async () => {
  const blob = new Blob([bytes])
  const slice = vi.spyOn(blob, 'slice')
  const read = readBlob(blob)
  for (let at = 0; at < bytes.length; at += piece) await read(at, Math.min(piece, bytes.length - at))
  expect(slice).toHaveBeenCalledOnce()
})

test('without byte streams it is read slice by slice', async () => {
  const blob = new Blob([bytes])
  const plain = new Blob([bytes])
  vi.spyOn(blob, 'slice').mockImplementation((from, to) => {
    const part = plain.slice(from, to)
    part.stream = () => new ReadableStream()
    return part
  })
  expect(Buffer.compare(await readBlob(blob)(1, piece), bytes.subarray(1, 1 + piece))).toBe(0)
})

test.each([piece, 10])('of a file that became shorter nothing is read as if it were there', async (length) => {
  const read = readBlob(new Blob([bytes.subarray(0, length)]))
  await expect(read(1, length)).rejects.toThrow('shorter')
  expect(Buffer.compare(await read(0, 10), bytes.subarray(0, 10))).toBe(0)
})
