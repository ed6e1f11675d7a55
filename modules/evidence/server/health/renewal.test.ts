import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { createTimestampers, openKeyring, openPublicLog, renewStamps } from '../../../sealing/server/index.ts'
import {
  examineRenewals,
  openPackageSource,
  type RenewalRecord,
  type VerificationReport,
} from '../../../verification/server/index.ts'
import { fromHex } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { proofHealth } from '../../../../kernel/proof-health.ts'
import { listFiles } from '../files/file-store.ts'
import { findSeal } from '../seal/seal-store.ts'
import { assessEvidence, readSealFiles } from './assess-evidence.ts'
import { finalEvidence, packageOf, webDeps, type World } from './final-evidence.test-data.ts'
import { renewSeals } from './renew-seals.ts'
import { verifyCompared } from '../../../../testing/verify-compared.ts'

const run = promisify(execFile)
const database = withDatabase()
const day = 86_400_000
const year = 365 * day
const start = Date.parse('2026-11-21T10:00:00Z')
let passed = 0
const clock = { now: () => new Date(start + passed) }
const { signal } = new AbortController()
let folder: string
let world: World

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probant-renewal-'))
  const keyring = await openKeyring({ dir: join(folder, 'keys'), clock, log: silentLog })
  const timestampers = createTimestampers({ urls: [], keyring, clock, log: silentLog })
  const origin = 'proofs.example/log'
  const publicLog = await openPublicLog({ db: database.db, keyring, clock, origin, folder: join(folder, 'log') })
  world = { db: database.db, blobs: createFolderBlobStore(join(folder, 'blobs')), clock, keyring, timestampers, publicLog }
})
afterAll(async () => await rm(folder, { recursive: true, force: true }))

const deps = () => ({ ...webDeps(world), ...world })
const renew = async () => await renewSeals(deps(), signal)
/** As its contract says it. */
const assess = async (id: string) => proofHealth.parse(await assessEvidence(webDeps(world), id))

let unpackings = 0
async function unpack(zip: Buffer): Promise<string> {
  unpackings += 1
  const path = join(folder, `package-${String(unpackings)}`)
  await mkdir(path)
  await writeFile(`${path}.zip`, zip)
  await run('unzip', ['-q', `${path}.zip`, '-d', path])
  return path
}

/** With nothing but the file, and the clock of that day. */
async function verified(path: string): Promise<VerificationReport> {
  const { source, close } = await openPackageSource(path)
  try {
    return await verifyCompared(source, { now: () => clock.now() })
  } finally {
    await close()
  }
}
const renewals = ({ checks }: VerificationReport) => checks.filter(({ id }) => id === 'renewal')

