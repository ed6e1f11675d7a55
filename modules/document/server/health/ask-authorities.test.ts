import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { runTool } from '../../../../testing/keyring.ts'
import { startOutsideTsa, type OutsideTsa } from '../../../../testing/tsa.ts'
import { askForDays, createTimestampers } from '../../../sealing/server/index.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { createDocuments } from '../change/create-documents.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { openDepositWorld, sha256Hex, waitingBatches, type DepositWorld } from '../deposits.test-data.ts'
import { findSealed } from '../proofs/sealed-deposit.ts'
import { proofEntriesOf } from '../proofs/download-proofs.ts'
import { presentDocument } from '../present/present-document.ts'
import { qualifyDeposits } from '../stamps/qualify-stamps.ts'
import { findReachable } from '../deposit/reach-store.ts'
import { sealBatch } from '../seal/seal-batch.ts'
import { shippedLists } from '../../../verification/server/index.ts'
import { askAuthorities } from './ask-authorities.ts'
import { assessDeposit } from './assess-deposit.ts'

const database = withDatabase()
const minute = 60_000
let ahead = 0
/** What is due is asked of this clock; stamps are made and checked by the real one. */
const clock = { now: () => new Date(Date.now() + ahead) }
const { signal } = new AbortController()
let world: DepositWorld
let answering: OutsideTsa
let failing: OutsideTsa

beforeAll(async () => {
  ;[answering, failing] = [await startOutsideTsa({ key: 'ec', name: 'One' }), await startOutsideTsa({ key: 'ec', name: 'Other' })]
  const urls = [failing.url, answering.url]
  const made = await openDepositWorld(database.db, { urls })
  const { keyring } = made
  const timestampers = createTimestampers({
    urls,
    keyring,
    clock: { now: () => new Date() },
    log: silentLog,
    restMs: 0,
    timeoutMs: 60_000,
  })
  world = { ...made, clock, timestampers }
})
beforeEach(async () => {
  ahead = 0
  failing.behave('error_500')
  await sql`update document_batch set ask_again_at = null`.execute(database.db)
})
afterAll(async () => {
  await answering.close()
  await failing.close()
  await world.remove()
})

const ask = async (deps: Partial<DepositWorld> = {}) => await askAuthorities({ ...world, ...deps }, signal)

async function deposit(count: number): Promise<{ user: string; ids: string[]; content: string }> {
  const [user, content] = [await haveAccount(database.db), randomUUID()]
  const sums = [content, ...Array.from({ length: count - 1 }, () => randomUUID())].map((each) => sha256Hex(each))
  const documents = sums.map((sha256) => ({ sha256, store: false }))
  const made = await createDocuments(world, actorOf(user), { documents, agree: true })
  for (const id of await waitingBatches(database.db, user)) await sealBatch(world, id)
  return { user, ids: made.map(({ id }) => id), content }
}
const namesOf = async (id: string) => (await proofEntriesOf(world, await findSealed(world, id))).map(({ name }) => name)

test('an authority that was silent is asked again, once for all of a batch, and its stamp joins the others', async () => {
  const { user, ids } = await deposit(21)
  const id = ids[0] ?? ''
  const sealed = (await findSealed(world, id)).batch
  expect([sealed.pending, sealed.askAgainAt === null]).toEqual([
    [{ authority: failing.url, code: 'sealing.tsa_http_status' }],
    false,
  ])
  const told = await assessDeposit(world, actorOf(user), id)
  expect(told.elements.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['stamp sound', 'authorities pending', 'log sound'])
  const requests = failing.requests()
  expect([await ask(), failing.requests()]).toEqual([0, requests])
  ahead = 11 * minute
  expect([await ask(), failing.requests()]).toEqual([0, requests + 1])
  const later = (await findSealed(world, id)).batch
  expect(later.askedAgain).toBe(1)
  expect((later.askAgainAt?.getTime() ?? 0) - clock.now().getTime()).toBeGreaterThan(15 * minute)

  failing.behave('honest')
  ahead = 60 * minute
  // One certificate is there, which says something else from now on.
  await sql`insert into document_certificate (document_id, locale, edition, anchored, says, bytes, sha256, made_at)
    values (${id}::uuid, 'en', 1, false, ${sha256Hex('facts')}, 1, ${sha256Hex('en')}, now())`.execute(database.db)
  const both = await Promise.all([ask(), ask()])
  expect(both.toSorted()).toEqual([0, 1])
  // Both may have asked before either wrote down what it heard; one of them was taken.
  expect([2, 3]).toContain(failing.requests() - requests)
  expect(await ask()).toBe(0)
  const { batch } = await findSealed(world, id)
  expect(batch.summary.timestamps.map(({ file, ca_file: ca }) => `${file} ${ca}`)).toEqual([
    'document.tsr document-ca.pem',
    'document-2.tsr document-2-ca.pem',
  ])
  expect([batch.summary.timestamps[0], batch.pending, batch.askAgainAt]).toEqual([sealed.summary.timestamps[0], [], null])
  expect(await namesOf(ids[20] ?? '')).toEqual(expect.arrayContaining(['document-2.tsr', 'document-2-ca.pem', 'document-2.ers']))
  const jobs = await sql`select 1 from graphile_worker.jobs where key = ${`certificates:${id}`}`.execute(database.db)
  expect(jobs.rows).toHaveLength(1)
  const health = await assessDeposit(world, actorOf(user), id)
  expect(health.elements.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['stamp sound', 'stamp sound', 'log sound'])
})

