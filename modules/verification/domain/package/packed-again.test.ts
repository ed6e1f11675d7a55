import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runVerifyCommand } from '../../../../apps/cli/verify.ts'
import { extra, packAgain, shapes } from '../../../../testing/pack-again.ts'
import type { Packed } from '../../../../testing/pack-again.ts'
import { sealedPackage } from '../../../../testing/sealed-package.ts'
import type { VerificationReport } from '../report/package-report.ts'
import { readZip } from '../zip/read-zip.ts'
import { fileOfBytes } from '../dossier/dropped/dossier-units.ts'
import { hostSha256, nodeHashes, verifyDossier } from '../../server/index.ts'

const run = promisify(execFile)
let dir: string
let zip: Uint8Array
let files: Packed[]
let trust: Uint8Array
const page = 'capture/page.html'

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'packed-again-'))
  const pieces = [
    { path: page, role: 'dom' as const, bytes: Buffer.from('<p>hello</p>'.repeat(90_000)) },
    { path: 'capture/page.wacz', role: 'wacz' as const, bytes: Buffer.alloc(4000, 3) },
    { path: 'environment/clock.json', role: 'clock' as const, bytes: Buffer.from('{}') },
  ]
  zip = (await sealedPackage({ keys: join(dir, 'keys'), pieces })).zip
  files = (await readZip(fileOfBytes('package.zip', zip))).entries.map(({ path, dataAt, size }) => ({
    path,
    bytes: zip.subarray(dataAt, dataAt + size),
  }))
  // Whose word it is, is not what is asked here.
  trust = Buffer.concat(files.filter(({ path }) => /^seal\/.*-ca\.pem$/.test(path)).map(({ bytes }) => bytes))
  await writeFile(join(dir, 'roots.pem'), trust)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const deps = { now: () => new Date(), sha256: hostSha256, hashes: nodeHashes }

async function dossierOf(bytes: Uint8Array, name = 'evidence.zip') {
  return await verifyDossier([fileOfBytes(name, bytes)], { ...deps, trust })
}

/** The report of a package that was given as one file. */
async function reportOf(bytes: Uint8Array): Promise<VerificationReport> {
  const { items } = await dossierOf(bytes)
  const [item] = items
  if (items.length !== 1 || item?.result.form !== 'package')
    throw new Error(`not one package: ${items.map(({ kind }) => kind).join()}`)
  return item.result.report
}

const wrong = ({ checks }: VerificationReport) =>
  checks.flatMap(({ id, status, subject, data, supplementary }) =>
    status === 'passed' || supplementary === true ? [] : [[id, subject, data['reason'] ?? data['state'], status]],
  )
const stateOf = ({ pieces }: VerificationReport, path: string) => pieces.find((piece) => piece.path === path)?.state
const altered = (): Packed[] => files.map((file) => (file.path === page ? { ...file, bytes: file.bytes.with(9, 0x21) } : file))

async function command(...argv: string[]): Promise<{ code: number; out: string }> {
  let out = ''
  const write = (text: string) => (out += text)
  const io = { stdout: { write }, stderr: { write }, env: {}, signal: new AbortController().signal }
  return { code: await runVerifyCommand([...argv, '--trust', join(dir, 'roots.pem')], io), out }
}

describe.each(Object.entries(shapes))('packed again: %s', (_, shape) => {
  test('the sealed files are judged, and that it was packed again is a remark', async () => {
    const report = await reportOf(packAgain(files, shape))
    expect(wrong(report)).toEqual([])
    expect(report).toMatchObject({ verdict: 'TOTAL-PASSED', remade: true, short: false })
    expect(report.pieces.every(({ state }) => state === 'intact')).toBe(true)
  })

  test('an altered file, a missing and an added one are named', async () => {
    expect(wrong(await reportOf(packAgain(altered(), shape)))).toEqual([
      ['piece', page, 'altered', 'failed'],
      ['pieces', undefined, undefined, 'failed'],
    ])
    const without = await reportOf(
      packAgain(
        files.filter(({ path }) => path !== page),
        shape,
      ),
    )
    expect(stateOf(without, page)).toBe('missing')
    expect(wrong(without)).toHaveLength(2)
    const more = await reportOf(packAgain([...files, { path: 'capture/zz.html', bytes: Buffer.from('x') }], shape))
    expect(stateOf(more, 'capture/zz.html')).toBe('added')
    expect(more.verdict).toBe('TOTAL-FAILED')
  })
})