test('a seal is renewed before its stamp ends, twice, and its package stands by that alone after the first certificate has ended', async () => {
  const [{ id }, other] = [await finalEvidence(world), await finalEvidence(world)]
  const fresh = await assess(id)
  expect(fresh).toMatchObject({ state: 'sound', renewal_due: false, anchored: false })
  expect(fresh.elements.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['stamp sound', 'log sound'])
  expect(Date.parse(fresh.stamped_until ?? '')).toBeGreaterThan(start + 3 * year - 2 * day)
  passed = year
  expect(await renew()).toEqual({ renewed: 0, waiting: 0 })
  const before = await packageOf(world, id)

  passed = 2 * year + 3 * day
  expect(await assess(id)).toMatchObject({ state: 'attention', renewal_due: true })
  const { size } = (await world.publicLog.checkpoint()) ?? { size: 0 }
  expect(await renew()).toEqual({ renewed: 2, waiting: 0 })
  expect(await renew()).toEqual({ renewed: 0, waiting: 0 })
  expect((await world.publicLog.checkpoint())?.size).toBe(size + 2)
  const renewed = await unpack(await packageOf(world, id))
  // One stamp for both.
  const second = await unpack(await packageOf(world, other.id))
  expect(await readFile(join(second, 'seal/renewal-1.tsr'))).toEqual(await readFile(join(renewed, 'seal/renewal-1.tsr')))
  const now = await verified(renewed)
  expect(now.checks.filter(({ status, supplementary }) => status !== 'passed' && supplementary !== true)).toEqual([])
  expect(renewals(now)).toMatchObject([{ status: 'passed', subject: 'seal/renewal-1.tsr', data: { number: 1 } }])

  passed = 4 * year
  const health = await assess(id)
  expect(health).toMatchObject({ state: 'sound', renewal_due: false })
  expect(health.elements.map(({ subject, state }) => `${subject} ${state}`)).toEqual([
    'seal/timestamp-1.tsr renewed',
    'seal/renewal-1.tsr sound',
    '0 sound',
  ])
  expect((await verified(renewed)).verdict).toBe('TOTAL-PASSED')
  const without = await verified(`${await unpack(before)}.zip`)
  expect(without.verdict).toBe('INDETERMINATE')
  expect(renewals(without)).toMatchObject([
    { status: 'indeterminate', data: { reason: 'renewal_absent', until: fresh.stamped_until } },
  ])

  // Another tool says the same of the stamp, and of the checkpoint that it is over.
  const command = renewals(now)[0]?.repeat_command ?? ''
  const { stdout } = await run('sh', ['-c', command], { cwd: renewed })
  expect(stdout).toContain('Verification: OK')

  passed = 4 * year + 10 * day
  expect(await renew()).toEqual({ renewed: 2, waiting: 0 })
  passed = 6 * year
  const twice = await unpack(await packageOf(world, id))
  const report = await verified(twice)
  expect(report.verdict).toBe('TOTAL-PASSED')
  expect(renewals(report).map(({ status, subject }) => `${status} ${subject ?? ''}`)).toEqual([
    'passed seal/renewal-1.tsr',
    'passed seal/renewal-2.tsr',
  ])
  // What each of the files says is checked by itself: an altered one is named, whatever the list of the container says.
  for (const [name, at, reason] of [
    ['renewal-1.json', 3, 'malformed'],
    ['renewal-1-log-proof.txt', 0, 'renewal_log'],
    ['renewal-1.tsr', -1, 'renewal_token'],
    ['renewal-2.json', 3, 'malformed'],
  ] as const) {
    const path = join(twice, 'seal', name)
    const bytes = await readFile(path)
    const altered = Buffer.from(bytes)
    altered.writeUInt8((altered.at(at) ?? 0) ^ 1, at < 0 ? altered.length + at : at)
    await writeFile(path, altered)
    const said = await verified(twice)
    expect([name, said.verdict]).toEqual([name, 'TOTAL-FAILED'])
    const failed = renewals(said).find(({ status }) => status === 'failed')
    expect(failed?.data['reason']).toBe(reason)
    expect(said.pieces.find((piece) => piece.path === `seal/${name}`)?.state).toBe('altered')
    await writeFile(path, bytes)
  }
  for (const name of (await readdir(join(twice, 'seal'))).filter((each) => each.startsWith('renewal-'))) {
    const path = join(twice, 'seal', name)
    const bytes = await readFile(path)
    const altered = Buffer.from(bytes)
    const at = bytes.length >> 1
    altered.writeUInt8((altered[at] ?? 0) ^ 1, at)
    await writeFile(path, altered)
    const said = await verified(twice)
    const state = said.pieces.find((piece) => piece.path === `seal/${name}`)?.state
    expect([name, said.verdict, state]).toEqual([name, 'TOTAL-FAILED', 'altered'])
    await writeFile(path, bytes)
  }
  await rm(join(twice, 'seal/renewal-1-ca.pem'))
  expect(renewals(await verified(twice))[0]?.data['reason']).toBe('renewal_incomplete')
})

