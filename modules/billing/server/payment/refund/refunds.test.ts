import { expect, test } from 'vitest'
import { withDatabase } from '../../../../../testing/database.ts'
import { creditInvoice } from '../../admin/credit-invoice.ts'
import { settleRefund } from '../../admin/settle-refund.ts'
import { seller } from '../../billing.test-data.ts'
import { countCalls, testCards, wire } from '../../provider/mangopay/shop.test-data.ts'
import { camt } from '../../provider/transfer/book.test-data.ts'
import { startRefund } from '../../settlement/start-refund.ts'
import { lockCustomer } from '../../customer/customer-store.ts'
import { findKnown } from '../means/customer-store.ts'
import type { PaymentDeps } from '../means/deps.ts'
import { follow } from '../notices/follow.ts'
import { hearNotice } from '../notices/hear-notice.ts'
import { importTransfers, settleTransfers } from '../notices/import-transfers.ts'
import { reconcile } from '../notices/reconcile.ts'
import { compareTotals, openPayments } from '../payments.test-data.ts'
import { askRefunds } from './ask-refund.ts'
import { withShop } from '../with-shop.test-data.ts'

const database = withDatabase()
const { shop } = withShop(database)

type Payments = Awaited<ReturnType<typeof openPayments>>

/** Somebody who paid 598.80 by card. */
async function paid(payments: Payments, by: 'card' | 'transfer' = 'card') {
  const who = await payments.buyer()
  const card = await payments.card(who.userId, testCards.accepted)
  if (by === 'card') await payments.pay(who.userId, who.invoiceId, { card })
  return { ...who, card }
}

const within = async <T>(payments: Payments, customerId: string, run: Parameters<Payments['books']['within']>[0]): Promise<T> =>
  (await payments.books.within(async (tx) => {
    await lockCustomer(tx, customerId)
    return await run(tx)
  })) as T

const credit = async (
  payments: Payments,
  { customerId, invoiceId }: { customerId: string; invoiceId: string },
  net: number | null,
) => await within(payments, customerId, async (tx) => await creditInvoice(tx, payments.deps(), invoiceId, net))
const refund = async (
  payments: Payments,
  { customerId, invoiceId }: { customerId: string; invoiceId: string },
  cents: number | null = null,
) => await within(payments, customerId, async (tx) => await startRefund(tx, payments.deps(), invoiceId, cents))

