import * as fc from '../../../../testing/fast-check.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../../../platform/db/database.ts'
import { mostCounted, mostSorted } from '../../../../platform/lists/find-page.ts'
import { matchList, walkList, whoseOf } from '../../../../platform/lists/list-store.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { plansOf, type PlanNode } from '../../../../testing/plans.ts'
import { actorOf, haveAccount, haveGroup, setMember } from '../../../../testing/accounts.ts'
import { everything } from './everything.test-data.ts'
import { findPage } from './find-page.ts'
import { evidenceList, partsOf, type ListColumn, type ListFilter, type ListQuery, type ListScope } from './list-store.ts'

const database = withDatabase()
/** Who has few rows, who has many, and who manages the group in which some of both were made. */
let few = ''
let many = ''
let boss = ''
let group = ''

/** Rows as lists hold them, without what a capture leaves; of `many` a word is in all, one in one of 50, one in the oldest alone. */
beforeAll(async () => {
  few = await haveAccount(database.db)
  many = await haveAccount(database.db)
  boss = await haveAccount(database.db)
  group = await haveGroup(database.db)
  await setMember(database.db, boss, group, 'owner')
  await database.db.transaction().execute(async (tx) => {
    // Which rows all can see changes what indexes answer alone: each test says itself when.
    await sql`alter table evidence set (autovacuum_enabled = false)`.execute(tx)
    await sql`alter table evidence disable trigger user`.execute(tx)
    await sql`insert into evidence (id, token_hash, action, requested_url, locale, status, status_changed_at, created_at, captured_at,
        finalized_at, owner_id, group_id, created_by, label, category, scenario, scenario_recipe, scenario_input, search_text)
      select gen_random_uuid(), sha256(n::text::bytea), case when n % 7 = 3 then 'interactive' else 'static' end, url, 'en', status, at, at,
        at + interval '1 minute', case when status = 'final' then at end, owner, case when n % 3 = 0 then ${group}::uuid end,
        case when n % 500 = 9 then ${boss}::uuid else owner end, label,
        case status when 'final' then 'completed' when 'to_validate' then 'draft' else 'trash' end,
        case when n % 11 = 5 then 'consent' end, case when n % 11 = 5 then '{}' end, case when n % 11 = 5 then '{}'::jsonb end,
        url || ' ' || label || case when n % 50 = 0 then ' occasional' else '' end || case when n > 24000 then ' ancient' else '' end
      from (select n, 'https://www.site' || n % 90 || '.example/' || n as url, 'Case ' || n % 300 as label,
          case when n % 40 = 1 then ${few}::uuid else ${many}::uuid end as owner,
          -- several at the same moment
          timestamptz '2026-11-21' - make_interval(mins => n / 3) as at,
          case when n < 12 then 'to_validate' when n % 20 = 7 then 'rejected' when n % 50 = 3 then 'expired' else 'final' end as status
        from generate_series(0, 35999) n) made`.execute(tx)
    await sql`alter table evidence enable trigger user`.execute(tx)
    await sql`insert into evidence_tally (owner_id, group_id, category, sealed, month, change)
      select owner_id, group_id, category, status = 'final', '2026-11', count(*) from evidence group by 1, 2, 3, 4`.execute(tx)
  })
  await sql`analyze evidence`.execute(database.db)
})

/** The same, asked of the database as plainly as can be: every row is compared, all that match are sorted. */
async function plainly({ scope, filter, ordering, limit, offset }: ListQuery): Promise<{ count: number; ids: string[] }> {
  const direction = sql.raw(ordering.direction)
  const order = {
    created_at: sql`created_at ${direction}, id ${direction}`,
    status: sql`status ${direction}, created_at ${direction}, id ${direction}`,
    captured_at: sql`captured_at ${direction}, created_at desc, id desc`,
    page_url: sql`replace(requested_url, 'https://www.', '') ${direction}, created_at desc, id desc`,
    label: sql`lower(label) ${direction}, created_at desc, id desc`,
  }[ordering.column]
  const is = (column: string, value: unknown) => (value == null ? sql`true` : sql`${sql.ref(column)}::text = ${value}::text`)
  const { rows } = await sql<{
    id: string
  }>`select id from evidence where (${sql.join(whoseOf(partsOf(scope, false)), sql` or `)})
    and ${is('category', filter.category)} and ${is('action', filter.action)} and ${is('created_by', filter.createdBy)}
    and ${is('scenario', filter.scenario)} and ${is('status', filter.status)}
    and position(${(filter.search ?? '').toLowerCase()} in lower(search_text)) > 0
    and created_at >= coalesce(${filter.createdAfter}::timestamptz, '-infinity')
    and created_at < coalesce(${filter.createdBefore}::timestamptz, 'infinity') order by ${order}`.execute(database.db)
  return { count: rows.length, ids: rows.slice(offset, offset + limit).map(({ id }) => id) }
}

