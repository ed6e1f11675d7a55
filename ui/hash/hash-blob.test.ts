import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashBlob, hashNames, mostHeld, type HashOptions, type HashTools } from './hash-blob.ts'
import { HashFailure } from './hash-failure.ts'
import { runningHash } from './running-hash.ts'

let tools: HashTools
beforeAll(async () => {
  const [sha256, sha512] = await Promise.all([runningHash('sha256'), runningHash('sha512')])
  tools = { subtle: crypto.subtle, sha256, sha512 }
})

const ways = [
  ['held', true],
  ['piece by piece', false],
] as const
const run: Omit<HashOptions, 'held'> = { names: hashNames, step: () => Promise.resolve(), onProgress: () => undefined }
const expected = (bytes: Uint8Array) => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  sha512: createHash('sha512').update(bytes).digest('hex'),
})
const bytesOf = (length: number) => new Uint8Array(randomBytes(length))
/** Of a browser without byte streams, in pieces of a length of its own. */
const plainly = (bytes: Uint8Array, piece: number): Blob => {
  const blob = new Blob([bytes as Uint8Array<ArrayBuffer>])
  let at = 0
  blob.stream = () =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => {
        if (at >= bytes.length) controller.close()
        else controller.enqueue(new Uint8Array(bytes.slice(at, (at += piece))))
      },
    })
  return blob
}
const failing = (): Blob => {
  const blob = new Blob([bytesOf(10)])
  blob.stream = () => new ReadableStream({ pull: () => Promise.reject(new DOMException('', 'NotReadableError')) })
  return blob
}
const large = 5 * 1024 * 1024

describe.each(ways)('%s', (_, held) => {
  test.each([0, 1, 63, 64, 65, 127, 128, 129, large, large + 1])(
    'E-32: the fingerprints of %i bytes are those that OpenSSL computes',
    async (length) => {
      const bytes = bytesOf(length)
      expect(await hashBlob(new Blob([bytes]), tools, { ...run, held })).toEqual(expected(bytes))
      expect(await hashBlob(plainly(bytes, 100_003), tools, { ...run, held })).toEqual(expected(bytes))
    },
  )

  test.each(hashNames)('%s alone', async (name) => {
    const bytes = bytesOf(1000)
    expect(await hashBlob(new Blob([bytes]), tools, { ...run, held, names: [name] })).toEqual({ [name]: expected(bytes)[name] })
  })

  test('progress goes to the end and never back', async () => {
    const told: number[] = []
    await hashBlob(new Blob([bytesOf(large)]), tools, { ...run, held, onProgress: (done) => told.push(done) })
    expect(told.length).toBeGreaterThan(1)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    expect(told.at(-1)).toBe(large)
  })

  test('what the step throws ends it before the next piece', async () => {
    let steps = 0
    const step = () => {
      steps += 1
      return steps > 2 ? Promise.reject(new Error('cancelled')) : Promise.resolve()
    }
    const told: number[] = []
    const bytes = plainly(bytesOf(30), 10)
    const hashing = hashBlob(bytes, tools, { ...run, held, step, onProgress: (done) => told.push(done) })
    await expect(hashing).rejects.toThrow('cancelled')
    expect(told).toEqual([10, 20])
  })

  test('a file that became shorter or longer has changed, one that cannot be read is unreadable', async () => {
    for (const size of [9, 20]) {
      const other = new Blob([bytesOf(10)])
      Object.defineProperty(other, 'size', { value: size })
      await expect(hashBlob(other, tools, { ...run, held })).rejects.toMatchObject({ reason: 'changed' })
    }
    await expect(hashBlob(failing(), tools, { ...run, held })).rejects.toMatchObject({ reason: 'unreadable' })
  })
})

test('SHA-512 alone is not held; without WebAssembly it is', async () => {
  const bytes = bytesOf(100)
  const asked: unknown[] = []
  const subtle: HashTools['subtle'] = {
    digest: (name, data) => {
      asked.push(name)
      return crypto.subtle.digest(name, data)
    },
  }
  const one = { ...run, held: true, names: ['sha512'] as const }
  expect(await hashBlob(new Blob([bytes]), { ...tools, subtle }, one)).toEqual({ sha512: expected(bytes).sha512 })
  expect(asked).toEqual([])
  expect(await hashBlob(new Blob([bytes]), { subtle }, one)).toEqual({ sha512: expected(bytes).sha512 })
  expect(asked).toEqual(['SHA-512'])
})

test('without the memory that Web Crypto needs, it is hashed piece by piece', async () => {
  const bytes = bytesOf(100)
  const subtle = { digest: () => Promise.reject(new DOMException('', 'OperationError')) }
  expect(await hashBlob(new Blob([bytes]), { ...tools, subtle }, { ...run, held: true })).toEqual(expected(bytes))
  const huge = new Blob([bytes])
  Object.defineProperty(huge, 'size', { value: Number.MAX_SAFE_INTEGER })
  // No room for so much: its end tells that the file is not so long.
  await expect(hashBlob(huge, tools, { ...run, held: true })).rejects.toMatchObject({ reason: 'changed' })
})

test('without any hash it says so', async () => {
  await expect(hashBlob(new Blob(['x']), {}, { ...run, held: true })).rejects.toEqual(new HashFailure('no_hashes'))
})

test('as much is held as the device has memory for, a GiB at most', () => {
  const mebibytes = (deviceMemory?: number) => mostHeld(deviceMemory) / 1024 / 1024
  expect([mebibytes(), mebibytes(0.25), mebibytes(4), mebibytes(8), mebibytes(64)]).toEqual([128, 16, 256, 512, 1024])
})
