import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as fc from '../../../../testing/fast-check.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runVerifyCommand } from '../../../../apps/cli/verify.ts'
import { sealedPackage } from '../../../../testing/sealed-package.ts'
import { startOutsideTsa } from '../../../../testing/tsa.ts'
import { fingerprintsOf } from '../../../../testing/verify-compared.ts'
import type { Conclusion } from '../dossier/concluded/conclude.ts'
import type { PackageSource } from '../file/package-source.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import type { VerificationReport } from '../report/package-report.ts'
import { readZip } from '../zip/read-zip.ts'
import { hostSha256, openPackageSource, readPem, verifyPackage } from '../../server/index.ts'

const run = promisify(execFile)
let dir: string
let full: Awaited<ReturnType<typeof sealedPackage>>
let short: Awaited<ReturnType<typeof sealedPackage>>

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'verification-'))
  const pieces = [
    { path: 'capture/page.html', role: 'dom' as const, bytes: Buffer.from('<p>hello') },
    { path: 'capture/page.wacz', role: 'wacz' as const, bytes: Buffer.alloc(4000, 3) },
    { path: 'environment/clock.json', role: 'clock' as const, bytes: Buffer.from('{}') },
  ]
  full = await sealedPackage({ keys: join(dir, 'keys'), pieces })
  short = await sealedPackage({ keys: join(dir, 'keys'), pieces, full: false })
  deps = { ...deps, fingerprints: await fingerprintsOf(zipSource(full.zip), deps) }
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const zipSource = (bytes: Uint8Array): PackageSource => ({
  kind: 'zip',
  file: {
    size: bytes.length,
    read: async (offset, length) => {
      if (offset < 0 || offset + length > bytes.length) throw new RangeError('read outside the file')
      return bytes.subarray(offset, offset + length)
    },
  },
})
/** As by a reader who compared the fingerprints of the platform. */
let deps: VerifyDeps = { now: () => new Date(), sha256: hostSha256 }
const check = (bytes: Uint8Array): Promise<VerificationReport> => verifyPackage(zipSource(bytes), deps)
/** Without what does not weigh: these packages have no log. */
const flawsOf = ({ checks }: VerificationReport) =>
  checks.filter(({ status, supplementary }) => status !== 'passed' && supplementary !== true)
const namedIn = (report: VerificationReport): string[] =>
  flawsOf(report).flatMap(({ subject }) => (subject === undefined ? [] : [subject]))

type Place = { path: string; at: number; size: number }
/** Where each entry's bytes lie, from the central directory as Python's zipfile reads it. */
async function places(zip: Uint8Array): Promise<Place[]> {
  const file = join(dir, 'places.zip')
  await writeFile(file, zip)
  const script =
    'import sys,zipfile,json\nprint(json.dumps([{"path":i.filename,"at":i.header_offset+30+len(i.filename),"size":i.file_size} for i in zipfile.ZipFile(sys.argv[1]).infolist()]))'
  return JSON.parse((await run('python3', ['-c', script, file])).stdout) as Place[]
}

function flipped(zip: Uint8Array, at: number, mask = 1): Uint8Array {
  const bytes = Uint8Array.from(zip)
  bytes[at] = (bytes[at] ?? 0) ^ mask
  return bytes
}

async function rezip(script: string): Promise<Uint8Array> {
  const file = join(dir, 'in.zip')
  await writeFile(file, full.zip)
  const out = join(dir, 'out.zip')
  await rm(out, { force: true })
  const program = `
import sys, zipfile, warnings
warnings.simplefilter('ignore')
src = zipfile.ZipFile(sys.argv[1]); items = [(i.filename, src.read(i)) for i in src.infolist()]
${script}
with zipfile.ZipFile(sys.argv[2], 'w', zipfile.ZIP_STORED) as z:
    for name, data in items:
        i = zipfile.ZipInfo(name); i.external_attr = 0o100644 << 16; i.create_system = 3; z.writestr(i, data)
`
  await run('python3', ['-c', program, file, out])
  return new Uint8Array(await readFile(out))
}

