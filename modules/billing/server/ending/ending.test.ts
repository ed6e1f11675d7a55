import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { actorOf } from '../../../../testing/accounts.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { changeBankAccount } from '../../../account/server/profile/change-bank-account.ts'
import { seller } from '../billing.test-data.ts'
import { createMandate } from '../payment/means/create-mandate.ts'
import { endMandateOf, tellEnded } from '../payment/means/end-mandate.ts'
import { tellEndedCards } from '../payment/means/end-means.ts'
import { askAfterAll } from '../payment/attempt/ask-after.ts'
import { payInvoice } from '../payment/attempt/pay-invoice.ts'
import { importTransfers, settleTransfers } from '../payment/notices/import-transfers.ts'
import { compareTotals, openPayments, vault } from '../payment/payments.test-data.ts'
import { askRefunds } from '../payment/refund/ask-refund.ts'
import { browser, testCards, wire } from '../provider/mangopay/shop.test-data.ts'
import { camt } from '../provider/transfer/book.test-data.ts'
import { openPurchase } from '../purchase/open-purchase.ts'
import { endCustomer } from './end-customer.ts'
import { endPurchases } from './end-purchases.ts'
import { withShop } from '../payment/with-shop.test-data.ts'

const database = withDatabase()
const { shop, before } = withShop(database)

type Payments = Awaited<ReturnType<typeof openPayments>>

/** A report that waits for its payment. */
async function bought(payments: Payments) {
  const who = await payments.books.customer()
  const wanted = { category: 'evidence', subjectId: randomUUID(), netCents: 9900 } as const
  const { invoiceId, instalmentId } = await payments.books.within(
    async (tx) => await openPurchase(tx, payments.deps(), who.userId, wanted),
  )
  return { ...who, invoiceId, instalmentId }
}
const close = async (payments: Payments, userId: string) => {
  for (let time = 0; time < 2; time += 1) await endPurchases(payments.deps(), userId)
  for (let time = 0; time < 2; time += 1) await endCustomer({ ...payments.deps(), billing: payments.deps() }, userId)
}
const refunds = async () =>
  await database.db.selectFrom('refund').select(['status', 'channel', 'amount_cents', 'invoice_id']).execute()
const statuses = async (customerId: string) => ({
  purchases: (await database.db.selectFrom('purchase').select('status').where('customer_id', '=', customerId).execute()).map(
    ({ status }) => status,
  ),
  invoices: (await database.db.selectFrom('invoice').select('status').where('customer_id', '=', customerId).execute()).map(
    ({ status }) => status,
  ),
})

test('an account that ends leaves no card, series or mandate in force at the provider, who may be down meanwhile', async () => {
  const payments = await openPayments(database, shop)
  const { userId, customerId, invoiceId } = await payments.buyer()
  const card = await payments.card(userId, testCards.accepted)
  await payments.pay(userId, invoiceId, { card })
  const account = {
    type: 'IBAN',
    iban: 'FR7630004000031234567890143',
    owner_name: 'Ada Byron',
    owner_address: 'Marseille',
  } as const
  const changing = { ...payments.deps(), secret: 's'.repeat(32), vault, onBankAccountEnded: endMandateOf }
  await changeBankAccount(changing, actorOf(userId), userId, account)
  const { mandate } = await createMandate(payments.deps(), actorOf(userId), '/en/account/subscription/')
  await shop.mangopay.answer(mandate.redirect_url ?? '', 'agree')
  const named = async (table: 'payment_card' | 'payment_series' | 'payment_mandate') =>
    (await database.db.selectFrom(table).select('reference').where('customer_id', '=', customerId).executeTakeFirstOrThrow())
      .reference ?? ''
  const theirs = async () => ({
    card: (await wire<{ Active: boolean }>(shop.mangopay, `GET cards/${await named('payment_card')}`)).Active,
    series: (await wire<{ Status: string }>(shop.mangopay, `GET recurringpayinregistrations/${await named('payment_series')}`))
      .Status,
    mandate: (await wire<{ Status: string }>(shop.mangopay, `GET mandates/${await named('payment_mandate')}`)).Status,
  })
  expect(await theirs()).toMatchObject({ card: true, series: 'IN_PROGRESS' })
  await shop.mangopay.control('POST faults', { kind: 'down' })
  await close(payments, userId)
  await expect(tellEndedCards(payments.deps())).rejects.toThrow('does not answer')
  await expect(tellEnded(payments.deps())).rejects.toThrow('does not answer')
  await shop.mangopay.control('DELETE faults')
  expect([await tellEndedCards(payments.deps()), await tellEnded(payments.deps())]).toEqual([1, 1])
  expect([await tellEndedCards(payments.deps()), await tellEnded(payments.deps())]).toEqual([0, 0])
  expect(await theirs()).toEqual({ card: false, series: 'ENDED', mandate: 'FAILED' })
  const known = await database.db.selectFrom('payment_customer').select(['renewed_by', 'series_id']).execute()
  expect(known).toEqual([{ renewed_by: null, series_id: null }])
})

