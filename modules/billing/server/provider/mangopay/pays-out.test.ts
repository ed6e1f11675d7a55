import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentReading, Identity, Outcome, Payouts } from '../port.ts'
import {
  anne,
  attempt,
  cardOf,
  charge,
  countCalls,
  customerOf,
  euros,
  holder,
  openShop,
  payable,
  type Shop,
  testCards,
  wire,
} from './shop.test-data.ts'

let shop: Shop
let payouts: Payouts
let identity: Identity
beforeAll(async () => {
  shop = await openShop()
  if (shop.provider.payouts === undefined || shop.provider.identity === undefined) throw new Error('it does not pay out')
  payouts = shop.provider.payouts
  identity = shop.provider.identity
  const payer = await customerOf(shop)
  await charge(shop, { customer: payer, card: await cardOf(shop, payer, testCards.accepted) }, 100_000)
})
afterAll(() => shop.mangopay.stop())

const iban = { kind: 'iban', iban: 'FR7630004000031234567890143', bic: null } as const
const returnTo = 'https://shop.example/payee'
const picture = Buffer.concat([Buffer.from('\x89PNG\r\n', 'latin1'), Buffer.alloc(33 << 10)])
const submit = (customer: string): Promise<DocumentReading> =>
  identity.submitDocument({ customer, kind: 'identity', pages: [picture, picture] }, attempt())

async function payee(customer: string): Promise<string> {
  const made = await payouts.registerPayee(customer, holder, iban, returnTo, attempt())
  if (made.state !== 'customer_needed') throw new Error(JSON.stringify(made))
  expect(await shop.mangopay.answer(made.address, 'agree')).toEqual({ status: 303, location: returnTo })
  expect(await payouts.readPayee(made.id, returnTo)).toEqual({ state: 'usable', id: made.id })
  return made.id
}

function paymentOf(outcome: Outcome): string {
  if (!('payment' in outcome) || outcome.payment === null) throw new Error(JSON.stringify(outcome))
  return outcome.payment
}

