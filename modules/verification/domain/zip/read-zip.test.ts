import { execFile } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPackageSource } from '../../server/files/open-package-source.ts'
import { openPackage } from '../package/contents/open-package.ts'
import { crc32 } from '../encoding/crc32.ts'
import type { Readable } from '../file/readable.ts'
import { readZip } from './read-zip.ts'

const run = promisify(execFile)
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'read-zip-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Little-endian fields: how many octets, and the value. */
function fields(...list: readonly (readonly [2 | 4 | 8, number])[]): Buffer {
  return Buffer.concat(
    list.map(([size, value]) => {
      const bytes = Buffer.alloc(8)
      bytes.writeBigUInt64LE(BigInt(value))
      return bytes.subarray(0, size)
    }),
  )
}
const max = 0xffffffff
type Made = { name: string; crc: number; size: number; at: number }

function localHeader({ name, crc, size, at }: Made): Buffer {
  const long = size >= max
  const version = long || at >= max ? 45 : 20
  const shown = long ? max : size
  return Buffer.concat([
    fields([4, 0x04034b50], [2, version], [2, 0], [2, 0], [2, 0], [2, 0x21], [4, crc], [4, shown], [4, shown], [2, name.length]),
    fields([2, long ? 20 : 0]),
    Buffer.from(name),
    long ? fields([2, 1], [2, 16], [8, size], [8, size]) : Buffer.alloc(0),
  ])
}

function centralHeader({ name, crc, size, at }: Made): Buffer {
  const extra = Buffer.concat([...(size >= max ? [fields([8, size], [8, size])] : []), ...(at >= max ? [fields([8, at])] : [])])
  const field = extra.length === 0 ? extra : Buffer.concat([fields([2, 1], [2, extra.length]), extra])
  const version = extra.length === 0 ? 20 : 45
  const shown = Math.min(size, max)
  return Buffer.concat([
    fields(
      [4, 0x02014b50],
      [2, 0x300 + version],
      [2, version],
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0x21],
      [4, crc],
      [4, shown],
      [4, shown],
    ),
    fields([2, name.length], [2, field.length], [2, 0], [2, 0], [2, 0], [4, 0o100644 * 65536], [4, Math.min(at, max)]),
    Buffer.from(name),
    field,
  ])
}

function ending(count: number, length: number, at: number): Buffer {
  const long = at >= max
  const zip64 = [
    fields([4, 0x06064b50], [8, 44], [2, 0x32d], [2, 45], [4, 0], [4, 0], [8, count], [8, count], [8, length], [8, at]),
    fields([4, 0x07064b50], [4, 0], [8, at + length], [4, 1]),
  ]
  const short = fields([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, length], [4, Math.min(at, max)], [2, 0])
  return Buffer.concat([...(long ? zip64 : []), short])
}

const inMemory = (bytes: Uint8Array): Readable & { reads: number } => ({
  size: bytes.length,
  reads: 0,
  async read(offset, length) {
    if (offset < 0 || offset + length > bytes.length) throw new RangeError('outside the file')
    this.reads += length
    return bytes.subarray(offset, offset + length)
  },
})

test('an entry over 4 GiB and one that starts after it are read as Python reads them, and no header octet is free', async () => {
  const big = 2 ** 32 + 5
  const first: Made = { name: 'capture/big', crc: 7, size: big, at: 0 }
  const head = localHeader(first)
  const second: Made = { name: 'capture/small', crc: crc32(Buffer.from('small')), size: 5, at: head.length + big }
  const tail = Buffer.concat([localHeader(second), Buffer.from('small')])
  const directory = Buffer.concat([centralHeader(first), centralHeader(second)])
  const at = second.at + tail.length
  const last = Buffer.concat([tail, directory, ending(2, directory.length, at)])
  const path = join(dir, 'sparse.zip')
  // Only the headers are on the disk: the four gigabytes are a hole.
  const handle = await open(path, 'w')
  await handle.write(head, 0, head.length, 0)
  await handle.write(last, 0, last.length, second.at)
  await handle.close()
  const { source, close } = await openPackageSource(path)
  if (source.kind !== 'zip') throw new Error('not a file')
  const { file } = source
  try {
    const reading = await readZip(file)
    expect(reading).toMatchObject({ flaws: [], remade: false })
    const script =
      'import sys,zipfile,json\nprint(json.dumps([[i.filename,i.file_size,i.header_offset,i.CRC] for i in zipfile.ZipFile(sys.argv[1]).infolist()]))'
    const python = JSON.parse((await run('python3', ['-c', script, path])).stdout) as unknown
    expect(reading.entries.map((each) => [each.path, each.size, each.headerAt, each.crc32])).toEqual(python)
    const headers = [...head.keys(), ...Array.from(last.keys(), (i) => second.at + i)]
    const content = second.at + tail.length - 5
    for (const changed of headers.filter((i) => i < content || i >= content + 5)) {
      const altered: Readable = {
        size: file.size,
        read: async (offset, length) => {
          const bytes = await file.read(offset, length)
          if (changed >= offset && changed < offset + length) bytes[changed - offset] = (bytes[changed - offset] ?? 0) ^ 4
          return bytes
        },
      }
      const { flaws, remade } = await readZip(altered)
      expect(flaws.length > 0 || remade, `octet ${changed}`).toBe(true)
    }
  } finally {
    await close()
  }
})