test('the stamp that came later is over the file itself where it was deposited by itself, by a tool that is not ours', async () => {
  const { ids, content } = await deposit(1)
  failing.behave('honest')
  ahead = 11 * minute
  // The token comes; then the process can do no more, as one that is killed.
  let came = false
  const timestampers = world.timestampers.map((each) => ({
    ...each,
    timestamp: async (...asked: Parameters<typeof each.timestamp>) => {
      const stamp = await each.timestamp(...asked)
      came = true
      return stamp
    },
  }))
  const stopped = {
    now: () => {
      if (came) throw new Error('killed')
      return clock.now()
    },
  }
  await expect(ask({ timestampers, clock: stopped })).rejects.toThrow('killed')
  expect((await findSealed(world, ids[0] ?? '')).batch).toMatchObject({ askedAgain: 0, pending: [{ authority: failing.url }] })
  expect(await ask()).toBe(1)
  const entries = await proofEntriesOf(world, await findSealed(world, ids[0] ?? ''))
  for (const { name, data } of entries) await writeFile(join(world.folder, name), data)
  await writeFile(join(world.folder, 'file'), content)
  const verify = ['ts', '-verify', '-data', 'file', '-in', 'document-2.tsr', '-CAfile', failing.caFile]
  expect((await runTool(world.folder, 'openssl', ...verify)).output).toContain('Verification: OK')
})

test('after thirty days it is asked no more, and that is said', async () => {
  const { user, ids } = await deposit(1)
  ahead = askForDays * 24 * 60 * minute + minute
  const requests = failing.requests()
  expect([await ask(), failing.requests()]).toEqual([0, requests + 1])
  const health = await assessDeposit(world, actorOf(user), ids[0] ?? '')
  expect(health.elements[1]).toMatchObject({ kind: 'authorities', state: 'given_up', next: { action: 'none', at: null } })
  ahead *= 2
  expect([await ask(), failing.requests()]).toEqual([0, requests + 1])
})

test('E-35 whether a stamp is qualified is asked of the lists once, and again of others; where there are none, it is not measured', async () => {
  const { user, ids } = await deposit(1)
  const shown = async (deps: Partial<DepositWorld>) => {
    const record = await findReachable(database.db, actorOf(user), ids[0] ?? '')
    return (await presentDocument({ ...world, ...deps }, actorOf(user), record)).seal?.timestamps.map(
      ({ qualified, qualification }) => `${String(qualified)} ${qualification}`,
    )
  }
  expect(await shown({})).toEqual(['null not_measured'])
  let { lists } = shippedLists()
  const read = { tokens: 0 }
  const db = new Proxy(database.db, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name, target)
      if (typeof found !== 'function') return found
      return (...args: unknown[]) => {
        if (name === 'selectFrom' && args[0] === 'document_batch_file') read.tokens += 1
        return Reflect.apply(found, target, args) as unknown
      }
    },
  })
  const qualify = qualifyDeposits({ db, lists: async () => await Promise.resolve(lists) })
  // An authority that no list names, which are all older than its stamp.
  for (let times = 0; times < 3; times += 1) expect(await shown({ qualify })).toEqual(['null not_established'])
  expect(read.tokens).toBe(1)
  lists = { ...lists }
  expect(await shown({ qualify })).toEqual(['null not_established'])
  expect(read.tokens).toBe(2)
})
