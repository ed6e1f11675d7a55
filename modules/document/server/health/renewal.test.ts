import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DomainError } from '../../../../kernel/errors.ts'
import { proofHealth } from '../../../../kernel/proof-health.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { runTool } from '../../../../testing/keyring.ts'
import { verifyEvidenceRecord } from '../../../verification/domain/evidence-record/verify-evidence-record.ts'
import { pemOf } from '../../../sealing/server/index.ts'
import { createDocuments } from '../change/create-documents.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { openDepositWorld, sha256Hex, waitingBatches, type DepositWorld } from '../deposits.test-data.ts'
import { findSealed } from '../proofs/sealed-deposit.ts'
import { proofEntriesOf } from '../proofs/download-proofs.ts'
import { sealBatch } from '../seal/seal-batch.ts'
import { certificateFactsOf } from '../certificate/certificate-facts-of.ts'
import { proofsReadme } from '../proofs/proofs-readme.ts'
import { assessDeposit } from './assess-deposit.ts'
import { listRenewals } from '../stamps/health-store.ts'
import { renewBatches } from './renew-batches.ts'

const database = withDatabase()
const oracle = fileURLToPath(new URL('../../../../e2e/oracles/check_evidence_record.py', import.meta.url))
const program = fileURLToPath(new URL('./renew-and-die.test-program.ts', import.meta.url))
const day = 86_400_000
const year = 365 * day
const start = Date.parse('2026-11-21T10:00:00Z')
let passed = 0
const clock = { now: () => new Date(start + passed) }
const { signal } = new AbortController()
let world: DepositWorld

beforeAll(async () => {
  world = await openDepositWorld(database.db, { clock })
})
afterAll(async () => await world.remove())

const renew = async (deps: Partial<DepositWorld> = {}) => await renewBatches({ ...world, ...deps }, signal)

/** Of `content` and as many others in one call. */
async function deposit(userId: string, content: string, others = 0): Promise<string> {
  const sums = [content, ...Array.from({ length: others }, () => randomUUID())].map((each) => sha256Hex(each))
  const documents = sums.map((sha256) => ({ sha256, store: false }))
  const [made] = await createDocuments(world, actorOf(userId), { documents, agree: true })
  for (const id of await waitingBatches(database.db)) await sealBatch(world, id)
  return made?.id ?? ''
}

async function recordOf(id: string): Promise<Uint8Array> {
  const entries = await proofEntriesOf(world, await findSealed(world, id))
  return entries.find(({ name }) => name === 'document.ers')?.data ?? new Uint8Array()
}

/** Every authority that the installation ever had, as somebody keeps them who trusts it. */
const roots = () =>
  pemOf(world.keyring.certificates().flatMap(({ role, certificate }) => (role === 'authority' ? [certificate] : [])))
const verified = async (record: Uint8Array, content: string) =>
  await verifyEvidenceRecord(
    { record, data: [{ bytes: Buffer.from(content) }] },
    { now: () => clock.now(), trust: Buffer.from(roots()) },
  )

const rows = async (table: 'document_renewal' | 'document_batch_renewal') => {
  const { rows: found } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(
    database.db,
  )
  return found[0]?.count ?? 0
}
const forget = async () => await sql`update document_batch set renew_at = null`.execute(database.db)

