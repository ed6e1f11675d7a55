import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { zipOf } from '../../../../testing/write-zip.ts'
import { MalformedError } from '../encoding/der.ts'
import { digestEntry } from './digest-entry.ts'
import { readAnyZip } from './read-any-zip.ts'

const bytes = Buffer.from('what many lines name '.repeat(50))
const damaged = Buffer.from('no deflated stream')

test.each([[false], [true]])('an entry that is named often is read and hashed once; deflated: %s', async (deflate) => {
  const zip = zipOf([{ path: 'a', bytes, deflate }])
  let reads = 0
  const file = {
    size: zip.length,
    read: async (at: number, length: number) => {
      reads += 1
      return await Promise.resolve(zip.subarray(at, at + length))
    },
  }
  const [entry] = (await readAnyZip(file)).entries
  if (entry === undefined) throw new Error('no entry')
  const deps = { now: () => new Date() }
  const digests = [await digestEntry(file, entry, 'sha256', deps)]
  const once = reads
  for (let i = 0; i < 20; i += 1) digests.push(await digestEntry(file, entry, 'sha256', deps))
  expect(reads).toBe(once)
  const hex = createHash('sha256').update(bytes).digest('hex')
  expect([...new Set(digests.map((each) => Buffer.from(each).toString('hex')))]).toEqual([hex])
  // Another digest of it is another computation.
  expect(await digestEntry(file, entry, 'sha512', deps)).toHaveLength(64)
  expect(reads).toBeGreaterThan(once)
})

test('one that cannot be unpacked is tried once, and refused each time', async () => {
  const zip = zipOf([{ path: 'a', bytes, deflate: true, raw: damaged }])
  let reads = 0
  const file = {
    size: zip.length,
    read: async (at: number, length: number) => {
      reads += 1
      return await Promise.resolve(zip.subarray(at, at + length))
    },
  }
  const [entry] = (await readAnyZip(file)).entries
  if (entry === undefined) throw new Error('no entry')
  const deps = { now: () => new Date() }
  await expect(digestEntry(file, entry, 'sha256', deps)).rejects.toThrow(MalformedError)
  const once = reads
  await expect(digestEntry(file, entry, 'sha256', deps)).rejects.toThrow(MalformedError)
  expect(reads).toBe(once)
})
