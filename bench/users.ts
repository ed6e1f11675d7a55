/**
 * The list of users that staff sees, with 1,000 and with 100,000 accounts, in one run on one PostgreSQL; prints ratios, then the plans.
 * Run: `node bench/users.ts [users] [rounds]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { listUsers, type UsersQuery } from '../modules/review/server/documents/user-store.ts'
import { openDatabase, type Db } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'
import { migrate } from '../platform/db/migrate.ts'
import { silentLog } from '../platform/log/log.ts'
import { urlOfDatabase } from '../testing/database-url.ts'
import { explain } from './explain.ts'
import { median } from './measure.ts'

const most = Number(process.argv[2] ?? 100_000)
const rounds = Number(process.argv[3] ?? 21)
const small = 1_000
const reviewer = '00000000-0000-4000-8000-200000000001'
const dataDir = mkdtempSync(join(tmpdir(), 'probant-bench-users-'))
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: { fsync: 'off', synchronous_commit: 'off' } })

/** Nine of ten have a profile, of which most were found good; one in twenty-five waits; a few are companies. */
async function fillUsers(db: Db, users: number): Promise<void> {
  const id = sql`('00000000-0000-4000-8000-2' || lpad(n::text, 11, '0'))::uuid`
  await sql`create temporary table given on commit preserve rows as select n, ${id} as id, n % 25 = 3 as waits,
    timestamptz '2026-11-21' - make_interval(mins => n) as at from generate_series(0, ${users - 1}) n`.execute(db)
  await sql`insert into account_user (id, status, password_hash, password_changed_at, first_name, last_name, locale, referral_code, terms_accepted_at, created_at)
    select id, 'active', '$argon2id$x', at, (array['Ada', 'Joan', 'Émile', 'Grace', 'Zoë'])[n % 5 + 1],
      (array['Martin', 'Bernard', 'Dubois', 'Lefèvre', 'Moreau', 'Byron', 'Clarke'])[n % 7 + 1] || ' ' || to_hex(n), 'en',
      translate(lpad(to_hex(n), 8, 'Z'), '01abcdef', 'XYABCDEF'), at, at from given`.execute(db)
  await sql`insert into email_address (id, user_id, address, address_key, is_primary, verified_at, created_at)
    select gen_random_uuid(), id, 'user' || n || '@example' || n % 200 || '.org', 'user' || n || '@example' || n % 200 || '.org', true, at, at from given`.execute(
    db,
  )
  await sql`insert into profile (user_id, user_type, company_name, country, updated_at)
    select id, case when n % 10 = 2 then 'legal' else 'natural' end, case when n % 10 = 2 then 'Compagnie ' || n || ' SARL' end, 'FR', at
    from given where n % 10 <> 0`.execute(db)
  await sql`insert into identity_file (user_id, state, round, submitted_at, decided_at, touched_at, uploads_since)
    select id, case when waits then 'pending' when n % 10 = 1 then 'failure' else 'success' end, 1, at, case when not waits then at end, at, at
    from given where n % 10 not in (0, 4)`.execute(db)
  await sql`insert into identity_document (id, user_id, kind, version, state, media_type, bytes, blob, uploaded_at, decided_at)
    select gen_random_uuid(), user_id, 'passport', 1, case when state = 'success' then 'success' else 'pending' end, 'image/png', 1, ${'0'.repeat(64)},
      touched_at, case when state = 'success' then touched_at end from identity_file`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

const everybody: UsersQuery = {
  state: 'any',
  userType: null,
  claimed: null,
  status: null,
  search: null,
  ordering: 'age',
  limit: 20,
  offset: 0,
}
const list = (query: Partial<UsersQuery>) => async (db: Db) =>
  await listUsers(db, { ...everybody, ...query }, reviewer, new Date('2026-11-21T12:00:00Z'))

const jobs: readonly [string, (db: Db) => Promise<unknown>][] = [
  ['who waits, longest first', list({ state: 'pending' })],
  ['the same, page 20', list({ state: 'pending', offset: 380 })],
  ['who waits and nobody has', list({ state: 'pending', claimed: 'nobody' })],
  ['companies that wait', list({ state: 'pending', userType: 'legal' })],
  ['everybody, by age of the file', list({})],
  ['everybody, newest first', list({ ordering: '-created_at' })],
  ['everybody, by name', list({ ordering: 'last_name' })],
  ['suspended', list({ status: 'suspended' })],
  ['a rare name', list({ search: 'byron 29f' })],
  ['a common name', list({ search: 'lefevre' })],
  ['an address', list({ search: 'user777@' })],
  ['a company', list({ search: 'compagnie 99' })],
  ['nobody', list({ search: 'no such person' })],
]

try {
  const sizes: { name: string; url: string; db: Db }[] = []
  for (const [name, users] of [
    ['few', small],
    ['many', most],
  ] as const) {
    const url = urlOfDatabase(postgres.url, `bench_${name}`)
    const admin = openDatabase(postgres.url, { max: 1, log: silentLog })
    await sql`create database ${sql.ref(`bench_${name}`)}`.execute(admin)
    await admin.destroy()
    await migrate(url)
    const db = openDatabase(url, { max: 1, log: silentLog })
    await fillUsers(db, users)
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
  console.log(`| a page and its count | ${String(small)} users, ms | ${String(most)} users |\n| --- | --- | --- |`)
  for (const [job] of jobs) {
    const of = (name: string) => median(times.get(`${job}/${name}`) ?? [])
    console.log(`| ${job} | ${of('few').toFixed(2)} | ×${(of('many') / of('few')).toFixed(2)} |`)
  }
  const many = sizes.at(-1)
  for (const [job, run] of jobs) {
    console.log(`\n${job}, ${String(most)} users:`)
    if (many !== undefined) await explain(many.url, run)
  }
  for (const { db } of sizes) await db.destroy()
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