describe('who is paid', () => {
  it('earns in a wallet that two calls at once make once, and is paid out once he is known', async () => {
    const customer = await customerOf(shop, payable)
    const granted = await Promise.all([4000, 2000].map((cents) => payouts.grant({ customer, amount: euros(cents) }, attempt())))
    expect(granted.map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
    expect(await wire<unknown[]>(shop.mangopay, `GET users/${customer}/wallets`)).toHaveLength(1)
    const to = await payee(customer)
    const payOut = (cents: number): Promise<Outcome> =>
      payouts.payOut({ customer, payee: to, amount: euros(cents), reference: 'Probant 11/2026' }, attempt())
    expect(await payouts.readPayOut(paymentOf(await payOut(1000)))).toMatchObject({ state: 'refused', reason: 'not_verified' })
    expect(await identity.isVerified(customer)).toBe(false)
    const document = await submit(customer)
    if (document.state !== 'submitted') throw new Error(JSON.stringify(document))
    await shop.mangopay.control(`POST documents/${document.id}`, {})
    expect(await identity.readDocument(document.id)).toEqual({ state: 'validated', id: document.id })
    expect(await identity.isVerified(customer)).toBe(true)
    expect(await payouts.readPayOut(paymentOf(await payOut(6001)))).toMatchObject({ state: 'refused', reason: 'balance_too_low' })
    const made = paymentOf(await payOut(6000))
    expect(await payouts.readPayOut(made)).toMatchObject({ state: 'processing' })
    await shop.mangopay.control('POST clock', { advance: 2 * 86_400 })
    expect(await payouts.readPayOut(made)).toMatchObject({ state: 'succeeded', amount: euros(6000) })
    await shop.mangopay.control(`POST payouts/${made}/return`)
    expect(await payouts.readPayOut(made)).toEqual({ state: 'reversed', payment: made, amount: euros(6000), cause: 'returned' })
  })

  it('is told that his payout failed, and the money is his again', async () => {
    const customer = await customerOf(shop, payable)
    await payouts.grant({ customer, amount: euros(500) }, attempt())
    const verification = await identity.beginVerification(customer, returnTo, attempt())
    if (verification.state !== 'customer_needed') throw new Error(JSON.stringify(verification))
    await shop.mangopay.answer(verification.address, 'agree')
    expect(await identity.readVerification(verification.id)).toEqual({ state: 'verified', id: verification.id })
    const to = await payee(customer)
    const paying = { customer, payee: to, amount: euros(500), reference: 'Probant' }
    const failed = paymentOf(await payouts.payOut(paying, attempt()))
    await shop.mangopay.control(`POST payouts/${failed}`, { result: '121999' })
    expect(await payouts.readPayOut(failed)).toMatchObject({ state: 'refused', reason: 'account_refused', code: '121999' })
    expect(await payouts.payOut(paying, attempt())).toMatchObject({ state: 'processing' })
  })

  it('who does not confirm his account cannot be paid there, and who only pays is not looked at', async () => {
    const customer = await customerOf(shop, payable)
    const made = await payouts.registerPayee(customer, holder, iban, returnTo, attempt())
    if (made.state !== 'customer_needed') throw new Error(JSON.stringify(made))
    await shop.mangopay.answer(made.address, 'refuse')
    expect(await payouts.readPayee(made.id, returnTo)).toEqual({ state: 'ended', id: made.id })
    const payer = await customerOf(shop, anne)
    expect(await identity.beginVerification(payer, returnTo, attempt())).toMatchObject({ state: 'refused', reason: 'invalid' })
  })

  it.each([
    ['DOCUMENT_UNREADABLE', 'unreadable'],
    ['DOCUMENT_NOT_ACCEPTED', 'not_accepted'],
    ['DOCUMENT_HAS_EXPIRED', 'expired'],
    ['DOCUMENT_INCOMPLETE', 'incomplete'],
    ['DOCUMENT_MISSING', 'missing'],
    ['DOCUMENT_DO_NOT_MATCH_USER_DATA', 'other_person'],
    ['DOCUMENT_DO_NOT_MATCH_ACCOUNT_DATA', 'other_account'],
    ['DOCUMENT_FALSIFIED', 'falsified'],
    ['UNDERAGE_PERSON', 'underage'],
    ['SPECIFIC_CASE', 'specific'],
  ])('whose document is refused for %s learns that it is %s', async (refusal, reason) => {
    const customer = await customerOf(shop, payable)
    const document = await submit(customer)
    if (document.state !== 'submitted') throw new Error(JSON.stringify(document))
    await shop.mangopay.control(`POST documents/${document.id}`, { refusal, flags: ['100'] })
    expect(await identity.readDocument(document.id)).toEqual({
      state: 'document_refused',
      id: document.id,
      reason,
      flags: ['100'],
    })
  })

  it('hands a document in once, though its first page was cut off after it arrived', async () => {
    const customer = await customerOf(shop, payable)
    await shop.mangopay.control('POST faults', { kind: 'cut-after', path: '/pages', times: 1 })
    const before = await countCalls(shop, `POST users/${customer}`)
    expect(await submit(customer)).toMatchObject({ state: 'submitted' })
    expect(await countCalls(shop, `POST users/${customer}`)).toBe(before + 3)
  })

  it('is told that nothing is known of a page that ended in an error, by the same attempt as often as he tries', async () => {
    const customer = await customerOf(shop, payable)
    const tried = attempt()
    await shop.mangopay.control('POST faults', { kind: 'error-after', path: '/pages', times: 1 })
    const document = { customer, kind: 'identity', pages: [picture, picture] } as const
    expect(await identity.submitDocument(document, tried)).toEqual({ state: 'unknown' })
    expect(await identity.submitDocument(document, tried)).toEqual({ state: 'unknown' })
    expect(await wire<unknown[]>(shop.mangopay, `GET users/${customer}/kyc/documents`)).toHaveLength(1)
    expect(await submit(customer)).toMatchObject({ state: 'submitted' })
  })
})

describe('refunds', () => {
  it('are made in parts, no further than what was paid, and are found again', async () => {
    const customer = await customerOf(shop)
    const paid = await charge(shop, { customer, card: await cardOf(shop, customer, testCards.accepted) }, 1000)
    const payment = paymentOf(paid)
    const refund = (cents: number) => shop.provider.refunds?.refund({ customer, payment, amount: euros(cents) }, attempt())
    const first = await refund(400)
    if (first?.state !== 'succeeded') throw new Error(JSON.stringify(first))
    expect(await shop.provider.refunds?.readRefund(first.payment)).toEqual(first)
    expect(await refund(601)).toMatchObject({ state: 'refused', reason: 'already_refunded' })
    expect(await refund(600)).toMatchObject({ state: 'succeeded' })
    expect(await shop.provider.readPayment(payment)).toMatchObject({ state: 'succeeded', amount: euros(1000) })
  })
})
