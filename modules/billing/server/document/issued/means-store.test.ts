import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withDatabase } from '../../../../../testing/database.ts'
import type { PaymentMeans } from '../../../domain/document/invoice-document.ts'
import { emptyBooks, essential, openBooks, seller } from '../../billing.test-data.ts'
import { findBroken } from '../../invariants/invariant-store.ts'
import { noteCustomer, setRenewals } from '../../payment/means/customer-store.ts'
import { changeMandate, endMandates, insertMandate } from '../../payment/means/mandate-store.ts'
import { finishAttempt, startAttempt } from '../../settlement/attempt-payment.ts'
import { readIssued } from './read-issued.ts'

const database = withDatabase()
beforeEach(async () => await emptyBooks(database))
afterEach(async () => {
  expect(await findBroken(database.db)).toEqual([])
})

const realm = 'tests'

/** A customer with a card and a mandate, as paying by them leaves them. */
async function openCustomer() {
  const books = openBooks(database)
  const who = await books.subscribed(essential)
  const { customerId } = who
  const ids = await books.within(async (tx) => {
    const now = books.now()
    await noteCustomer(tx, customerId, realm, randomUUID(), now)
    const { id: mandateId } = await insertMandate(
      tx,
      { customerId, realm },
      { account: randomUUID(), mandate: randomUUID() },
      now,
    )
    await changeMandate(tx, mandateId, { status: 'active', reference: mandateId, bank_reference: 'UMR-0042' })
    const card = { id: randomUUID(), customer_id: customerId, realm, created_at: now }
    const usable = { status: 'usable', reference: card.id, alias: '497010XXXXXX4422', expires_on: '2033-12-31' } as const
    await tx
      .insertInto('payment_card')
      .values({ ...card, ...usable, registration: card.id })
      .execute()
    const series = { id: randomUUID(), idempotency_key: randomUUID(), amount_cents: 100, card_id: card.id }
    await tx
      .insertInto('payment_series')
      .values({ ...card, ...series })
      .execute()
    return { mandateId, cardId: card.id, seriesId: series.id }
  })
  return {
    ...ids,
    ...who,
    books,
    chargeTo: async (by: Parameters<typeof setRenewals>[3]) => await setRenewals(database.db, customerId, realm, by),
    /** Of the invoice of the month after. */
    renewed: async (): Promise<string> => {
      books.later(31)
      await books.run()
      return (await books.invoices(customerId)).at(-1)?.id ?? ''
    },
    said: async (invoiceId: string): Promise<PaymentMeans | null | undefined> =>
      (await readIssued(database.db, invoiceId, false))?.said.means,
  }
}

test('H-36 what is to be paid by its customer names the account of the seller, and the number of the invoice to quote', async () => {
  const { renewed, said, books, customerId } = await openCustomer()
  const id = await renewed()
  const number = `F2026-${String((await books.invoices(customerId)).at(-1)?.number ?? 0).padStart(6, '0')}`
  expect(await said(id)).toEqual({
    kind: 'transfer',
    iban: seller.iban,
    bic: seller.bic,
    holder: seller.name,
    reference: number,
  })
})

test('… what a mandate or a card will be charged names that, and the account again once the mandate has ended', async () => {
  const { chargeTo, renewed, said, seriesId, books, customerId } = await openCustomer()
  const id = await renewed()
  await chargeTo('mandate')
  expect(await said(id)).toEqual({ kind: 'direct_debit', mandate: 'UMR-0042', creditor: null, iban: null })
  await chargeTo({ seriesId })
  expect(await said(id)).toEqual({ kind: 'card', lastDigits: '4422' })
  await chargeTo('mandate')
  await books.within(async (tx) => await endMandates(tx, customerId))
  expect(await said(id)).toMatchObject({ kind: 'transfer' })
})

test('… what was paid as it was issued names what paid it, and a credit note nothing', async () => {
  const { said, books, customerId, cardId, mandateId } = await openCustomer()
  const first = (await books.invoices(customerId))[0]?.id ?? ''
  // No attempt of ours brought it.
  expect(await said(first)).toBeNull()
  const expected: Readonly<Record<'card' | 'mandate', PaymentMeans>> = {
    card: { kind: 'card', lastDigits: '4422' },
    mandate: { kind: 'direct_debit', mandate: 'UMR-0042', creditor: null, iban: null },
  }
  for (const means of ['card', 'mandate'] as const) {
    const buyer = await books.customer()
    await books.ask(buyer.customerId, essential)
    const [due = ''] = await books.due(buyer.customerId)
    const way = { channel: 'provider', idempotencyKey: randomUUID(), realm, means } as const
    const by = means === 'card' ? { cardId } : { mandateId }
    const attempt = await books.within(async (tx) => await startAttempt(tx, books.deps(), due, { ...way, ...by }))
    await books.within(async (tx) => await finishAttempt(tx, books.deps(), attempt.id, 'succeeded'))
    expect(await said((await books.invoices(buyer.customerId))[0]?.id ?? '')).toEqual(expected[means])
  }
  await books.ask(customerId, { plan: 'comfort', cycle: 'month', instalments: 1 })
  await books.payAll(customerId)
  const credit = (await books.invoices(customerId)).find(({ kind }) => kind === 'credit_note')
  expect(await said(credit?.id ?? '')).toBeNull()
})
