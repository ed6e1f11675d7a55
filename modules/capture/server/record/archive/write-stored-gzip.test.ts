import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { writeStoredGzip } from './write-stored-gzip.ts'

const bytesOf = (length: number) =>
  createHash('shake256', { outputLength: Math.max(1, length) })
    .update('seed')
    .digest()
    .subarray(0, length)

/** Parts in one and the same memory, as a reader of a file gives them. */
async function* lent(whole: Buffer, size: number): AsyncGenerator<Uint8Array> {
  const memory = Buffer.alloc(size)
  for (let at = 0; at < whole.length; at += size) {
    const length = whole.copy(memory, 0, at, at + size)
    yield memory.subarray(0, length)
  }
}

test.each([
  [0, 10],
  [1, 1],
  [65_535, 65_535],
  [65_536, 65_536],
  [524_280, 1000],
  [524_265, 524_265],
  [1_300_000, 512 * 1024],
])('%i bytes in parts of %i come out of zlib and of gzip as they went in', async (length, size) => {
  const whole = bytesOf(length)
  const written: Buffer[] = []
  const total = await writeStoredGzip(lent(whole, size), async (bytes) => {
    await Promise.resolve()
    written.push(Buffer.from(bytes))
  })
  const member = Buffer.concat(written)
  expect(member.length).toBe(total)
  expect(gunzipSync(member).equals(whole)).toBe(true)
  expect(execFileSync('gzip', ['-dc'], { input: member, maxBuffer: 4_000_000 }).equals(whole)).toBe(true)
})
