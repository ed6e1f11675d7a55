import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Outcome } from '../port.ts'
import {
  attempt,
  cardOf,
  charge,
  countCalls,
  customerOf,
  euros,
  holder,
  openProvider,
  openShop,
  type Shop,
  testCards,
} from './shop.test-data.ts'

let shop: Shop
let customer: string
beforeAll(async () => {
  shop = await openShop(1500)
  customer = await customerOf(shop)
})
afterAll(() => shop.mangopay.stop())

const day = 86_400
const advance = (seconds: number): Promise<unknown> => shop.mangopay.control('POST clock', { advance: seconds })
const chargeWith = async (number: string, cents = 118_80): Promise<Outcome> =>
  charge(shop, { customer, card: await cardOf(shop, customer, number) }, cents)

function asked(outcome: Outcome): { payment: string; address: string } {
  if (outcome.state !== 'customer_needed') throw new Error(JSON.stringify(outcome))
  return outcome
}

describe('cards', () => {
  it.each([
    ['refused', testCards.refused, 'declined', '101101'],
    ['stolen', testCards.stolen, 'card_lost_or_stolen', '008003'],
    ['without money', testCards.noMoney, 'insufficient_funds', '101102'],
  ])('says of a card that is %s why it is not charged, and where the provider keeps that', async (_, number, reason, code) => {
    const outcome = await chargeWith(number)
    expect(outcome).toMatchObject({ state: 'refused', reason, code })
    if (outcome.state !== 'refused' || outcome.payment === null) throw new Error('no payment')
    expect(await shop.provider.readPayment(outcome.payment)).toEqual(outcome)
  })

  it('refuses a card that expired before it was registered, and one that expired since', async () => {
    const begun = await shop.provider.cards?.beginRegistration(customer, attempt())
    if (begun?.state !== 'begun') throw new Error(JSON.stringify(begun))
    const token = await shop.mangopay.tokenise(begun, testCards.accepted, '0121')
    expect(await shop.provider.cards?.finishRegistration(begun.id, token)).toMatchObject({
      state: 'refused',
      reason: 'card_expired',
    })
    const own = await openShop()
    try {
      const other = await customerOf(own)
      const card = await cardOf(own, other, testCards.accepted)
      expect(await charge(own, { customer: other, card }, 100)).toMatchObject({ state: 'succeeded' })
      await own.mangopay.control('POST clock', { advance: 4000 * day })
      expect(await charge(own, { customer: other, card }, 100)).toMatchObject({ state: 'refused', reason: 'card_expired' })
    } finally {
      await own.mangopay.stop()
    }
  })

  it('gives the same card when a registration is finished twice', async () => {
    const begun = await shop.provider.cards?.beginRegistration(customer, attempt())
    if (begun?.state !== 'begun') throw new Error(JSON.stringify(begun))
    const token = await shop.mangopay.tokenise(begun, testCards.accepted)
    const first = await shop.provider.cards?.finishRegistration(begun.id, token)
    expect(first).toMatchObject({ state: 'registered', alias: '497010XXXXXX1119', expires: '2034-01-01' })
    expect(await shop.provider.cards?.finishRegistration(begun.id, token)).toEqual(first)
  })
})

describe('3-D Secure', () => {
  it('waits for the cardholder, and takes his yes and his no', async () => {
    const yes = asked(await chargeWith(testCards.asks))
    expect(await shop.provider.readPayment(yes.payment)).toMatchObject({ state: 'customer_needed' })
    const back = await shop.mangopay.answer(yes.address, 'agree')
    expect(back.location).toBe(`https://shop.example/back?transactionId=${yes.payment}`)
    expect(await shop.provider.readPayment(yes.payment)).toMatchObject({ state: 'succeeded', amount: euros(118_80) })
    const no = asked(await chargeWith(testCards.asks))
    await shop.mangopay.answer(no.address, 'refuse')
    expect(await shop.provider.readPayment(no.payment)).toMatchObject({ state: 'refused', reason: 'authentication_failed' })
  })

  it('ends what was abandoned, and an answer an hour later changes nothing', async () => {
    const left = asked(await chargeWith(testCards.asks))
    await advance(3600)
    const expired = { state: 'refused', reason: 'authentication_expired', code: '101304' }
    expect(await shop.provider.readPayment(left.payment)).toMatchObject(expired)
    expect((await shop.mangopay.answer(left.address, 'agree')).status).toBe(200)
    expect(await shop.provider.readPayment(left.payment)).toMatchObject(expired)
  })

  it('does not let an answer be given twice', async () => {
    const once = asked(await chargeWith(testCards.asks))
    await shop.mangopay.answer(once.address, 'agree')
    await shop.mangopay.answer(once.address, 'refuse')
    expect(await shop.provider.readPayment(once.payment)).toMatchObject({ state: 'succeeded' })
  })
})

