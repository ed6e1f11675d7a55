import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { assert as check, asyncProperty, boolean, nat } from '../../../../testing/fast-check.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import yauzl from 'yauzl'
import { EntryMismatch, type PackageEntry, packageStream } from './write-package.ts'
import { centralHeader, endOfDirectory, localHeader } from '../../../../platform/zip/zip-records.ts'

const run = promisify(execFile)

function entryOf(path: string, content: Uint8Array, more: Partial<PackageEntry> = {}): PackageEntry {
  return { path, bytes: content.length, open: async () => Readable.from([content], { objectMode: false }), ...more }
}

const noise = (length: number, seed: number): Buffer =>
  Buffer.concat(
    Array.from({ length: Math.ceil(length / 32) }, (_, i) => createHash('sha256').update(`${seed}/${i}`).digest()),
  ).subarray(0, length)

const sample = (): PackageEntry[] => [
  entryOf('mimetype', Buffer.from('application/vnd.etsi.asic-e+zip')),
  entryOf('manifest.json', Buffer.from('{}')),
  entryOf('capture/empty.txt', new Uint8Array(0)),
  entryOf('capture/page.html', noise(70_001, 1), { crc32: crc32(noise(70_001, 1)) }),
  entryOf('environment/clock.json', noise(333, 2)),
]

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'package-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

async function fileOf(name: string, entries: readonly PackageEntry[]): Promise<string> {
  const file = join(folder, name)
  await pipeline(packageStream(entries).stream, createWriteStream(file))
  return file
}

describe('packageStream', () => {
  it('is accepted by unzip and zipinfo, and announces its exact length', async () => {
    const file = await fileOf('a.zip', sample())
    const { stdout } = await run('unzip', ['-t', file])
    expect(stdout).toContain('No errors detected')
    const { stdout: info } = await run('zipinfo', ['-v', file])
    expect(info).not.toContain('data descriptor: yes')
    expect(info.match(/extended local header:\s+no/g)).toHaveLength(5)
    expect(info.match(/1980 Jan 1 00:00:00/g)).toHaveLength(5)
    expect((await buffer(packageStream(sample()).stream)).length).toBe(packageStream(sample()).totalBytes)
  })

  it('is read alike by Python, and by a reader that compares headers strictly', async () => {
    const file = await fileOf('b.zip', sample())
    const script = `
import hashlib, json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(json.dumps([[i.filename, i.file_size, i.compress_type, i.flag_bits, i.date_time, len(i.extra), oct(i.external_attr >> 16), hashlib.sha256(z.read(i)).hexdigest()] for i in z.infolist()]))`
    const { stdout } = await run('python3', ['-c', script, file])
    const wanted = await Promise.all(
      sample().map(async (entry) => [
        entry.path,
        entry.bytes,
        0,
        0,
        [1980, 1, 1, 0, 0, 0],
        0,
        '0o100644',
        createHash('sha256')
          .update(await buffer(await entry.open()))
          .digest('hex'),
      ]),
    )
    expect(JSON.parse(stdout)).toEqual(wanted)
    const names: string[] = []
    const zip = await yauzl.openPromise(file, { strictFileNames: true, validateEntrySizes: true })
    for await (const entry of zip.eachEntry()) names.push(entry.fileName)
    expect(names).toEqual(sample().map((entry) => entry.path))
  })

  it('gives the same bytes each time, whoever computes the checksum and however the source is cut', async () => {
    const once = await buffer(packageStream(sample()).stream)
    const again = sample().map((entry): PackageEntry => ({
      path: entry.path,
      bytes: entry.bytes,
      open: async () => {
        const all = await buffer(await entry.open())
        return Readable.from(
          Array.from({ length: Math.ceil(all.length / 7) }, (_, i) => all.subarray(i * 7, i * 7 + 7)),
          { objectMode: false },
        )
      },
    }))
    expect((await buffer(packageStream(again).stream)).equals(once)).toBe(true)
  })

  it('starts with the media type, readable at offset 38 without unzipping (EN 319 162-1 A.1)', async () => {
    const bytes = await buffer(packageStream(sample()).stream)
    expect(bytes.subarray(30, 38 + 31).toString('latin1')).toBe('mimetypeapplication/vnd.etsi.asic-e+zip')
  })

  it('answers any byte range with exactly those bytes, with sources that can seek and with sources that cannot', async () => {
    const seeking = sample().map((entry): PackageEntry => ({
      ...entry,
      openAt: async (start) => Readable.from([(await buffer(await entry.open())).subarray(start)], { objectMode: false }),
    }))
    const whole = await buffer(packageStream(sample()).stream)
    await check(
      asyncProperty(nat(whole.length), nat(whole.length), boolean(), async (a, b, seek) => {
        const [start, end] = a < b ? [a, b] : [b, a]
        const part = await buffer(packageStream(seek ? seeking : sample(), { start, end }).stream)
        expect(part.equals(whole.subarray(start, end))).toBe(true)
      }),
      { numRuns: 150 },
    )
    expect((await buffer(packageStream(sample(), { start: whole.length }).stream)).length).toBe(0)
    expect(() => packageStream(sample(), { start: whole.length + 1 })).toThrow(RangeError)
  })

  it.each([
    ['shorter than told', { bytes: 10 }, noise(9, 1), 'is 9 bytes long'],
    ['longer than told', { bytes: 8 }, noise(9, 1), 'is longer than 8'],
    ['not of the checksum told', { bytes: 9, crc32: 1 }, noise(9, 1), 'checksum'],
  ])('breaks off when an entry is %s', async (_, more, content, message) => {
    const { stream } = packageStream([entryOf('mimetype', Buffer.from('m')), { ...entryOf('capture/x', content), ...more }])
    await expect(buffer(stream)).rejects.toThrow(message)
  })

  it.each(['../x', 'a//b', '/a', 'a\\b', 'é', 'a/./b', '', 'a b', 'x\u0000'])('refuses the path %j', (path) => {
    expect(() => packageStream([entryOf(path, new Uint8Array(1))])).toThrow(EntryMismatch)
  })

  it('refuses a path that stands twice', () => {
    expect(() => packageStream([entryOf('a', new Uint8Array(1)), entryOf('a', new Uint8Array(1))])).toThrow('twice')
  })

  it('closes its source when the reader leaves, even a source that has stopped answering', async () => {
    const source = new Readable({ read() {} })
    const { stream } = packageStream([entryOf('capture/slow', new Uint8Array(5), { crc32: 0, open: async () => source })])
    stream.on('error', () => {})
    stream.resume()
    source.push('ab')
    await new Promise((resolve) => stream.once('data', resolve))
    const closed = new Promise((resolve) => source.once('close', resolve))
    stream.destroy()
    await closed
    expect(source.destroyed).toBe(true)
  })

  it('does not open an entry before its turn', async () => {
    const opened: string[] = []
    const entries = sample().map((entry): PackageEntry => ({
      ...entry,
      crc32: 0,
      open: async () => (opened.push(entry.path), entry.open()),
    }))
    const { stream } = packageStream(entries)
    await new Promise((resolve) => stream.once('readable', resolve))
    stream.destroy()
    expect(opened).not.toContain('environment/clock.json')
  })
})

