import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { comfortInFour, emptyBooks, essential, openBooks, seller } from '../billing.test-data.ts'
import { lockCustomer } from '../customer/customer-store.ts'
import { findBroken } from '../invariants/invariant-store.ts'
import { noteOutcome } from '../payment/attempt/note-outcome.ts'
import { openPurchase } from '../purchase/open-purchase.ts'
import { runBilling } from '../run/run-billing.ts'
import { startAttempt } from '../settlement/attempt-payment.ts'
import { askForChange } from '../subscription/ask-for-change.ts'
import { insertSubscription } from '../subscription/subscription-store.ts'
import { InvoiceBreaksRules } from './assert-issuable.ts'

const database = withDatabase()
beforeEach(async () => await emptyBooks(database))
afterEach(async () => {
  expect(await findBroken(database.db)).toEqual([])
})

/** As an operator may have stated himself: neither number is one. */
const wrong = { ...seller, siren: '123456789', vatId: 'FR00123456789' }
const broken = ['FR-SIREN', 'FR-VAT-ID', 'BR-FR-32']

/** A log that keeps what is said of invoices. */
function openLog() {
  const said: unknown[] = []
  const keep = (of: unknown) => void said.push(of)
  return { said, log: { ...silentLog, error: keep, warn: keep } }
}

test('BR-FR-32 of what could not be invoiced nobody is asked to pay: nothing is drafted, and who runs the place reads which rules', async () => {
  const books = openBooks(database)
  const { userId, customerId } = await books.customer()
  const deps = { ...books.deps(), seller: wrong }
  const wanted = { category: 'evidence', subjectId: randomUUID(), netCents: 9_900 } as const
  const refused = new InvoiceBreaksRules('F2026-000000', broken)
  await expect(books.within(async (tx) => await openPurchase(tx, deps, userId, wanted))).rejects.toThrow(refused)
  const asked = books.within(async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    return await askForChange(tx, deps, customer, await insertSubscription(tx, customerId, books.now()), essential)
  })
  await expect(asked).rejects.toThrow(refused)
  expect(await books.invoices(customerId)).toEqual([])
})

test('H-36 a renewal that breaks a rule takes no number and holds up no other; put right, it is invoiced the next day', async () => {
  const books = openBooks(database)
  const { customerId } = await books.subscribed(essential)
  books.later(31)
  const { said, log } = openLog()
  expect(await runBilling({ ...books.deps(), seller: wrong, log })).toBe(0)
  expect(said).toEqual([{ subscription_id: expect.any(String) as string, rules: broken }])
  expect(await books.invoices(customerId)).toHaveLength(1)
  books.later(1)
  await books.run()
  expect((await books.invoices(customerId)).map(({ number }) => number)).toEqual([1, 2])
})

test('money that came for what cannot be invoiced is kept, and taken into the books once it can', async () => {
  const books = openBooks(database)
  const { customerId } = await books.customer()
  await books.ask(customerId, comfortInFour)
  const [id = ''] = await books.due(customerId)
  const attempt = await books.within(
    async (tx) => await startAttempt(tx, books.deps(), id, { channel: 'provider', idempotencyKey: randomUUID() }),
  )
  const heard = {
    state: 'succeeded',
    payment: 'payin-1',
    amount: { cents: attempt.amount, currency: 'EUR' },
    at: books.now(),
  } as const
  const { said, log } = openLog()
  await noteOutcome({ ...books.deps(), seller: wrong, log }, attempt.id, heard)
  expect(said).toEqual([{ attempt_id: attempt.id, rules: broken }])
  expect(await books.state(customerId)).toMatchObject({ status: 'incomplete' })
  const { ask_at: askAt, status } = await database.db
    .selectFrom('payment_attempt')
    .select(['ask_at', 'status'])
    .where('id', '=', attempt.id)
    .executeTakeFirstOrThrow()
  expect([status, (askAt?.getTime() ?? 0) - books.now().getTime()]).toEqual(['started', 3_600_000])
  await noteOutcome(books.deps(), attempt.id, heard)
  expect(await books.state(customerId)).toMatchObject({ status: 'active' })
  expect(await books.invoices(customerId)).toMatchObject([{ status: 'issued', number: 1, settlement: 'success' }])
})
