import { createHash, randomBytes } from 'node:crypto'
import { createSHA256, createSHA512 } from 'hash-wasm'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashBlob, HashFailure, mostHeld, sliceBytes, type HashTools } from './hash-blob.ts'
import { runningHashOf } from './running-hash.ts'

let tools: HashTools
beforeAll(async () => {
  const [sha256, sha512] = await Promise.all([runningHashOf(createSHA256), runningHashOf(createSHA512)])
  tools = { subtle: crypto.subtle, sha256, sha512 }
})

const ways = [
  ['held', true],
  ['in slices', false],
] as const
const run = { step: () => Promise.resolve(), onProgress: () => undefined }
const expected = (bytes: Uint8Array) => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  sha512: createHash('sha512').update(bytes).digest('hex'),
})
const bytesOf = (length: number) => new Uint8Array(randomBytes(length))

describe.each(ways)('%s', (_, held) => {
  test.each([0, 1, 63, 64, 65, 127, 128, 129, sliceBytes, sliceBytes + 1, 2 * sliceBytes])(
    'E-32: the fingerprints of %i bytes are those that OpenSSL computes',
    async (length) => {
      const bytes = bytesOf(length)
      expect(await hashBlob(new Blob([bytes]), tools, { ...run, held })).toEqual(expected(bytes))
    },
  )

  test('progress goes to the end and never back', async () => {
    const told: number[] = []
    const size = 2 * sliceBytes + 5
    await hashBlob(new Blob([bytesOf(size)]), tools, { ...run, held, onProgress: (done) => told.push(done) })
    expect(told).toEqual([sliceBytes, 2 * sliceBytes, size])
  })

  test('what the step throws ends it before the next slice', async () => {
    let steps = 0
    const step = () => {
      steps += 1
      return steps > 1 ? Promise.reject(new Error('cancelled')) : Promise.resolve()
    }
    const told: number[] = []
    const hashing = hashBlob(new Blob([bytesOf(3 * sliceBytes)]), tools, { held, step, onProgress: (done) => told.push(done) })
    await expect(hashing).rejects.toThrow('cancelled')
    expect(told).toEqual([sliceBytes])
  })

  test('a file that became shorter has changed, one that cannot be read is unreadable', async () => {
    const shorter = new Blob([bytesOf(10)])
    Object.defineProperty(shorter, 'size', { value: 20 })
    await expect(hashBlob(shorter, tools, { ...run, held })).rejects.toMatchObject({ reason: 'changed' })
    const locked = new Blob([bytesOf(10)])
    locked.slice = () => ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) }) as unknown as Blob
    await expect(hashBlob(locked, tools, { ...run, held })).rejects.toMatchObject({ reason: 'unreadable' })
  })
})

test('without the memory that Web Crypto needs, it is hashed in slices', async () => {
  const bytes = bytesOf(100)
  const subtle = { digest: () => Promise.reject(new DOMException('', 'OperationError')) }
  expect(await hashBlob(new Blob([bytes]), { ...tools, subtle }, { ...run, held: true })).toEqual(expected(bytes))
  const huge = new Blob([bytes])
  Object.defineProperty(huge, 'size', { value: Number.MAX_SAFE_INTEGER })
  // No room for so much: the first slice is read at once, and tells that the file is not so long.
  await expect(hashBlob(huge, tools, { ...run, held: true })).rejects.toMatchObject({ reason: 'changed' })
})

test('without any hash it says so', async () => {
  await expect(hashBlob(new Blob(['x']), {}, { ...run, held: true })).rejects.toEqual(new HashFailure('no_hashes'))
})

test('as much is held as the device has memory for, a GiB at most', () => {
  const mebibytes = (deviceMemory?: number) => mostHeld(deviceMemory) / 1024 / 1024
  expect([mebibytes(), mebibytes(0.25), mebibytes(4), mebibytes(8), mebibytes(64)]).toEqual([128, 16, 256, 512, 1024])
})
