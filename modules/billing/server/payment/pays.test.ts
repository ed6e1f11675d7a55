import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { actorOf } from '../../../../testing/accounts.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'
import { comfortInFour, emptyBooks } from '../billing.test-data.ts'
import { findBroken } from '../invariants/invariant-store.ts'
import { openShop, testCards, type Shop } from '../provider/mangopay/shop.test-data.ts'
import { camt } from '../provider/transfer/book.test-data.ts'
import { importTransfers, settleTransfers } from './notices/import-transfers.ts'
import { endCard } from './means/end-card.ts'
import { listMethods } from './means/list-methods.ts'
import { compareTotals, openPayments } from './payments.test-data.ts'

const database = withDatabase()
let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(async () => await shop.mangopay.stop())
beforeEach(async () => {
  await emptyBooks(database)
})

test('C-41 S-04 K-15 the first payment by a card opens a series, by which every later part is charged without the customer', async () => {
  const payments = await openPayments(database, shop)
  const before = (await compareTotals(database.db, shop)).theirs
  const { userId, customerId, invoiceId } = await payments.buyer(comfortInFour)
  const card = await payments.card(userId, testCards.accepted)
  const paid = await payments.pay(userId, invoiceId, { card, accepted: 143_712 })
  expect(paid).toMatchObject({
    status: 'success',
    amount_cents: 143_712,
    by: 'card',
    redirect_url: null,
    failure: null,
    test: true,
  })
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'active' })
  expect(await listMethods(payments.deps(), actorOf(userId))).toMatchObject({
    cards: [{ id: card, last_digits: '1119', expired: false }],
    renewals: { by: 'card', card },
    by: ['card', 'mandate', 'transfer'],
    test: true,
  })
  for (let part = 2; part <= 4; part += 1) {
    await payments.later(92)
    await payments.run()
    await payments.run()
  }
  expect((await payments.attempts(customerId)).map(({ status }) => status)).toEqual([
    'succeeded',
    'succeeded',
    'succeeded',
    'succeeded',
  ])
  const { ours, theirs, twice, unknown } = await compareTotals(database.db, shop)
  expect({ ours, theirs: theirs - before, twice, unknown }).toEqual({
    ours: 4 * 143_712,
    theirs: 4 * 143_712,
    twice: [],
    unknown: [],
  })
  await endCard(payments.deps(), actorOf(userId), card)
  expect(await listMethods(payments.deps(), actorOf(userId))).toMatchObject({ cards: [], renewals: null, referred: false })
  // H-24: the choice of who looks after the purchase is preset to whoever referred him.
  const { userId: referrer } = await payments.books.customer()
  await sql`update account_user set referred_by = ${referrer}::uuid where id = ${userId}::uuid`.execute(database.db)
  expect(await listMethods(payments.deps(), actorOf(userId))).toMatchObject({ referred: true })
  expect(await findBroken(database.db)).toEqual([])
})

test('S-05 a card that is refused, stolen, without money or expired says so, and leaves what is to be paid to another', async () => {
  const payments = await openPayments(database, shop)
  const { userId, customerId, invoiceId } = await payments.buyer()
  for (const [number, failure] of [
    [testCards.refused, 'declined'],
    [testCards.stolen, 'card_lost_or_stolen'],
    [testCards.noMoney, 'insufficient_funds'],
  ] as const) {
    const answer = await payments.pay(userId, invoiceId, { card: await payments.card(userId, number) })
    expect([answer.status, answer.failure]).toEqual(['failed', `billing.refusal.${failure}`])
    expect(await payments.books.invoices(customerId)).toMatchObject([{ status: 'draft', settlement: 'failed' }])
  }
  const [year = '', month = ''] = dayOf(payments.books.now()).split('-')
  const expiring = await payments.card(userId, testCards.accepted, `${month}${year.slice(2)}`)
  await expect(payments.card(userId, testCards.accepted, '0120')).rejects.toThrow('billing.refusal.card_expired')
  payments.books.later(40)
  await expect(payments.pay(userId, invoiceId, { card: expiring })).rejects.toThrow('billing.refusal.card_expired')
  payments.books.later(-40)
  await expect(payments.pay(userId, invoiceId, { card: expiring, accepted: 1 })).rejects.toThrow('billing.amount_changed')
  expect(await payments.pay(userId, invoiceId, { card: expiring })).toMatchObject({ status: 'success' })
  await expect(payments.pay(userId, invoiceId, { card: expiring })).rejects.toThrow('billing.nothing_due')
  expect(await findBroken(database.db)).toEqual([])
})