describe('amounts', () => {
  it.each([0, -1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1])('sends nothing for %d cents', async (cents) => {
    const before = await countCalls(shop, 'POST payins')
    const by = { customer, card: 'card_m_none' }
    expect(await charge(shop, by, cents)).toEqual({ state: 'refused', payment: null, reason: 'amount_too_low', code: null })
    expect(await countCalls(shop, 'POST payins')).toBe(before)
  })

  it('is told that a million is too much, and sends nothing in another currency', async () => {
    expect(await chargeWith(testCards.accepted, 1_000_000_00)).toMatchObject({ state: 'refused', reason: 'amount_too_high' })
    const before = await countCalls(shop, 'POST payins')
    const dollars = { cents: 100, currency: 'USD' } as unknown as ReturnType<typeof euros>
    expect(await shop.provider.transfers.announce({ customer, amount: dollars }, attempt())).toMatchObject({ reason: 'currency' })
    expect(await countCalls(shop, 'POST payins')).toBe(before)
  })

  it('says that another amount came in than was announced', async () => {
    const announced = await shop.provider.transfers.announce({ customer, amount: euros(1000) }, attempt())
    if (announced.state !== 'transfer_awaited') throw new Error(JSON.stringify(announced))
    await shop.mangopay.control(`POST pay-ins/${announced.payment}/receive`, { amount: 999 })
    expect(await shop.provider.readPayment(announced.payment)).toEqual({
      state: 'mismatched',
      payment: announced.payment,
      receivedCents: 999,
      currency: 'EUR',
    })
  })
})