test('an intact package passes, full and short, as ZIP and as folder', async () => {
  const report = await check(full.zip)
  expect(flawsOf(report)).toEqual([])
  expect(report.verdict).toBe('TOTAL-PASSED')
  expect(report.root).toBe(full.root)
  const abridged = await check(short.zip)
  expect(abridged.verdict).toBe('TOTAL-PASSED')
  expect(abridged.short).toBe(true)
  expect(abridged.pieces.filter(({ state }) => state === 'withheld').map(({ path }) => path)).toEqual([
    'capture/page.html',
    'capture/page.wacz',
    'environment/clock.json',
  ])
  await writeFile(join(dir, 'full.zip'), full.zip)
  await run('unzip', ['-q', join(dir, 'full.zip'), '-d', join(dir, 'folder')])
  const { source, close } = await openPackageSource(join(dir, 'folder'))
  expect((await verifyPackage(source, deps)).verdict).toBe('TOTAL-PASSED')
  await close()
})

test('a container that Python writes of the same entries is the same bytes, so it passes', async () => {
  expect(Buffer.compare(await rezip(''), full.zip)).toBe(0)
})

test('one flipped byte in each entry in turn fails and names the entry', async () => {
  for (const { path, at, size } of await places(full.zip)) {
    for (const offset of [0, size - 1]) {
      const report = await check(flipped(full.zip, at + offset))
      expect(report.verdict, `${path} ${offset}`).toBe('TOTAL-FAILED')
      expect(namedIn(report), `${path} ${offset}`).toContain(path)
    }
  }
})

test('every byte of the container’s own records, flipped, is a flaw, or remarked as not the platform’s', async () => {
  const content = await places(full.zip)
  const isContent = (at: number): boolean => content.some((place) => at >= place.at && at < place.at + place.size)
  for (let at = 0; at < full.zip.length; at += 1) {
    if (isContent(at)) continue
    const source = zipSource(flipped(full.zip, at, 1 << (at % 8)))
    const reading = source.kind === 'zip' ? await readZip(source.file) : undefined
    if (reading === undefined || (reading.flaws.length === 0 && !reading.remade)) expect.fail(`byte ${at} changed unseen`)
  }
})

test('cut at any length, or with anything before or after, it fails', async () => {
  const lengths = [
    0,
    1,
    3,
    4,
    21,
    22,
    100,
    ...Array.from({ length: 40 }, (_, i) => Math.floor((full.zip.length * i) / 40)),
    full.zip.length - 22,
    full.zip.length - 1,
  ]
  // Of the first octets nothing shows that they were a package: there is no verdict then.
  for (const length of lengths)
    expect((await check(full.zip.subarray(0, length))).verdict, `${length}`).toBe(length < 4 ? null : 'TOTAL-FAILED')
  expect((await check(Buffer.concat([full.zip, Buffer.from('x')]))).verdict).toBe('TOTAL-FAILED')
  // What does not begin as a ZIP file does is none.
  expect((await check(Buffer.concat([Buffer.from('x'), full.zip]))).verdict).toBeNull()
})

