import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { unit } from '../../domain/plan/plan.ts'
import { comfort, comfortInFour, emptyBooks, essential, essentialYear, openBooks } from '../billing.test-data.ts'
import { findBroken } from '../invariants/invariant-store.ts'
import { failInstalment, reverseInstalment } from '../settlement/settle-instalment.ts'
import { lockCustomer } from '../customer/customer-store.ts'
import { undoChange } from '../subscription/ask-for-change.ts'
import { findCurrent } from '../subscription/subscription-store.ts'

const database = withDatabase()
// Each test has a clock of its own, and books that begin with it.
beforeEach(async () => await emptyBooks(database))
afterEach(async () => {
  expect(await findBroken(database.db)).toEqual([])
})

/** Of a subscription, every column but what counts changes. */
async function rows(customerId: string): Promise<unknown> {
  const { rows: subscriptions } = await sql`
    select to_jsonb(s) - 'version' as row from subscription s where customer_id = ${customerId}::uuid`.execute(database.db)
  const { rows: instalments } = await sql`select to_jsonb(i) as row from instalment i
    where customer_id = ${customerId}::uuid and status <> 'dropped' order by id`.execute(database.db)
  const { rows: invoices } =
    await sql`select to_jsonb(i) as row from invoice i where customer_id = ${customerId}::uuid order by id`.execute(database.db)
  return { subscriptions, instalments, invoices }
}

test('H-35 a plan begins once it is paid: before that a draft without number, after that an invoice with one', async () => {
  const books = openBooks(database, '2026-11-23T09:00:00Z')
  const { customerId } = await books.customer()
  await books.ask(customerId, essential)
  expect(await books.state(customerId)).toMatchObject({ status: 'incomplete', formula: unit })
  expect(await books.invoices(customerId)).toMatchObject([
    { status: 'draft', number: null, net_cents: 39_900, gross_cents: 47_880 },
  ])
  expect(await books.payAll(customerId)).toBe(1)
  expect(await books.state(customerId)).toMatchObject({ status: 'active', formula: essential, anchoredOn: '2026-11-23' })
  expect(await books.invoices(customerId)).toMatchObject([
    { status: 'issued', settlement: 'success', series: 'F2026', issued_on: '2026-11-23', due_on: '2026-12-23' },
  ])
})

test('a plan that is not paid within a day never was, and burns no number', async () => {
  const books = openBooks(database)
  const { customerId } = await books.customer()
  await books.ask(customerId, comfortInFour)
  books.later(0.9)
  await books.run()
  expect(await books.state(customerId)).toMatchObject({ status: 'incomplete' })
  books.later(0.1)
  await books.run()
  expect(await books.state(customerId)).toMatchObject({ status: 'unit', pending: null })
  expect(await books.invoices(customerId)).toEqual([])
  const { customerId: next } = await books.subscribed(essential)
  expect((await books.invoices(next))[0]?.number).toBeGreaterThan(0)
})

test('S-13 what is undone leaves every row as it was', async () => {
  const books = openBooks(database)
  for (const [from, to] of [
    [essential, comfort],
    [essential, unit],
    [comfortInFour, essential],
    [essential, comfortInFour],
    [comfort, essentialYear],
    [unit, essential],
  ] as const) {
    const customerId = from === unit ? (await books.customer()).customerId : (await books.subscribed(from)).customerId
    if (from === unit) {
      await books.ask(customerId, to)
      await undo(customerId)
    }
    books.later(3)
    const before = await rows(customerId)
    await books.ask(customerId, to)
    expect(await rows(customerId)).not.toEqual(before)
    await undo(customerId)
    expect(await rows(customerId)).toEqual(before)
  }
  async function undo(customerId: string) {
    await books.within(async (tx) => {
      await lockCustomer(tx, customerId)
      const held = await findCurrent(tx, customerId)
      if (held !== null) await undoChange(tx, books.deps(), held)
    })
  }
})