test('as the platform wrote it, nothing is remarked; in any other order of its entries it is', async () => {
  expect(await reportOf(zip)).toMatchObject({ verdict: 'TOTAL-PASSED', remade: false })
  expect(await reportOf(packAgain(files.toReversed(), {}))).toMatchObject({ verdict: 'TOTAL-PASSED', remade: true })
})

test('the command says so, in both languages, and ends with 0; with 1 and the name for an altered piece', async () => {
  const file = join(dir, 'again.zip')
  await writeFile(file, packAgain(files, shapes['Windows Explorer'] ?? {}))
  const english = await command(file)
  expect(english.code).toBe(0)
  expect(english.out).toContain('the same files were packed again')
  expect((await command(file, '--lang', 'fr')).out).toContain('les mêmes fichiers ont été rassemblés de nouveau')
  await writeFile(file, packAgain(altered(), shapes['Windows Explorer'] ?? {}))
  const failed = await command(file)
  expect(failed.code).toBe(1)
  expect(failed.out).toContain(`${page}: altered`)
})

const appleDouble = Buffer.from('0005160700020000', 'hex')
const litter: Packed[] = [
  { path: '.DS_Store', bytes: Buffer.from('0000000142756431', 'hex') },
  { path: 'capture/Thumbs.db', bytes: Buffer.from('d0cf11e0a1b11ae1', 'hex') },
  { path: 'desktop.ini', bytes: Buffer.from('\ufeff[.ShellClassInfo]', 'utf16le') },
  { path: 'capture/._page.html', bytes: appleDouble },
]

test('what macOS and Windows leave beside the pieces is named, and takes nothing from them', async () => {
  const mac = shapes['macOS Archive Utility'] ?? {}
  const inside = packAgain([...files, ...litter], mac)
  const report = await reportOf(inside)
  expect(report.verdict).toBe('TOTAL-PASSED')
  expect(litter.map(({ path }) => stateOf(report, path))).toEqual(litter.map(() => 'system_file'))
  const outer = files.map(({ path, bytes }) => ({ path: `evidence/${path}`, bytes }))
  const beside = [...outer, { path: '__MACOSX/evidence/._manifest.json', bytes: appleDouble }]
  expect(await reportOf(packAgain(beside, { ...mac, folder: '' }))).toMatchObject({ verdict: 'TOTAL-PASSED', remade: true })
  // By what it holds: under such a name, anything else is added.
  const named = await reportOf(packAgain([...files, { path: 'capture/._page.html', bytes: Buffer.from('<p>') }], mac))
  expect(stateOf(named, 'capture/._page.html')).toBe('added')
  expect(named.verdict).toBe('TOTAL-FAILED')
})

test('the folder that it was unpacked to passes, an altered or missing piece in it is named', async () => {
  const unpacked = async (name: string, list: readonly Packed[]) => {
    for (const { path, bytes } of list) {
      await mkdir(dirname(join(dir, name, path)), { recursive: true })
      await writeFile(join(dir, name, path), bytes)
    }
    return await command(join(dir, name))
  }
  expect((await unpacked('whole', [...files, ...litter])).code).toBe(0)
  const failed = await unpacked('altered', altered())
  expect([failed.code, failed.out.includes(`${page}: altered`)]).toEqual([1, true])
  const missing = await unpacked(
    'missing',
    files.filter(({ path }) => path !== page),
  )
  expect([missing.code, missing.out.includes(`${page}: missing`)]).toEqual([1, true])
})

