import { execFile } from 'node:child_process'
import { generateKeyPairSync, sign, webcrypto } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { startOutsideTsa, type OutsideTsa } from '../../../../testing/tsa.ts'
import { writeWacz } from '../../../capture/server/record/index.ts'
import { archiveChecks } from '../../../verification/domain/package/pieces/verify-wacz.ts'
import { verifyWaczProof } from '../../../verification/domain/wacz/verify-wacz-proof.ts'
import { openArchiveKey } from './archive-key.ts'
import { createOutsideTimestampers } from '../timestamps/create-timestampers.ts'
import { issueCertificate } from '../certificates/issue-certificate.ts'
import { pemOf, readCertificate } from '../certificates/read-certificate.ts'
import { signArchive, type ArchiveSigningDeps } from './sign-archive.ts'

const run = promisify(execFile)
const oracles = join(import.meta.dirname, '../../../../e2e/oracles')
let dir: string
let tsa: OutsideTsa
let deps: ArchiveSigningDeps

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'archive-'))
  tsa = await startOutsideTsa()
  const timestampers = createOutsideTimestampers({ urls: [tsa.url], clock: systemClock, log: silentLog })
  const key = await openArchiveKey(join(dir, 'keys'))
  deps = { key, domain: null, timestampers, clock: systemClock, log: silentLog, software: 'probant/0.1.0' }
})
afterAll(async () => {
  await tsa.close()
  await rm(dir, { recursive: true, force: true })
})

type Judgement = { form: string | null; observer: string | null; time: string | null; problems: string[] }

async function judge(file: string, ...roots: string[]): Promise<Judgement> {
  const done = await run('python3', [join(oracles, 'check_wacz_signature.py'), file, ...roots]).catch(
    (error: unknown) => error as { stdout: string },
  )
  return JSON.parse(done.stdout) as Judgement
}

let archives = 0
async function archiveSignedBy(signing: ArchiveSigningDeps, alter = (signed: Readonly<Record<string, string>>) => signed) {
  const outFile = join(dir, `archive-${(archives += 1)}.wacz`)
  await writeWacz({
    exchanges: [],
    pages: [],
    created: new Date(),
    software: 'probant/0.1.0',
    outFile,
    workDir: join(dir, `work-${archives}`),
    sign: async (hash, created) => alter(await signArchive({ hash, created }, signing)),
  })
  return outFile
}

/** What our own verifier says of the archive as a piece. */
async function ownVerdict(file: string) {
  const bytes = new Uint8Array(await readFile(file))
  const path = 'capture/archive.wacz'
  const entry = {
    path,
    size: bytes.length,
    sha256: '',
    read: async (at: number, length: number) => bytes.subarray(at, at + length),
  }
  const manifest = { pieces: [{ path, role: 'wacz', media_type: 'application/wacz', bytes: bytes.length, sha256: '' }] }
  return await archiveChecks(new Map([[path, entry]]), manifest as unknown as Parameters<typeof archiveChecks>[1])
}

const day = 24 * 3_600_000

/** A domain's certificate of an authority of its own, `age` old. */
async function domainFiles(age: number, name = 'archives.example.org') {
  const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = ({ publicKey }: ReturnType<typeof pair>) => new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }))
  const [authority, leaf] = [pair(), pair()]
  const signer = { sign: (data: Uint8Array) => new Uint8Array(sign('sha256', data, authority.privateKey)) }
  const common = { organization: 'Test', notAfter: new Date(Date.now() + 60 * day) }
  const root = issueCertificate(
    {
      ...common,
      commonName: 'Test root',
      use: 'authority',
      publicKey: spki(authority),
      notBefore: new Date(Date.now() - 90 * day),
    },
    signer,
  )
  const certificate = issueCertificate(
    { ...common, commonName: name, use: 'signature', publicKey: spki(leaf), notBefore: new Date(Date.now() - age) },
    { ...signer, certificate: root },
  )
  const certificateFile = join(dir, `${name}-${age}.pem`)
  const keyFile = `${certificateFile}.key`
  await writeFile(certificateFile, pemOf([certificate, root]))
  await writeFile(keyFile, leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return { certificateFile, keyFile, rootSha256: readCertificate(root).sha256 }
}

test('without a certificate of a domain the form is anonymous, and Web Cryptography, as in ReplayWeb.page, finds it good', async () => {
  const file = await archiveSignedBy(deps)
  expect(await judge(file)).toEqual({ form: 'anonymous', observer: null, time: null, problems: [] })
  const hash = `sha256:${'ab'.repeat(32)}`
  const signed = await signArchive({ hash, created: '2026-11-21T10:00:00Z' }, deps)
  expect(Object.keys(signed).toSorted()).toEqual(['created', 'hash', 'publicKey', 'signature', 'software', 'version'])
  const bytes = (name: string) => new Uint8Array(Buffer.from(signed[name] ?? '', 'base64'))
  const key = await webcrypto.subtle.importKey('spki', bytes('publicKey'), { name: 'ECDSA', namedCurve: 'P-384' }, true, [
    'verify',
  ])
  const verify = (text: string) =>
    webcrypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, bytes('signature'), new TextEncoder().encode(text))
  expect(await verify(hash)).toBe(true)
  expect(await verify(`sha256:${'ac'.repeat(32)}`)).toBe(false)
})