test('3-D Secure: confirmed, refused, abandoned, answered an hour later; paid in two tabs it is paid once', async () => {
  const payments = await openPayments(database, shop)
  const begin = async () => {
    const who = await payments.buyer()
    const card = await payments.card(who.userId, testCards.asks)
    const [one, other] = await Promise.all([
      payments.pay(who.userId, who.invoiceId, { card }),
      payments.pay(who.userId, who.invoiceId, { card }),
    ])
    const again = await payments.pay(who.userId, who.invoiceId, { card })
    expect(again).toMatchObject({ status: 'action_required' })
    expect(await payments.attempts(who.customerId)).toHaveLength(1)
    expect([one.status, other.status]).toContain('action_required')
    return { ...who, card, page: again.redirect_url ?? '' }
  }
  const confirmed = await begin()
  const back = await shop.mangopay.answer(confirmed.page, 'agree')
  expect(back.location).toMatch(/^https:\/\/probant\.example\/fr\/payment\/return\/\?transactionId=/)
  payments.books.later(0.001)
  expect(await payments.read(confirmed.userId, confirmed.invoiceId)).toMatchObject({ status: 'success' })

  const refused = await begin()
  await shop.mangopay.answer(refused.page, 'refuse')
  payments.books.later(0.001)
  expect(await payments.read(refused.userId, refused.invoiceId)).toMatchObject({
    status: 'failed',
    failure: 'billing.refusal.authentication_failed',
  })

  const left = await begin()
  await payments.later(1 / 24)
  expect((await shop.mangopay.answer(left.page, 'agree')).status).toBe(200)
  await payments.run()
  expect(await payments.read(left.userId, left.invoiceId)).toMatchObject({
    status: 'failed',
    failure: 'billing.refusal.authentication_expired',
  })
  expect(await payments.books.state(left.customerId)).toMatchObject({ status: 'incomplete' })
  const { twice, unknown } = await compareTotals(database.db, shop)
  expect([twice, unknown]).toEqual([[], []])
  expect(await findBroken(database.db)).toEqual([])
})

test('K-13 a charge without the customer that fails is tried again after 2, 5, 7 and 7 days, until he pays himself', async () => {
  const payments = await openPayments(database, shop)
  const { userId, customerId, invoiceId } = await payments.buyer()
  const card = await payments.card(userId, testCards.accepted)
  await payments.pay(userId, invoiceId, { card })
  const series = await database.db.selectFrom('payment_series').select('reference').executeTakeFirstOrThrow()
  await payments.later(31)
  // His bank no longer pays without him.
  await payments.provider.cards?.endSeries(series.reference ?? '')
  const days: number[] = []
  for (let today = 0; today <= 21; today += 1) {
    const before = (await payments.attempts(customerId)).length
    await payments.run()
    if ((await payments.attempts(customerId)).length > before) days.push(today)
    await payments.later(1)
  }
  expect(days).toEqual([0, 2, 7, 14, 21])
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'suspended' })
  const owed = await payments.owed(customerId)
  expect(await payments.pay(userId, owed, { card })).toMatchObject({ status: 'success' })
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'active' })
  expect(await findBroken(database.db)).toEqual([])
})