test('a seal whose stamp has ended before anybody renewed it is said to be that, and is not tried again', async () => {
  const { id } = await finalEvidence(world)
  passed += 3 * year + 10 * day
  expect((await assess(id)).state).toBe('ended')
  await renew()
  const row = await world.db.selectFrom('seal').select('renew_at').where('evidence_id', '=', id).executeTakeFirstOrThrow()
  expect(row.renew_at).toBeNull()
  const files = (await verified(await unpack(await packageOf(world, id)))).checks.filter(({ id: check }) => check === 'renewal')
  expect(files).toMatchObject([{ status: 'indeterminate', data: { reason: 'renewal_absent' } }])
})

test('a renewal that is stamped and logged as it should be is refused for what it says', async () => {
  // So that the key in force is older than the earliest instant below.
  await world.keyring.signer('time')
  passed += 2 * day
  const { id } = await finalEvidence(world)
  const root = (await findSeal(world.db, id))?.root ?? ''
  const rows = await listFiles(world.db, id)
  const had = await readSealFiles(deps(), id, rows)
  const files = rows.filter(({ path }) => had.has(path)).map(({ path, sha256 }) => ({ path, sha256 }))
  const flawOf = async (record: RenewalRecord, rename = (path: string) => path) => {
    const { renewals: made } = await renewStamps([record], { ...world })
    const all = new Map([...had, ...(made[0] ?? []).map(({ path, bytes }) => [rename(path), bytes] as const)])
    return examineRenewals(all, fromHex(root), clock.now()).renewals.map(({ flaw }) => flaw)
  }
  const sound: RenewalRecord = { number: 1, root, files }
  expect(await flawOf(sound)).toEqual([null])
  const failed = (reason: string, path?: string) => [{ status: 'failed', reason, ...(path === undefined ? {} : { path }) }]
  expect(await flawOf({ ...sound, number: 2 })).toEqual(failed('renewal_number'))
  const asFirst = (path: string) => path.replace('renewal-2', 'renewal-1')
  expect(await flawOf({ ...sound, number: 2 }, asFirst)).toEqual(failed('renewal_number'))
  expect(await flawOf({ ...sound, root: 'ab'.repeat(32) })).toEqual(failed('renewal_other_root'))
  const token = 'seal/timestamp-1.tsr'
  const withoutToken = files.filter(({ path }) => path !== token)
  expect(await flawOf({ ...sound, files: withoutToken })).toEqual(failed('renewal_nothing'))
  const other = [...withoutToken, { path: token, sha256: 'cd'.repeat(32) }]
  expect(await flawOf({ ...sound, files: other })).toEqual(failed('renewal_differs', token))
  const outside = [...files, { path: 'manifest.json', sha256: 'cd'.repeat(32) }]
  expect(await flawOf({ ...sound, files: outside })).toEqual(failed('malformed'))
  passed -= day
  expect(await flawOf(sound)).toEqual(failed('renewal_order'))
  // Too late is not false: it carries nothing.
  passed += 4 * year
  expect(await flawOf(sound)).toEqual([{ status: 'indeterminate', reason: 'renewal_late' }])
})

test('where outside authorities are configured, the platform’s own stamp renews nothing before the last month', async () => {
  const { id } = await finalEvidence(world)
  const until = (await findSeal(world.db, id))?.stampedUntil?.getTime() ?? 0
  const silent = {
    name: 'https://time.example/tsr',
    embedded: false,
    timestamp: async () => await Promise.reject(new DomainError('unavailable', 'sealing.tsa_unreachable')),
  }
  const only = async () => await renewSeals({ ...deps(), timestampers: [silent, ...world.timestampers] }, signal)
  const renewed = async () => (await listFiles(world.db, id)).some(({ path }) => path === 'seal/renewal-1.tsr')
  passed = until - start - 60 * day
  expect((await only()).renewed).toBe(0)
  expect(await renewed()).toBe(false)
  passed = until - start - 29 * day
  await only()
  expect(await renewed()).toBe(true)
  expect(await assess(id)).toMatchObject({ state: 'sound', renewal_due: false })
})
