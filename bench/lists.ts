/**
 * Lists, searches and counts of one account among 1,000 and among 1,000,000 evidences, in one run on one PostgreSQL; prints the plans
 * and the ratios. Once the million belongs to many accounts, once to that one alone: the second is the worst that can be. Run:
 * `node bench/lists.ts [rows] [rounds]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import type { Database } from '../db/schema.d.ts'
import {
  countEvidence,
  countSealed,
  foldTally,
  listEvidence,
  type ListFilter,
  type ListScope,
} from '../modules/evidence/server/list-store.ts'
import type { Caller } from '../modules/evidence/server/reach-store.ts'
import { columnTypes, openDatabase, type Db } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'
import { migrate } from '../platform/db/migrate.ts'
import { silentLog } from '../platform/log/log.ts'
import { urlOfDatabase } from '../testing/database-url.ts'
import { median } from './measure.ts'

const most = Number(process.argv[2] ?? 1_000_000)
const small = 1_000
const rounds = Number(process.argv[3] ?? 41)
const ada = '00000000-0000-4000-8000-00000000000a'
const others = 999
const dataDir = mkdtempSync(join(tmpdir(), 'probant-bench-lists-'))
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: { fsync: 'off', synchronous_commit: 'off' } })

const actor = {
  userId: ada,
  accountId: ada,
  delegation: null,
  sessionId: ada,
  roles: new Set<never>(),
  secondFactor: false,
  locale: 'en',
} as const
const caller: Caller = { actor }
const scope: ListScope = { kind: 'account', accountId: ada, standing: null, group: null }
const everything: ListFilter = {
  category: null,
  search: null,
  action: null,
  createdAfter: null,
  createdBefore: null,
  createdBy: null,
}
const page = (filter: Partial<ListFilter>, offset = 0) => ({
  caller,
  scope,
  filter: { ...everything, ...filter },
  ordering: { column: 'created_at', direction: 'desc' } as const,
  limit: 20,
  offset,
  way: { few: false, byText: false },
})
/** As a call does it: how many there are first, which says how to find them. */
const counted = async (db: Db, filter: Partial<ListFilter>) => {
  const { way } = await countEvidence(db, page(filter))
  return await listEvidence(db, { ...page(filter), way })
}

