import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { actorOf, haveAccount } from '../../../testing/accounts.ts'
import { withDatabase } from '../../../testing/database.ts'
import { creditInvoice } from '../../billing/server/admin/credit-invoice.ts'
import { comfortInFour, emptyBooks, essential } from '../../billing/server/billing.test-data.ts'
import { lockCustomer } from '../../billing/server/customer/customer-store.ts'
import { findBroken } from '../../billing/server/invariants/invariant-store.ts'
import { reverseInstalment, settleInstalment } from '../../billing/server/settlement/settle-instalment.ts'
import { openPayouts } from '../../payout/server/payouts.test-data.ts'
import { findReferee, pageReferees } from './referee-store.ts'

const database = withDatabase()
const opened: ReturnType<typeof openPayouts>[] = []
function open() {
  const payouts = openPayouts(database)
  opened.push(payouts)
  return payouts
}
beforeEach(async () => await emptyBooks(database))
afterEach(async () => expect(await findBroken(database.db)).toEqual([]))
afterAll(() => opened.forEach((each) => each.remove()))

const place = { limit: 20, offset: 0 }
async function earnings(userId: string) {
  return await database.db
    .selectFrom('earning')
    .select(['base_cents', 'rate', 'amount_cents', 'standing_cents', 'line', 'earned_on', 'matures_on'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

test('H-48 C-56 E-42 E-43 E-44 what somebody who was referred pays brings a tenth of each line without VAT, once', async () => {
  const payouts = open()
  const referrer = await haveAccount(database.db)
  const friend = await payouts.referee(referrer)
  expect(await payouts.accrue()).toBe(1)
  expect(await payouts.accrue()).toBe(0)
  expect(await earnings(referrer)).toEqual([
    {
      base_cents: 39_900,
      rate: 1000,
      amount_cents: 3990,
      standing_cents: 3990,
      line: 1,
      earned_on: '2026-11-23',
      matures_on: '2027-01-22',
    },
  ])
  const page = await pageReferees(database.db, referrer, 12, place)
  expect(page).toMatchObject({
    count: 1,
    rows: [
      {
        id: friend.userId,
        evidences: 0,
        documents: 0,
        subscribedOn: '2026-11-23',
        plan: 'essential',
        earned: 3990,
        until: '2027-11-23',
      },
    ],
  })
  expect(await findReferee(database.db, actorOf(friend.userId).accountId, 12, friend.userId)).toBeNull()
})

test('each instalment of a year has its own line; after twelve months nothing more is earned', async () => {
  const payouts = open()
  const { books } = payouts
  const referrer = await haveAccount(database.db)
  const friend = await books.customer()
  await database.db
    .updateTable('account_user')
    .set({ last_name: 'Other', referred_by: referrer })
    .where('id', '=', friend.userId)
    .execute()
  await books.ask(friend.customerId, comfortInFour)
  for (let month = 0; month < 16; month += 1) {
    await books.payAll(friend.customerId)
    await payouts.accrue()
    books.later(31)
    await books.run()
  }
  const amounts = (await earnings(referrer)).map(({ amount_cents }) => amount_cents)
  expect(amounts).toEqual([11_976, 11_976, 11_976, 11_976])
})

test('what the bank takes back is taken back of the earning, and comes again with it; of a credit note in part, a part', async () => {
  const payouts = open()
  const { books } = payouts
  const referrer = await haveAccount(database.db)
  const friend = await payouts.referee(referrer)
  await payouts.accrue()
  const { id } = await database.db
    .selectFrom('instalment')
    .select('id')
    .where('invoice_id', '=', friend.invoiceId)
    .executeTakeFirstOrThrow()
  const means = { channel: 'bank', attemptId: null } as const
  await books.within(async (tx) => await reverseInstalment(tx, books.deps(), id, means))
  await payouts.run()
  expect(await payouts.sums(referrer)).toMatchObject({ accrued: 0, clawedBack: 3990 })
  await books.within(async (tx) => await settleInstalment(tx, books.deps(), id, means))
  await payouts.run()
  expect(await payouts.sums(referrer)).toMatchObject({ accrued: 3990, clawedBack: 0 })
  await books.within(async (tx) => {
    await lockCustomer(tx, friend.customerId)
    await creditInvoice(tx, books.deps(), friend.invoiceId, 13_300)
  })
  await payouts.run()
  expect(await payouts.sums(referrer)).toMatchObject({ accrued: 2660, clawedBack: 1330 })
  // Matured, what stands is in the journal; once all is credited, nothing of it is.
  books.later(61)
  await payouts.run()
  const owed = async () => {
    const { rows } = await sql<{ cents: number }>`select coalesce(sum(credit_cents) - sum(debit_cents), 0)::integer as cents
      from journal_posting where account = '467100'`.execute(database.db)
    return rows[0]?.cents
  }
  expect([await owed(), (await payouts.sums(referrer)).owed]).toEqual([2660, 2660])
  await books.within(async (tx) => {
    await lockCustomer(tx, friend.customerId)
    await creditInvoice(tx, books.deps(), friend.invoiceId, null)
  })
  await payouts.run()
  expect([await owed(), await payouts.sums(referrer)]).toMatchObject([0, { owed: 0, clawedBack: 3990 }])
})

test('nobody refers himself: of a second account of one person nothing is earned', async () => {
  const payouts = open()
  const { books } = payouts
  const me = await books.customer()
  const alsoMe = await books.customer()
  await payouts.refer(me.userId, alsoMe.userId)
  await books.ask(alsoMe.customerId, essential)
  await books.payAll(alsoMe.customerId)
  expect(await payouts.accrue()).toBe(0)
  expect(await earnings(me.userId)).toEqual([])
})

test('whoever closed his account brings nothing to nobody, and a referrer who is gone earns nothing more', async () => {
  const payouts = open()
  const referrer = await haveAccount(database.db)
  await payouts.referee(referrer)
  await database.db
    .updateTable('account_user')
    .set({ status: 'closing', erase_after: payouts.books.now() })
    .where('id', '=', referrer)
    .execute()
  expect(await payouts.accrue()).toBe(0)
  expect(await earnings(referrer)).toEqual([])
})
