/** The monthly run on a database of its own: subscriptions renewed in batches and one by one, beside the same rows put in by plain SQL. */
import { sql } from 'kysely'
import { seller } from '../../modules/billing/server/billing.test-data.ts'
import { findBroken } from '../../modules/billing/server/invariants/invariant-store.ts'
import { advanceSubscription } from '../../modules/billing/server/run/advance-subscription.ts'
import { runBilling } from '../../modules/billing/server/run/run-billing.ts'
import { listAwake } from '../../modules/billing/server/subscription/subscription-store.ts'
import type { Db } from '../../platform/db/database.ts'
import { silentLog } from '../../platform/log/log.ts'

const now = new Date('2027-01-01T09:00:00Z')
const deps = (db: Db) => ({ db, clock: { now: () => now }, seller, log: silentLog })

/** As many who are on a month of Essential that ends today. */
async function fill(db: Db, count: number): Promise<void> {
  await sql`create temporary table given on commit preserve rows as select n, gen_random_uuid() as id from generate_series(1, ${count}::integer) n`.execute(
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

async function alone(db: Db, count: number): Promise<void> {
  for (const each of await listAwake(db, now, count))
    await db.transaction().execute(async (tx) => await advanceSubscription(tx, deps(db), each))
}

/** What a renewal leaves, and by which of its columns it is its invoice's. */
const leaves = {
  invoice: 'id',
  invoice_line: 'invoice_id',
  invoice_buyer: 'invoice_id',
  instalment: 'invoice_id',
  invoice_document: 'invoice_id',
  journal_entry: 'invoice_id',
} as const
const atATime = 100

/** The same rows into tables with the same columns and indexes, as many in a transaction; nothing is computed, and no trigger looks. */
async function putIn(db: Db, count: number): Promise<number> {
  for (const name of [...Object.keys(leaves), 'journal_posting'])
    await sql`create table ${sql.ref(`plain_${name}`)} (like ${sql.ref(name)} including indexes)`.execute(db)
  const began = performance.now()
  for (let from = 1; from <= count; from += atATime)
    await db.transaction().execute(async (tx) => {
      const ids = sql`select id from invoice where number between ${from} and ${from + atATime - 1}`
      for (const [name, column] of Object.entries(leaves))
        await sql`insert into ${sql.ref(`plain_${name}`)} select * from ${sql.ref(name)} where ${sql.ref(column)} in (${ids})`.execute(
          tx,
        )
      await sql`insert into plain_journal_posting select p.* from journal_entry e join journal_posting p on p.entry_id = e.id
        where e.invoice_id in (${ids})`.execute(tx)
    })
  return (performance.now() - began) / 1000
}

export type Renewed = {
  /** Invoices a second, and what of them plain SQL makes. */
  readonly second: number
  readonly plain: number
  /** Of this program, for each. */
  readonly ms: number
  /** Memory of this program at its peak, when a tenth was done and at the end. */
  readonly megabytes: readonly [number, number]
  readonly invariants: number
}

/** @throws Error where not everybody has one invoice, or an invariant does not hold */
export async function renew(db: Db, count: number, way: 'together' | 'alone'): Promise<Renewed> {
  await fill(db, count)
  const [began, before] = [performance.now(), process.cpuUsage()]
  const seen: number[] = []
  const look = setInterval(() => seen.push(process.memoryUsage.rss() / 1e6), 100)
  await (way === 'alone' ? alone(db, count) : runBilling(deps(db)))
  clearInterval(look)
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(before)
  const { rows } = await sql<{ made: number }>`select count(*)::integer as made from invoice where status = 'issued'`.execute(db)
  await sql`vacuum analyze`.execute(db)
  const looking = performance.now()
  const broken = await findBroken(db)
  const invariants = (performance.now() - looking) / 1000
  if (rows[0]?.made !== count || broken.length > 0)
    throw new Error(`${rows[0]?.made ?? 0} of ${count} invoiced; ${JSON.stringify(broken)}`)
  return {
    second: count / seconds,
    plain: count / (await putIn(db, count)),
    ms: (user + system) / 1000 / count,
    megabytes: [Math.max(...seen.slice(0, Math.ceil(seen.length / 10))), Math.max(...seen)],
    invariants,
  }
}