test('a million and more by card is refused in words and paid by transfer; of nothing nobody is asked; another currency is none', async () => {
  const payments = await openPayments(database, shop)
  const { userId, customerId, invoiceId } = await payments.buyer()
  const card = await payments.card(userId, testCards.accepted)
  const price = async (cents: number) =>
    await database.db.updateTable('instalment').set({ to_pay_cents: cents }).where('customer_id', '=', customerId).execute()
  await database.db
    .updateTable('instalment')
    .set({ net_cents: 100_000_000, vat_cents: 0 })
    .where('customer_id', '=', customerId)
    .execute()
  await price(0)
  await expect(payments.pay(userId, invoiceId, { card })).rejects.toThrow('billing.nothing_due')
  await price(100_000_000)
  expect(await payments.pay(userId, invoiceId, { card })).toMatchObject({
    status: 'failed',
    failure: 'billing.refusal.amount_too_high',
  })
  const awaited = await payments.pay(userId, invoiceId, { by: 'transfer' })
  expect(awaited).toMatchObject({ status: 'processing', transfer: { amount_cents: 100_000_000, received_cents: 0 } })
  const send = async (currency: string) => {
    const bytes = camt([{ cents: 100_000_000, text: awaited.transfer?.reference ?? '', currency }], payments.deps().seller.iban)
    await importTransfers(payments.deps(), bytes)
    await settleTransfers(payments.deps())
  }
  await send('USD')
  expect(await payments.read(userId, invoiceId)).toMatchObject({ status: 'processing' })
  expect(await payments.attempts(customerId)).toMatchObject([{ status: 'failed' }, { status: 'unknown', failure: 'mismatched' }])
})

test('H-42 a transfer is settled by its reference, once however often its statement is read; taken back, it is owed again', async () => {
  const payments = await openPayments(database, shop)
  const { userId, customerId, invoiceId } = await payments.buyer()
  const first = await payments.pay(userId, invoiceId, { by: 'transfer' })
  expect(first.transfer).toMatchObject({ holder: 'Example SARL', amount_cents: 59_880, received_cents: 0 })
  expect(await payments.pay(userId, invoiceId, { by: 'transfer' })).toEqual(first)
  // Another way is chosen, and the first one after all.
  const card = await payments.card(userId, testCards.refused)
  expect(await payments.pay(userId, invoiceId, { card })).toMatchObject({ status: 'failed' })
  const { transfer } = await payments.pay(userId, invoiceId, { by: 'transfer' })
  const { iban } = payments.deps().seller
  const settle = async (...entries: Parameters<typeof camt>[0]) => {
    const imported = await importTransfers(payments.deps(), camt(entries, iban))
    await settleTransfers(payments.deps())
    await settleTransfers(payments.deps())
    return imported
  }
  const text = `Invoice ${transfer?.reference ?? ''} thank you`
  expect(await settle({ cents: 20_000, text })).toMatchObject({ payments: [expect.any(String)], known: 0 })
  expect(await payments.read(userId, invoiceId)).toMatchObject({ status: 'processing', transfer: { received_cents: 20_000 } })
  const second = await payments.pay(userId, invoiceId, { card })
  expect(second).toMatchObject({ by: 'transfer', status: 'processing' })
  const rest = [
    { cents: 20_000, text },
    { cents: 39_880, text },
    { cents: 5000, text: 'no reference' },
  ]
  expect(await settle(...rest)).toMatchObject({ known: 1, unmatched: [{ cents: 5000 }] })
  expect(await settle(...rest)).toMatchObject({ known: 3 })
  expect(await payments.read(userId, invoiceId)).toMatchObject({ status: 'success' })
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'active' })
  await settle({ cents: -59_880, text, reversal: true })
  expect(await payments.instalments(customerId)).toEqual(['due'])
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'past_due' })
  const { ours, theirs } = await compareTotals(database.db, shop)
  expect(ours).toBe(0)
  expect(theirs).toBeGreaterThan(0)
  expect(await findBroken(database.db)).toEqual([])
})
