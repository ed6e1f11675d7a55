/**
 * The monthly run: subscriptions renewed and invoiced a second, in batches and one by one, beside the journal that comes of it. Run:
 * `node bench/billing.ts [subscriptions] [of these one by one] [rounds]`. PostgreSQL is embedded, with its fsync.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { seller } from '../modules/billing/server/billing.test-data.ts'
import { findBroken } from '../modules/billing/server/invariants/invariant-store.ts'
import { advanceSubscription } from '../modules/billing/server/run/advance-subscription.ts'
import { runBilling } from '../modules/billing/server/run/run-billing.ts'
import { listAwake } from '../modules/billing/server/subscription/subscription-store.ts'
import { openDatabase, type Db } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'
import { migrate } from '../platform/db/migrate.ts'
import { silentLog } from '../platform/log/log.ts'
import { urlOfDatabase } from '../testing/database-url.ts'
import { median } from './measure.ts'

const most = Number(process.argv[2] ?? 100_000)
const few = Number(process.argv[3] ?? 1_000)
const rounds = Number(process.argv[4] ?? 1)
const now = new Date('2027-01-01T09:00:00Z')
const dataDir = mkdtempSync(join(tmpdir(), 'probant-bench-billing-'))
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })

/** As many who are on a month of Essential that ends today. */
async function fill(db: Db, count: number): Promise<void> {
  await sql`create temporary table given on commit preserve rows as select n, gen_random_uuid() as id from generate_series(1, ${count}) n`.execute(
    db,
  )
  await sql`insert into account_user (id, status, password_hash, password_changed_at, first_name, last_name, locale, referral_code, terms_accepted_at, created_at)
    select id, 'active', '$argon2id$x', now(), 'Ada', 'Byron ' || n, case when n % 2 = 0 then 'fr' else 'en' end,
      translate(lpad(to_hex(n), 8, 'Z'), '01abcdef', 'XYABCDEF'), now(), now() from given`.execute(db)
  await sql`insert into email_address (id, user_id, address, address_key, is_primary, verified_at, created_at)
    select gen_random_uuid(), id, n || '@example.org', n || '@example.org', true, now(), now() from given`.execute(db)
  await sql`insert into profile (user_id, user_type, address, zip, city, country, updated_at)
    select id, 'natural', '2 place du Marché', '69001', 'Lyon', 'FR', now() from given`.execute(db)
  await sql`insert into billing_customer (id, user_id, created_at) select id, id, now() from given`.execute(db)
  await sql`alter table subscription disable trigger user`.execute(db)
  await sql`insert into subscription (id, customer_id, status, plan, cycle, instalments, anchored_on, period_from, period_to, wake_at, created_at)
    select id, id, 'active', 'essential', 'month', 1, '2026-12-01', '2026-12-01', '2027-01-01', '2026-12-31T23:00:00Z', now() from given`.execute(
    db,
  )
  await sql`alter table subscription enable trigger user`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

async function alone(db: Db): Promise<void> {
  const deps = { db, clock: { now: () => now }, seller }
  for (const each of await listAwake(db, now, few))
    await db.transaction().execute(async (tx) => await advanceSubscription(tx, deps, each))
}

type Measured = { readonly second: number; readonly entries: number; readonly ms: number; readonly megabytes: number }

async function measure(name: string, count: number, run: (db: Db) => Promise<unknown>): Promise<Measured> {
  const admin = openDatabase(postgres.url, { max: 1, log: silentLog })
  await sql`create database ${sql.ref(name)}`.execute(admin)
  await migrate(urlOfDatabase(postgres.url, name))
  const db = openDatabase(urlOfDatabase(postgres.url, name), { max: 1, log: silentLog })
  await fill(db, count)
  const [began, before] = [performance.now(), process.cpuUsage()]
  let peak = 0
  const look = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 100)
  await run(db)
  clearInterval(look)
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(before)
  const { rows } = await sql<{
    invoices: number
    entries: number
  }>`select (select count(*)::integer from invoice where status = 'issued') as invoices,
    (select count(*)::integer from journal_entry) as entries`.execute(db)
  const [made = { invoices: 0, entries: 0 }] = rows
  const broken = await findBroken(db)
  if (made.invoices !== count || broken.length > 0)
    throw new Error(`${made.invoices} of ${count} invoiced; ${JSON.stringify(broken)}`)
  await db.destroy()
  await sql`drop database ${sql.ref(name)}`.execute(admin)
  await admin.destroy()
  return {
    second: count / seconds,
    entries: made.entries / seconds,
    ms: (user + system) / 1000 / count,
    megabytes: Math.round(peak / 1e6),
  }
}

const said = (all: readonly Measured[]): string => {
  const seconds = all.map(({ second }) => second)
  const of = (key: keyof Measured) => median(all.map((each) => each[key]))
  const spread = `${Math.min(...seconds).toFixed(0)} to ${Math.max(...seconds).toFixed(0)}`
  return `${median(seconds).toFixed(0)} invoices a second (${spread}), ${of('entries').toFixed(0)} journal entries; of ours ${of('ms').toFixed(2)} ms of processor time each, ${of('megabytes')} MB at most`
}

try {
  console.log(`load ${loadavg()[0]?.toFixed(1) ?? ''}, ${rounds} rounds; every invariant held after each`)
  const together: Measured[] = []
  const single: Measured[] = []
  for (let round = 0; round < rounds; round += 1) {
    single.push(await measure('alone', few, alone))
    together.push(
      await measure('together', most, async (db) => await runBilling({ db, clock: { now: () => now }, seller, log: silentLog })),
    )
  }
  console.log(`${few} one by one: ${said(single)}`)
  console.log(`${most} together: ${said(together)}`)
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
