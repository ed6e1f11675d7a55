import { expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { below, seed } from '../../../../testing/sweep.ts'
import { retryPayment } from '../admin/retry-payment.ts'
import { testCards } from '../provider/mangopay/shop.test-data.ts'
import { failInstalment } from '../settlement/settle-instalment.ts'
import { askAfterAll } from './attempt/ask-after.ts'
import { chargeDue } from './attempt/charge-due.ts'
import { follow } from './notices/follow.ts'
import { compareTotals, openPayments } from './payments.test-data.ts'
import { withShop } from './with-shop.test-data.ts'

const database = withDatabase()
const { shop } = withShop(database)

type Payments = Awaited<ReturnType<typeof openPayments>>

/** Whose renewal is owed today, and is charged to his card. */
async function renewing(payments: Payments) {
  const who = await payments.buyer()
  const card = await payments.card(who.userId, testCards.accepted)
  await payments.pay(who.userId, who.invoiceId, { card })
  return { ...who, card }
}
const failed = async (payments: Payments, customerId: string) => {
  const [due = ''] = await payments.books.due(customerId)
  await payments.books.within(async (tx) => await failInstalment(tx, payments.deps(), due))
}

test('1 whoever pays while the calendar charges him, or tries again what failed, pays once: one attempt is live, the other is told', async () => {
  const payments = await openPayments(database, shop)
  process.stdout.write(`payments raced: seed ${String(seed)}\n`)
  const draw = below()
  const people = []
  for (let index = 0; index < 4; index += 1) people.push(await renewing(payments))
  await payments.later(31)
  await payments.books.run()
  for (const [index, { customerId }] of people.entries()) if (index % 2 === 1) await failed(payments, customerId)
  await payments.later(2)
  const owing = await Promise.all(people.map(async (each) => ({ ...each, invoiceId: await payments.owed(each.customerId) })))
  const acts: (() => Promise<unknown>)[] = [
    async () => await chargeDue(payments.deps()),
    async () => await chargeDue(payments.deps()),
    async () => await askAfterAll(payments.deps()),
    ...[...owing, ...owing].map(
      ({ userId, invoiceId, card }) =>
        async () =>
          await payments.pay(userId, invoiceId, { card }),
    ),
  ]
  const ordered = acts.map((act) => ({ act, at: draw(100) })).toSorted((one, other) => one.at - other.at)
  const ends = await Promise.allSettled(ordered.map(async ({ act }) => await act()))
  const refusals = ends.flatMap((end) => (end.status === 'rejected' ? [(end.reason as { code?: string }).code] : []))
  await payments.later(2 / 1440)
  await askAfterAll(payments.deps())
  for (const { customerId } of people) {
    expect((await payments.attempts(customerId)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    expect(await payments.books.state(customerId)).toMatchObject({ status: 'active' })
  }
  for (const refusal of refusals) expect(['billing.nothing_due', 'billing.payment_processing']).toContain(refusal)
  expect(await database.db.selectFrom('refund').select('id').execute()).toEqual([])
  const { twice, unknown } = await compareTotals(database.db, shop)
  expect([twice, unknown]).toEqual([[], []])
})

test('S-17 what an administrator has tried again is charged at the next run, once; what nothing can be charged to is refused', async () => {
  const payments = await openPayments(database, shop)
  const who = await renewing(payments)
  const other = await payments.books.subscribed({ plan: 'comfort', cycle: 'month', instalments: 1 })
  await payments.later(31)
  await payments.books.run()
  for (const { customerId } of [who, other]) await failed(payments, customerId)
  expect(await chargeDue(payments.deps())).toBe(0)
  const retry = async (customerId: string) => {
    const invoiceId = await payments.owed(customerId)
    return await payments.books.within(async (tx) => await retryPayment(tx, payments.deps(), invoiceId))
  }
  await expect(retry(other.customerId)).rejects.toThrow('billing.not_chargeable')
  expect(await retry(who.customerId)).toBe(59_880)
  expect((await Promise.all([chargeDue(payments.deps()), chargeDue(payments.deps())])).reduce((sum, each) => sum + each, 0)).toBe(
    1,
  )
  expect((await payments.attempts(who.customerId)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
  // What was disputed is charged again by its payer alone.
  const [, { reference } = { reference: null }] = await payments.attempts(who.customerId)
  await shop.mangopay.control(`POST pay-ins/${reference ?? ''}/dispute`, { reason: 'FRAUD', amount: 100 })
  await follow(payments.deps(), { kind: 'payment', id: reference ?? '' })
  await expect(retry(who.customerId)).rejects.toThrow('billing.not_chargeable')
})