const query = (scope: ListScope, actorId: string, more: Partial<ListQuery> = {}): ListQuery => ({
  caller: { actor: actorOf(actorId) },
  scope,
  filter: everything,
  ordering: { column: 'created_at', direction: 'desc' },
  limit: 20,
  offset: 0,
  ...more,
})
const ownOf = (accountId: string): ListScope => ({ kind: 'account', accountId, standing: null, group: null })
const of = (filter: Partial<ListFilter>, more: Partial<ListQuery> = {}) =>
  query(ownOf(many), many, { ...more, filter: { ...everything, ...filter } })

describe('a page of a list', () => {
  test('C-24 E-28 whatever is asked for, by whichever way it is found, is what a plain statement finds', async () => {
    const scopes: readonly (readonly [ListScope, string])[] = [
      [ownOf(few), few],
      [ownOf(many), many],
      [{ kind: 'account', accountId: boss, standing: { groupId: group, manages: true }, group: null }, boss],
      [{ kind: 'account', accountId: boss, standing: { groupId: group, manages: true }, group: true }, boss],
      [{ kind: 'account', accountId: boss, standing: { groupId: group, manages: false }, group: null }, boss],
    ]
    const maybe = <const T>(...values: readonly T[]) => fc.constantFrom(null, ...values)
    const filters: fc.Arbitrary<ListFilter> = fc.record({
      category: maybe('draft', 'completed', 'trash'),
      search: maybe('example', 'OCCASIONAL', 'ancient', 'case 299', 'e/1', '7', 'nowhere', 'site89.', '%', '_'),
      action: maybe('static', 'interactive'),
      createdAfter: maybe(new Date('2026-11-20T12:00:00Z'), new Date('2026-11-16T00:00:00Z')),
      createdBefore: maybe(new Date('2026-11-20T18:00:00Z'), new Date('2026-11-15T00:00:00Z')),
      createdBy: maybe(boss, many),
      status: maybe('to_validate', 'final', 'rejected'),
      scenario: maybe('consent', 'none'),
    })
    const asked = fc.record({
      whose: fc.constantFrom(...scopes),
      filter: fc.oneof(
        { arbitrary: filters, weight: 1 },
        { arbitrary: filters.map(({ search }) => ({ ...everything, search })), weight: 2 },
      ),
      ordering: fc.record({
        column: fc.constantFrom<ListColumn[]>('created_at', 'created_at', 'status', 'captured_at', 'page_url', 'label'),
        direction: fc.constantFrom<('asc' | 'desc')[]>('asc', 'desc'),
      }),
      limit: fc.constantFrom(1, 20, 100),
      offset: fc.constantFrom(0, 0, 20, 900, 5_000),
    })
    await fc.assert(
      fc.asyncProperty(asked, async ({ whose: [scope, actorId], ...more }) => {
        const wanted = query(scope, actorId, more)
        const plain = await plainly(wanted)
        const { rows, count, capped, sortable } = await findPage(database.db, wanted)
        const ids = rows.map(({ id }) => id)
        const isCounted = Object.values(more.filter).every(
          (value, i) => value === null || Object.keys(more.filter)[i] === 'category',
        )
        expect(count).toBe(isCounted ? plain.count : Math.min(plain.count, mostCounted))
        expect(capped).toBe(!isCounted && plain.count > mostCounted)
        if (sortable || ['created_at', 'status'].includes(more.ordering.column)) expect(ids).toEqual(plain.ids)
        else expect([ids, plain.count > mostCounted || isCounted]).toEqual([[], true])
        // Each way by itself.
        if (!['created_at', 'status'].includes(more.ordering.column)) return
        const matched = await matchList(database.db, evidenceList, wanted, { counted: 40_000, byOwner: false })
        expect(matched).toEqual(plain)
        expect(await walkList(database.db, evidenceList, wanted, { rows: 40_000, most: 40_000 })).toMatchObject({
          hits: plain.count,
          ids: plain.ids,
        })
      }),
      { numRuns: 60, seed: 20_261_121 },
    )
  })

  test('of so many nothing is sorted by what no index is ordered by, unless what is searched is rare', async () => {
    const ordering = { column: 'label', direction: 'asc' } as const
    expect(await findPage(database.db, of({}, { ordering }))).toMatchObject({
      rows: [],
      sortable: false,
      count: expect.any(Number),
    })
    expect((await findPage(database.db, of({}))).count).toBeGreaterThan(mostSorted)
    expect((await findPage(database.db, of({ search: 'case 299' }, { ordering }))).rows).toHaveLength(20)
  })
})