test('ZIP64 fields where the format has none are no flaw, and not what the platform writes', async () => {
  const path = join(dir, 'needless.zip')
  await run('python3', [
    '-c',
    "import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1],'w')\nf=z.open('capture/a','w',force_zip64=True);f.write(b'a');f.close();z.close()",
    path,
  ])
  const { source, close } = await openPackageSource(path)
  expect(source.kind === 'zip' && (await readZip(source.file))).toMatchObject({ flaws: [], remade: true })
  await close()
})

/** Fifield, “A better zip bomb” (2019): every directory entry points into one kernel, which would be read again and again. */
test('entries that overlap are a flaw, and are hashed once', async () => {
  const data = Buffer.alloc(200_000, 1)
  const whole: Made = { name: 'capture/0', crc: crc32(data), size: data.length, at: 0 }
  const entries = Array.from({ length: 2000 }, (_, i) => ({ ...whole, name: `capture/${i}` }))
  const content = Buffer.concat([localHeader(whole), data])
  const directory = Buffer.concat(entries.map(centralHeader))
  const zip = inMemory(Buffer.concat([content, directory, ending(entries.length, directory.length, content.length)]))
  const opened = await openPackage({ kind: 'zip', file: zip }, { now: () => new Date() })
  expect(opened.flaws.map(({ reason }) => reason)).toContain('overlap')
  expect(opened.entries.size).toBe(1)
  expect(zip.reads).toBeLessThan(3 * zip.size)
})

test('a bomb of compression is refused by its headers: nothing is inflated', async () => {
  const path = join(dir, 'bomb.zip')
  await run('python3', [
    '-c',
    "import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_DEFLATED)\nz.writestr('capture/a',bytes(100<<20));z.close()",
    path,
  ])
  const { source, close } = await openPackageSource(path)
  let hashed = 0
  const opened = await openPackage(source, { now: () => new Date(), onProgress: (done) => (hashed = done) })
  expect(opened.flaws.length).toBeGreaterThan(0)
  expect(hashed).toBeLessThan(1 << 20)
  await close()
})

test.each([
  '../outside',
  '/etc/passwd',
  'capture//a',
  'capture/./a',
  'capture/../../a',
  'capture/b\\a',
  'C:/a',
  'capture/é',
  'capture/a\u0000',
  `capture/${'a'.repeat(505)}`,
])('a name that leads elsewhere is a flaw: %j', async (name) => {
  const entry: Made = { name, crc: 0, size: 0, at: 0 }
  const head = localHeader(entry)
  const central = centralHeader(entry)
  const zip = Buffer.concat([head, central, ending(1, central.length, head.length)])
  const { flaws } = await openPackage({ kind: 'zip', file: inMemory(zip) }, { now: () => new Date() })
  expect(flaws.length).toBeGreaterThan(0)
})

test('a directory that claims a million entries or a gigabyte costs nothing', async () => {
  for (const end of [
    fields([4, 0x06054b50], [2, 0], [2, 0], [2, 0xffff], [2, 0xffff], [4, 1 << 30], [4, 0], [2, 0]),
    ending(3, 1 << 28, 4),
  ]) {
    const zip = inMemory(Buffer.concat([fields([4, 0x04034b50]), Buffer.alloc(100), end]))
    expect((await readZip(zip)).flaws.length).toBeGreaterThan(0)
    expect(zip.reads).toBeLessThan(10_000)
  }
})