test('S-12 S-14 it is renewed each month, and goes back to unit at the end of one', async () => {
  const books = openBooks(database, '2027-01-31T09:00:00Z')
  const { customerId } = await books.subscribed(essential)
  for (const _ of [1, 2]) {
    books.later(29)
    await books.run()
    await books.payAll(customerId)
  }
  expect((await books.invoices(customerId)).map(({ covers_from: from, covers_to: to }) => [from, to])).toEqual([
    ['2027-01-31', '2027-02-28'],
    ['2027-02-28', '2027-03-31'],
  ])
  await books.ask(customerId, unit)
  expect(await books.state(customerId)).toMatchObject({ status: 'active', formula: essential })
  books.at('2027-03-31T03:00:00Z')
  await books.run()
  expect(await books.state(customerId)).toMatchObject({ status: 'unit', formula: unit, pending: null })
  expect(await books.invoices(customerId)).toHaveLength(2)
})

test('H-35 an upgrade credits the days that are left, and takes them off the invoice', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  const { customerId } = await books.subscribed(essential)
  books.at('2026-11-16T09:00:00Z')
  await books.ask(customerId, comfort)
  expect(await books.state(customerId)).toMatchObject({ status: 'active', formula: essential, pending: { kind: 'payment' } })
  await books.payAll(customerId)
  expect(await books.state(customerId)).toMatchObject({
    status: 'active',
    formula: comfort,
    anchoredOn: '2026-11-16',
    pending: null,
  })
  const [, ...after] = await books.invoices(customerId)
  expect(after).toMatchObject([
    { kind: 'credit_note', net_cents: 19_950, vat_cents: 3990, settlement: 'success', due_on: null },
    { kind: 'invoice', net_cents: 49_900, credit_used_cents: 23_940, settlement: 'success' },
  ])
})

test('K-15 S-14 a year in four: an invoice every three months, none before its day', async () => {
  const books = openBooks(database, '2026-11-30T09:00:00Z')
  const { customerId } = await books.subscribed(comfortInFour)
  const issued: unknown[] = []
  for (let day = 0; day < 370; day += 1) {
    books.later(1)
    await books.run()
    await books.payAll(customerId)
  }
  for (const { issued_on: on, net_cents: net, vat_cents: vat } of await books.invoices(customerId)) issued.push([on, net, vat])
  expect(issued).toEqual(
    ['2026-11-30', '2027-02-28', '2027-05-30', '2027-08-30', '2027-11-30'].map((on) => [on, 119_760, 23_952]),
  )
})

test('S-10 a charge that fails: past due, suspended after 21 days, active once it is paid, ended after 60', async () => {
  const books = openBooks(database, '2027-01-10T09:00:00Z')
  const { customerId } = await books.subscribed(essential)
  books.at('2027-02-10T09:00:00Z')
  await books.run()
  const [due = ''] = await books.due(customerId)
  await books.within(async (tx) => await failInstalment(tx, books.deps(), due))
  expect(await books.state(customerId)).toMatchObject({ status: 'past_due', pastDueSince: '2027-02-10' })
  const tried = await database.db
    .selectFrom('instalment')
    .select(['next_attempt_on', 'failures', 'status'])
    .where('id', '=', due)
    .execute()
  expect(tried).toEqual([{ next_attempt_on: '2027-02-12', failures: 1, status: 'failed' }])
  await expect(books.ask(customerId, comfort)).rejects.toThrow('billing.invoice_unpaid')
  books.at('2027-03-03T09:00:00Z')
  await books.run()
  expect(await books.state(customerId)).toMatchObject({ status: 'suspended' })
  books.at('2027-03-20T09:00:00Z')
  await books.run()
  expect(await books.invoices(customerId)).toHaveLength(2)
  await books.pay(due)
  expect(await books.state(customerId)).toMatchObject({ status: 'active', anchoredOn: '2027-03-20', pastDueSince: null })
  books.later(0)
  await books.run()
  const [open = ''] = await books.due(customerId)
  await books.within(async (tx) => await failInstalment(tx, books.deps(), open))
  books.later(61)
  await books.run()
  expect(await books.state(customerId)).toBeNull()
})

test('an invoice that nobody pays in its thirty days falls due by itself', async () => {
  const books = openBooks(database, '2027-01-10T09:00:00Z')
  const { customerId } = await books.subscribed(essentialYear)
  books.at('2028-01-10T09:00:00Z')
  await books.run()
  books.at('2028-02-09T09:00:00Z')
  await books.run()
  expect(await books.state(customerId)).toMatchObject({ status: 'active' })
  books.at('2028-02-10T09:00:00Z')
  await books.run()
  expect(await books.state(customerId)).toMatchObject({ status: 'past_due', pastDueSince: '2028-02-10' })
})

