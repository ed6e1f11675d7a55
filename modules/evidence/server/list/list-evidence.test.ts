import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { createEvidenceBody } from '../../contract/evidence.ts'
import { evidenceListQuery } from '../../contract/endpoints.ts'
import { actorOf, haveAccount, haveGroup, setMember } from '../../../../testing/accounts.ts'
import { finish } from '../finish.test-data.ts'
import { createEvidence } from '../ask/create-evidence.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { foundUpTo } from '../../../../platform/lists/page-depth.ts'
import { listReachable } from './list-evidence.ts'
import { listMakers } from './list-makers.ts'
import { findPage } from './find-page.ts'
import type { SortedColumn } from './list-store.ts'
import type { Caller } from '../own/reach-store.ts'
import { rejectEvidence } from '../draft/decide-evidence.ts'

const database = withDatabase()

const deps = (): EvidenceWebDeps => ({
  db: database.db,
  // Nothing here is a file.
  blobs: createFolderBlobStore('/nonexistent'),
  clock: { now: () => new Date() },
  log: silentLog,
  secret: 's'.repeat(32),
  allowAddresses: [],
  scenarios: [],
})

async function create(caller: Caller, url: string, label = ''): Promise<string> {
  const body = createEvidenceBody.parse({ url, action: 'static', ...(label === '' ? {} : { label }) })
  const { evidence } = await createEvidence(
    deps(),
    { ...body, locale: 'en' },
    { addressPrefix: null, actor: caller.actor ?? null },
  )
  return evidence.id
}

const setCaptured = async (id: string, at: string | null) =>
  await sql`update evidence set captured_at = ${at}::timestamptz where id = ${id}::uuid`.execute(database.db)

const list = async (caller: Caller, query: Record<string, unknown>) =>
  await listReachable(deps(), caller, evidenceListQuery.parse(query))

test('C-24 a list is ordered by capture, by address from its host on, and by label; what has none comes last', async () => {
  const ada = { actor: actorOf(await haveAccount(database.db)) }
  const ids = [
    await create(ada, 'https://www.beta.example/', 'Zoo'),
    await create(ada, 'http://gamma.example/'),
    await create(ada, 'https://alpha.example/z', 'éclair'),
    await create(ada, 'https://Alpha.example/a', 'case 12'),
  ]
  for (const [i, at] of ['2026-11-03T10:00:00Z', null, '2026-11-01T10:00:00Z', '2026-11-02T10:00:00Z'].entries())
    await setCaptured(ids[i] ?? '', at)
  const order = async (ordering: string, more = {}) =>
    (await list(ada, { ordering, ...more })).rows.map(({ id }) => ids.indexOf(id))
  expect(await order('page_url')).toEqual([3, 2, 0, 1])
  expect(await order('-page_url')).toEqual([1, 0, 2, 3])
  expect(await order('captured_at')).toEqual([2, 3, 0, 1])
  expect(await order('-captured_at')).toEqual([0, 3, 2, 1])
  expect((await order('label')).at(-1)).toBe(1)
  expect((await order('-label')).at(-1)).toBe(1)
  expect(await order('page_url', { page_size: 2, page: 2, search: 'example' })).toEqual([0, 1])

  // Sorted in the database as by a plain statement over the same rows, whatever group they were made in.
  const group = await haveGroup(database.db)
  const boss = actorOf(await haveAccount(database.db))
  const own = await create({ actor: boss }, 'https://delta.example/')
  await setMember(database.db, boss.userId, group, 'owner')
  const grouped = [await create({ actor: boss }, 'https://zeta.example/'), await create({ actor: boss }, 'https://beta.example/')]
  for (const [column, wanted] of [
    ['page_url', [grouped[1], own, grouped[0]]],
    ['captured_at', [grouped[1], grouped[0], own]],
  ] as const satisfies readonly [SortedColumn, readonly unknown[]][]) {
    const { rows } = await findPage(database.db, {
      caller: { actor: boss },
      scope: { kind: 'account', accountId: boss.userId, standing: { groupId: group, manages: true }, group: null },
      filter: { category: 'draft', search: null, action: null, createdAfter: null, createdBefore: null, createdBy: null },
      ordering: { column, direction: 'asc' },
      limit: 3,
      offset: 0,
    })
    expect(rows.map(({ id }) => id)).toEqual(wanted)
  }
})

