import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { mostCounted } from '../../../../platform/lists/find-page.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { plansOf, rowsOf } from '../../../../testing/plans.ts'
import { haveAccount, haveGroup } from '../../../../testing/accounts.ts'
import { sha256Hex } from '../deposits.test-data.ts'
import { findPage } from './find-page.ts'
import type { ListFilter, ListQuery } from './list-store.ts'

const database = withDatabase()
/** Who has many rows, one in three of which within a group; and who manages that group and has none. */
let many = ''
let boss = ''
let group = ''

/** Rows as lists hold them: a word is in all, one in one of fifty; one in twenty has no name. */
beforeAll(async () => {
  many = await haveAccount(database.db)
  boss = await haveAccount(database.db)
  group = await haveGroup(database.db, { [boss]: 'owner', [many]: 'member' })
  const batch = randomUUID()
  await database.db.transaction().execute(async (tx) => {
    await sql`insert into document_batch (id, owner_id, state, size, outside_stamps, blind, created_at, give_up_at, root, summary, sealed_at)
      values (${batch}::uuid, ${many}::uuid, 'sealed', 1, false, sha256('b'), now(), now(), sha256('r'),
        '{"signed_at":"2026-11-01T00:00:00.000Z","timestamps":[],"log":null}', now())`.execute(tx)
    // Which rows all can see changes what indexes answer alone: each test says itself when.
    await sql`alter table document set (autovacuum_enabled = false)`.execute(tx)
    await sql`alter table document disable trigger user`.execute(tx)
    await sql`insert into document (id, owner_id, group_id, created_by, batch_id, sha256, name, store, status, status_changed_at, created_at,
        sealed_at, expires_at, trashed_at, category, search_text, name_key)
      select gen_random_uuid(), ${many}::uuid, case when n % 3 = 1 then ${group}::uuid end, ${many}::uuid,
        case when status = 'final' then ${batch}::uuid end, sha256(n::text::bytea), name, false, status, at, at,
        case when status = 'final' then at end, case when status = 'draft' then at end, case when gone and status = 'final' then at end,
        case when status = 'draft' then 'pending' when status = 'expired' or gone then 'trash' else 'completed' end,
        coalesce(name, '') || ' common' || case when n % 50 = 0 then ' occasional' else '' end, lower(name)
      from (select n, case when n % 20 <> 3 then 'Contract ' || n % 300 || ' of ' || n end as name, n % 30 = 7 as gone,
          -- several at the same moment
          timestamptz '2026-11-21' - make_interval(mins => n / 3) as at,
          case when n < 12 then 'draft' when n % 50 = 3 then 'expired' else 'final' end as status
        from generate_series(0, 17999) n) made`.execute(tx)
    // What is checked when a transaction ends.
    await sql`set constraints all immediate`.execute(tx)
    await sql`alter table document enable trigger user`.execute(tx)
    await sql`insert into document_tally (owner_id, group_id, category, sealed, month, change)
      select owner_id, group_id, category, status = 'final', '2026-11', count(*) from document group by 1, 2, 3, 4`.execute(tx)
  })
  await sql`analyze document`.execute(database.db)
})

const everything: ListFilter = {
  category: null,
  search: null,
  fingerprint: null,
  status: null,
  createdAfter: null,
  createdBefore: null,
  createdBy: null,
}
type Asked = Partial<Omit<ListQuery, 'filter'>> & { readonly filter?: Partial<ListFilter> }
const ownOf = (accountId: string, { filter, ...more }: Asked = {}): ListQuery => ({
  caller: { accountId, delegation: null },
  standing: null,
  ordering: { column: 'created_at', direction: 'desc' },
  limit: 20,
  offset: 0,
  ...more,
  filter: { ...everything, ...filter },
})
const managed = (asked: Asked = {}): ListQuery => ownOf(boss, { ...asked, standing: { groupId: group, manages: true } })
const ofMember = (asked: Asked = {}): ListQuery => ownOf(many, { ...asked, standing: { groupId: group, manages: false } })
const byName = { column: 'name_key', direction: 'asc' } as const

