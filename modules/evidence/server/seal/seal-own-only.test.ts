import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { startOutsideTsa, type OutsideTsa } from '../../../../testing/tsa.ts'
import { listsNaming } from '../../../sealing/server/authorities/lists-naming.test-data.ts'
import { createTimestampers, openKeyring, openPublicLog } from '../../../sealing/server/index.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { listFiles } from '../files/file-store.ts'
import { findSeal } from './seal-store.ts'
import { finalEvidence, webDeps, type World } from '../health/final-evidence.test-data.ts'
import { remakeCore } from '../package/remake-core.ts'
import { presentEvidence } from '../present/present-evidence.ts'
import { qualifySeals } from './qualify-stamps.ts'
import { timestampersFor } from './seal-evidence.ts'
import { findEvidence } from '../record/store.ts'

const database = withDatabase()
const clock = { now: () => new Date() }
let folder: string
let world: World
let tsa: OutsideTsa

beforeAll(async () => {
  tsa = await startOutsideTsa({ key: 'ec' })
  folder = await mkdtemp(join(tmpdir(), 'probant-own-only-'))
  const keyring = await openKeyring({ dir: join(folder, 'keys'), clock, log: silentLog })
  const timestampers = createTimestampers({ urls: [tsa.url], keyring, clock, log: silentLog })
  const publicLog = await openPublicLog({
    db: database.db,
    keyring,
    clock,
    origin: 'proofs.example/log',
    folder: join(folder, 'log'),
  })
  world = { db: database.db, blobs: createFolderBlobStore(join(folder, 'blobs')), clock, keyring, timestampers, publicLog }
})
afterAll(async () => {
  await tsa.close()
  await rm(folder, { recursive: true, force: true })
})

test.each([
  [true, { outside_stamps: true }],
  [false, { outside_stamps: false }],
])(
  'E-55 H-28 a seal of an account whose eIDAS time-stamping is %s, and its package made anew, are stamped by nobody else',
  async (on, said) => {
    const user = await haveAccount(database.db)
    await database.db.insertInto('account_settings').values({ user_id: user, eidas_timestamping: on }).execute()
    const actor = actorOf(user)
    const { id } = await finalEvidence(world, { actor })
    const seal = await findSeal(database.db, id)
    const evidence = await findEvidence(database.db, id)
    if (seal === null || evidence === null) throw new Error('nothing was sealed')
    expect(seal.summary.timestamps.map(({ embedded }) => embedded)).toEqual([!on])
    expect(seal.summary.pending_authorities).toEqual([])
    expect(seal.askAgainAt).toBeNull()
    expect((await presentEvidence(webDeps(world), { actor }, evidence)).seal).toMatchObject(said)
    expect(timestampersFor(world, evidence).map(({ embedded }) => embedded)).toEqual(on ? [false, true] : [true])
    const asked = tsa.requests()
    const before = await listFiles(database.db, id)
    const change = { before, files: [], commit: async () => await Promise.resolve() }
    expect(await remakeCore({ ...webDeps(world), ...world }, id, change, new AbortController().signal)).toBe(true)
    expect(tsa.requests() - asked).toBe(on ? 1 : 0)
  },
)

test('E-55 whether the time stamp of an evidence is qualified is what the lists say: null where they say nothing or nobody asked', async () => {
  const actor = actorOf(await haveAccount(database.db))
  const { id } = await finalEvidence(world, { actor })
  const evidence = await findEvidence(database.db, id)
  if (evidence === null) throw new Error('nothing was sealed')
  const list = { type: 'QTST', status: 'granted', issuedAt: new Date() } as const
  const day = 86_400_000
  let lists = await listsNaming(tsa.caFile, { ...list, issuedAt: new Date(list.issuedAt.getTime() - day) })
  const reads: string[] = []
  const blobs = {
    ...world.blobs,
    scope: (name: string) => {
      const scope = world.blobs.scope(name)
      return {
        ...scope,
        read: async (...asked: Parameters<typeof scope.read>) => (reads.push(asked[0]), await scope.read(...asked)),
      }
    },
  }
  const qualify = qualifySeals({ db: database.db, blobs, log: silentLog, lists: async () => await Promise.resolve(lists) })
  const shown = async (deps: Partial<ReturnType<typeof webDeps>> & { qualify?: typeof qualify } = { qualify }) =>
    (await presentEvidence({ ...webDeps(world), ...deps }, { actor }, evidence)).seal?.timestamps.map(
      ({ embedded, qualified, qualification }) => [embedded, qualified, qualification],
    )
  expect(await shown({})).toEqual([[false, null, 'not_measured']])
  for (let times = 0; times < 3; times += 1) expect(await shown()).toEqual([[false, null, 'listed']])
  expect(reads).toHaveLength(2)
  const later = new Date(list.issuedAt.getTime() + day)
  lists = await listsNaming(tsa.caFile, { ...list, issuedAt: later })
  expect(await shown()).toEqual([[false, true, 'qualified']])
  lists = await listsNaming(tsa.caFile, { ...list, status: 'withdrawn', issuedAt: later })
  expect(await shown()).toEqual([[false, false, 'not_qualified']])
  // What the sealed package holds claims nothing, whatever lists say later.
  expect((await findSeal(database.db, id))?.summary.timestamps.map(({ qualified }) => qualified)).toEqual([false])
  // Tokens that cannot be read are not judged.
  lists = { ...lists }
  await world.blobs.scope(id).clear()
  expect(await shown()).toEqual([[false, null, 'not_measured']])
})
