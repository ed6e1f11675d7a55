import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../../../kernel/actor.ts'
import { actorOf } from '../../../../testing/accounts.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'
import { unit } from '../../domain/plan/plan.ts'
import { emptyBooks, essential, openBooks } from '../billing.test-data.ts'
import { readIssued } from '../document/issued/read-issued.ts'
import { endCustomer } from '../ending/end-customer.ts'
import { findBroken } from '../invariants/invariant-store.ts'
import { listLines } from '../invoice/invoice-store.ts'
import { listChargeable } from '../payment/attempt/chargeable-store.ts'
import { noteCustomer } from '../payment/means/customer-store.ts'
import { endMandateOf } from '../payment/means/end-mandate.ts'
import { changeMandate, insertMandate } from '../payment/means/mandate-store.ts'
import { invoiceExtras } from '../run/invoice-extras.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { failInstalment } from '../settlement/settle-instalment.ts'
import { foreseeSpending } from '../spending/foresee-spending.ts'
import { spend, type Spent } from '../spending/spend.ts'
import { setCeiling } from '../spending/spending-store.ts'
import { issueExtras } from './issue-extras.ts'

const database = withDatabase()
beforeEach(async () => await emptyBooks(database))
afterEach(async () => {
  expect(await findBroken(database.db)).toEqual([])
})

const realm = 'tests'
type Kind = 'evidence' | 'document'

/** On 23 November somebody subscribes to Essential, whose five reports he has used, and gives a mandate. */
async function openShop(limit = 200_000) {
  const books = openBooks(database, '2026-11-23T09:00:00Z')
  const { userId, customerId } = await books.subscribed(essential)
  const deps = (): BillingDeps => ({
    ...books.deps(),
    extras: { realm, limit },
    purchases: { evidence: { paid: async () => await Promise.resolve() } },
  })
  await books.within(async (tx) => {
    await noteCustomer(tx, customerId, realm, randomUUID(), books.now())
    const keys = { account: randomUUID(), mandate: randomUUID() }
    const { id } = await insertMandate(tx, { customerId, realm }, keys, books.now())
    await changeMandate(tx, id, { status: 'active', reference: id, bank_reference: 'UMR-0042' })
  })
  const shop = {
    books,
    deps,
    userId,
    customerId,
    have: async (count: number, category: Kind = 'evidence', actor: Actor = actorOf(userId)): Promise<Spent> => {
      const subjectIds = Array.from({ length: count }, () => randomUUID())
      const purchaseId = async () => await Promise.resolve(randomUUID())
      return await books.within(async (tx) => await spend(tx, deps(), actor, userId, { category, subjectIds, purchaseId }))
    },
    foresee: async (quantity = 1, category: Kind = 'evidence') =>
      await foreseeSpending(deps(), actorOf(userId), { category, quantity }),
    /** What is invoiced beside the plan. */
    extras: async () => (await books.invoices(customerId)).filter(({ net_cents }) => net_cents !== 39_900),
    run: async () => await invoiceExtras({ ...deps(), log: books.deps().log }),
  }
  await shop.have(5)
  return shop
}

test('H-34 H-36 K-16 what a subscriber with a mandate has beyond his plan is his at once, on one invoice of the month, debited by the mandate', async () => {
  const { books, have, foresee, extras, customerId } = await openShop()
  books.later(1)
  expect(await foresee()).toMatchObject({ quantity: 1, extras: { on: '2026-12-01', owed_cents: 0, within: true } })
  expect(await have(1)).toMatchObject({ opened: null, covered: [expect.any(String) as string] })
  books.later(2)
  await have(1)
  expect((await have(52, 'document')).covered).toHaveLength(52)
  expect(await foresee()).toMatchObject({ extras: { on: '2026-12-01', owed_cents: 2 * 11_880 + 1_200 } })
  expect(await extras()).toEqual([])
  expect(await books.run()).toBe(0)
  books.at('2026-11-30T23:30:00Z')
  expect(await books.run()).toBe(1)
  expect(await books.run()).toBe(0)
  const [invoice, ...others] = await extras()
  expect(others).toEqual([])
  expect(invoice).toMatchObject({
    status: 'issued',
    settlement: 'pending',
    issued_on: '2026-12-01',
    due_on: '2026-12-31',
    net_cents: 20_800,
    vat_cents: 4_160,
    covers_from: '2026-11-24',
    covers_to: '2026-11-27',
  })
  const lines = await listLines(database.db, invoice?.id ?? '')
  expect(lines.map(({ item, quantity, netCents, covers }) => [item, quantity, netCents, covers?.from])).toEqual([
    ['evidence', 1, 9_900, '2026-11-24'],
    ['evidence', 1, 9_900, '2026-11-26'],
    ['document', 2, 1_000, '2026-11-26'],
  ])
  const charged = await listChargeable(database.db, realm, dayOf(books.now()), '', 10)
  expect(charged).toMatchObject([{ customerId, renewedBy: 'mandate' }])
  const read = await readIssued(database.db, invoice?.id ?? '', false)
  expect(read?.said.means).toMatchObject({ kind: 'direct_debit', mandate: 'UMR-0042' })
  expect(await books.payAll(customerId)).toBe(1)
  expect(await extras()).toMatchObject([{ settlement: 'success' }])
})

test('H-22 H-36 whoever acts for a subscriber is told on which invoice it will be, and not what else is owed', async () => {
  const { deps, userId, have, books } = await openShop()
  await have(1)
  const delegation = { id: randomUUID(), scope: 'create' } as const
  await books.within(async (tx) => await setCeiling(tx, { kind: 'delegate', id: delegation.id }, 50_000, books.now()))
  const forSubscriber = { ...actorOf(userId), delegation }
  expect(await foreseeSpending(deps(), forSubscriber, { category: 'evidence', quantity: 1 })).toMatchObject({
    paid_by: 'owner',
    extras: { on: '2026-12-01', within: true, owed_cents: null, limit_cents: null },
  })
})