test.each([
  ['removed', "items = [i for i in items if i[0] != 'capture/page.html']", 'capture/page.html', 'missing'],
  ['added', "items.insert(-6, ('capture/zz.html', b'x'))", 'capture/zz.html', 'added'],
  [
    'renamed',
    "items = [('capture/other.html' if n == 'capture/page.html' else n, d) for n, d in items]",
    'capture/other.html',
    'added',
  ],
  [
    'renamed away',
    "items = [('capture/other.html' if n == 'capture/page.html' else n, d) for n, d in items]",
    'capture/page.html',
    'missing',
  ],
  [
    'swapped',
    "d = dict(items); d['capture/page.html'], d['capture/page.wacz'] = d['capture/page.wacz'], d['capture/page.html']; items = list(d.items())",
    'capture/page.wacz',
    'altered',
  ],
  ['core removed', "items = [i for i in items if i[0] != 'README.txt']", 'README.txt', 'missing'],
  ['seal removed', "items = [i for i in items if i[0] != 'seal/signature.p7s']", 'seal/signature.p7s', 'missing'],
  ['second list removed', "items = [i for i in items if '002' not in i[0]]", 'META-INF/ASiCManifest002.xml', 'missing'],
])('a piece %s is named', async (_name, script, path, state) => {
  const report = await check(await rezip(script))
  expect(report.verdict).toBe('TOTAL-FAILED')
  expect(report.pieces.find((piece) => piece.path === path)?.state).toBe(state)
  expect(namedIn(report)).toContain(path)
})

test('hostile bytes end in a report, never in an exception', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(full.zip.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 }),
      fc.uint8Array({ maxLength: 400 }),
      async (edits, junk) => {
        const bytes = Uint8Array.from(full.zip)
        for (const [at, value] of edits) bytes[at] = value
        const changed = Buffer.compare(bytes, full.zip) !== 0
        const { verdict, remade, pieces } = await check(bytes)
        expect(verdict === 'TOTAL-PASSED' && !remade).toBe(!changed)
        if (verdict === 'TOTAL-PASSED') expect(pieces.every(({ state }) => state === 'intact')).toBe(true)
        expect((await check(Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), junk]))).verdict).toBe('TOTAL-FAILED')
      },
    ),
    { numRuns: 25 },
  )
}, 120_000)

async function entryOf(zip: Uint8Array, path: string): Promise<Uint8Array> {
  const place = (await places(zip)).find((each) => each.path === path)
  if (place === undefined) throw new Error(`${path} is not in the package`)
  return zip.subarray(place.at, place.at + place.size)
}

test('given roots are a pin: another platform’s fails, an unknown time authority leaves no conclusion, both known pass', async () => {
  const other = await sealedPackage({
    keys: join(dir, 'other-keys'),
    pieces: [{ path: 'capture/a', role: 'dom', bytes: Buffer.from('a') }],
  })
  const platform = await entryOf(full.zip, 'seal/platform-ca.pem')
  const time = await entryOf(full.zip, 'seal/timestamp-1-ca.pem')
  const pinned = async (...pem: Uint8Array[]) =>
    await verifyPackage(zipSource(full.zip), { ...deps, trust: new Uint8Array(Buffer.concat(pem)) })
  const both = await pinned(time, platform)
  expect(both.verdict).toBe('TOTAL-PASSED')
  expect(both.trust).toBe('pinned')
  expect(both.authorities.map(({ kind }) => kind)).toEqual(['platform', 'time'])
  const fingerprint = (pem: Uint8Array) => readPem(pem).at(-1)?.sha256
  expect(both.authorities.map(({ sha256: found }) => found)).toEqual([fingerprint(platform), fingerprint(time)])
  const half = await pinned(platform)
  expect(half.verdict).toBe('INDETERMINATE')
  expect(flawsOf(half)).toMatchObject([
    { id: 'time_trust', status: 'indeterminate', subject: 'seal/timestamp-1-ca.pem', data: { sha256: fingerprint(time) } },
  ])
  expect((await pinned(time)).verdict).toBe('TOTAL-FAILED')
  expect((await pinned(await entryOf(other.zip, 'seal/platform-ca.pem'), time)).verdict).toBe('TOTAL-FAILED')
})