test('a payment that the bank takes back is owed again', async () => {
  const books = openBooks(database)
  const { customerId } = await books.subscribed(essential)
  const { id } = await database.db
    .selectFrom('instalment')
    .select('id')
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  await books.within(async (tx) => await reverseInstalment(tx, books.deps(), id, { channel: 'bank', attemptId: null }))
  expect(await books.invoices(customerId)).toMatchObject([{ settlement: 'pending' }])
  expect(await books.state(customerId)).toMatchObject({ status: 'past_due' })
  expect(await books.pay(id)).toBe(true)
  expect(await books.state(customerId)).toMatchObject({ status: 'active' })
})

test('H-37 VAT by where the customer is; while a number cannot be checked, the renewal waits, and nobody guesses', async () => {
  const books = openBooks(database, '2026-12-01T09:00:00Z')
  const taxed = async (customerId: string) => {
    await books.ask(customerId, essential)
    await books.payAll(customerId)
    const { rows } = await sql<{ vat_treatment: string; vat_rate: number; vat_cents: number }>`
      select vat_treatment, vat_rate, vat_cents from invoice where customer_id = ${customerId}::uuid`.execute(database.db)
    return rows.map((row) => [row.vat_treatment, row.vat_rate, row.vat_cents])
  }
  expect(await taxed((await books.customer({ country: 'RE' })).customerId)).toEqual([['standard', 850, 3392]])
  expect(await taxed((await books.customer({ country: 'US' })).customerId)).toEqual([['outside', 0, 0]])
  const { customerId } = await books.customer({ country: 'DE', userType: 'legal' })
  const register = async (said: string) =>
    await sql`update billing_customer set vat_number = 'DE129273398', vat_check = ${said}, vat_checked_at = now() where id = ${customerId}::uuid`.execute(
      database.db,
    )
  await register('unreachable')
  await expect(books.ask(customerId, essential)).rejects.toThrow('billing.vat_unchecked')
  await register('valid')
  expect(await taxed(customerId)).toEqual([['reverse_charge', 0, 0]])

  await register('unreachable')
  books.at('2027-01-02T09:00:00Z')
  await books.run()
  expect(await books.run()).toBe(0)
  expect(await books.state(customerId)).toMatchObject({ status: 'active', monthsBefore: 0 })
  await register('valid')
  books.later(1)
  await books.run()
  expect(await books.state(customerId)).toMatchObject({ status: 'active', monthsBefore: 1 })
  const [, renewed] = await books.invoices(customerId)
  expect(renewed).toMatchObject({ covers_from: '2027-01-01', issued_on: '2027-01-03', vat_cents: 0 })
})

test('S-10 what was suspended is paid while the register is silent: the new cycle begins that day, and is invoiced once it answers', async () => {
  const books = openBooks(database, '2027-01-10T09:00:00Z')
  const { customerId } = await books.customer({ country: 'DE', userType: 'legal' })
  const register = async (said: string) =>
    await sql`update billing_customer set vat_number = 'DE129273398', vat_check = ${said}, vat_checked_at = now() where id = ${customerId}::uuid`.execute(
      database.db,
    )
  await register('valid')
  await books.ask(customerId, essential)
  await books.payAll(customerId)
  books.at('2027-02-10T09:00:00Z')
  await books.run()
  const [due = ''] = await books.due(customerId)
  await books.within(async (tx) => await failInstalment(tx, books.deps(), due))
  books.at('2027-03-20T09:00:00Z')
  await books.run()
  expect(await books.state(customerId)).toMatchObject({ status: 'suspended' })
  await register('unreachable')
  expect(await books.pay(due)).toBe(true)
  await books.run()
  expect(await books.state(customerId)).toMatchObject({ status: 'active', anchoredOn: '2027-03-20', monthsBefore: -1 })
  await register('valid')
  books.later(2)
  await books.run()
  expect(await books.state(customerId)).toMatchObject({ status: 'active', anchoredOn: '2027-03-20', monthsBefore: 0 })
  expect((await books.invoices(customerId)).map((each) => each.covers_from)).toEqual(['2027-01-10', '2027-02-10', '2027-03-20'])
})
