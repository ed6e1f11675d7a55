import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anne, attempt, euros, openShop, type Shop } from './mangopay/shop.test-data.ts'
import type { Attempt, Outcome, PaymentProvider } from './port.ts'
import { account, bookInMemory, camt } from './transfer/book.test-data.ts'
import { importStatement } from './transfer/import-statement.ts'
import { findReferences } from './transfer/reference.ts'
import { transferProvider } from './transfer/transfer-provider.ts'

/** What every provider does alike, whatever stands behind it. */
type Subject = {
  readonly provider: PaymentProvider
  /** The customer's bank sends so much. */
  receive(awaited: AwaitedTransfer, cents: number): Promise<void>
}
type AwaitedTransfer = Extract<Outcome, { state: 'transfer_awaited' }>

let shop: Shop
const subjects: Record<string, () => Subject> = {
  mangopay: () => ({
    provider: shop.provider,
    receive: async ({ payment }, amount) => {
      await shop.mangopay.control(`POST pay-ins/${payment}/receive`, { amount })
    },
  }),
  transfer: () => {
    const book = bookInMemory()
    return {
      provider: transferProvider(book, account),
      receive: async ({ instructions }, cents) => {
        expect(findReferences(instructions.reference)).toHaveLength(1)
        const imported = await importStatement(book, camt([{ cents, text: instructions.reference }]), account.iban)
        expect(imported).toMatchObject({ state: 'imported', unmatched: [] })
      },
    }
  },
}

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.mangopay.stop())

describe.each(Object.keys(subjects))('a provider: %s', (name) => {
  let subject: Subject
  let customer: string
  beforeAll(async () => {
    const made = subjects[name]
    if (made === undefined) throw new RangeError(name)
    subject = made()
    const registered = await subject.provider.registerCustomer(anne, attempt())
    if (registered.state !== 'made') throw new Error(JSON.stringify(registered))
    customer = registered.id
  })

  const announce = async (tried: Attempt, cents = 11880): Promise<AwaitedTransfer> => {
    const outcome = await subject.provider.transfers.announce({ customer, amount: euros(cents) }, tried)
    if (outcome.state !== 'transfer_awaited') throw new Error(JSON.stringify(outcome))
    return outcome
  }

  it('registers a customer once for an attempt', async () => {
    const tried = attempt()
    const first = await subject.provider.registerCustomer(anne, tried)
    expect(first.state).toBe('made')
    expect(await subject.provider.registerCustomer(anne, tried)).toEqual(first)
    expect(await subject.provider.registerCustomer(anne, attempt())).not.toEqual(first)
  })

  it('says where a transfer goes, once for an attempt and under another reference for the next', async () => {
    const tried = attempt()
    const first = await announce(tried)
    expect(first.receivedCents).toBe(0)
    expect(first.instructions.iban).toMatch(/^FR76/)
    expect(await announce(tried)).toEqual(first)
    const next = await announce(attempt())
    expect(next.payment).not.toBe(first.payment)
    expect(next.instructions.reference).not.toBe(first.instructions.reference)
  })

  it('is read by its id and found by its tag, before it came and after', async () => {
    const tried = attempt()
    const awaited = await announce(tried)
    expect(await subject.provider.readPayment(awaited.payment)).toEqual(awaited)
    expect(await subject.provider.findPayment({ customer, attempt: tried })).toEqual(awaited)
    await subject.receive(awaited, 11880)
    const paid = await subject.provider.readPayment(awaited.payment)
    expect(paid).toMatchObject({ state: 'succeeded', payment: awaited.payment, amount: euros(11880) })
    expect(await subject.provider.findPayment({ customer, attempt: tried })).toEqual(paid)
  })

  it.each([1, 11879, 11881, 1_000_000_00])(
    'never says that an amount came in which did not: %i cents of 11880',
    async (cents) => {
      const awaited = await announce(attempt())
      await subject.receive(awaited, cents)
      const outcome = await subject.provider.readPayment(awaited.payment)
      expect(outcome.state).not.toBe('succeeded')
      expect(outcome).toMatchObject({ receivedCents: cents })
    },
  )

  it('takes a million, and refuses nothing, less than nothing and another currency', async () => {
    expect(await announce(attempt(), 1_000_000_00)).toMatchObject({ state: 'transfer_awaited' })
    for (const cents of [0, -1, 0.5]) {
      const outcome = await subject.provider.transfers.announce({ customer, amount: euros(cents) }, attempt())
      expect(outcome).toEqual({ state: 'refused', payment: null, reason: 'amount_too_low', code: null })
    }
    const dollars = { cents: 100, currency: 'USD' } as unknown as ReturnType<typeof euros>
    expect(await subject.provider.transfers.announce({ customer, amount: dollars }, attempt())).toMatchObject({
      reason: 'currency',
    })
  })

  it('refuses to tell of a payment that there is not, and is certain after a while that none bears a tag', async () => {
    expect(await subject.provider.readPayment('none')).toMatchObject({ state: 'refused', reason: 'invalid' })
    const old = attempt(new Date(Date.now() - 3_600_000))
    expect(await subject.provider.findPayment({ customer, attempt: old })).toEqual({ state: 'absent' })
  })
})