test('C-24 a list is filtered by status and by scenario', async () => {
  const ada = { actor: actorOf(await haveAccount(database.db)) }
  const [waiting, review, rejected] = [
    await create(ada, 'https://a.example/'),
    await create(ada, 'https://b.example/'),
    await create(ada, 'https://c.example/'),
  ]
  await finish(database.db, review, 'to_validate')
  await finish(database.db, rejected, 'to_validate')
  await rejectEvidence(deps(), ada, rejected)
  await sql`update evidence set scenario = 'consent-first', scenario_recipe = '{}'::jsonb, scenario_input = '{}'::jsonb where id = ${waiting}::uuid`.execute(
    database.db,
  )
  const found = async (query: Record<string, unknown>) => {
    const { count, rows } = await list(ada, query)
    expect(count).toBe(rows.length)
    return rows.map(({ id }) => id)
  }
  expect(await found({ status: 'to_validate' })).toEqual([review])
  expect(await found({ status: 'rejected' })).toEqual([rejected])
  expect(await found({ status: 'rejected', category: 'completed' })).toEqual([])
  expect(await found({ scenario: 'consent-first' })).toEqual([waiting])
  expect(await found({ scenario: 'consent-first', status: 'queued', ordering: 'label' })).toEqual([waiting])
})

test('C-24 what is too many is not sorted, and pages go on where counting ended', async () => {
  const user = await haveAccount(database.db)
  const ada = { actor: actorOf(user) }
  const id = await create(ada, 'https://many.example/')
  await sql`insert into evidence (id, status, token_hash, action, requested_url, locale, owner_id, created_by, created_at, status_changed_at)
    select gen_random_uuid(), status, token_hash, action, requested_url, locale, owner_id, created_by, created_at - n * interval '1 second', status_changed_at
    from evidence, generate_series(1, 1100) n where id = ${id}::uuid`.execute(database.db)
  const query = { page: 10, page_size: 100, search: 'many' }
  const page = await list(ada, query)
  expect(page).toMatchObject({ count: 1_000, capped: true, sortable: true })
  expect(foundUpTo(query, page)).toBe(1_001)
  const last = await list(ada, { ...query, page: 12 })
  expect(last.rows).toHaveLength(1)
  expect(foundUpTo({ ...query, page: 12 }, last)).toBe(1_000)
  expect(foundUpTo({ page: 100, page_size: 100 }, { count: 1_000_000, capped: false, rows: [] })).toBe(10_000)

  await sql`insert into evidence_tally (owner_id, category, sealed, month, change) values (${user}::uuid, 'draft', false, '2026-11', 20000)`.execute(
    database.db,
  )
  expect(await list(ada, {})).toMatchObject({ sortable: false })
  await expect(list(ada, { ordering: 'page_url' })).rejects.toThrow('evidence.too_many_to_sort')
  expect(
    (await list(ada, { ordering: 'page_url', created_after: new Date(Date.now() - 60_000).toISOString() })).rows[0]?.id,
  ).toBe(id)
})

test('H-22 H-23 it is told who may have asked: the account, members of a managed group, delegates who did', async () => {
  const [boss, clerk, aide, idle] = [
    await haveAccount(database.db, { first: 'Grace', last: 'Hopper' }),
    await haveAccount(database.db, { first: 'Joan', last: 'Clarke' }),
    await haveAccount(database.db, { first: 'Anne', last: 'Easley' }),
    await haveAccount(database.db, { first: 'Idle', last: 'Hand' }),
  ]
  const group = await haveGroup(database.db)
  await setMember(database.db, boss, group, 'owner')
  await setMember(database.db, clerk, group, 'member')
  await create({ actor: actorOf(clerk) }, 'https://clerk.example/')
  const grants = []
  for (const [i, delegate] of [aide, idle].entries()) {
    const id = `0193a1b2-0000-7000-8000-0000000000b${i}`
    grants.push(id)
    await sql`insert into access_delegation (id, grantor_id, delegate_id, address, address_key, scope, created_at, expires_at)
      values (${id}::uuid, ${boss}::uuid, ${delegate}::uuid, ${`${i}@example.org`}, ${`${i}@example.org`}, 'create', now(), now() + interval '1 day')`.execute(
      database.db,
    )
  }
  const acting = actorOf(aide, { id: grants[0] ?? '', scope: 'create', grantorId: boss })
  const made = await create({ actor: acting }, 'https://boss.example/')
  const names = async (actor: typeof acting) => (await listMakers(deps(), actor)).map(({ name }) => name)
  expect(await names(actorOf(boss))).toEqual(['Grace Hopper', 'Anne Easley', 'Joan Clarke'])
  expect(await names(actorOf(clerk))).toEqual(['Joan Clarke'])
  // What the manager of a group reaches is not his delegate's.
  expect(await names(acting)).toEqual(['Grace Hopper', 'Anne Easley'])
  expect((await list({ actor: actorOf(boss) }, { created_by: aide })).rows.map(({ id }) => id)).toEqual([made])
})
