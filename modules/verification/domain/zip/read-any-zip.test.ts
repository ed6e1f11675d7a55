import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fileOf } from '../../../../testing/proof-vectors/verify-row.ts'
import { countingFewer, zipOf } from '../../../../testing/write-zip.ts'
import { readAnyZip } from './read-any-zip.ts'

const dir = mkdtempSync(join(tmpdir(), 'read-any-zip-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** What a reader that is not ours finds in it: names, and the first four octets of each. */
function elsewhere(zip: Uint8Array): string {
  const file = join(dir, 'given.zip')
  writeFileSync(file, zip)
  const code = 'import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nprint(*[n+":"+z.read(n)[:4].decode() for n in z.namelist()])'
  return execFileSync('python3', ['-c', code, file]).toString().trim()
}
const partsOf = (zip: Uint8Array) => {
  const bytes = Buffer.from(zip)
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const at = bytes.readUInt32LE(end + 16)
  return {
    entries: bytes.subarray(0, at),
    directory: Buffer.from(bytes.subarray(at, end)),
    record: Buffer.from(bytes.subarray(end)),
  }
}
const good = zipOf([{ path: 'a.txt', bytes: Buffer.from('good'.repeat(40)) }])
const evil = zipOf([{ path: 'a.txt', bytes: Buffer.from('evil') }])
const damaged = { entries: [], flaws: [{ reason: 'truncated' }] }

test('a container that all read alike is read', async () => {
  expect(elsewhere(good)).toBe('a.txt:good')
  expect(await readAnyZip(fileOf(good))).toMatchObject({ entries: [{ path: 'a.txt' }], flaws: [] })
})

test('a directory that counts fewer entries than it holds: others read them all', async () => {
  const more = zipOf([
    { path: 'a.txt', bytes: Buffer.from('good') },
    { path: 'b.txt', bytes: Buffer.from('evil') },
  ])
  const fewer = countingFewer(more, 1)
  expect(elsewhere(fewer)).toBe('a.txt:good b.txt:evil')
  expect(await readAnyZip(fileOf(fewer))).toEqual(damaged)
})

test('a second directory before the end record: others read that one', async () => {
  const [first, second] = [partsOf(good), partsOf(evil)]
  const record = first.record
  record.writeUInt32LE(first.entries.length + second.entries.length, 16)
  // They count back from the end record, and move every place by what they find too much.
  second.directory.writeUInt32LE(first.entries.length - first.directory.length, 42)
  const both = Buffer.concat([first.entries, second.entries, first.directory, second.directory, record])
  expect(elsewhere(both)).toBe('a.txt:evil')
  expect(await readAnyZip(fileOf(new Uint8Array(both)))).toEqual(damaged)
})

test('two end records that differ: which of them counts is each reader’s own', async () => {
  const { entries, directory, record } = partsOf(good)
  const long = (count: number): Uint8Array => {
    const wide = Buffer.alloc(76)
    wide.write('PK\x06\x06', 0, 'latin1')
    wide.writeBigUInt64LE(44n, 4)
    for (const at of [24, 32]) wide.writeBigUInt64LE(BigInt(count), at)
    wide.writeBigUInt64LE(BigInt(directory.length), 40)
    wide.writeBigUInt64LE(BigInt(entries.length), 48)
    wide.write('PK\x06\x07', 56, 'latin1')
    wide.writeBigUInt64LE(BigInt(entries.length + directory.length), 64)
    wide.writeUInt32LE(1, 72)
    return new Uint8Array(Buffer.concat([entries, directory, wide, record]))
  }
  expect(await readAnyZip(fileOf(long(1)))).toMatchObject({ entries: [{ path: 'a.txt' }], flaws: [] })
  record.writeUInt16LE(2, 10)
  expect(await readAnyZip(fileOf(long(1)))).toEqual(damaged)
  record.writeUInt16LE(0xffff, 10)
  expect(await readAnyZip(fileOf(long(1)))).toMatchObject({ entries: [{ path: 'a.txt' }], flaws: [] })
})
