import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { unit } from '../../domain/plan/plan.ts'
import { comfort, comfortInFour, emptyBooks, essential, essentialYear, openBooks } from '../billing.test-data.ts'
import { entryOfCredit } from '../../domain/journal/entry.ts'
import { changeCredit, lockCustomer } from '../customer/customer-store.ts'
import { findBroken } from '../invariants/invariant-store.ts'
import { holdNumbers } from '../invoice/number-store.ts'
import { postEntry } from '../journal/journal-store.ts'
import { failInstalment } from '../settlement/settle-instalment.ts'
import { listAwake } from '../subscription/subscription-store.ts'
import { advanceSubscription } from './advance-subscription.ts'
import { renewTogether } from './renew-together.ts'

const database = withDatabase()
beforeEach(async () => await emptyBooks(database))
afterEach(async () => {
  expect(await findBroken(database.db)).toEqual([])
})

type Books = ReturnType<typeof openBooks>

/** Those who are renewed as they were, and of each that is not one. */
async function openLife(): Promise<Books> {
  const books = openBooks(database, '2026-12-31T09:00:00Z')
  for (const formula of [essential, comfort, essentialYear, comfortInFour, essential, comfort]) await books.subscribed(formula)
  for (const country of ['RE', 'US']) {
    const { customerId } = await books.customer({ country, userType: 'legal' })
    await books.ask(customerId, essential)
    await books.payAll(customerId)
  }
  const leaving = await books.subscribed(comfort)
  await books.ask(leaving.customerId, unit)
  const closed = await books.subscribed(essential)
  await sql`update profile set city = null where user_id = ${closed.userId}::uuid`.execute(database.db)
  books.later(2)
  const behind = await books.subscribed(essential)
  const rich = await books.subscribed(essential)
  await books.within(async (tx) => {
    await holdNumbers(tx)
    const occasion = { kind: 'credit_note', customerId: rich.customerId, invoiceId: null, attemptId: null } as const
    await postEntry(tx, entryOfCredit({ net: 100, vat: 0, gross: 100 }), occasion, books.now())
    await changeCredit(tx, rich.customerId, 100)
  })
  books.later(31)
  const [due = ''] = await books.due(behind.customerId)
  if (due !== '') await books.within(async (tx) => await failInstalment(tx, books.deps(), due))
  return books
}

async function runAlone(books: Books): Promise<number> {
  let done = 0
  for (const each of await listAwake(database.db, books.now(), 1000))
    await books
      .within(async (tx) => await advanceSubscription(tx, books.deps(), each))
      .then((more) => (done += more))
      .catch((error: unknown) => expect(error).toMatchObject({ code: 'billing.profile_incomplete' }))
  return done
}

/** All that does not come from a draw: who it is, in the order in which he came, and what was written of him. */
async function written(): Promise<unknown> {
  const { rows } = await sql<{ row: unknown }>`
    with who as (select id, row_number() over (order by created_at, id) as nth from billing_customer)
    select jsonb_build_array('subscription', nth, to_jsonb(s) - '{id,customer_id,version}'::text[]) as row from subscription s join who on who.id = customer_id
    union all select jsonb_build_array('change', nth, c.kind, c.at, c.state) from subscription_change c join subscription s on s.id = subscription_id
      join who on who.id = customer_id
    union all select jsonb_build_array('invoice', nth, to_jsonb(i) - '{id,customer_id,subscription_id,number,content,sha256,credits}'::text[],
        convert_from(content, 'UTF8')::jsonb - '{number,previous_sha256,buyer_sha256}'::text[]) from invoice i join who on who.id = customer_id
    union all select jsonb_build_array('line', nth, to_jsonb(l) - 'invoice_id') from invoice_line l join invoice i on i.id = invoice_id
      join who on who.id = customer_id
    union all select jsonb_build_array('buyer', nth, buyer - 'email') from invoice_buyer b join invoice i on i.id = invoice_id join who on who.id = customer_id
    union all select jsonb_build_array('instalment', nth, to_jsonb(i) - '{id,customer_id,subscription_id,invoice_id}'::text[]) from instalment i
      join who on who.id = customer_id
    union all select jsonb_build_array('entry', nth, e.journal, e.year, e.on_day, e.kind, e.created_at, p.position, p.account, p.debit_cents, p.credit_cents,
        p.customer_id is null) from journal_entry e join journal_posting p on p.entry_id = e.id join who on who.id = e.customer_id
    union all select jsonb_build_array('document', nth, d.locale, d.wished_at) from invoice_document d join invoice i on i.id = d.invoice_id
      join who on who.id = customer_id
    order by row`.execute(database.db)
  return rows
}

test('S-14 8 renewed together, the books are what they are when each is looked at by itself', async () => {
  const alone = await openLife()
  const done = await runAlone(alone)
  const expected = await written()
  await emptyBooks(database)
  const together = await openLife()
  expect(await renewTogether(together.deps(), null, 100)).toMatchObject({ renewed: 14, place: null })
  expect(14 + (await runAlone(together))).toBe(done)
  expect(await written()).toEqual(expected)
  expect(await renewTogether(together.deps(), null, 100)).toEqual({ renewed: 0, place: null })
})

test('stopped as it takes its numbers, it has done nothing; begun anew, each is renewed once', async () => {
  const books = openBooks(database, '2026-12-01T09:00:00Z')
  for (let index = 0; index < 6; index += 1) await books.subscribed(essential)
  books.later(31)
  const before = await written()
  await books.within(async (tx) => {
    await holdNumbers(tx)
    const cut = renewTogether(books.deps(), null, 100).catch((error: unknown) => error)
    for (let killed = 0; killed === 0;) {
      const { rows } = await sql`select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`.execute(database.db)
      killed = rows.length
    }
    expect(await cut).toMatchObject({ message: expect.stringMatching(/cancel/i) as string })
  })
  expect(await written()).toEqual(before)
  expect(await findBroken(database.db)).toEqual([])
  // In batches of four: the second goes on where the first ended.
  const { place } = await renewTogether(books.deps(), null, 4)
  expect(await renewTogether(books.deps(), place, 4)).toEqual({ renewed: 4, place: null })
  expect(await books.run()).toBe(0)
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from invoice`.execute(database.db)
  expect(rows).toEqual([{ count: 12 }])
})

test('whoever is held by somebody else is not waited for, and is renewed afterwards', async () => {
  const books = openBooks(database, '2026-12-01T09:00:00Z')
  const { customerId } = await books.subscribed(essential)
  for (let index = 0; index < 3; index += 1) await books.subscribed(comfort)
  books.later(31)
  await books.within(async (tx) => {
    await lockCustomer(tx, customerId)
    expect(await renewTogether(books.deps(), null, 100)).toEqual({ renewed: 6, place: null })
  })
  expect(await books.run()).toBe(2)
  expect(await books.invoices(customerId)).toHaveLength(2)
})