test('the commands that repeat the checks of the seal, run as they are told, say the fingerprints and accept the tokens', async () => {
  const report = await check(full.zip)
  await run('unzip', ['-qo', join(dir, 'full.zip'), '-d', join(dir, 'repeated')])
  const repeat = async (command: string) => (await run('sh', ['-c', command], { cwd: join(dir, 'repeated') })).stdout
  const commands = report.checks.filter(({ id }) => ['signer_trust', 'time_trust', 'cover_timestamp'].includes(id))
  expect(commands).toHaveLength(4)
  for (const { id, repeat_command: command, data } of commands) {
    const said = await repeat(`${command} 2>&1`)
    if (id === 'cover_timestamp') expect(said).toContain('Verification: OK')
    else expect(said.replaceAll(':', '').toLowerCase()).toContain(data['sha256'])
  }
})

test('a list of the container that another authority dated holds, by its own chain', async () => {
  const tsa = await startOutsideTsa({ name: 'Elsewhere' })
  try {
    const mixed = await sealedPackage({
      keys: join(dir, 'keys'),
      pieces: [{ path: 'capture/a', role: 'dom', bytes: Buffer.from('a') }],
      coverTsaUrls: [tsa.url],
    })
    const report = await check(mixed.zip)
    // Nobody vouches for it, until its fingerprint is compared too.
    expect(flawsOf(report).map(({ id, status, data }) => [id, status, data['reason']])).toEqual([
      ['time_trust', 'indeterminate', 'not_compared'],
    ])
    const compared = { ...deps, fingerprints: [...(deps.fingerprints ?? []), tsa.rootSha256] }
    expect(flawsOf(await verifyPackage(zipSource(mixed.zip), compared))).toEqual([])
    expect(report.authorities.map(({ name }) => name)).toContain('Elsewhere root')
    const pem = await entryOf(mixed.zip, 'META-INF/timestamp001-ca.pem')
    expect(readPem(pem).at(-1)?.sha256).toBe(tsa.rootSha256)
  } finally {
    await tsa.close()
  }
})

test('the command prints every check and answers 0, 1, 2 or 3', async () => {
  const command = async (...argv: string[]) => {
    let out = ''
    const write = (text: string) => (out += text)
    const code = await runVerifyCommand(argv, {
      stdout: { write },
      stderr: { write },
      env: {},
      signal: new AbortController().signal,
    })
    return { code, out }
  }
  const file = join(dir, 'cli.zip')
  await writeFile(file, full.zip)
  const compared = (deps.fingerprints ?? []).flatMap((each) => ['--fingerprint', each])
  expect((await command(file)).code).toBe(2)
  expect((await command(file, ...compared)).code).toBe(0)
  expect((await command(file, ...compared, '--lang', 'fr')).out).toContain('Tout est conforme')
  const report = JSON.parse((await command(file, ...compared, '--json')).out) as VerificationReport & { conclusion: Conclusion }
  expect([report.verdict, report.conclusion.colour, report.conclusion.exit_code]).toEqual(['TOTAL-PASSED', 'green', 0])
  const wrong = await command(file, '--fingerprint', 'ab'.repeat(32))
  expect([wrong.code, wrong.out.includes('that of no authority here')]).toEqual([1, true])
  expect((await command(file, '--fingerprint', 'abc')).code).toBe(3)
  const pin = join(dir, 'platform.pem')
  await writeFile(pin, await entryOf(full.zip, 'seal/platform-ca.pem'))
  const half = await command(file, '--trust', pin)
  expect(half.code).toBe(2)
  expect(half.out).toContain('INDETERMINATE')
  await writeFile(pin, Buffer.concat([await readFile(pin), await entryOf(full.zip, 'seal/timestamp-1-ca.pem')]))
  expect((await command(file, '--trust', pin)).code).toBe(0)
  await writeFile(file, full.zip.subarray(0, 90_000))
  expect((await command(file)).code).toBe(1)
  await writeFile(file, 'no package')
  expect((await command(file)).code).toBe(3)
  await unlink(file)
  expect((await command(file)).code).toBe(3)
  expect((await command()).code).toBe(3)
  expect((await command('a', '--trust', '/etc/hostname')).code).toBe(3)
})