test('a report that is being paid as the account ends is bought no more: what the card brings is given back, once', async () => {
  const payments = await openPayments(database, shop)
  const { userId, customerId, invoiceId } = await bought(payments)
  const card = await payments.card(userId, testCards.asks)
  const { redirect_url } = await payments.pay(userId, invoiceId, { card })
  await close(payments, userId)
  expect(await statuses(customerId)).toEqual({ purchases: ['dropped'], invoices: [] })
  // The card waits until it is known what came of it.
  expect(await tellEndedCards(payments.deps())).toBe(0)
  await shop.mangopay.answer(redirect_url ?? '', 'agree')
  await payments.later(2 / 1440)
  for (let time = 0; time < 2; time += 1) {
    await askAfterAll(payments.deps())
    await askRefunds(payments.deps())
  }
  expect(await refunds()).toEqual([{ status: 'succeeded', channel: 'provider', amount_cents: 11_880, invoice_id: null }])
  expect(await tellEndedCards(payments.deps())).toBe(1)
  const { ours, theirs, twice, unknown } = await compareTotals(database.db, shop)
  expect([ours, twice, unknown]).toEqual([theirs - before(), [], []])
})

test('refused, or never confirmed, it is over with nothing to be given back; a plan that was being paid is no more either', async () => {
  const payments = await openPayments(database, shop)
  const report = await bought(payments)
  const { redirect_url } = await payments.pay(report.userId, report.invoiceId, {
    card: await payments.card(report.userId, testCards.asks),
  })
  const plan = await payments.buyer()
  await payments.pay(plan.userId, plan.invoiceId, { card: await payments.card(plan.userId, testCards.asks) })
  for (const { userId } of [report, plan]) await close(payments, userId)
  await shop.mangopay.answer(redirect_url ?? '', 'refuse')
  await payments.later(1 / 12)
  await askAfterAll(payments.deps())
  for (const { customerId } of [report, plan]) {
    expect(await payments.attempts(customerId)).toMatchObject([{ status: 'failed' }])
    expect((await statuses(customerId)).invoices).toEqual([])
  }
  expect(await refunds()).toEqual([])
})

test('a transfer that comes weeks after the account ended is given back by hand', async () => {
  const payments = await openPayments(database, shop)
  const { userId, customerId, invoiceId } = await bought(payments)
  const { transfer } = await payments.pay(userId, invoiceId, { by: 'transfer' })
  await close(payments, userId)
  expect(await statuses(customerId)).toEqual({ purchases: ['dropped'], invoices: [] })
  await payments.later(20)
  await importTransfers(payments.deps(), camt([{ cents: 11_880, text: transfer?.reference ?? '' }], seller.iban))
  for (let time = 0; time < 2; time += 1) {
    await settleTransfers(payments.deps())
    await askRefunds(payments.deps())
  }
  expect(await refunds()).toEqual([{ status: 'started', channel: 'bank', amount_cents: 11_880, invoice_id: null }])
})

test('nothing is asked for after the end that was not asked for before it', async () => {
  const payments = await openPayments(database, shop)
  const { userId, invoiceId, customerId } = await bought(payments)
  const card = await payments.card(userId, testCards.accepted)
  const { provider } = payments
  const { cards } = provider
  if (cards === undefined) throw new Error('no cards')
  const dying = { ...provider, cards: { ...cards, chargeNow: async () => await Promise.reject(new Error('killed')) } }
  const wish = { by: 'card', card, browser, returnTo: '/fr/', accepted: undefined, referralManager: 'none' } as const
  await expect(payInvoice({ ...payments.deps(), provider: dying }, actorOf(userId), invoiceId, wish)).rejects.toThrow('killed')
  await close(payments, userId)
  await payments.later(2 / 1440)
  await askAfterAll(payments.deps())
  await payments.later(1 / 24)
  await askAfterAll(payments.deps())
  expect(await payments.attempts(customerId)).toMatchObject([{ status: 'failed', failure: 'unsent' }])
  expect(await refunds()).toEqual([])
})