test('after twelve years of renewals the record of a deposit holds, for the verifier and for a reader of RFC 4998 that shares nothing with it', async () => {
  const user = await haveAccount(database.db)
  const contents = ['a file by itself', 'a file among many']
  const ids = [await deposit(user, 'a file by itself'), await deposit(user, 'a file among many', 24)]
  const fresh = proofHealth.parse(await assessDeposit(world, actorOf(user), ids[0] ?? ''))
  expect(fresh).toMatchObject({ state: 'sound', renewal_due: false, anchored: false })
  expect(fresh.elements.map(({ kind, subject, state }) => `${kind} ${subject} ${state}`)).toEqual([
    'stamp document.tsr sound',
    'log 0 sound',
  ])
  const before = await Promise.all(ids.map(recordOf))
  const counted: { renewed: number; waiting: number }[] = []
  // A job that runs once a month is one that failed on all other days.
  for (; passed < 12 * year; passed += 30 * day) {
    const done = await renew()
    if (done.renewed + done.waiting > 0) counted.push(done)
  }
  // One stamp for both batches, each time.
  expect(counted).toEqual(counted.map(() => ({ renewed: 2, waiting: 0 })))
  expect(counted.length).toBeGreaterThan(4)
  expect([await rows('document_renewal'), await rows('document_batch_renewal')]).toEqual([counted.length, 2 * counted.length])

  for (const [i, id] of ids.entries()) {
    const content = contents[i] ?? ''
    const record = await recordOf(id)
    const report = await verified(record, content)
    expect(report.checks.filter(({ status, supplementary }) => status !== 'passed' && supplementary !== true)).toEqual([])
    expect([report.verdict, report.dates.length]).toEqual(['TOTAL-PASSED', counted.length + 1])
    expect((await verified(record, 'another file')).verdict).toBe('TOTAL-FAILED')
    // Without the renewals nobody answers for the key that made the date any more, and that is noted.
    const ended = await verified(before[i] ?? new Uint8Array(), content)
    const current = (of: typeof report) => of.checks.flatMap(({ id: check, status }) => (check === 'current' ? [status] : []))
    expect([current(ended), current(report)]).toEqual([['indeterminate'], []])
    await writeFile(join(world.folder, 'file'), content)
    await writeFile(join(world.folder, 'document.ers'), record)
    await writeFile(join(world.folder, 'roots.pem'), roots())
    const said = await runTool(world.folder, 'python3', oracle, 'document.ers', '--document', 'file', '--roots', 'roots.pem')
    expect(JSON.parse(said.output)).toMatchObject({ chains: [counted.length + 1], problems: [] })
    const health = proofHealth.parse(await assessDeposit(world, actorOf(user), id))
    expect(health).toMatchObject({ state: 'sound', renewal_due: false })
    expect(health.elements.flatMap(({ kind, state }) => (kind === 'stamp' ? [state] : []))).toEqual([
      ...counted.map(() => 'renewed'),
      'sound',
    ])
    expect(Date.parse(health.stamped_until ?? '')).toBeGreaterThan(start + passed)
  }
  // The certificates of whoever stamped the renewals are given too; what the archive tells to do is done with what it holds.
  const sealed = await findSealed(world, ids[0] ?? '')
  const entries = await proofEntriesOf(world, sealed)
  const names = entries.map(({ name }) => name)
  expect(names.filter((name) => name.includes('renewal'))).toHaveLength(counted.length)
  const renewals = await listRenewals(database.db, sealed.batch.id)
  const readme = Buffer.from(proofsReadme(sealed, names, renewals)).toString()
  expect(readme).toContain(
    `Renewed ${String(counted.length)} times since, last on ${renewals.at(-1)?.genTime.toISOString() ?? ''}`,
  )
  const [command = ''] = /openssl ts -verify [^\n]*\\\n[^\n]*\\\n +-attime \d+/.exec(readme) ?? []
  for (const { name, data } of entries) await writeFile(join(world.folder, name), data)
  await writeFile(join(world.folder, 'YOUR_FILE'), contents[0] ?? '')
  expect((await runTool(world.folder, 'sh', '-c', command)).output).toContain('Verification: OK')
  const facts = await certificateFactsOf(
    { ...world, anchoring: false, publicUrl: 'https://probant.example', verifierUrl: null },
    sealed,
    clock.now(),
  )
  expect(facts.renewals.map(({ file, number }) => `${file} ${String(number)}`)).toEqual(
    counted.map((_, i) => `document.ers ${String(i + 1)}`),
  )
})

test('time stamps that ended before anybody renewed them are said to have ended, and are not stamped as if nothing had happened', async () => {
  await forget()
  const user = await haveAccount(database.db)
  const id = await deposit(user, 'left alone')
  const had = await rows('document_renewal')
  passed += 4 * year
  expect(await assessDeposit(world, actorOf(user), id)).toMatchObject({ state: 'ended', stamped_until: null, renewal_due: false })
  expect(await renew()).toEqual({ renewed: 0, waiting: 0 })
  expect(await rows('document_renewal')).toBe(had)
  const batch = (await findSealed(world, id)).batch
  expect([batch.health?.renewAt, (batch.health?.stampedUntil.getTime() ?? 0) < clock.now().getTime()]).toEqual([null, true])
})

