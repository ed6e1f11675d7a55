import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { comfort, comfortInFour, essential, openBooks } from '../billing.test-data.ts'
import { openPurchase } from '../purchase/open-purchase.ts'
import { takeQuota } from '../quota/take-quota.ts'
import { finishAttempt, startAttempt } from '../settlement/attempt-payment.ts'
import { findBroken, invariants, type Broken } from './invariant-store.ts'

const database = withDatabase()

/** Books with something of each kind in them: paid by itself, upgraded with a credit note, in four, bought, taken from a quota. */
beforeAll(async () => {
  const books = openBooks(database)
  const who = await books.customer()
  await books.ask(who.customerId, essential)
  const [due = ''] = await books.due(who.customerId)
  await books.within(async (tx) => {
    const attempt = await startAttempt(tx, books.deps(), due, { channel: 'provider', idempotencyKey: randomUUID() })
    await finishAttempt(tx, books.deps(), attempt.id, 'succeeded')
    await takeQuota(tx, books.deps(), who.userId, { kind: 'evidence', subjectIds: [randomUUID()] })
  })
  books.later(3)
  await books.ask(who.customerId, comfort)
  await books.payAll(who.customerId)
  await books.subscribed(comfortInFour)
  const buyer = await books.customer()
  await books.within(async (tx) => {
    await openPurchase(tx, books.deps(), buyer.userId, { category: 'evidence', subjectId: randomUUID(), netCents: 9900 })
  })
})
afterEach(async () => {
  expect(await findBroken(database.db)).toEqual([])
})

/** What would have to go wrong for each to be broken, as nothing but somebody at the database can do it: its own guards are off. */
const planted: Readonly<Record<Broken['invariant'], RawBuilder<unknown>>> = {
  one_live_attempt: sql`drop index payment_attempt_live;
    insert into payment_attempt (id, instalment_id, status, amount_cents, channel, idempotency_key, created_at)
    select gen_random_uuid(), instalment_id, 'started', 1, 'provider', gen_random_uuid(), now() from payment_attempt, generate_series(1, 2)`,
  numbers_without_gap: sql`update invoice set number = 99 where number = 2 and kind = 'invoice'`,
  dates_in_order: sql`update invoice set issued_on = issued_on - 30 where number = 2 and kind = 'invoice'`,
  lines_sum: sql`update invoice_line set net_cents = net_cents + 1 where invoice_id = (select id from invoice where number = 1 and kind = 'invoice')`,
  instalments_sum: sql`update instalment set vat_cents = vat_cents + 1 where parts = 4 and part = 2`,
  entries_balance: sql`update journal_posting set debit_cents = debit_cents + 1 where account = '512000'`,
  balances_fold: sql`update billing_customer set credit_cents = credit_cents + 1`,
  paid_once: sql`update journal_entry set attempt_id = null`,
  refunds_within: sql`insert into refund (id, customer_id, attempt_id, invoice_id, channel, realm, status, amount_cents, idempotency_key,
      key_since, ask_at, created_at)
    select gen_random_uuid(), customer_id, a.id, invoice_id, 'provider', 'test', 'started', a.amount_cents + 1, gen_random_uuid(), now(), now(), now()
    from payment_attempt a join instalment i on i.id = a.instalment_id`,
  bytes_as_issued: sql`update invoice set content = content || ' '::bytea where number = 1 and kind = 'invoice'`,
  content_says_row: sql`update invoice set net_cents = net_cents + 1, vat_cents = vat_cents - 1 where number = 1 and kind = 'invoice'`,
  credits_within: sql`update invoice set net_cents = net_cents + 100000, gross_cents = gross_cents + 100000 where kind = 'credit_note'`,
  days_once: sql`update invoice i set subscription_id = b.subscription_id, covers_from = b.covers_from, covers_to = b.covers_to
    from invoice b where i.number = 3 and i.kind = 'invoice' and b.number = 2 and b.kind = 'invoice'`,
  purchases_stand: sql`update purchase set status = 'paid'`,
  months_invoiced: sql`update purchase set status = 'invoiced', month_from = '2026-11-01', net_cents = 1, vat_cents = 0,
    vat_treatment = 'standard', vat_rate = 2000`,
  quota_used: sql`update quota_use set used = used - 1`,
  payouts_within: sql`insert into payout (id, user_id, month, status, net_cents, vat_treatment, vat_cents, gross_cents, realm, reference_text, grant_key,
      payout_key, created_at) values ('00000000-0000-7000-8000-000000000001', gen_random_uuid(), '2026-12-01', 'pending', 5, 'none', 0, 5, 'transfer',
      'PBT-AAAAAAAAAA', gen_random_uuid()::text, gen_random_uuid()::text, now());
    insert into payout_line values ('00000000-0000-7000-8000-000000000001', gen_random_uuid(), 5)`,
  fees_sum: sql`insert into earning (id, user_id, source, subject_id, invoice_id, line, base_cents, rate, amount_cents, standing_cents, earned_on,
      matures_on, created_at)
    values (gen_random_uuid(), gen_random_uuid(), 'license', gen_random_uuid(), gen_random_uuid(), 1, 9, 8000, 7, 7, '2026-12-01', '2026-12-01', now())`,
  payouts_sum: sql`insert into payout (id, user_id, month, status, net_cents, vat_treatment, vat_cents, gross_cents, realm, reference_text, grant_key,
      payout_key, created_at) values (gen_random_uuid(), gen_random_uuid(), '2026-12-01', 'pending', 5, 'none', 0, 5, 'transfer',
      'PBT-AAAAAAAAAA', gen_random_uuid()::text, gen_random_uuid()::text, now())`,
}

test.each(Object.keys(invariants) as Broken['invariant'][])('%s is found broken where it is', async (name) => {
  const found = await database.db
    .transaction()
    .execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      for (const statement of planted[name].compile(tx).sql.split(';')) await sql.raw(statement).execute(tx)
      throw new Found(await findBroken(tx))
    })
    .catch((error: unknown) => error)
  if (!(found instanceof Found)) throw found
  expect(found.broken.map(({ invariant }) => invariant)).toContain(name)
})

/** What was found, as what was planted is taken back. */
class Found extends Error {
  readonly broken: readonly Broken[]
  constructor(broken: readonly Broken[]) {
    super('found')
    this.broken = broken
  }
}
