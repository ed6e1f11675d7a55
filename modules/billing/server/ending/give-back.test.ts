import { expect, test } from 'vitest'
import type { Mail } from '../../../../platform/mail/mailer.ts'
import { actorOf } from '../../../../testing/accounts.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { monthsAfter } from '../../domain/calendar/calendar.ts'
import { creditInvoice } from '../admin/credit-invoice.ts'
import { findCustomerRow, pageOfCustomers } from '../admin/customer-admin-store.ts'
import { settleRefund } from '../admin/settle-refund.ts'
import { comfort, comfortInFour, essentialYear } from '../billing.test-data.ts'
import { lockCustomer } from '../customer/customer-store.ts'
import { sendBillingNotice } from '../mail/send-billing-notice.ts'
import { askAfterAll } from '../payment/attempt/ask-after.ts'
import { compareTotals, openPayments } from '../payment/payments.test-data.ts'
import { askRefunds } from '../payment/refund/ask-refund.ts'
import { testCards } from '../provider/mangopay/shop.test-data.ts'
import { endCustomer } from './end-customer.ts'
import { endPurchases } from './end-purchases.ts'
import { foreseeEnd } from './foresee-end.ts'
import { giveBackLeft } from './give-back.ts'
import { withShop } from '../payment/with-shop.test-data.ts'

const database = withDatabase()
const { shop } = withShop(database)

type Payments = Awaited<ReturnType<typeof openPayments>>