test('where outside authorities are wished, our own stamp renews nothing before the last month; who wishes none has our own', async () => {
  await forget()
  const [user, alone] = [await haveAccount(database.db), await haveAccount(database.db)]
  const id = await deposit(user, 'wishes')
  const other = await deposit(alone, 'wishes none')
  await sql`update document_batch set outside_stamps = false where owner_id = ${alone}::uuid`.execute(database.db)
  const { batch } = await findSealed(world, id)
  const silent = {
    name: 'https://time.example/tsr',
    embedded: false,
    timestamp: async () => await Promise.reject(new DomainError('unavailable', 'sealing.tsa_unreachable')),
  }
  const only = async () => await renew({ timestampers: [silent, ...world.timestampers] })
  const stampsOf = async (of: string) => (await assessDeposit(world, actorOf(of === id ? user : alone), of)).facts.stamps.length
  const until = batch.health?.stampedUntil.getTime() ?? 0
  passed = until - start - 60 * day
  expect(await only()).toEqual({ renewed: 1, waiting: 1 })
  expect([await stampsOf(id), await stampsOf(other)]).toEqual([1, 2])
  passed = until - start - 29 * day
  expect(await only()).toEqual({ renewed: 1, waiting: 0 })
  expect(await stampsOf(id)).toBe(2)
})

test('of a seal that was made before its end was kept, the end is read from its tokens; two workers at once renew once', async () => {
  await forget()
  const user = await haveAccount(database.db)
  const id = await deposit(user, 'older')
  const { batch } = await findSealed(world, id)
  await sql`update document_batch set stamped_until = null, renew_at = null, assessed_at = null where id = ${batch.id}::uuid`.execute(
    database.db,
  )
  await renew()
  expect((await findSealed(world, id)).batch.health).toMatchObject({
    stampedUntil: batch.health?.stampedUntil,
    renewAt: batch.health?.renewAt,
  })
  passed = (batch.health?.renewAt?.getTime() ?? 0) - start + day
  const both = await Promise.all([renew(), renew()])
  expect(both.reduce((sum, { renewed }) => sum + renewed, 0)).toBe(1)
  expect((await assessDeposit(world, actorOf(user), id)).facts.stamps).toHaveLength(2)
  // What is kept of a renewal is never another, and of a seal only more.
  await expect(sql`update document_renewal set serial = 'other'`.execute(database.db)).rejects.toThrow('stays as it is')
  const shorter = sql`update document_batch set summary = jsonb_set(summary, '{timestamps}', '[]') where id = ${batch.id}::uuid`
  await expect(shorter.execute(database.db)).rejects.toThrow('keeps its time stamps')
})

test('a worker killed at any moment of renewing loses nothing and doubles nothing', { timeout: 240_000 }, async () => {
  await forget()
  const user = await haveAccount(database.db)
  const ids = [await deposit(user, 'first'), await deposit(user, 'second', 21)]
  const { batch } = await findSealed(world, ids[0] ?? '')
  const due = (batch.health?.renewAt?.getTime() ?? 0) + day
  const had = [await rows('document_renewal'), await rows('document_batch_renewal')]
  for (const moment of ['stamped', 'committing', 'committed', 'never']) {
    const child = spawn(process.execPath, [program, database.url, world.folder, moment, String(due)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [code, killed] = (await once(child, 'exit')) as [number | null, string | null]
    expect([moment, code, killed]).toEqual(moment === 'never' ? [moment, 0, null] : [moment, null, 'SIGKILL'])
    const now = [await rows('document_renewal'), await rows('document_batch_renewal')]
    const isDone = moment === 'committed' || moment === 'never'
    expect([moment, ...now]).toEqual([moment, ...had.map((count, i) => count + (isDone ? i + 1 : 0))])
  }
  passed = due - start
  for (const [i, id] of ids.entries())
    expect((await verified(await recordOf(id), ['first', 'second'][i] ?? '')).verdict).toBe('TOTAL-PASSED')
})
