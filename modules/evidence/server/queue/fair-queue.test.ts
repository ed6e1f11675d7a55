import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Db } from '../../../../platform/db/database.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { haveServer } from '../../../../testing/capture-server.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { plansOf, rowsOf } from '../../../../testing/plans.ts'
import type { CaptureAction } from '../../domain/action.ts'
import type { Lane } from '../../domain/queue-order.ts'
import { haveAccount } from '../../../../testing/accounts.ts'
import { claimNext, closeCapture, type Claimer } from './lease-store.ts'
import { queuePosition } from './queue-store.ts'
import { sampleFacts } from '../sample-facts.test-data.ts'
import { findEvidence, insertEvidence, type EvidenceRecord } from '../record/store.ts'

const database = withDatabase()
let owner = ''
beforeEach(async () => {
  await sql`truncate evidence, capture_server cascade`.execute(database.db)
  owner = await haveAccount(database.db)
})

const askerNamed = (name: string) => createHash('sha256').update(name).digest()
let instants = Date.parse('2026-11-22T10:00:00Z')

async function ask(
  asker: string,
  options: { lane?: Lane; askedServer?: string; action?: CaptureAction; db?: Db; url?: string } = {},
): Promise<EvidenceRecord> {
  const { lane = 'account', askedServer = null, action = 'static', db = database.db, url = 'https://example.org/' } = options
  return await insertEvidence(db, {
    id: randomUUIDv7(),
    tokenHash: randomBytes(32),
    action,
    requestedUrl: url,
    locale: 'en',
    now: new Date((instants += 1)),
    asker: askerNamed(asker),
    askedServer,
    ownership: lane === 'account' ? { ownerId: owner, createdBy: owner, groupId: null } : null,
  })
}

/** So many of one asker, in one statement. */
async function askMany(asker: string, many: number, action: CaptureAction = 'static'): Promise<void> {
  await sql`insert into evidence (id, token_hash, action, requested_url, locale, status, status_changed_at, created_at, asker, owner_id)
    select gen_random_uuid(), sha256(i::text::bytea), ${action}, 'https://example.org/', 'en', 'queued', now(),
      ${new Date((instants += 1))}::timestamptz, ${askerNamed(asker)}, ${owner}::uuid
    from generate_series(1, ${many}) i`.execute(database.db)
}

const finish = async ({ id, fence }: EvidenceRecord) =>
  await database.db.transaction().execute(async (tx) => {
    expect(await closeCapture(tx, id, fence, { status: 'completing', facts: sampleFacts })).toBe(true)
  })

describe('one asker with a thousand waiting', () => {
  test.each(['static', 'interactive'] as const)('delays the single %s one of another by at most one', async (action) => {
    const paris = await haveServer(database.db, 'paris')
    await askMany('many', 1000, action)
    const claim = async () => await claimNext(database.db, paris, 600, action)
    for (let i = 0; i < 3; i += 1) {
      const begun = await claim()
      if (begun !== null) await finish(begun)
    }
    const underWay = await claim()
    const single = await ask('single', { action })
    const place = await queuePosition(database.db, single)
    expect(place).toBeLessThanOrEqual(2)
    if (underWay !== null) await finish(underWay)
    const taken = [await claim(), await claim()].map((one) => one?.id)
    expect(taken.indexOf(single.id) + 1).toBe(place)
  })

  test('of a stranger, which come at once by two processes, take turns one after the other', async () => {
    const other = openDatabase(database.url, { max: 5, log: silentLog })
    onTestFinished(async () => await other.destroy())
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) => await ask('many', { lane: 'stranger', db: i % 2 === 0 ? other : database.db })),
    )
    const { rows } = await sql<{ turn: number }>`select turn from evidence order by turn`.execute(database.db)
    expect(rows.map(({ turn }) => turn)).toEqual(Array.from({ length: 20 }, (_, i) => i))
    const single = await ask('single', { lane: 'stranger' })
    expect(await queuePosition(database.db, single)).toBe(2)
  })
})

test('S-32 the place that is told is the one that comes true, in every line', async () => {
  const paris = await haveServer(database.db, 'paris', { capacity: 100 })
  // A fixed sequence: linear congruential, as in Numerical Recipes.
  let seed = 1_122
  const next = (below: number) => (seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) % below
  const waiting: EvidenceRecord[] = []
  const askers = new Map<string, string>()
  for (let i = 0; i < 60; i += 1) {
    const [asker, lane] = [`asker ${next(5)}`, next(2) === 0 ? ('account' as const) : ('stranger' as const)]
    const one = await ask(`${asker} ${lane}`, { lane, ...(next(3) === 0 ? { askedServer: 'paris' } : {}) })
    waiting.push(one)
    askers.set(one.id, `${asker} ${lane}`)
    if (next(4) === 0) await claimNext(database.db, paris, 600)
  }
  const told = new Map<string, number>()
  for (const { id } of waiting) {
    const now = await findEvidence(database.db, id)
    const place = now === null ? null : await queuePosition(database.db, now)
    if (place !== null) told.set(id, place)
  }
  expect(told.size).toBeGreaterThan(20)
  const taken: string[] = []
  for (;;) {
    const one = await claimNext(database.db, paris, 600)
    if (one === null) break
    taken.push(one.id)
  }
  expect(taken.map((id) => told.get(id))).toEqual(taken.map((_, i) => i + 1))
  expect(taken).toHaveLength(told.size)
})

