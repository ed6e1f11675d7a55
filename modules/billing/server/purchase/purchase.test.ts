import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { comfort, emptyBooks, essentialYear, openBooks } from '../billing.test-data.ts'
import { dropPurchase, holdPayer, openPurchase } from '../index.ts'
import { findBroken } from '../invariants/invariant-store.ts'
import type { BillingDeps, Purchases } from '../seller/deps.ts'
import { startAttempt } from '../settlement/attempt-payment.ts'
import { settleInstalment } from '../settlement/settle-instalment.ts'
import type { Wanted } from './open-purchase.ts'

const database = withDatabase()
beforeEach(async () => await emptyBooks(database))
afterEach(async () => {
  expect(await findBroken(database.db)).toEqual([])
})

/** A shop whose counter says what was handed over. */
function openShop(purchases?: Purchases) {
  const books = openBooks(database)
  const handedOver: string[] = []
  const hand = {
    evidence: {
      paid: async (_: unknown, subjectId: string) => {
        handedOver.push(subjectId)
        await Promise.resolve()
      },
    },
  }
  const deps = (): BillingDeps => ({ ...books.deps(), purchases: purchases ?? hand })
  return {
    ...books,
    deps,
    handedOver,
    open: async (userId: string, wanted: Wanted) =>
      await books.within(async (tx) => await openPurchase(tx, deps(), userId, wanted)),
    settle: async (id: string) =>
      await books.within(async (tx) => await settleInstalment(tx, deps(), id, { channel: 'provider', attemptId: null })),
    drop: async (userId: string, subjectId: string) =>
      await books.within(async (tx) => {
        await holdPayer(tx, deps(), userId)
        return await dropPurchase(tx, deps(), { category: 'evidence', subjectId })
      }),
  }
}
const report = (): Wanted => ({ category: 'evidence', subjectId: randomUUID(), netCents: 9900 })

test('E-36 E-38 a report of 99.00 is 118.80 on a draft without number, and takes one when it is paid, handed over once', async () => {
  const shop = openShop()
  const { userId, customerId } = await shop.customer()
  const wanted = report()
  const opened = await shop.open(userId, wanted)
  expect(opened).toMatchObject({ amount: { net: 9900, vat: 1980, gross: 11880 }, toPay: 11880, status: 'due' })
  expect(await shop.open(userId, wanted)).toEqual(opened)
  expect(await shop.invoices(customerId)).toMatchObject([{ id: opened.invoiceId, status: 'draft', number: null }])
  expect(shop.handedOver).toEqual([])
  expect(await shop.settle(opened.instalmentId)).toBe(true)
  expect(await shop.settle(opened.instalmentId)).toBe(false)
  expect(shop.handedOver).toEqual([wanted.subjectId])
  expect(await shop.invoices(customerId)).toMatchObject([
    { id: opened.invoiceId, status: 'issued', settlement: 'success', series: 'F2026', number: 1, gross_cents: 11880 },
  ])
  expect(await shop.drop(userId, wanted.subjectId)).toBe('paid')
  expect(await shop.open(userId, wanted)).toMatchObject({ invoiceId: opened.invoiceId, status: 'paid' })
})

test('what nobody paid for is dropped without a number, and bought anew afterwards; not while a payment is under way', async () => {
  const shop = openShop()
  const { userId, customerId } = await shop.customer()
  const wanted = report()
  const { instalmentId } = await shop.open(userId, wanted)
  expect(await shop.drop(userId, wanted.subjectId)).toBe('dropped')
  expect(await shop.drop(userId, wanted.subjectId)).toBe('none')
  expect(await shop.invoices(customerId)).toEqual([])
  await expect(shop.settle(instalmentId)).rejects.toThrow('billing.illegal_transition')
  const again = await shop.open(userId, wanted)
  expect(again.instalmentId).not.toBe(instalmentId)
  await shop.within(async (tx) => {
    await startAttempt(tx, shop.deps(), again.instalmentId, { channel: 'provider', idempotencyKey: randomUUID() })
  })
  expect(await shop.drop(userId, wanted.subjectId)).toBe('processing')
  expect(await shop.invoices(customerId)).toHaveLength(1)
})

test('of two who open, pay and drop at once, one thing comes of it', async () => {
  const shop = openShop()
  const { userId, customerId } = await shop.customer()
  for (let round = 0; round < 5; round += 1) {
    const wanted = report()
    const opened = await Promise.all([shop.open(userId, wanted), shop.open(userId, wanted)])
    expect(opened[0]).toEqual(opened[1])
    const { instalmentId } = opened[0]
    const results = await Promise.allSettled([
      shop.settle(instalmentId),
      shop.drop(userId, wanted.subjectId),
      shop.settle(instalmentId),
    ])
    const paid = shop.handedOver.filter((id) => id === wanted.subjectId)
    const dropped = results[1].status === 'fulfilled' && results[1].value === 'dropped'
    expect(paid).toHaveLength(dropped ? 0 : 1)
  }
  const issued = (await shop.invoices(customerId)).map(({ number }) => number)
  expect(issued).toEqual(shop.handedOver.map((_, index) => index + 1))
})

test('where handing over fails, nothing is paid, and no number is gone', async () => {
  const breaking: Purchases = {
    evidence: {
      paid: async () => {
        await Promise.reject(new Error('the shelf is empty'))
      },
    },
  }
  const shop = openShop(breaking)
  const { userId, customerId } = await shop.customer()
  const wanted = report()
  const { instalmentId } = await shop.open(userId, wanted)
  await expect(shop.settle(instalmentId)).rejects.toThrow('the shelf is empty')
  expect(await shop.invoices(customerId)).toMatchObject([{ status: 'draft', settlement: 'pending', number: null }])
  const mended = openShop()
  expect(await mended.settle(instalmentId)).toBe(true)
  expect(mended.handedOver).toEqual([wanted.subjectId])
})

test('credit is promised to one draft alone, and pays by itself what it covers', async () => {
  const shop = openShop()
  // Of a year that was paid, more is left than a month of more costs.
  const { userId, customerId } = await shop.subscribed(essentialYear)
  shop.later(2)
  await shop.ask(customerId, comfort)
  const credit = await database.db
    .selectFrom('billing_customer')
    .select('credit_cents')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  const covered = Math.floor(credit.credit_cents / 11_880)
  const left = credit.credit_cents - covered * 11_880
  expect(covered).toBeGreaterThan(1)
  const first = { ...report(), quantity: covered }
  expect(await shop.open(userId, first)).toMatchObject({ toPay: 0, status: 'paid' })
  expect(shop.handedOver).toEqual([first.subjectId])
  const second = await shop.open(userId, report())
  expect(second).toMatchObject({ toPay: 11_880 - left, status: 'due' })
  const last = await shop.open(userId, report())
  expect(last).toMatchObject({ toPay: 11_880, status: 'due' })
  await shop.settle(last.instalmentId)
  await shop.settle(second.instalmentId)
})

test('V-45 whoever has not said to whom an invoice is addressed buys nothing yet, and is told what is missing', async () => {
  const shop = openShop()
  const { userId } = await shop.customer()
  await sql`update profile set city = null, zip = null where user_id = ${userId}::uuid`.execute(database.db)
  await expect(shop.open(userId, report())).rejects.toMatchObject({
    code: 'billing.profile_incomplete',
    data: { missing: expect.stringContaining('city') as string },
  })
})