test.each([
  ['of one’s own', (asked: Asked) => ownOf(many, asked), () => sql`owner_id = ${many}::uuid and group_id is null`],
  ['of a group that is managed', managed, () => sql`group_id = ${group}::uuid`],
  ['of one’s own and within a group', ofMember, () => sql`owner_id = ${many}::uuid`],
])('C-13 deposits %s: in whichever order, a page has what a plain statement finds', async (_whose, of, isTheirs) => {
  for (const search of ['common', 'occasional'])
    for (const column of ['created_at', 'name_key'] as const)
      for (const direction of ['asc', 'desc'] as const) {
        const offset = search === 'common' ? 300 : 0
        const page = await findPage(database.db, of({ filter: { search }, ordering: { column, direction }, offset }))
        const named = column === 'name_key' ? `name_key is null, name_key ${direction},` : ''
        const plain = await sql<{ count: number; ids: string[] }>`
          with theirs as (select * from document where ${isTheirs()} and position(${search} in search_text) > 0)
          select (select count(*) from theirs) as count, array(select id from theirs
            order by ${sql.raw(`${named} created_at ${direction}, id ${direction}`)} limit 20 offset ${offset}) as ids`.execute(
          database.db,
        )
        const [{ count, ids } = { count: 0, ids: [] }] = plain.rows
        expect(page.rows.map(({ id }) => id)).toEqual(ids)
        expect(page.count).toBe(Math.min(count, mostCounted))
      }
})

describe.each([
  ['just written', 'analyze'],
  ['vacuumed, so that an index that holds all that is asked for answers alone', 'vacuum analyze'],
])('what is read: %s', (_state, upkeep) => {
  beforeAll(async () => {
    await sql`${sql.raw(upkeep)} document`.execute(database.db)
  })

  const walk = ['document_owned_list']
  const groups = ['document_group_list', 'document_owned_list']
  const names = ['document_owned_names']
  const searched = ['document_owned_list', 'document_search']
  const prints = ['document_owned_sha256', 'document_owned_sha512']
  /** By which indexes among others: a stretch of few may be read by any. Rows of all statements, of those that the page shows also their records. */
  test.each([
    ['the first page', () => ownOf(many), walk, 100],
    ['the first page, from the oldest', () => ownOf(many, { ordering: { column: 'created_at', direction: 'asc' } }), walk, 100],
    ['a page far down', () => ownOf(many, { filter: { category: 'completed' }, offset: 5_000 }), walk, 5_040],
    ['by name', () => ownOf(many, { ordering: byName }), names, 500],
    ['by name, from the end', () => ownOf(many, { ordering: { ...byName, direction: 'desc' } }), names, 500],
    ['a word that all have', () => ownOf(many, { filter: { search: 'common' } }), walk, 1_100],
    ['the same, a later page', () => ownOf(many, { filter: { search: 'common' }, offset: 380 }), walk, 1_100],
    ['a word that few have', () => ownOf(many, { filter: { search: 'contract 299' } }), searched, 2_200],
    ['a word that none have', () => ownOf(many, { filter: { search: 'nowhere' } }), searched, 2_010],
    ['what is older than a day', () => ownOf(many, { filter: { createdBefore: new Date('2026-11-20') } }), walk, 1_600],
    ['a fingerprint', () => ownOf(many, { filter: { fingerprint: sha256Hex('7') } }), prints, 2],
    ['eight digits of one', () => ownOf(many, { filter: { fingerprint: sha256Hex('7').slice(0, 8) } }), prints, 2],
    ['of a group, for who manages it: the first page', () => managed(), groups, 100],
    ['a word that all of a group have', () => managed({ filter: { search: 'common' } }), groups, 1_100],
    ['of one’s own and within the group: the first page', () => ofMember(), walk, 300],
    ['a word that all of both have', () => ofMember({ filter: { search: 'common' } }), walk, 3_000],
  ] satisfies readonly (readonly [string, () => ListQuery, readonly string[], number])[])(
    'C-13 %s: by indexes alone, and no further than needed',
    async (_name, query, indexes, most) => {
      const plans = await plansOf(database.url, async (db) => await findPage(db, query()))
      const tables = plans.flat().filter((node) => node['Relation Name'] === 'document')
      const used = plans.flat().flatMap((node) => node['Index Name'] ?? [])
      expect(used).toEqual(expect.arrayContaining(indexes))
      expect(tables.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
      expect(tables.reduce((sum, node) => sum + rowsOf(node), 0)).toBeLessThanOrEqual(most)
    },
  )
})