const refunds = async () =>
  await database.db
    .selectFrom('refund')
    .select(['id', 'status', 'amount_cents', 'channel', 'reference', 'failure'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
const creditOf = async (customerId: string) =>
  (await database.db.selectFrom('billing_customer').select('credit_cents').where('id', '=', customerId).executeTakeFirst())
    ?.credit_cents
const mails = async () =>
  (await database.db.selectFrom('billing_notice').select(['kind', 'told']).where('kind', '=', 'refunded').execute()).map(
    ({ told }) => (told as { cents: number }).cents,
  )
/** What the provider says he gave back. */
const givenBack = async (payments: Payments, customerId: string) => {
  const all = await payments.attempts(customerId)
  const lists = await Promise.all(
    all.map(
      async ({ reference }) =>
        await wire<{ Status: string; DebitedFunds: { Amount: number } }[]>(
          shop.mangopay,
          `GET payins/${reference ?? ''}/refunds`,
        ),
    ),
  )
  return lists.flatMap((list) => list.filter(({ Status }) => Status === 'SUCCEEDED').map((each) => each.DebitedFunds.Amount))
}

test('what a credit note left is given back by the way that it came, in part and whole, never twice, and never without one', async () => {
  const payments = await openPayments(database, shop)
  const who = await paid(payments)
  await expect(refund(payments, who)).rejects.toThrow('billing.not_refundable')
  await credit(payments, who, 10_000)
  expect(await creditOf(who.customerId)).toBe(12_000)
  await expect(refund(payments, who, 12_001)).rejects.toThrow('billing.not_refundable')
  await refund(payments, who, 5000)
  expect(await creditOf(who.customerId)).toBe(7000)
  // What is left of the payment is known once that one is over.
  await expect(refund(payments, who, 1)).rejects.toThrow('billing.refund_processing')
  expect(await askRefunds(payments.deps())).toBe(1)
  expect(await askRefunds(payments.deps())).toBe(0)
  expect(await refunds()).toMatchObject([{ status: 'succeeded', amount_cents: 5000, channel: 'provider' }])
  await credit(payments, who, null)
  await refund(payments, who)
  await askRefunds(payments.deps())
  expect(await creditOf(who.customerId)).toBe(0)
  await expect(refund(payments, who)).rejects.toThrow('billing.not_refundable')
  expect(await givenBack(payments, who.customerId)).toEqual([5000, 54_880])
  expect(await mails()).toEqual([5000, 54_880])
  const { ours, theirs } = await compareTotals(database.db, shop)
  expect(ours).toBe(theirs)
})

test('of many who refund the same at once one does; what a draft was promised is not given back', async () => {
  const payments = await openPayments(database, shop)
  const who = await paid(payments)
  await credit(payments, who, 10_000)
  const all = await Promise.allSettled(Array.from({ length: 6 }, async () => await refund(payments, who, 12_000)))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await Promise.all(Array.from({ length: 4 }, async () => await askRefunds(payments.deps())))
  expect(await givenBack(payments, who.customerId)).toEqual([12_000])
  expect(await mails()).toEqual([12_000])
  await credit(payments, who, 1000)
  await payments.books.ask(who.customerId, { plan: 'comfort', cycle: 'year', instalments: 1 })
  await expect(refund(payments, who)).rejects.toThrow('billing.not_refundable')
})

test('500 in the midst, an answer that is cut, a process that ends before it noted the answer: it is given back once', async () => {
  const payments = await openPayments(database, shop)
  for (const kind of ['error-before', 'error-after', 'cut-before', 'cut-after', 'killed'] as const) {
    const who = await paid(payments)
    await credit(payments, who, null)
    await refund(payments, who)
    if (kind === 'killed') {
      const { provider } = payments
      const deaf = { ...provider.refunds } as NonNullable<PaymentDeps['provider']>['refunds'] & object
      const dying = {
        ...deaf,
        refund: async (...call: Parameters<typeof deaf.refund>) => {
          await deaf.refund(...call)
          throw new Error('killed')
        },
      }
      await expect(askRefunds({ ...payments.deps(), provider: { ...provider, refunds: dying } })).rejects.toThrow('killed')
    } else {
      await shop.mangopay.control('POST faults', { kind, method: 'POST', path: 'refunds', times: 1 })
      await askRefunds(payments.deps())
      await shop.mangopay.control('DELETE faults')
    }
    for (let tries = 0; tries < 4; tries += 1) {
      await payments.later(1 / 24)
      await askRefunds(payments.deps())
    }
    expect([kind, await givenBack(payments, who.customerId)]).toEqual([kind, [59_880]])
    expect([kind, (await refunds()).at(-1)?.status]).toEqual([kind, 'succeeded'])
  }
  expect(await mails()).toHaveLength(5)
})

test('the provider is down for a day, and has forgotten the key: what is owed is given back the day after', async () => {
  const payments = await openPayments(database, shop)
  const who = await paid(payments)
  await credit(payments, who, null)
  await refund(payments, who)
  await shop.mangopay.control('POST faults', { kind: 'down' })
  for (let time = 0; time < 5; time += 1) {
    await askRefunds(payments.deps())
    await payments.later(0.25)
  }
  expect(await refunds()).toMatchObject([{ status: expect.stringMatching(/started|unknown/) }])
  expect(await mails()).toEqual([])
  await shop.mangopay.control('DELETE faults')
  await askRefunds(payments.deps())
  await payments.later(0.25)
  await askRefunds(payments.deps())
  expect(await refunds()).toMatchObject([{ status: 'succeeded' }])
  expect(await givenBack(payments, who.customerId)).toEqual([59_880])
})

test('what the provider refuses is to the customer’s credit again, with why; he is not told of a refund', async () => {
  const payments = await openPayments(database, shop)
  const who = await paid(payments)
  await credit(payments, who, null)
  const [{ reference } = { reference: null }] = await payments.attempts(who.customerId)
  await shop.mangopay.control(`POST pay-ins/${reference ?? ''}/dispute`, { reason: 'FRAUD', contestable: true })
  await refund(payments, who)
  await askRefunds(payments.deps())
  expect(await refunds()).toMatchObject([{ status: 'failed', failure: 'disputed' }])
  expect(await creditOf(who.customerId)).toBe(59_880)
  expect(await mails()).toEqual([])
})

test('7 a notice of a refund is heard first, twice, forged or never: read again, it is booked once; the nightly reading finds it', async () => {
  const payments = await openPayments(database, shop)
  const who = await paid(payments)
  await credit(payments, who, 10_000)
  await refund(payments, who)
  const forged = new URLSearchParams({ EventType: 'PAYIN_REFUND_SUCCEEDED', RessourceId: 'refund_m_of_nobody', Date: '1' })
  await hearNotice(payments.deps(), forged)
  expect(await follow(payments.deps(), { kind: 'refund', id: 'refund_m_of_nobody' })).not.toBe('read')
  await askRefunds(payments.deps())
  const [first] = await refunds()
  for (let time = 0; time < 3; time += 1) {
    const named = { kind: 'refund', id: first?.reference ?? '' } as const
    await hearNotice(
      payments.deps(),
      new URLSearchParams({ EventType: 'PAYIN_REFUND_SUCCEEDED', RessourceId: named.id, Date: '1' }),
    )
    expect(await follow(payments.deps(), named)).toBe('read')
  }
  expect(await mails()).toEqual([12_000])
  expect(await reconcile(payments.deps())).toBeGreaterThan(0)
  expect(await mails()).toEqual([12_000])
})

test('15 what somebody gives back in the provider’s own pages is found at night: booked once where it is credited, told of until it is', async () => {
  const payments = await openPayments(database, shop)
  const who = await paid(payments)
  const [{ reference } = { reference: null }] = await payments.attempts(who.customerId)
  const known = await findKnown(database.db, who.customerId, payments.provider.realm)
  const body = {
    AuthorId: known?.reference,
    DebitedFunds: { Amount: 6000, Currency: 'EUR' },
    Fees: { Amount: 0, Currency: 'EUR' },
  }
  const given = await wire<{ Id: string; Status: string }>(shop.mangopay, `POST payins/${reference ?? ''}/refunds`, body)
  expect(given.Status).toBe('SUCCEEDED')
  const told: unknown[] = []
  const log = { ...payments.deps().log, error: (about: unknown) => void told.push(about), warn: () => undefined }
  const night = async () => await reconcile({ ...payments.deps(), log })
  await night()
  await night()
  expect(told).toMatchObject([
    { refund: given.Id, cents: 6000 },
    { refund: given.Id, cents: 6000 },
  ])
  expect(await refunds()).toEqual([])
  await credit(payments, who, 5000)
  for (let time = 0; time < 3; time += 1) await night()
  expect(told).toHaveLength(2)
  expect(await refunds()).toMatchObject([{ status: 'succeeded', amount_cents: 6000, reference: given.Id, channel: 'provider' }])
  expect(await creditOf(who.customerId)).toBe(0)
  expect(await mails()).toEqual([6000])
  await askRefunds(payments.deps())
  expect(await givenBack(payments, who.customerId)).toEqual([6000])
})

test('H-42 what came by transfer is given back by hand: told, and settled by the statement or by whoever did it', async () => {
  const payments = await openPayments(database, shop)
  const transferred = async (text: string, cents: number) => {
    await importTransfers(payments.deps(), camt([{ cents, text, reference: `${text} ${String(cents)}` }], seller.iban))
    await settleTransfers(payments.deps())
  }
  const who = await paid(payments, 'transfer')
  const { transfer } = await payments.pay(who.userId, who.invoiceId, { by: 'transfer' })
  await transferred(transfer?.reference ?? '', 59_880)
  await credit(payments, who, null)
  await refund(payments, who, 20_000)
  const calls = await countCalls(shop, 'POST payins')
  await askRefunds(payments.deps())
  expect(await countCalls(shop, 'POST payins')).toBe(calls)
  expect(await askRefunds(payments.deps())).toBe(0)
  expect(await refunds()).toMatchObject([{ status: 'started', channel: 'bank' }])
  const { reference: toBear } = await database.db
    .selectFrom('transfer_announced')
    .select('reference')
    .where('direction', '=', 'out')
    .executeTakeFirstOrThrow()
  await transferred(toBear, 20_000)
  expect(await refunds()).toMatchObject([{ status: 'started' }])
  await transferred(toBear, -20_000)
  await transferred(toBear, -20_000)
  expect(await refunds()).toMatchObject([{ status: 'succeeded' }])
  expect(await mails()).toEqual([20_000])

  await refund(payments, who, 10_000)
  await askRefunds(payments.deps())
  const [, second] = await refunds()
  await within(
    payments,
    who.customerId,
    async (tx) => await settleRefund(tx, payments.deps(), second?.id ?? '', { succeeded: true }),
  )
  await refund(payments, who, 500)
  const third = (await refunds()).at(-1)
  const dropped = { succeeded: false, failure: 'dropped' } as const
  await within(payments, who.customerId, async (tx) => await settleRefund(tx, payments.deps(), third?.id ?? '', dropped))
  await expect(
    within(payments, who.customerId, async (tx) => await settleRefund(tx, payments.deps(), third?.id ?? '', dropped)),
  ).rejects.toThrow('billing.refund_not_by_hand')
  await askRefunds(payments.deps())
  expect((await refunds()).map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'failed'])
  expect(await creditOf(who.customerId)).toBe(29_880)
})

test('what was settled without an attempt, and what another contract took, is given back by hand', async () => {
  const payments = await openPayments(database, shop)
  const { customerId } = await payments.books.subscribed({ plan: 'comfort', cycle: 'month', instalments: 1 })
  const [{ id: invoiceId } = { id: '' }] = await payments.books.invoices(customerId)
  await credit(payments, { customerId, invoiceId }, null)
  await refund(payments, { customerId, invoiceId }, 100)
  await expect(refund(payments, { customerId, invoiceId }, 100)).rejects.toThrow('billing.refund_processing')
  const other = await paid(payments)
  await credit(payments, other, null)
  await refund(payments, other, 200)
  await askRefunds({ ...payments.deps(), provider: { ...payments.provider, realm: 'api.mangopay.com another' } })
  expect(await refunds()).toMatchObject([
    { status: 'started', channel: 'bank', amount_cents: 100 },
    { status: 'started', channel: 'bank', amount_cents: 200 },
  ])
  expect(await askRefunds(payments.deps())).toBe(0)
  expect(await givenBack(payments, other.customerId)).toEqual([])
})