describe.each([
  ['just written', 'analyze'],
  ['vacuumed, so that an index that holds all that is asked for answers alone', 'vacuum analyze'],
])('what is read: %s', (_state, upkeep) => {
  beforeAll(async () => {
    await sql`${sql.raw(upkeep)} evidence`.execute(database.db)
  })

  /** Of every statement that is run: the nodes of its plan that read evidences. */
  const readsOf = async (run: (db: Db) => Promise<unknown>): Promise<PlanNode[][]> =>
    (await plansOf(database.url, run)).map((nodes) =>
      nodes.filter((node) => node['Relation Name'] === 'evidence' || node['Index Name']?.startsWith('evidence_') === true),
    )
  /** Rows that come out of the tables, and by which indexes. */
  const summed = (reads: readonly PlanNode[]) => ({
    indexes: [...new Set(reads.flatMap((node) => node['Index Name'] ?? []))].toSorted(),
    scanned: reads.filter((node) => node['Node Type'] === 'Seq Scan').length,
    most: Math.max(0, ...reads.map((node) => node['Actual Rows'] ?? 0)),
  })

  const walk = ['evidence_tally_owner', 'evidence_owned_list']
  test.each([
    ['the first page', {}, 0, [...walk, 'evidence_pkey'], 20],
    ['a page far down', { category: 'completed' }, 5_000, [...walk, 'evidence_pkey'], 5_020],
    ['a word that all have', { search: 'example' }, 0, [...walk, 'evidence_pkey'], 2_000],
    [
      'a day',
      { createdAfter: new Date('2026-11-20'), createdBefore: new Date('2026-11-21') },
      0,
      [...walk, 'evidence_pkey'],
      3_000,
    ],
    ['what is older than a day', { createdBefore: new Date('2026-11-20') }, 0, [...walk, 'evidence_pkey'], 2_000],
    ['a word that few have', { search: 'case 299' }, 0, [...walk, 'evidence_search', 'evidence_pkey'], 2_000],
    ['a word that none have', { search: 'nowhere' }, 0, [...walk, 'evidence_search'], 2_000],
    ['a maker of few', { createdBy: '00000000-0000-4000-8000-0000000000b0' }, 0, [...walk, 'evidence_search'], 2_000],
  ] satisfies readonly (readonly [string, Partial<ListFilter>, number, readonly string[], number])[])(
    'E-28 %s: by indexes alone, and no further than needed',
    async (_name, filter, offset, indexes, most) => {
      const reads = (await readsOf(async (db) => await findPage(db, of(filter, { offset })))).map(summed)
      expect(reads.flatMap((read) => read.indexes)).toEqual(indexes)
      expect(reads.every(({ scanned }) => scanned === 0)).toBe(true)
      expect(Math.max(...reads.map((read) => read.most))).toBeLessThanOrEqual(most)
    },
  )

  test('E-28 a word that all of a group have: whoever manages it reads as far as there is to count', async () => {
    const scope: ListScope = { kind: 'account', accountId: boss, standing: { groupId: group, manages: true }, group: null }
    const search = { filter: { ...everything, search: 'example' } }
    const reads = (await readsOf(async (db) => await findPage(db, query(scope, boss, search)))).map(summed)
    expect(Math.max(...reads.map((read) => read.most))).toBeLessThanOrEqual(mostCounted + 1)
  })
})