/** The account is closed; a day later it ends, each step twice. @returns what was foreseen as it was closed */
async function close(payments: Payments, userId: string) {
  const foreseen = await foreseeEnd(payments.deps(), actorOf(userId))
  await payments.later(1)
  for (let time = 0; time < 2; time += 1) {
    await endPurchases(payments.deps(), userId)
    await endCustomer({ ...payments.deps(), billing: payments.deps() }, userId)
  }
  return foreseen
}
const refunds = async () =>
  await database.db
    .selectFrom('refund')
    .select(['id', 'status', 'channel', 'amount_cents', 'failure'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
const creditOf = async (customerId: string) =>
  (await database.db.selectFrom('billing_customer').select('credit_cents').where('id', '=', customerId).executeTakeFirstOrThrow())
    .credit_cents
const within = async <T>(payments: Payments, customerId: string, run: Parameters<Payments['books']['within']>[0]): Promise<T> =>
  (await payments.books.within(async (tx) => {
    await lockCustomer(tx, customerId)
    return await run(tx)
  })) as T

/** What is written to somebody whose account is no more. */
async function mails(payments: Payments): Promise<Mail[]> {
  const sent: Mail[] = []
  const open = await database.db.selectFrom('billing_notice').select('id').where('settled_at', 'is', null).orderBy('id').execute()
  const mailer = { send: async (mail: Mail) => await Promise.resolve(void sent.push(mail)), close: () => undefined }
  for (const { id } of open) await sendBillingNotice({ ...payments.deps(), mailer, testPayments: false }, id)
  return sent
}

test('H-38 of a year that was paid at once, the months that have not begun go back to the card, as was shown before', async () => {
  const payments = await openPayments(database, shop)
  const before = (await compareTotals(database.db, shop)).theirs
  const { userId, customerId, invoiceId } = await payments.buyer(essentialYear)
  await payments.pay(userId, invoiceId, { card: await payments.card(userId, testCards.accepted) })
  await payments.later(40)
  const foreseen = await close(payments, userId)
  const documents = await payments.books.invoices(customerId)
  const [paid, credited] = documents
  // 2 of 12 months have begun, and the credit is by the day.
  expect(credited).toMatchObject({ kind: 'credit_note', covers_from: monthsAfter(paid?.covers_from ?? '', 2) })
  expect(foreseen).toMatchObject({
    plan: 'essential',
    credit_cents: 0,
    set_off_cents: 0,
    waiting_cents: 0,
    owed_cents: 0,
    invoices: [{ kind: 'credit_note', gross_cents: credited?.gross_cents }],
    refunds: [{ by: 'provider', amount_cents: credited?.gross_cents }],
  })
  const part = (credited?.gross_cents ?? 0) / (paid?.gross_cents ?? 1)
  expect([part > 9.9 / 12, part < 10.1 / 12]).toEqual([true, true])
  await askRefunds(payments.deps())
  expect(await refunds()).toMatchObject([{ status: 'succeeded', amount_cents: credited?.gross_cents }])
  expect(await creditOf(customerId)).toBe(0)
  expect(await giveBackLeft(payments.deps())).toBe(0)
  const { ours, theirs } = await compareTotals(database.db, shop)
  expect(ours).toBe(theirs - before)
  const [mail] = await mails(payments)
  expect(mail?.to).toMatch(/@example\.org$/)
  expect(mail?.subject).toContain('Refund: €')
  expect(mail?.text).toContain('Your account is no more')
  expect(mail?.text).not.toContain('/account/')
})

test('the month that runs is not given back; of a quarter of a year in four, what has not begun is; who never paid is owed nothing', async () => {
  const payments = await openPayments(database, shop)
  const monthly = await payments.buyer(comfort)
  await payments.pay(monthly.userId, monthly.invoiceId, { card: await payments.card(monthly.userId, testCards.accepted) })
  expect(await close(payments, monthly.userId)).toMatchObject({ plan: 'comfort', invoices: [], refunds: [], owed_cents: 0 })
  const inFour = await payments.buyer(comfortInFour)
  await payments.pay(inFour.userId, inFour.invoiceId, { card: await payments.card(inFour.userId, testCards.accepted) })
  const { refunds: back } = await close(payments, inFour.userId)
  expect(back).toMatchObject([{ by: 'provider' }])
  // 1,197.60 of three months, of which two have not begun.
  expect(Math.abs((back[0]?.amount_cents ?? 0) - (143_712 * 2) / 3)).toBeLessThan(143_712 * 0.02)
  expect((await refunds()).map((each) => each.amount_cents)).toEqual([back[0]?.amount_cents])
  const { userId } = await payments.books.customer()
  expect(await foreseeEnd(payments.deps(), actorOf(userId))).toMatchObject({ plan: 'unit', refunds: [], owed_cents: 0 })
})

test('what is to somebody’s credit pays what he owes first, and what is shown before changes nothing', async () => {
  const payments = await openPayments(database, shop)
  const { userId, customerId, invoiceId } = await payments.buyer(comfort)
  await payments.pay(userId, invoiceId, { card: await payments.card(userId, testCards.accepted) })
  // Renewed, and not paid; then a gesture for the month before, larger than what is owed less a part of it.
  await payments.later(32)
  await payments.books.run()
  const [due] = await payments.books.due(customerId)
  expect(due).toBeDefined()
  await within(payments, customerId, async (tx) => await creditInvoice(tx, payments.deps(), invoiceId, 30_000))
  const rows = async () => [await payments.books.invoices(customerId), await refunds(), await creditOf(customerId)]
  const stood = await rows()
  const foreseen = await foreseeEnd(payments.deps(), actorOf(userId))
  expect(await rows()).toEqual(stood)
  expect(foreseen).toMatchObject({ credit_cents: 36_000, set_off_cents: 36_000, refunds: [], owed_cents: 59_880 - 36_000 })
  await close(payments, userId)
  expect([await creditOf(customerId), await refunds()]).toEqual([0, []])
  const left = await database.db
    .selectFrom('instalment')
    .select(['status', 'to_pay_cents'])
    .where('id', '=', due ?? '')
    .executeTakeFirstOrThrow()
  expect(left).toEqual({ status: 'due', to_pay_cents: 59_880 - 36_000 })
})

test('a payment that is under way as the account ends is waited for: then the credit goes back, or pays what was not paid', async () => {
  const payments = await openPayments(database, shop)
  for (const answer of ['agree', 'refuse'] as const) {
    const { userId, customerId, invoiceId } = await payments.buyer(comfortInFour)
    await payments.pay(userId, invoiceId, { card: await payments.card(userId, testCards.accepted) })
    await payments.later(93)
    await payments.books.run()
    const second = await payments.owed(customerId)
    const { redirect_url } = await payments.pay(userId, second, { card: await payments.card(userId, testCards.asks) })
    const { waiting_cents: waiting, owed_cents: owed } = await foreseeEnd(payments.deps(), actorOf(userId))
    expect(waiting).toBeGreaterThan(0)
    for (let time = 0; time < 2; time += 1) await endCustomer({ ...payments.deps(), billing: payments.deps() }, userId)
    expect(await creditOf(customerId)).toBe(waiting)
    await shop.mangopay.answer(redirect_url ?? '', answer)
    await payments.later(2 / 1440)
    await askAfterAll(payments.deps())
    expect(await giveBackLeft(payments.deps())).toBe(1)
    await askRefunds(payments.deps())
    expect(await creditOf(customerId)).toBe(0)
    const own = await database.db
      .selectFrom('refund')
      .select(['status', 'amount_cents'])
      .where('customer_id', '=', customerId)
      .execute()
    const left = await database.db
      .selectFrom('instalment')
      .select('to_pay_cents')
      .where('invoice_id', '=', second)
      .where('status', '<>', 'paid')
      .execute()
    expect([own, left]).toEqual(
      answer === 'agree' ? [[{ status: 'succeeded', amount_cents: waiting }], []] : [[], [{ to_pay_cents: owed - waiting }]],
    )
  }
})

test('what the provider refuses to give back is transferred by hand; what that fails of too stays to his credit, to be seen', async () => {
  const payments = await openPayments(database, shop)
  const { userId, customerId, invoiceId } = await payments.buyer(essentialYear)
  await payments.pay(userId, invoiceId, { card: await payments.card(userId, testCards.accepted) })
  await close(payments, userId)
  const { provider } = payments
  if (provider.refunds === undefined) throw new Error('no refunds')
  const refusing = {
    ...provider,
    refunds: {
      ...provider.refunds,
      refund: async () => await Promise.resolve({ state: 'refused', payment: null, reason: 'card_unusable', code: '1' } as const),
    },
  }
  await askRefunds({ ...payments.deps(), provider: refusing })
  const [{ amount_cents: cents } = { amount_cents: 0 }] = await refunds()
  expect([await refunds(), await creditOf(customerId)]).toMatchObject([[{ status: 'failed', failure: 'card_unusable' }], cents])
  for (let time = 0; time < 2; time += 1) await giveBackLeft(payments.deps())
  await askRefunds(payments.deps())
  const [, byHand] = await refunds()
  expect(byHand).toMatchObject({ status: 'started', channel: 'bank', amount_cents: cents })
  // Whoever transfers it sees to whom, by his invoices.
  expect(await findCustomerRow(database.db, customerId)).toMatchObject({
    userId: null,
    name: 'Ada Byron',
    email: expect.stringMatching(/@example\.org$/),
  })
  const failed = { succeeded: false, failure: 'no account' } as const
  await within(payments, customerId, async (tx) => await settleRefund(tx, payments.deps(), byHand?.id ?? '', failed))
  expect([await giveBackLeft(payments.deps()), await creditOf(customerId)]).toEqual([0, cents])
  const left = await pageOfCustomers(database.db, { search: null, standing: 'credit_left', limit: 10, offset: 0 }, 10)
  expect(left.rows).toMatchObject([{ id: customerId, credit: cents, name: 'Ada Byron' }])
})