test('H-36 what would go beyond the limit is paid at once; without a mandate, or a limit of nothing, everything is', async () => {
  const shop = await openShop(25_000)
  await shop.have(2)
  expect(await shop.foresee()).toMatchObject({ extras: { owed_cents: 23_760, limit_cents: 25_000, within: false } })
  expect(await shop.have(1)).toMatchObject({ covered: [], opened: { toPay: 11_880, status: 'due' } })
  const none = await openShop(0)
  expect((await none.have(1)).opened).toMatchObject({ status: 'due' })
  await shop.books.within(async (tx) => await endMandateOf(tx, shop.userId, shop.books.now()))
  expect(await shop.foresee()).toMatchObject({ extras: null })
  expect((await shop.have(1)).opened).toMatchObject({ status: 'due' })
})

test('X-11 while an invoice is not paid nothing more is given on credit; its dunning is that of the plan, and ends with it', async () => {
  const { books, have, foresee, extras, customerId } = await openShop()
  await have(1)
  books.at('2026-12-01T09:00:00Z')
  await books.run()
  const [id = ''] = await books.due(customerId)
  await books.within(async (tx) => await failInstalment(tx, books.deps(), id))
  expect(await books.state(customerId)).toMatchObject({ status: 'past_due' })
  await expect(have(1)).rejects.toThrow('billing.invoice_unpaid')
  await expect(foresee()).rejects.toThrow('billing.invoice_unpaid')
  await books.pay(id)
  expect(await books.state(customerId)).toMatchObject({ status: 'active' })
  expect(await have(1)).toMatchObject({ opened: null })
  expect(await extras()).toHaveLength(1)
})

test('H-36 S-46 as the mandate, the plan or the account ends, what is on no invoice yet is invoiced', async () => {
  const byMandate = await openShop()
  await byMandate.have(1)
  await byMandate.books.within(async (tx) => await endMandateOf(tx, byMandate.userId, byMandate.books.now()))
  expect(await byMandate.run()).toBe(1)
  expect(await byMandate.extras()).toMatchObject([{ issued_on: '2026-11-23', covers_from: '2026-11-23' }])

  const byPlan = await openShop()
  await byPlan.books.ask(byPlan.customerId, unit)
  byPlan.books.at('2026-12-22T09:00:00Z')
  await byPlan.have(1)
  byPlan.books.later(1)
  await byPlan.books.run()
  expect(await byPlan.books.state(byPlan.customerId)).toMatchObject({ status: 'unit' })
  expect(await byPlan.extras()).toMatchObject([{ issued_on: '2026-12-23', gross_cents: 11_880 }])

  await emptyBooks(database)
  const byAccount = await openShop()
  await byAccount.have(1)
  await endCustomer({ ...byAccount.deps(), billing: byAccount.deps() }, byAccount.userId)
  expect(await byAccount.extras()).toMatchObject([{ issued_on: '2026-11-23', settlement: 'pending' }])
})

test('a clock that jumps invoices each month by itself, as one that goes day by day; of two runs at once one invoices, and one that dies leaves nothing', async () => {
  const lived: unknown[] = []
  for (const jumps of [false, true]) {
    await emptyBooks(database)
    const { books, have, extras, run, deps, customerId } = await openShop()
    await have(1)
    books.later(5)
    await have(1)
    // A worker that stood still: what is of December comes before November is invoiced.
    books.at('2026-12-01T09:00:00Z')
    if (!jumps) await run()
    await have(1)
    for (let day = 0; day < (jumps ? 1 : 40); day += 1) {
      books.later(jumps ? 40 : 1)
      if (!jumps) await run()
    }
    const killed = books.within(async (tx) => {
      await issueExtras(tx, deps(), customerId, null)
      throw new Error('killed')
    })
    await expect(killed).rejects.toThrow('killed')
    await Promise.all([run(), run()])
    lived.push((await extras()).map(({ net_cents, covers_from, covers_to }) => ({ net_cents, covers_from, covers_to })))
  }
  expect(lived[0]).toEqual([
    { net_cents: 19_800, covers_from: '2026-11-23', covers_to: '2026-11-29' },
    { net_cents: 9_900, covers_from: '2026-12-01', covers_to: '2026-12-02' },
  ])
  expect(lived[1]).toEqual(lived[0])
})

test('what a key has beyond the plan is within its ceiling, and what is not is not had', async () => {
  const { books, have, foresee, userId } = await openShop()
  const key = randomUUID()
  await books.within(async (tx) => await setCeiling(tx, { kind: 'key', id: key }, 12_000, books.now()))
  const actor = { ...actorOf(userId), apiKey: { id: key } } as Actor
  expect(await have(1, 'evidence', actor)).toMatchObject({ opened: null })
  await expect(have(1, 'evidence', actor)).rejects.toThrow('billing.ceiling_reached')
  expect(await foresee()).toMatchObject({ extras: { owed_cents: 11_880 } })
})

test('H-37 what was agreed to under another VAT is on an invoice of its own', async () => {
  const { books, have, extras, userId } = await openShop()
  await have(1)
  await database.db.updateTable('profile').set({ country: 'US' }).where('user_id', '=', userId).execute()
  await have(1)
  books.at('2026-12-01T09:00:00Z')
  expect(await books.run()).toBe(2)
  expect(await extras()).toMatchObject([{ vat_cents: 1_980 }, { vat_cents: 0 }])
})
