import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { actorOf } from '../../../../testing/accounts.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { changeBankAccount } from '../../../account/server/profile/change-bank-account.ts'
import { dayOf, daysIn, monthOf } from '../../domain/calendar/calendar.ts'
import { essentialYear } from '../billing.test-data.ts'
import { testCards } from '../provider/mangopay/shop.test-data.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { spend, type Spent } from '../spending/spend.ts'
import { createMandate, readMandate } from './means/create-mandate.ts'
import { endMandateOf } from './means/end-mandate.ts'
import { follow } from './notices/follow.ts'
import { compareTotals, openPayments, vault } from './payments.test-data.ts'
import { withShop } from './with-shop.test-data.ts'

const database = withDatabase()
const { shop, before } = withShop(database)
afterEach(async () => {
  const { ours, theirs, unknown } = await compareTotals(database.db, shop)
  expect([ours, unknown]).toEqual([theirs - before(), []])
})

/** Somebody who pays a year of Essential by his mandate, has used its five reports of the month, and has two more. */
async function openMonth() {
  const payments = await openPayments(database, shop)
  const { userId, customerId, invoiceId } = await payments.buyer(essentialYear)
  const body = { type: 'IBAN', iban: 'FR7630004000031234567890143', owner_name: 'Ada Byron', owner_address: 'Marseille' } as const
  const changing = { ...payments.deps(), secret: 's'.repeat(32), vault, onBankAccountEnded: endMandateOf }
  await changeBankAccount(changing, actorOf(userId), userId, body)
  const { mandate } = await createMandate(payments.deps(), actorOf(userId), '/en/account/subscription/')
  await shop.mangopay.answer(mandate.redirect_url ?? '', 'agree')
  expect(await readMandate(payments.deps(), actorOf(userId))).toMatchObject({ status: 'submitted' })
  await payments.pay(userId, invoiceId, { by: 'mandate' })
  await payments.later(7)
  await payments.run()
  expect(await readMandate(payments.deps(), actorOf(userId))).toMatchObject({ status: 'active' })
  const daysToFirst = (): number => {
    const today = dayOf(payments.books.now())
    return daysIn({ from: today, to: monthOf(today).to })
  }
  // Whenever that is: in the first days of a month.
  await payments.later(daysToFirst() + 2)
  await payments.run()
  const deps = (): BillingDeps => ({
    ...payments.books.deps(),
    extras: { realm: payments.provider.realm, limit: 200_000 },
    purchases: { evidence: { paid: async () => await Promise.resolve() } },
  })
  const have = async (count: number): Promise<Spent> => {
    const subjectIds = Array.from({ length: count }, () => randomUUID())
    const purchaseId = async () => await Promise.resolve(randomUUID())
    const wish = { category: 'evidence', subjectIds, purchaseId } as const
    return await payments.books.within(async (tx) => await spend(tx, deps(), actorOf(userId), userId, wish))
  }
  expect((await have(7)).opened).toBeNull()
  await payments.later(daysToFirst())
  await payments.run()
  const attempts = async () => (await payments.attempts(customerId)).slice(1)
  const extras = async () => (await payments.books.invoices(customerId)).slice(1)
  const told = async () => {
    const rows = await database.db
      .selectFrom('billing_notice')
      .select('kind')
      .where('kind', 'in', ['payment_failed', 'payment_reversed', 'overdue', 'suspended'])
      .orderBy('created_at')
      .execute()
    return rows.map(({ kind }) => kind)
  }
  return { payments, userId, customerId, have, attempts, extras, told }
}

test('K-16 H-36 what was had beyond the plan is debited on the first of the month; taken back weeks later it is owed, dunned, and paid by card', async () => {
  const { payments, userId, customerId, have, attempts, extras, told } = await openMonth()
  expect(await extras()).toMatchObject([{ status: 'issued', settlement: 'processing', net_cents: 19_800, gross_cents: 23_760 }])
  expect(await attempts()).toMatchObject([{ status: 'started' }])
  await payments.run()
  expect(await attempts()).toHaveLength(1)
  await payments.later(7)
  await payments.run()
  expect(await extras()).toMatchObject([{ settlement: 'success' }])
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'active' })

  await payments.later(14)
  const [{ reference } = { reference: null }] = await attempts()
  await shop.mangopay.control(`POST pay-ins/${reference ?? ''}/dispute`, { reason: 'LATE_FAILURE_INSUFFICIENT_FUNDS' })
  for (let time = 0; time < 2; time += 1) await follow(payments.deps(), { kind: 'payment', id: reference ?? '' })
  await payments.run()
  expect(await extras()).toMatchObject([{ settlement: 'pending' }])
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'past_due' })
  expect(await attempts()).toHaveLength(1)
  expect(await told()).toEqual(['payment_reversed'])
  // The month’s own five are his; one beyond them is not.
  await expect(have(6)).rejects.toThrow('billing.invoice_unpaid')
  await payments.later(22)
  await payments.run()
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'suspended' })
  expect(await told()).toContain('suspended')

  const card = await payments.card(userId, testCards.accepted)
  const [invoice] = await extras()
  expect(await payments.pay(userId, invoice?.id ?? '', { card })).toMatchObject({ status: 'success', amount_cents: 23_760 })
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'active' })
  expect(await extras()).toMatchObject([{ settlement: 'success' }])
})

test('K-13 a debit of what was had beyond the plan that fails is told, and made again on its day', async () => {
  const { payments, customerId, attempts, extras, told } = await openMonth()
  const [{ reference } = { reference: null }] = await attempts()
  await shop.mangopay.control(`POST pay-ins/${reference ?? ''}`, { result: '101102' })
  await payments.later(7)
  await payments.run()
  expect(await attempts()).toMatchObject([{ status: 'failed', failure: 'insufficient_funds' }])
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'past_due' })
  expect(await told()).toEqual(['payment_failed'])
  await payments.later(2)
  await payments.run()
  expect(await attempts()).toMatchObject([{ status: 'failed' }, { status: 'started' }])
  await payments.later(7)
  await payments.run()
  expect(await extras()).toMatchObject([{ settlement: 'success', gross_cents: 23_760 }])
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'active' })
})