describe('ZIP64 records (APPNOTE 4.5.3)', () => {
  it('is read by Python for an entry beyond 4 GiB and one that starts beyond it', async () => {
    const large = { path: 'capture/large', bytes: 0x1_0000_0010, crc32: 0x12345678, offset: 0 }
    const header = localHeader(large)
    const after = { path: 'capture/after', bytes: 3, crc32: crc32('abc'), offset: header.length + large.bytes }
    const directoryAt = after.offset + localHeader(after).length + 3
    const directory = Buffer.concat([centralHeader(large), centralHeader(after)])
    const end = endOfDirectory({ entries: 2, offset: directoryAt, bytes: directory.length })
    const file = join(folder, 'sparse.zip')
    await writeFile(file, header)
    const script = `
import json, os, sys, zipfile
with open(sys.argv[1], 'r+b') as f:
    for at, data in json.load(sys.stdin):
        f.seek(at); f.write(bytes.fromhex(data))
z = zipfile.ZipFile(sys.argv[1])
print(json.dumps([[i.filename, i.file_size, i.header_offset, i.extract_version] for i in z.infolist()]), z.read('capture/after').decode())`
    const child = run('python3', ['-c', script, file])
    child.child.stdin?.end(
      JSON.stringify([
        [after.offset, Buffer.concat([localHeader(after), Buffer.from('abc')]).toString('hex')],
        [directoryAt, Buffer.concat([directory, end]).toString('hex')],
      ]),
    )
    const { stdout } = await child
    expect(stdout.trim()).toBe(
      `${JSON.stringify([
        ['capture/large', large.bytes, 0, 45],
        ['capture/after', 3, after.offset, 45],
      ]).replaceAll(',', ', ')} abc`,
    )
  })

  it('writes more than 65,535 entries so that unzip and Python count them all', async () => {
    const entries = Array.from({ length: 65_540 }, (_, i) => entryOf(`capture/${i}`, new Uint8Array(0), { crc32: 0 }))
    const file = await fileOf('many.zip', entries)
    const { stdout } = await run('python3', [
      '-c',
      'import sys, zipfile; print(len(zipfile.ZipFile(sys.argv[1]).namelist()))',
      file,
    ])
    expect(stdout.trim()).toBe('65540')
    const { stdout: count } = await run('zipinfo', ['-h', file])
    expect(count).toContain('number of entries: 65540')
  })
})