test('the key is made once, whoever asks first, and is its owner’s alone', async () => {
  const folder = join(dir, 'many')
  const keys = await Promise.all(Array.from({ length: 6 }, () => openArchiveKey(folder)))
  expect(new Set(keys.map(({ publicKey }) => Buffer.from(publicKey).toString('hex'))).size).toBe(1)
  expect((await stat(join(folder, 'archive-signing.1.pem'))).mode & 0o777).toBe(0o600)
  await expect(
    writeFile(join(folder, 'archive-signing.1.pem'), 'no key').then(() => openArchiveKey(folder)),
  ).rejects.toMatchObject({
    code: 'sealing.keyring_damaged',
  })
})

test('with one, the archive holds every rule of authsign: chain, name, seven days, timestamp of the signature, ten minutes', async () => {
  const domain = await domainFiles(day)
  const file = await archiveSignedBy({ ...deps, domain })
  const roots = ['--domain-root', domain.rootSha256, '--time-root', tsa.rootSha256]
  const judged = await judge(file, ...roots)
  expect(judged).toMatchObject({ form: 'domain', observer: 'archives.example.org', problems: [] })
  expect(await ownVerdict(file)).toMatchObject([{ status: 'passed', data: { form: 'domain', name: 'archives.example.org' } }])
  const bytes = new Uint8Array(await readFile(file))
  const report = await verifyWaczProof(
    { file: { size: bytes.length, read: async (at: number, length: number) => bytes.subarray(at, at + length) } },
    { now: () => new Date() },
  )
  const found = report.checks.filter(({ status, supplementary }) => status !== 'passed' && supplementary !== true)
  expect(found.map(({ id, status, data }) => [id, status, data['reason']])).toEqual([
    ['trust', 'indeterminate', 'no_roots'],
    ['time_trust', 'indeterminate', 'no_roots'],
  ])
  expect(report.facts).toContainEqual({ id: 'domain', value: 'archives.example.org', form: 'text' })
  expect(report.dates).toMatchObject([{ rests_on: ['time_authority'] }])
  expect(Math.abs(Date.parse(judged.time ?? '') - Date.now())).toBeLessThan(10 * 60_000)
})

test.each([
  ['signature', 'the signature does not hold'],
  ['timeSignature', 'the timestamp does not hold'],
  ['domain', 'the certificate is of archives.example.org'],
  ['created', 'created is not that of datapackage.json'],
  ['hash', 'hash of datapackage.json'],
])('an altered %s is found', async (member, problem) => {
  const domain = await domainFiles(day)
  const other = await signArchive(
    { hash: `sha256:${'cd'.repeat(32)}`, created: '2026-11-20T10:00:00Z' },
    { ...deps, domain: null },
  )
  const file = await archiveSignedBy({ ...deps, domain }, (signed) => {
    const replaced = member === 'domain' ? 'other.example.org' : (other[member] ?? '')
    const time = Buffer.from(signed['timeSignature'] ?? '', 'base64')
    // The last octet is of the token's own signature.
    time[time.length - 1] = (time.at(-1) ?? 0) ^ 1
    const der = Buffer.from(signed['signature'] ?? '', 'base64')
    der[der.length - 1] = (der.at(-1) ?? 0) ^ 1
    const altered = { signature: der.toString('base64'), timeSignature: time.toString('base64') }[member]
    return { ...signed, [member]: altered ?? replaced }
  })
  expect(await ownVerdict(file)).toMatchObject([{ status: 'failed' }])
  expect((await judge(file)).problems.join('\n')).toContain(problem)
})

test('a certificate that tools of others no longer believe is not used: the form is anonymous then, never a domain that fails', async () => {
  expect((await judge(await archiveSignedBy({ ...deps, domain: await domainFiles(8 * day) }))).form).toBe('anonymous')
  const domain = await domainFiles(day)
  const mismatched = { ...domain, keyFile: (await domainFiles(2 * day)).keyFile }
  expect((await judge(await archiveSignedBy({ ...deps, domain: mismatched }))).form).toBe('anonymous')
  expect((await judge(await archiveSignedBy({ ...deps, domain: { ...domain, keyFile: join(dir, 'none') } }))).form).toBe(
    'anonymous',
  )
})

test('what is no digest or no date of an archive is not signed', async () => {
  const created = '2026-11-21T10:00:00Z'
  for (const hash of ['sha256:zz', 'ab'.repeat(32), `sha256:${'AB'.repeat(32)}`, `sha256:${'ab'.repeat(32)}\n`])
    await expect(signArchive({ hash, created }, deps)).rejects.toMatchObject({ code: 'sealing.archive_hash' })
  for (const wrong of ['2026-11-21', '2026-13-41T10:00:00Z', ''])
    await expect(signArchive({ hash: `sha256:${'ab'.repeat(32)}`, created: wrong }, deps)).rejects.toMatchObject({
      code: 'sealing.archive_created',
    })
})