/** Rows as years of work leave them: nearly all final, some rejected or gone, a few drafts. Triggers make the tally. */
async function fill(db: Db, rows: number, owned: 'spread' | 'all'): Promise<void> {
  await sql`insert into account_user (id, status, password_hash, password_changed_at, first_name, last_name, locale, referral_code, terms_accepted_at, created_at)
    select case when n < 0 then ${ada}::uuid else ('00000000-0000-4000-8000-1' || lpad(n::text, 11, '0'))::uuid end,
      'active', '$argon2id$x', now(), 'A', 'B', 'en', translate(lpad((n + 1)::text, 8, 'A'), '01', 'XY'), now(), now()
    from generate_series(-1, ${others - 1}) n`.execute(db)
  const owner =
    owned === 'all'
      ? sql`${ada}::uuid`
      : sql`case when n % ${others + 1} = 0 then ${ada}::uuid else ('00000000-0000-4000-8000-1' || lpad((n % ${others + 1} - 1)::text, 11, '0'))::uuid end`
  // What the triggers would do row by row through five statuses, at once.
  await sql`alter table evidence disable trigger user`.execute(db)
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = 'evidence'::regclass and not indisunique`.execute(db)
  for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(db)
  await sql`insert into evidence (id, token_hash, action, requested_url, locale, status, status_changed_at, created_at, finalized_at, owner_id, created_by, label, category, search_text, failure)
    select gen_random_uuid(), sha256(n::text::bytea), 'static', url, 'en', status, at, at, case when status = 'final' then at end, owner, owner, label,
      case status when 'final' then 'completed' when 'to_validate' then 'draft' else 'trash' end, url || ' ' || label || ' Title of page ' || n, null
    from (select n, 'https://site' || n % 5000 || '.example/articles/' || n as url, ${owner} as owner, 'case ' || n % 20000 as label,
        timestamptz '2026-11-21' - make_interval(mins => n::int) as at,
        case when n < 40 then 'to_validate' when n % 20 = 7 then 'rejected' when n % 50 = 3 then 'expired' else 'final' end as status
      from generate_series(0, ${rows - 1}) n) made`.execute(db)
  for (const { definition } of indexes) await sql.raw(definition).execute(db)
  await sql`alter table evidence enable trigger user`.execute(db)
  await sql`insert into evidence_tally (owner_id, category, sealed, month, change)
    select owner_id, category, status = 'final', evidence_month(finalized_at, created_at), 1 from evidence`.execute(db)
  while ((await foldTally(db, 50_000)) > 0);
  await sql`vacuum analyze`.execute(db)
}

const jobs: readonly [string, (db: Db) => Promise<unknown>][] = [
  ['first page, all categories', async (db) => await listEvidence(db, page({}))],
  ['first page, completed', async (db) => await listEvidence(db, page({ category: 'completed' }))],
  ['page 20 of completed', async (db) => await listEvidence(db, page({ category: 'completed' }, 380))],
  ['count, completed', async (db) => await countEvidence(db, page({ category: 'completed' }))],
  ['count, all', async (db) => await countEvidence(db, page({}))],
  ['statistics', async (db) => await countSealed(db, { accountId: ada, groupId: null })],
  ['page and count of a rare word', async (db) => await counted(db, { search: 'articles/999' })],
  ['of a label', async (db) => await counted(db, { search: 'case 19999' })],
  ['of a common word', async (db) => await counted(db, { search: 'example' })],
  ['of what is not there', async (db) => await counted(db, { search: 'nowhere at all' })],
  [
    'of one day',
    async (db) => await counted(db, { createdAfter: new Date('2026-11-20'), createdBefore: new Date('2026-11-21') }),
  ],
]

async function plan(url: string, run: (db: Db) => Promise<unknown>): Promise<void> {
  const seen: CompiledQuery[] = []
  const pool = new Pool({ connectionString: url, max: 1, types: columnTypes })
  pool.on('error', () => undefined)
  const db: Db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => void seen.push(query) })
  await run(db)
  for (const query of seen.splice(0)) {
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(`explain (analyze, buffers, costs off, timing off, summary off) ${query.sql}`, [...query.parameters]),
    )
    console.log(rows.map((row) => `    ${row['QUERY PLAN'].slice(0, 200)}`).join('\n'))
  }
  await db.destroy()
}

try {
  const sizes: { name: string; url: string; db: Db }[] = []
  for (const [name, rows, owned] of [
    ['few', small, 'all'],
    ['many', most, 'spread'],
    ['own', most, 'all'],
  ] as const) {
    const url = urlOfDatabase(postgres.url, `bench_${name}`)
    const admin = openDatabase(postgres.url, { max: 1, log: silentLog })
    await sql`create database ${sql.ref(`bench_${name}`)}`.execute(admin)
    await admin.destroy()
    await migrate(url)
    const db = openDatabase(url, { max: 1, log: silentLog })
    const began = performance.now()
    await fill(db, rows, owned)
    console.error(`${name}: ${String(rows)} rows in ${((performance.now() - began) / 1000).toFixed(1)} s`)
    sizes.push({ name, url, db })
  }
  const times = new Map<string, number[]>()
  for (let round = 0; round <= rounds; round += 1)
    for (const [job, run] of jobs)
      for (const { name, db } of sizes) {
        const began = performance.now()
        await run(db)
        // The first round warms what every later one finds warm.
        if (round > 0) times.set(`${job}/${name}`, [...(times.get(`${job}/${name}`) ?? []), performance.now() - began])
      }
  console.log(
    `| | ${String(small)} rows, ms | ${String(most)} rows of ${String(others + 1)} accounts | ${String(most)} rows of one account |\n| --- | --- | --- | --- |`,
  )
  for (const [job] of jobs) {
    const of = (name: string) => median(times.get(`${job}/${name}`) ?? [])
    console.log(
      `| ${job} | ${of('few').toFixed(2)} | ×${(of('many') / of('few')).toFixed(2)} | ×${(of('own') / of('few')).toFixed(2)} |`,
    )
  }
  for (const [job, run] of jobs) {
    console.log(`\n${job}, ${String(most)} rows of one account:`)
    const own = sizes.at(-1)
    if (own !== undefined) await plan(own.url, run)
  }
  for (const { db } of sizes) await db.destroy()
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
