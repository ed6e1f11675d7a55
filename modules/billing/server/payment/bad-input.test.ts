import { afterEach, expect, test } from 'vitest'
import { actorOf } from '../../../../testing/accounts.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { catalogues } from '../../../../platform/messages/catalogue.ts'
import { changeBankAccount } from '../../../account/server/profile/change-bank-account.ts'
import { testCards } from '../provider/mangopay/shop.test-data.ts'
import type { Cards, Refusal } from '../provider/port.ts'
import { askAfterAll } from './attempt/ask-after.ts'
import { createMandate, readMandate } from './means/create-mandate.ts'
import { endMandateOf } from './means/end-mandate.ts'
import { follow } from './notices/follow.ts'
import { hearNotice } from './notices/hear-notice.ts'
import { compareTotals, openPayments, vault } from './payments.test-data.ts'
import { withShop } from './with-shop.test-data.ts'

const database = withDatabase()
const { shop, before } = withShop(database)
afterEach(async () => {
  const { ours, theirs, twice, unknown } = await compareTotals(database.db, shop)
  expect([ours, twice, unknown]).toEqual([theirs - before(), [], []])
})

const refusals: Readonly<Record<Refusal, true>> = {
  amount_too_low: true,
  amount_too_high: true,
  currency: true,
  declined: true,
  insufficient_funds: true,
  card_expired: true,
  card_lost_or_stolen: true,
  card_unusable: true,
  card_data: true,
  authentication_failed: true,
  authentication_expired: true,
  authentication_needed: true,
  mandate_unusable: true,
  abandoned: true,
  account_refused: true,
  not_verified: true,
  balance_too_low: true,
  already_refunded: true,
  disputed: true,
  invalid: true,
  other: true,
}

test('S-05 X-13 X-58 each way in which a payment fails has its sentence, another in each language', () => {
  const codes = [...Object.keys(refusals).map((reason) => `billing.refusal.${reason}`), 'billing.refusal.mismatched']
  const others = ['provider_unavailable', 'means_unavailable', 'nothing_due', 'amount_changed', 'payment_processing']
  for (const code of [
    ...codes,
    ...others.map((each) => `billing.${each}`),
    'billing.not_refundable',
    'billing.refund_processing',
  ]) {
    const [en, fr] = [catalogues.en[code] ?? '', catalogues.fr[code] ?? '']
    expect([code, en.length > 15, fr.length > 15, en === fr]).toEqual([code, true, true, false])
  }
  expect(new Set(codes.map((code) => catalogues.en[code])).size).toBe(codes.length)
  expect(catalogues.en['billing.refusal.other']).toContain('An unknown error occured')
})

test('7 a notice that comes before the answer to the call it is of finds nothing yet, and nothing is lost by it', async () => {
  const payments = await openPayments(database, shop)
  const { userId, customerId, invoiceId } = await payments.buyer()
  const card = await payments.card(userId, testCards.accepted)
  const { cards } = payments.provider
  if (cards === undefined) throw new Error('no cards')
  const early: Cards['chargeNow'] = async (charge, attempt) => {
    const outcome = await cards.chargeNow(charge, attempt)
    const id = 'payment' in outcome ? (outcome.payment ?? '') : ''
    const said = new URLSearchParams({ EventType: 'PAYIN_NORMAL_SUCCEEDED', RessourceId: id, Date: '1' })
    await hearNotice(payments.deps(), said)
    expect(await follow(payments.deps(), { kind: 'payment', id })).toBe('none')
    return outcome
  }
  const deps = { ...payments.deps(), provider: { ...payments.provider, cards: { ...cards, chargeNow: early } } }
  expect(await payments.pay(userId, invoiceId, { card }, deps)).toMatchObject({ status: 'success' })
  const [{ reference } = { reference: null }] = await payments.attempts(customerId)
  for (let time = 0; time < 2; time += 1) await follow(payments.deps(), { kind: 'payment', id: reference ?? '' })
  expect(await payments.attempts(customerId)).toMatchObject([{ status: 'succeeded' }])
})

test('a debit that the bank takes back weeks after it succeeded is owed again, and is not debited again by itself', async () => {
  const payments = await openPayments(database, shop)
  const { userId, customerId, invoiceId } = await payments.buyer()
  const account = {
    type: 'IBAN',
    iban: 'FR7630004000031234567890143',
    owner_name: 'Ada Byron',
    owner_address: 'Marseille',
  } as const
  const changing = { ...payments.deps(), secret: 's'.repeat(32), vault, onBankAccountEnded: endMandateOf }
  await changeBankAccount(changing, actorOf(userId), userId, account)
  const { mandate } = await createMandate(payments.deps(), actorOf(userId), '/en/account/subscription/')
  await shop.mangopay.answer(mandate.redirect_url ?? '', 'agree')
  expect(await readMandate(payments.deps(), actorOf(userId))).toMatchObject({ status: 'submitted' })
  await payments.pay(userId, invoiceId, { by: 'mandate' })
  await payments.later(7)
  await payments.run()
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'active' })
  await payments.later(14)
  const [{ reference } = { reference: null }] = await payments.attempts(customerId)
  await shop.mangopay.control(`POST pay-ins/${reference ?? ''}/dispute`, { reason: 'LATE_FAILURE_INSUFFICIENT_FUNDS' })
  for (let time = 0; time < 2; time += 1) await follow(payments.deps(), { kind: 'payment', id: reference ?? '' })
  await payments.run()
  expect(await payments.instalments(customerId)).toEqual(['due'])
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'past_due' })
  expect(await payments.attempts(customerId)).toHaveLength(1)
  const told = await database.db.selectFrom('billing_notice').select('kind').where('kind', '=', 'payment_reversed').execute()
  expect(told).toHaveLength(1)
})

test.each([
  ['a year on', 400],
  ['a day back', -1],
])('a clock that jumps while nobody knows what became of a payment, %s: it is found, and paid once', async (_, days) => {
  const payments = await openPayments(database, shop)
  const { userId, customerId, invoiceId } = await payments.buyer()
  const card = await payments.card(userId, testCards.accepted)
  const { provider } = payments
  const { cards } = provider
  if (cards === undefined) throw new Error('no cards')
  const silence = { state: 'unknown' } as const
  const lost: Cards['chargeNow'] = async (...call) => {
    await cards.chargeNow(...call)
    return silence
  }
  const cut = { ...provider, cards: { ...cards, chargeNow: lost }, findPayment: async () => await Promise.resolve(silence) }
  await payments.pay(userId, invoiceId, { card }, { ...payments.deps(), provider: cut })
  expect(await payments.instalments(customerId)).toEqual(['unknown'])
  // Our clock alone: the provider’s goes right.
  payments.books.later(days)
  await askAfterAll(payments.deps())
  payments.books.later(-days)
  await payments.later(1 / 24)
  await askAfterAll(payments.deps())
  expect(await payments.instalments(customerId)).toEqual(['paid'])
  expect(await payments.attempts(customerId)).toMatchObject([{ status: 'succeeded' }])
  expect(await payments.books.state(customerId)).toMatchObject({ status: 'active' })
})