test.each([
  ['shutil', 'import shutil,sys; shutil.make_archive(sys.argv[2][:-4], "zip", sys.argv[1])'],
  [
    'zipfile, deflated into a stream that cannot seek',
    `
import os, sys, zipfile
class Stream:
    def __init__(self, f): self.f = f
    def write(self, b): return self.f.write(b)
    def flush(self): pass
with open(sys.argv[2], 'wb') as f, zipfile.ZipFile(Stream(f), 'w', zipfile.ZIP_DEFLATED) as z:
    for root, _, names in os.walk(sys.argv[1]):
        for n in names:
            p = os.path.join(root, n); z.write(p, 'evidence/' + os.path.relpath(p, sys.argv[1]))
`,
  ],
])('what Python packs passes: %s', async (name, script) => {
  const folder = join(dir, 'to-pack')
  await writeFile(join(dir, 'original.zip'), zip)
  await run('unzip', ['-qo', join(dir, 'original.zip'), '-d', folder])
  const out = join(dir, `${name.slice(0, 6)}.zip`)
  await run('python3', ['-c', script, folder, out])
  expect(await reportOf(await readFile(out))).toMatchObject({ verdict: 'TOTAL-PASSED', remade: true })
})

test('what bsdtar packs into a pipe passes, the zeros behind its end with it; anything else there, or more of them, does not', async () => {
  const folder = join(dir, 'for-pipe')
  await writeFile(join(dir, 'original.zip'), zip)
  await run('unzip', ['-qo', join(dir, 'original.zip'), '-d', folder])
  await run('sh', ['-c', 'bsdtar -c --format zip -f - for-pipe | cat > piped.zip'], { cwd: dir })
  const piped = new Uint8Array(await readFile(join(dir, 'piped.zip')))
  const padding = piped.length - (Buffer.from(piped).lastIndexOf(Buffer.from('PK\x05\x06', 'latin1')) + 22)
  expect([piped.length % 10_240, padding > 0]).toEqual([0, true])
  const report = await reportOf(piped)
  expect(wrong(report)).toEqual([])
  expect(report).toMatchObject({ verdict: 'TOTAL-PASSED', remade: true })
  const zeros = new Uint8Array(10_240)
  for (const changed of [
    piped.with(piped.length - 1, 1),
    piped.with(piped.length - padding, 1),
    piped.subarray(0, piped.length - 1),
    Buffer.concat([piped, zeros]),
    Buffer.concat([zip, zeros.subarray(0, 512)]),
  ])
    expect((await reportOf(new Uint8Array(changed))).verdict).not.toBe('TOTAL-PASSED')
  const other = Buffer.from(piped)
  other.writeUInt8(other.readUInt8(other.length - padding - 22 + 12) ^ 1, other.length - padding - 22 + 12)
  expect((await reportOf(new Uint8Array(other))).verdict).not.toBe('TOTAL-PASSED')
})

test('a package is known also where its directory is longer than what is looked at first', async () => {
  const more = Array.from({ length: 900 }, (_, i) => ({ path: `capture/${'a'.repeat(90)}${i}`, bytes: new Uint8Array() }))
  // At either end, nothing but pieces.
  const long = { path: 'capture/a', bytes: Buffer.alloc(100_000) }
  const report = await reportOf(packAgain([long, ...files, ...more], {}))
  expect(report.pieces.filter(({ state }) => state === 'added')).toHaveLength(more.length + 1)
})

test('a package that was packed together with other files is found among them', async () => {
  const outer = files.map(({ path, bytes }) => ({ path: `evidence/${path}`, bytes }))
  const both = packAgain([...outer, { path: 'letter.txt', bytes: Buffer.from('Dear reader') }], { deflate: true })
  const { items } = await dossierOf(both)
  expect(items.map(({ kind, result }) => [kind, result.form === 'package' ? result.report.verdict : ''])).toContainEqual([
    'package',
    'TOTAL-PASSED',
  ])
})