describe('a provider that fails', () => {
  const faults = async (fault: object, work: () => Promise<void>): Promise<void> => {
    await shop.mangopay.control('POST faults', fault)
    try {
      await work()
    } finally {
      await shop.mangopay.control('DELETE faults')
    }
  }

  it('has a payment made once though the connection was cut after it was, and the process lives on', async () => {
    const by = { customer, card: await cardOf(shop, customer, testCards.accepted) }
    const before = await countCalls(shop, 'POST payins/card')
    const tried = attempt()
    await faults({ kind: 'cut-after', path: 'payins/card', times: 1 }, async () => {
      expect(await charge(shop, by, 4200, tried)).toMatchObject({ state: 'succeeded', amount: euros(4200) })
    })
    expect(await charge(shop, by, 4200, tried)).toMatchObject({ state: 'succeeded' })
    expect(await countCalls(shop, 'POST payins/card')).toBe(before + 2)
    const listed = await shop.provider.findPayment({ customer, attempt: tried })
    expect(listed).toMatchObject({ state: 'succeeded', amount: euros(4200) })
  })

  it('is unknown after a 500 in the midst, whatever the same key answers, and is found by its tag', async () => {
    const by = { customer, card: await cardOf(shop, customer, testCards.accepted) }
    const tried = attempt()
    await faults({ kind: 'error-after', path: 'payins/card', times: 1 }, async () => {
      expect(await charge(shop, by, 777, tried)).toEqual({ state: 'unknown' })
    })
    expect(await charge(shop, by, 777, tried)).toEqual({ state: 'unknown' })
    expect(await shop.provider.findPayment({ customer, attempt: tried })).toMatchObject({
      state: 'succeeded',
      amount: euros(777),
    })
  })

  it('may be tried again with the same key after a 500 that came before anything happened', async () => {
    const by = { customer, card: await cardOf(shop, customer, testCards.accepted) }
    const tried = attempt()
    await faults({ kind: 'error-before', path: 'payins/card', times: 1 }, async () => {
      expect(await charge(shop, by, 778, tried)).toEqual({ state: 'unknown' })
    })
    expect(await charge(shop, by, 778, tried)).toMatchObject({ state: 'succeeded' })
  })

  it('is unknown when the answer takes too long, and known by the same key', async () => {
    const by = { customer, card: await cardOf(shop, customer, testCards.accepted) }
    const tried = attempt()
    await faults({ kind: 'slow', milliseconds: 4000, path: 'payins/card', times: 1 }, async () => {
      expect(await charge(shop, by, 779, tried)).toEqual({ state: 'unknown' })
    })
    const known = await charge(shop, by, 779, tried)
    expect(known).toMatchObject({ state: 'succeeded' })
    const found = await shop.provider.findPayment({ customer, attempt: tried })
    expect(found).toEqual(known)
  })

  it('is down for a day: unknown meanwhile, absent for certain afterwards, and never charged under a key that is forgotten', async () => {
    const by = { customer, card: await cardOf(shop, customer, testCards.accepted) }
    const tried = attempt(shop.clock.now())
    await faults({ kind: 'down' }, async () => {
      expect(await charge(shop, by, 780, tried)).toEqual({ state: 'unknown' })
      expect(await shop.provider.findPayment({ customer, attempt: tried })).toEqual({ state: 'unknown' })
      expect(await shop.provider.readPayment('payin_m_any')).toEqual({ state: 'unknown' })
    })
    expect(await shop.provider.findPayment({ customer, attempt: tried })).toEqual({ state: 'unknown' })
    shop.clock.ahead = 25 * 3_600_000
    try {
      const before = await countCalls(shop, 'POST payins/card')
      expect(await charge(shop, by, 780, tried)).toEqual({ state: 'unknown' })
      expect(await countCalls(shop, 'POST payins/card')).toBe(before)
      expect(await shop.provider.findPayment({ customer, attempt: tried })).toEqual({ state: 'absent' })
    } finally {
      shop.clock.ahead = 0
    }
  })

  it('knows that nothing was sent where nobody listens, and gets a new token where the old one is no longer known', async () => {
    const nowhere = openProvider({ origin: 'http://127.0.0.1:9' }, shop.seller, shop.clock)
    expect(await charge(shop, { customer, card: 'card_m_any' }, 100, attempt(), nowhere)).toEqual({ state: 'unsent' })
    const own = await openShop()
    const first = await customerOf(own)
    const port = Number(new URL(own.mangopay.origin).port)
    await own.mangopay.stop()
    const { runMangopay } = await import('../../../../../testing/mangopay/run-mangopay.ts')
    const again = await runMangopay({ port })
    try {
      expect(await own.provider.identity?.isVerified(first)).toBe('unknown')
      expect(await customerOf(own)).toMatch(/^user_m_/)
    } finally {
      await again.stop()
    }
  })
})

describe('series', () => {
  it('is charged later without the customer, and asks for him when his bank does', async () => {
    const card = await cardOf(shop, customer, testCards.accepted)
    const address = { ...holder.address, line2: '01131' }
    const series = await shop.provider.cards?.openSeries(
      { customer, card, amount: euros(1000), holder: { ...holder, address } },
      attempt(),
    )
    if (series?.state !== 'made') throw new Error(JSON.stringify(series))
    const later = (cents: number): Promise<Outcome> | undefined =>
      shop.provider.cards?.chargeLater({ customer, series: series.id, amount: euros(cents) }, attempt())
    expect(await shop.provider.cards?.readSeries(series.id)).toBe('new')
    expect(await later(1000)).toMatchObject({ state: 'refused', reason: 'authentication_needed' })
    const { browser } = await import('./shop.test-data.ts')
    const now = { customer, amount: euros(1000), by: { series: series.id }, browser, language: 'en', confirm: false } as const
    const first = await shop.provider.cards?.chargeNow({ ...now, returnTo: 'https://shop.example/' }, attempt())
    expect(first).toMatchObject({ state: 'succeeded' })
    expect(await shop.provider.cards?.readSeries(series.id)).toBe('ready')
    expect(await later(2000)).toMatchObject({ state: 'succeeded', amount: euros(2000) })
    expect(await later(335_01)).toMatchObject({ state: 'refused', reason: 'authentication_needed' })
    expect(await shop.provider.cards?.readSeries(series.id)).toBe('customer_needed')
  })
})