test('accounts go before strangers, of whom a server takes one after four of them', async () => {
  const paris = await haveServer(database.db, 'paris', { capacity: 100 })
  const strangers = await Promise.all(Array.from({ length: 3 }, async (_, i) => await ask(`stranger ${i}`, { lane: 'stranger' })))
  await askMany('account', 12)
  const lanes = []
  for (let i = 0; i < 15; i += 1) {
    const one = await claimNext(database.db, paris, 600)
    lanes.push(strangers.some(({ id }) => id === one?.id) ? 'stranger' : 'account')
  }
  expect(lanes.flatMap((lane, i) => (lane === 'stranger' ? [i] : []))).toEqual([4, 9, 14])
})

test('however many wait, the claim reads a handful of rows, by indexes', async () => {
  const paris = await haveServer(database.db, 'paris', { capacity: 9 })
  await askMany('many', 3000)
  await ask('stranger', { lane: 'stranger' })
  await ask('named', { askedServer: 'paris' })
  for (let i = 0; i < 6; i += 1) await claimNext(database.db, paris, 600)
  // However slow this machine is: they have only just begun to wait, so that servers are compared.
  await sql`update evidence set queued_at = clock_timestamp() + interval '1 hour' where status = 'queued'`.execute(database.db)
  await sql`vacuum analyze evidence`.execute(database.db)
  const [plan = []] = await plansOf(
    database.url,
    async (db) => await claimNext(db, { ...paris, perTarget: { atOnce: 100, perMinute: 1000 } }, 600),
  )
  const read = plan.filter((node) => node['Relation Name'] === 'evidence')
  expect(read.length).toBeGreaterThan(3)
  expect(read.filter((node) => node['Node Type'] === 'Seq Scan' && rowsOf(node) > 0)).toEqual([])
  // What the server has under way is counted once.
  expect(read.filter((node) => node['Index Name'] === 'evidence_server_load').reduce((all, node) => all + rowsOf(node), 0)).toBe(
    7,
  )
  expect(read.reduce((all, node) => all + rowsOf(node), 0)).toBeLessThan(40)
  expect(plan.map((node) => node['Index Name'])).toContain('evidence_queue_turn')
})

describe('H-34 a host is visited so often', () => {
  const visit = async (server: Claimer, options: { db?: Db; atOnce?: number; perMinute?: number } = {}) => {
    const { db = database.db, atOnce = 3, perMinute = 0 } = options
    return await claimNext(db, { ...server, perTarget: { atOnce, perMinute } }, 600)
  }

  test('at once, by whichever process in the same instant; others pass by, and one that ends makes room', async () => {
    const servers = [await haveServer(database.db, 'paris'), await haveServer(database.db, 'berlin')] as const
    const other = openDatabase(database.url, { max: 8, log: silentLog })
    onTestFinished(async () => await other.destroy())
    for (let i = 0; i < 12; i += 1) await ask(`asker ${i}`)
    await sql`update evidence set queued_at = queued_at - interval '1 hour'`.execute(database.db)
    const taken = await Promise.all(
      Array.from(
        { length: 12 },
        async (_, i) => await visit(servers[i % 2 === 0 ? 0 : 1], { db: i % 2 === 0 ? other : database.db }),
      ),
    )
    const begun = taken.filter((one) => one !== null)
    expect(begun).toHaveLength(3)
    const elsewhere = await ask('asker', { url: 'http://[2001:db8::1]:8080/' })
    await sql`update evidence set queued_at = queued_at - interval '1 hour' where id = ${elsewhere.id}::uuid`.execute(database.db)
    expect((await visit(servers[0]))?.id).toBe(elsewhere.id)
    expect(await visit(servers[0])).toBeNull()
    if (begun[0] !== undefined) await finish(begun[0])
    expect((await visit(servers[0]))?.requestedUrl).toBe('https://example.org/')
    expect(await visit(servers[0])).toBeNull()
    // A session has its visitor's pace.
    await ask('asker', { action: 'interactive' })
    expect(
      await claimNext(database.db, { ...servers[0], perTarget: { atOnce: 1, perMinute: 1 } }, 600, 'interactive'),
    ).not.toBeNull()
  })

  test('in a minute, whoever asks', async () => {
    const paris = await haveServer(database.db, 'paris', { capacity: 9 })
    for (let i = 0; i < 3; i += 1) await ask(`asker ${i}`)
    const limits = { atOnce: 0, perMinute: 2 }
    for (let i = 0; i < 2; i += 1) {
      const begun = await visit(paris, limits)
      expect(begun).not.toBeNull()
      if (begun !== null) await finish(begun)
    }
    expect(await visit(paris, limits)).toBeNull()
    await sql`update evidence set begun_at = begun_at - interval '61 seconds' where begun_at is not null`.execute(database.db)
    expect(await visit(paris, limits)).not.toBeNull()
  })
})
