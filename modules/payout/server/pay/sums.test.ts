import { assert, asyncProperty, array, constantFrom } from '../../../../testing/fast-check.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { actorOf } from '../../../../testing/accounts.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { seed, share } from '../../../../testing/sweep.ts'
import { creditInvoice } from '../../../billing/server/admin/credit-invoice.ts'
import { emptyBooks } from '../../../billing/server/billing.test-data.ts'
import { lockCustomer } from '../../../billing/server/customer/customer-store.ts'
import { findBroken } from '../../../billing/server/invariants/invariant-store.ts'
import { issueBills } from '../bill/issue-bills.ts'
import { never, openPayouts } from '../payouts.test-data.ts'
import { earner, settled } from './paying.test-data.ts'

const database = withDatabase()
beforeEach(async () => await emptyBooks(database))

const events = ['refer', 'credit', 'month', 'month', 'success', 'failed', 'returned'] as const

test(
  'however earnings, credit notes, months and banks follow each other, nobody is paid more than matured for him, and every sum adds up',
  { timeout: 120_000 },
  async () => {
    process.stdout.write(`payouts drawn: seed ${String(seed)}\n`)
    await assert(
      asyncProperty(array(constantFrom(...events), { minLength: 8, maxLength: 16 }), async (drawn) => await live(drawn)),
      { numRuns: share(30), endOnFailure: true },
    )
  },
)

async function live(drawn: readonly (typeof events)[number][]): Promise<void> {
  await emptyBooks(database)
  const payouts = openPayouts(database)
  const { userId, friend } = await earner(payouts)
  const friends = [friend]
  let month = 0
  try {
    for (const event of drawn) {
      if (event === 'refer') {
        friends.push(await payouts.referee(userId))
        await payouts.accrue()
      } else if (event === 'credit') {
        const of = friends.shift()
        if (of === undefined) continue
        await payouts.books.within(async (tx) => {
          await lockCustomer(tx, of.customerId)
          await creditInvoice(tx, payouts.books.deps(), of.invoiceId, friends.length % 2 === 0 ? null : 12_345)
        })
      } else if (event === 'month') {
        month += 1
        payouts.books.at(new Date(Date.UTC(2027, month, 1, 9)).toISOString())
        await payouts.run()
      } else {
        const from = event === 'returned' ? 'success' : 'pending'
        const id = (await payouts.payouts(userId)).find(({ status }) => status === from)?.id
        if (id !== undefined) await settled(payouts.deps(), actorOf(userId), id, event)
        await issueBills(payouts.deps(), never)
      }
      const { owed, reserved, paid } = await payouts.sums(userId)
      const { rows } = await sql<{
        standing: number
        matured: number
      }>`select coalesce(sum(standing_cents), 0)::integer as standing,
        coalesce(sum(amount_cents), 0)::integer as matured from earning where user_id = ${userId}::uuid and matured_at is not null`.execute(
        database.db,
      )
      const [{ standing, matured } = expect.fail('a sum is one row')] = rows
      expect(owed + reserved + paid).toBe(standing)
      expect(reserved + paid).toBeLessThanOrEqual(matured)
      expect(await findBroken(database.db)).toEqual([])
    }
  } finally {
    payouts.remove()
  }
}