describe('debits', () => {
  it('is processing for days, succeeds, and is reversed when the bank takes it back afterwards', async () => {
    const account = await shop.provider.accounts?.registerAccount(
      customer,
      holder,
      { kind: 'iban', iban: 'FR7630004000031234567890143', bic: null },
      attempt(),
    )
    if (account?.state !== 'made') throw new Error(JSON.stringify(account))
    const asking = { account: account.id, language: 'fr', returnTo: 'https://shop.example/mandate' } as const
    const mandate = await shop.provider.debits?.createMandate(asking, attempt())
    if (mandate?.state !== 'customer_needed') throw new Error(JSON.stringify(mandate))
    const debit = (): Promise<Outcome> | undefined =>
      shop.provider.debits?.debit({ customer, mandate: mandate.id, amount: euros(5000) }, attempt())
    expect(await debit()).toMatchObject({ state: 'refused', reason: 'mandate_unusable' })
    await shop.mangopay.answer(mandate.address, 'agree')
    expect(await shop.provider.debits?.readMandate(mandate.id)).toMatchObject({ state: 'submitted' })
    const made = await debit()
    if (made?.state !== 'processing') throw new Error(JSON.stringify(made))
    await advance(7 * day)
    expect(await shop.provider.readPayment(made.payment)).toMatchObject({ state: 'succeeded' })
    expect(await shop.provider.debits?.readMandate(mandate.id)).toMatchObject({ state: 'active' })
    await shop.mangopay.control(`POST pay-ins/${made.payment}/dispute`, { reason: 'LATE_FAILURE_INSUFFICIENT_FUNDS' })
    expect(await shop.provider.readPayment(made.payment)).toEqual({
      state: 'reversed',
      payment: made.payment,
      amount: euros(5000),
      cause: 'late_failure',
    })
    expect(await shop.provider.accounts?.endAccount(customer, account.id)).toMatchObject({ state: 'made' })
    expect(await shop.provider.debits?.readMandate(mandate.id)).toMatchObject({ state: 'failed', cause: 'us' })
  })

  it('refuses an account whose IBAN is wrong, by the name of the field', async () => {
    const wrong = { kind: 'iban', iban: 'FR7630004000031234567890144', bic: null } as const
    expect(await shop.provider.accounts?.registerAccount(customer, holder, wrong, attempt())).toEqual({
      state: 'refused',
      payment: null,
      reason: 'invalid',
      code: 'param_error IBAN',
    })
  })
})

describe('a clock that jumps', () => {
  it('ends in the same state by one jump as by days, and one that goes back undoes nothing', async () => {
    const states: unknown[] = []
    for (const steps of [1, 40]) {
      const own = await openShop()
      try {
        const other = await customerOf(own)
        const announced = await own.provider.transfers.announce({ customer: other, amount: euros(1000) }, attempt())
        if (announced.state !== 'transfer_awaited') throw new Error(JSON.stringify(announced))
        for (let step = 0; step < steps; step++) await own.mangopay.control('POST clock', { advance: (40 * day) / steps })
        const late = await own.provider.readPayment(announced.payment)
        await own.mangopay.control('POST clock', { advance: -50 * day })
        expect(await own.provider.readPayment(announced.payment)).toEqual(late)
        states.push({ ...late, payment: 'the payment' })
      } finally {
        await own.mangopay.stop()
      }
    }
    expect(states[0]).toMatchObject({ state: 'refused', reason: 'abandoned' })
    expect(states[1]).toEqual(states[0])
  })
})
