import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import type { HostHashes } from '../hash/host-hashes.ts'
import { digestPart } from './digest-part.ts'
import { hashFile } from './hash-file.ts'

const bytes = new Uint8Array(randomBytes(5 * 1024 * 1024 + 3))
const file = { size: bytes.length, read: (at: number, length: number) => Promise.resolve(bytes.subarray(at, at + length)) }
const now = () => new Date()
const whole = (algorithm: string, given: Uint8Array) =>
  ({ sha256: true, sha512: true })[algorithm] === undefined
    ? undefined
    : Promise.resolve(new Uint8Array(createHash(algorithm).update(given).digest()))
const expected = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex')

test.each<[string, HostHashes]>([
  ['as a whole', { whole }],
  ['in slices, where there is no memory for a copy', { whole: () => Promise.reject(new DOMException('', 'OperationError')) }],
  ['in slices, where there is nothing else', {}],
])('%s: the same digests and progress', async (_, hashes) => {
  let told = 0
  const count = (more: number) => {
    told += more
  }
  expect(await hashFile(file, ['sha256', 'sha512', 'sha3-256'], { hashes }, count)).toEqual({
    sha256: expected('sha256'),
    sha512: expected('sha512'),
    'sha3-256': expected('sha3-256'),
  })
  expect(told).toBe(bytes.length)
  const part = await digestPart(file, [{ offset: 0, length: bytes.length }], { now, hashes }, count)
  expect([Buffer.from(part.sha256).toString('hex'), part.crc32]).toEqual([expected('sha256'), crc32(bytes)])
  expect(told).toBe(2 * bytes.length)
})

test('what is longer than 64 MiB is not held', async () => {
  const asked = vi.fn(whole)
  const part = new Uint8Array(2 << 20)
  const long = (size: number) => ({ size, read: (_: number, length: number) => Promise.resolve(part.subarray(0, length)) })
  const hashes = { whole: asked, running: () => ({ update: () => undefined, digest: () => new Uint8Array(32) }) }
  await hashFile(long((64 << 20) + 1), ['sha256'], { hashes })
  expect(asked).not.toHaveBeenCalled()
  await hashFile(long(64 << 20), ['sha256'], { hashes })
  expect(asked).toHaveBeenCalledOnce()
})
