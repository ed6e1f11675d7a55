import { expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { seller } from '../billing.test-data.ts'
import { findSettled } from '../calls/settled-store.ts'
import { testCards } from '../provider/mangopay/shop.test-data.ts'
import { camt } from '../provider/transfer/book.test-data.ts'
import { startAttempt } from '../settlement/attempt-payment.ts'
import { newKey } from './means/deps.ts'
import { follow } from './notices/follow.ts'
import { importTransfers, settleTransfers } from './notices/import-transfers.ts'
import { compareTotals, openPayments } from './payments.test-data.ts'
import { askRefunds } from './refund/ask-refund.ts'
import { noteOutcome } from './attempt/note-outcome.ts'
import { withShop } from './with-shop.test-data.ts'

const database = withDatabase()
const { shop, before } = withShop(database)

type Payments = Awaited<ReturnType<typeof openPayments>>

const paid = async (payments: Payments) => {
  const who = await payments.buyer()
  const card = await payments.card(who.userId, testCards.accepted)
  await payments.pay(who.userId, who.invoiceId, { card })
  const [{ reference } = { reference: null }] = await payments.attempts(who.customerId)
  return { ...who, card, reference: reference ?? '' }
}
type Who = Awaited<ReturnType<typeof paid>>

const instalmentOf = async ({ invoiceId }: Pick<Who, 'invoiceId'>) =>
  await database.db
    .selectFrom('instalment')
    .select(['id', 'status', 'to_pay_cents', 'kept_cents'])
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirstOrThrow()
const dispute = async (payments: Payments, { reference }: Who, amount: number) => {
  const { Id } = await shop.mangopay.control<{ Id: string }>(`POST pay-ins/${reference}/dispute`, {
    reason: 'FRAUD',
    contestable: true,
    amount,
  })
  await heard(payments, Id)
  return Id
}
const heard = async (payments: Payments, id: string) => {
  for (let time = 0; time < 2; time += 1) await follow(payments.deps(), { kind: 'dispute', id })
}
const close = async (payments: Payments, id: string, outcome: { won: boolean; contested?: number }) => {
  await shop.mangopay.control(`POST disputes/${id}`, outcome)
  await heard(payments, id)
}
/** 15: what we say the provider keeps for us, and what he says. */
const agreed = async () => {
  const { ours, theirs } = await compareTotals(database.db, shop)
  return ours === theirs - before()
}

test('a part that the bank takes back is owed again, no more: paid anew, or won, the invoice is paid', async () => {
  const payments = await openPayments(database, shop)
  const who = await paid(payments)
  const first = await dispute(payments, who, 10_000)
  expect(await instalmentOf(who)).toMatchObject({ status: 'due', to_pay_cents: 10_000, kept_cents: 49_880 })
  expect(await payments.books.state(who.customerId)).toMatchObject({ status: 'past_due' })
  expect(await findSettled(database.db, [who.invoiceId])).toMatchObject([{ paid: false, reversed: true }])
  expect(await agreed()).toBe(true)
  // A second one of the same payment.
  const second = await dispute(payments, who, 5000)
  expect(await instalmentOf(who)).toMatchObject({ status: 'due', to_pay_cents: 15_000, kept_cents: 44_880 })
  await close(payments, first, { won: true })
  expect(await instalmentOf(who)).toMatchObject({ status: 'due', to_pay_cents: 5000, kept_cents: 54_880 })
  expect(await payments.pay(who.userId, who.invoiceId, { card: who.card })).toMatchObject({
    status: 'success',
    amount_cents: 59_880,
  })
  expect((await payments.attempts(who.customerId)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
  expect(await instalmentOf(who)).toMatchObject({ status: 'paid', to_pay_cents: 59_880, kept_cents: 0 })
  expect(await payments.books.state(who.customerId)).toMatchObject({ status: 'active' })
  expect(await agreed()).toBe(true)
  // Lost, it stays as it is.
  await close(payments, second, { won: false })
  expect(await instalmentOf(who)).toMatchObject({ status: 'paid' })
  expect(await findSettled(database.db, [who.invoiceId])).toMatchObject([{ paid: true, reversed: false }])
})

test('a dispute that is won in part gives that part again, and the rest stays owed', async () => {
  const payments = await openPayments(database, shop)
  const who = await paid(payments)
  const id = await dispute(payments, who, 59_880)
  expect(await instalmentOf(who)).toMatchObject({ status: 'due', to_pay_cents: 59_880, kept_cents: 0 })
  await close(payments, id, { won: true, contested: 40_000 })
  expect(await instalmentOf(who)).toMatchObject({ status: 'due', to_pay_cents: 19_880, kept_cents: 40_000 })
  expect(await payments.books.state(who.customerId)).toMatchObject({ status: 'past_due' })
  expect(await agreed()).toBe(true)
})

test('won after it was paid otherwise, what came twice is given back; taken again once that went, it is owed again', async () => {
  const payments = await openPayments(database, shop)
  const who = await paid(payments)
  const id = await dispute(payments, who, 59_880)
  await payments.pay(who.userId, who.invoiceId, { card: who.card })
  expect(await instalmentOf(who)).toMatchObject({ status: 'paid' })
  await close(payments, id, { won: true })
  expect(await instalmentOf(who)).toMatchObject({ status: 'paid' })
  // The provider refuses to refund what was disputed: it stays to the customer's credit.
  await askRefunds(payments.deps())
  const credit = async () =>
    (
      await database.db
        .selectFrom('billing_customer')
        .select('credit_cents')
        .where('id', '=', who.customerId)
        .executeTakeFirstOrThrow()
    ).credit_cents
  expect(await database.db.selectFrom('refund').select(['status', 'amount_cents', 'failure']).execute()).toEqual([
    { status: 'failed', amount_cents: 59_880, failure: 'disputed' },
  ])
  expect(await credit()).toBe(59_880)
  expect(await agreed()).toBe(true)
  await dispute(payments, who, 59_880)
  expect(await credit()).toBe(0)
  expect(await instalmentOf(who)).toMatchObject({ status: 'paid' })
  expect(await agreed()).toBe(true)
})

test('given up and paid otherwise, a payment that comes in after all is given back, once', async () => {
  const payments = await openPayments(database, shop)
  const who = await payments.buyer()
  const { transfer } = await payments.pay(who.userId, who.invoiceId, { by: 'transfer' })
  const card = await payments.card(who.userId, testCards.accepted)
  expect(await payments.pay(who.userId, who.invoiceId, { card })).toMatchObject({ status: 'success' })
  const text = transfer?.reference ?? ''
  for (let time = 0; time < 2; time += 1) {
    await importTransfers(payments.deps(), camt([{ cents: 59_880, text, reference: 'late' }], seller.iban))
    await settleTransfers(payments.deps())
    await askRefunds(payments.deps())
  }
  expect(await database.db.selectFrom('refund').select(['status', 'channel', 'amount_cents']).execute()).toEqual([
    { status: 'started', channel: 'bank', amount_cents: 59_880 },
  ])
  const mails = await database.db.selectFrom('billing_notice').select('kind').where('kind', '=', 'payment_received').execute()
  expect(mails).toHaveLength(1)
})

test('more is taken back than was paid: what is beyond is the bank’s fee, ours, and given again with it', async () => {
  const payments = await openPayments(database, shop)
  const who = await payments.buyer()
  const { transfer } = await payments.pay(who.userId, who.invoiceId, { by: 'transfer' })
  const text = transfer?.reference ?? ''
  const told = async (...lines: { cents: number; reference: string; reversal?: boolean }[]) => {
    await importTransfers(
      payments.deps(),
      camt(
        lines.map((line) => ({ ...line, text })),
        seller.iban,
      ),
    )
    await settleTransfers(payments.deps())
  }
  await told({ cents: 59_880, reference: '1' })
  await told({ cents: -20_000, reference: '2', reversal: true })
  expect(await instalmentOf(who)).toMatchObject({ status: 'due', to_pay_cents: 20_000, kept_cents: 39_880 })
  await told({ cents: -41_380, reference: '3', reversal: true })
  expect(await instalmentOf(who)).toMatchObject({ status: 'due', to_pay_cents: 59_880, kept_cents: 0 })
  const sums = async () =>
    (
      await database.db
        .selectFrom('journal_posting')
        .select((eb) => ['account', eb.fn.sum<string>('debit_cents').as('debit'), eb.fn.sum<string>('credit_cents').as('credit')])
        .where('account', 'in', ['512000', '627000'])
        .groupBy('account')
        .orderBy('account')
        .execute()
    ).map(({ account, debit, credit }) => [account, Number(debit) - Number(credit)])
  expect(await sums()).toEqual([
    ['512000', -1500],
    ['627000', 1500],
  ])
  await told({ cents: 61_380, reference: '4' })
  expect(await instalmentOf(who)).toMatchObject({ status: 'paid', to_pay_cents: 59_880 })
  expect(await sums()).toEqual([
    ['512000', 59_880],
    ['627000', 0],
  ])
})

test('more is taken back while the rest is being paid: what comes in is of it, and what is left is owed', async () => {
  const payments = await openPayments(database, shop)
  const who = await paid(payments)
  await dispute(payments, who, 10_000)
  const { id } = await instalmentOf(who)
  const attempt = await payments.books.within(
    async (tx) => await startAttempt(tx, payments.deps(), id, { channel: 'bank', realm: 'transfer', idempotencyKey: newKey() }),
  )
  await dispute(payments, who, 7000)
  expect(await instalmentOf(who)).toMatchObject({ status: 'collecting', to_pay_cents: 17_000, kept_cents: 42_880 })
  const amount = { cents: 10_000, currency: 'EUR' } as const
  const succeeded = { state: 'succeeded', payment: 'transfer-1', amount, at: payments.books.now() } as const
  for (let time = 0; time < 2; time += 1) await noteOutcome(payments.deps(), attempt.id, succeeded)
  expect(await instalmentOf(who)).toMatchObject({ status: 'due', to_pay_cents: 7000, kept_cents: 52_880 })
})