/** What two readers could see differently, or nobody vouches for, stays refused, each by its own name. */
const refused: Readonly<Record<string, readonly [reason: string, made: () => Uint8Array]>> = {
  'a name twice': ['duplicate', () => packAgain([...files, { path: page, bytes: Buffer.from('<p>') }], { deflate: true })],
  'a name twice, once with backslashes': ['duplicate', () => packAgain([...files.map(({ path, bytes }) => ({ path: path.replaceAll('/', '\\'), bytes })), { path: 'capture\\page.html', bytes: Buffer.from('x') }], {})],
  'bytes between entries': ['gap', () => inserted(packAgain(files, { deflate: true }), 'PK\x03\x04', 3)],
  'another name in the local header': ['header', () => patched(packAgain(files, { deflate: true }), 'page.html', 'page.htmx', 0)],
  'a second name in an extra field': ['header', () => packAgain(files, { centralExtra: () => extra(0x7075, `0100000000${Buffer.from('other').toString('hex')}`) })],
  'extra fields in no form': ['header', () => packAgain(files, { centralExtra: () => Buffer.from('550501', 'hex') })],
  'a false descriptor': ['gap', () => patched(packAgain(files, { described: 'marked', deflate: true }), 'PK\x07\x08', 'PK\x07\x09', 0)],
  'a comment': ['comment', () => packAgain(files, { comment: 'read me', deflate: true })],
  'comments of entries': ['comment', () => packAgain(files, { remark: 'read me' })],
  'links': ['link', () => packAgain(files, { madeBy: 0x031e, attributes: 0xa1ff0000 })],
  'a wrong checksum': ['crc', () => patchedCrc(packAgain(files, {}), page)],
  'more in its end than entries': ['directory', () => lastDisk(packAgain(files, { long: true }))],
} // prettier-ignore

function inserted(bytes: Uint8Array, mark: string, nth: number): Uint8Array {
  let at = -1
  for (let i = 0; i <= nth; i += 1) at = Buffer.from(bytes).indexOf(mark, at + 1, 'latin1')
  const whole = Buffer.concat([bytes.subarray(0, at), Buffer.from('hidden'), bytes.subarray(at)])
  // Everything behind it moved: the directory is said to be there, its entries too.
  const end = whole.length - 22
  const directory = whole.readUInt32LE(end + 16) + 6
  whole.writeUInt32LE(directory, end + 16)
  for (let entry = directory; entry < end;) {
    const header = whole.readUInt32LE(entry + 42)
    if (header >= at) whole.writeUInt32LE(header + 6, entry + 42)
    entry += 46 + whole.readUInt16LE(entry + 28) + whole.readUInt16LE(entry + 30) + whole.readUInt16LE(entry + 32)
  }
  return new Uint8Array(whole)
}

/** On another disk than the first. */
const lastDisk = (bytes: Uint8Array): Uint8Array => bytes.with(bytes.length - 18, 1)

function patched(bytes: Uint8Array, from: string, to: string, start: number): Uint8Array {
  const copy = Buffer.from(bytes)
  copy.write(to, copy.indexOf(from, start, 'latin1'), 'latin1')
  return new Uint8Array(copy)
}

/** In both headers, so that they agree. */
function patchedCrc(bytes: Uint8Array, path: string): Uint8Array {
  const copy = Buffer.from(bytes)
  for (const [at, crc] of [
    [copy.indexOf(path) - 30, 14],
    [copy.lastIndexOf(path) - 46, 16],
  ] as const)
    copy.writeUInt32LE(7, at + crc)
  return new Uint8Array(copy)
}

test.each(Object.entries(refused))('refused by its own name: %s', async (_, [reason, made]) => {
  const report = await reportOf(made())
  expect(report.verdict).toBe('TOTAL-FAILED')
  expect(
    report.checks.filter(({ id, status }) => id === 'container' && status === 'failed').map(({ data }) => data['reason']),
  ).toContain(reason)
})

test.each([
  ['encrypted', { deflate: true, flags: 1 }],
  ['method', { deflate: true, method: 14 }],
])('what is packed in a way that is not read here is not said to be wrong: %s', async (reason, shape) => {
  const report = await reportOf(packAgain(files, shape))
  expect(report.verdict).toBe('INDETERMINATE')
  expect(new Set(report.checks.map(({ status, data }) => `${status} ${data['reason']}`))).toEqual(
    new Set([`indeterminate ${reason}`]),
  )
})

test('a bomb of compression is not unpacked, and that is said', async () => {
  const bomb = { path: 'capture/bomb', bytes: new Uint8Array(112 << 20) }
  const report = await reportOf(packAgain([...files, bomb], { deflate: true }))
  expect(report.verdict).toBe('INDETERMINATE')
  expect(report.checks.map(({ data }) => data['reason'])).toEqual(['too_large'])
})
