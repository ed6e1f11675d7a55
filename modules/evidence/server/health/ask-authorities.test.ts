import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { runTool } from '../../../../testing/keyring.ts'
import { startOutsideTsa, type OutsideTsa } from '../../../../testing/tsa.ts'
import { askForDays, createTimestampers, openKeyring, openPublicLog } from '../../../sealing/server/index.ts'
import { openPackageSource } from '../../../verification/server/index.ts'
import { listFiles } from '../files/file-store.ts'
import { findSeal } from '../seal/seal-store.ts'
import { askAuthorities } from './ask-authorities.ts'
import { assessEvidence } from './assess-evidence.ts'
import { finalEvidence, packageOf, webDeps, type World } from './final-evidence.test-data.ts'
import { verifyCompared } from '../../../../testing/verify-compared.ts'

const database = withDatabase()
const minute = 60_000
let ahead = 0
/** What is due is asked of this clock; stamps are made and checked by the real one. */
const clock = { now: () => new Date(Date.now() + ahead) }
const { signal } = new AbortController()
let folder: string
let world: World
let tsa: OutsideTsa

beforeAll(async () => {
  tsa = await startOutsideTsa({ key: 'ec' })
  folder = await mkdtemp(join(tmpdir(), 'probant-asked-'))
  const keyring = await openKeyring({ dir: join(folder, 'keys'), clock: systemClock, log: silentLog })
  const timestampers = createTimestampers({ urls: [tsa.url], keyring, clock: systemClock, log: silentLog, restMs: 0 })
  const origin = 'proofs.example/log'
  const publicLog = await openPublicLog({ db: database.db, keyring, clock: systemClock, origin, folder: join(folder, 'log') })
  world = { db: database.db, blobs: createFolderBlobStore(join(folder, 'blobs')), clock, keyring, timestampers, publicLog }
})
beforeEach(async () => {
  ahead = 0
  tsa.behave('error_500')
  // A seal that another test left to be asked for is none of this one's.
  await world.db.updateTable('seal').set({ ask_again_at: null }).execute()
})
afterAll(async () => {
  await tsa.close()
  await rm(folder, { recursive: true, force: true })
})

const deps = () => ({ ...webDeps(world), ...world })
const ask = async () => await askAuthorities(deps(), signal)
const paths = async (id: string) => (await listFiles(world.db, id)).map(({ path }) => path)

async function verified(id: string) {
  const path = join(folder, `${id}.zip`)
  await writeFile(path, await packageOf(world, id))
  const { source, close } = await openPackageSource(path)
  try {
    return await verifyCompared(source, { now: () => clock.now() })
  } finally {
    await close()
  }
}

test('an authority that was silent when a page was sealed is asked again, ever more seldom, and its stamp joins the package', async () => {
  const { id } = await finalEvidence(world)
  const sealed = await findSeal(world.db, id)
  expect(sealed?.summary.pending_authorities).toEqual([{ authority: tsa.url, code: 'sealing.tsa_http_status' }])
  expect(sealed?.askAgainAt).not.toBeNull()
  const health = await assessEvidence(webDeps(world), id)
  expect(health.facts).toMatchObject({ pending_authorities: [tsa.url], ask_again_at: sealed?.askAgainAt?.toISOString() })
  expect(health.elements[1]).toMatchObject({ kind: 'authorities', state: 'pending', next: { action: 'ask_again' } })

  const requests = tsa.requests()
  expect(await ask()).toBe(0)
  expect(tsa.requests()).toBe(requests)
  ahead = 11 * minute
  expect(await ask()).toBe(0)
  expect(tsa.requests()).toBe(requests + 1)
  const later = await findSeal(world.db, id)
  expect(later?.askedAgain).toBe(1)
  expect((later?.askAgainAt?.getTime() ?? 0) - clock.now().getTime()).toBeGreaterThan(15 * minute)

  tsa.behave('honest')
  ahead = 60 * minute
  const before = await packageOf(world, id)
  // Two workers at once: one of them changes nothing.
  const both = await Promise.all([ask(), ask()])
  expect(both.toSorted()).toEqual([0, 1])
  expect(await ask()).toBe(0)
  expect((await paths(id)).filter((path) => path.startsWith('seal/timestamp'))).toEqual([
    'seal/timestamp-1.tsr',
    'seal/timestamp-1-ca.pem',
    'seal/timestamp-2.tsr',
    'seal/timestamp-2-ca.pem',
  ])
  const seal = await findSeal(world.db, id)
  expect(seal?.summary.timestamps.map(({ file, embedded }) => `${file} ${String(embedded)}`)).toEqual([
    'seal/timestamp-1.tsr true',
    'seal/timestamp-2.tsr false',
  ])
  expect([seal?.summary.pending_authorities, seal?.askAgainAt]).toEqual([[], null])
  const report = await verified(id)
  expect(report.verdict).toBe('TOTAL-PASSED')
  expect(report.seal?.timestamps).toHaveLength(2)
  expect(report.checks.find(({ id: check }) => check === 'seal_record')?.status).toBe('passed')
  expect((await assessEvidence(webDeps(world), id)).elements.map(({ kind }) => kind)).toEqual(['stamp', 'stamp', 'log'])

  // A tool that is not ours accepts the new stamp, and the package as it was before still verifies.
  await writeFile(join(folder, 'before.zip'), before)
  const { source, close } = await openPackageSource(join(folder, 'before.zip'))
  expect((await verifyCompared(source, { now: () => clock.now() })).verdict).toBe('TOTAL-PASSED')
  await close()
  await runTool(folder, 'unzip', '-q', `${id}.zip`, '-d', id)
  const command = report.checks.find(({ subject }) => subject === 'seal/timestamp-2.tsr')?.repeat_command ?? ''
  const said = await runTool(
    join(folder, id),
    'sh',
    '-c',
    command.replace('-CAfile seal/timestamp-2-ca.pem', `-CAfile ${tsa.caFile}`),
  )
  expect(said.output).toContain('Verification: OK')
})

test('a package that cannot be made anew stays as it was, and is tried again', async () => {
  const { id } = await finalEvidence(world)
  const before = await listFiles(world.db, id)
  tsa.behave('honest')
  ahead = 11 * minute
  // The token comes; then the process cannot write any more, as one that is killed.
  const scope = () => ({
    ...world.blobs.scope(id),
    putStream: async () => await Promise.reject(new Error('no space left')),
  })
  expect(await askAuthorities({ ...deps(), blobs: { ...world.blobs, scope } }, signal)).toBe(0)
  expect(await listFiles(world.db, id)).toEqual(before)
  expect((await findSeal(world.db, id))?.summary.pending_authorities).toHaveLength(1)
  ahead = 2 * 60 * minute
  expect(await ask()).toBe(1)
  expect((await verified(id)).verdict).toBe('TOTAL-PASSED')
})

test('after thirty days it is asked no more, and that is said', async () => {
  const { id } = await finalEvidence(world)
  ahead = askForDays * 24 * 60 * minute + minute
  expect(await ask()).toBe(0)
  const health = await assessEvidence(webDeps(world), id)
  expect(health.elements[1]).toMatchObject({ kind: 'authorities', state: 'given_up', next: { action: 'none', at: null } })
  const requests = tsa.requests()
  ahead *= 2
  expect(await ask()).toBe(0)
  expect(tsa.requests()).toBe(requests)
})
