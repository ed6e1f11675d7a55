import type { Outcome, PaymentProvider, RefundOutcome, Refunds } from '../port.ts'
import type { Announced, Receipt, TransferBook } from './book.ts'
import { printedReference, referenceOf } from './reference.ts'
import type { StatementLine } from './statement.ts'

/** Whose account it is that customers transfer to. */
export type TransferAccount = { readonly holder: string; readonly iban: string; readonly bic: string | null }

/** Bank transfers without a provider: a reference for each, matched with the statements of our own account. */
export function transferProvider(book: TransferBook, account: TransferAccount): PaymentProvider {
  const read = async (announced: Announced): Promise<Outcome> =>
    judgeReceipts(announced, await book.receiptsOf(announced.payment), account)
  return {
    name: 'transfer',
    realm: 'transfer',
    isTest: false,
    // Nobody but us knows our customers: the key that names the attempt names the customer.
    registerCustomer: (_, { key }) => Promise.resolve({ state: 'made', id: key }),
    readPayment: async (payment) => {
      const announced = await book.byPayment(payment)
      return announced === null ? { state: 'refused', payment, reason: 'invalid', code: 'not_announced' } : read(announced)
    },
    findPayment: async ({ customer, attempt }) => {
      const announced = await book.byTag(customer, attempt.tag)
      return announced === null ? { state: 'absent' } : read(announced)
    },
    transfers: {
      announce: async ({ customer, amount }, { key, tag }) => {
        const refused = { state: 'refused', payment: null, code: null } as const
        if ((amount.currency as string) !== 'EUR') return { ...refused, reason: 'currency' }
        if (!Number.isSafeInteger(amount.cents) || amount.cents <= 0) return { ...refused, reason: 'amount_too_low' }
        const payment = `transfer-${key}`
        const reference = referenceOf(tag)
        return read(await book.announce({ direction: 'in', payment, customer, key, tag, cents: amount.cents, reference }))
      },
    },
    refunds: refundsByHand(book),
  }
}

/** Whoever looks after the account makes the transfer; that he did, its statement tells. */
function refundsByHand(book: TransferBook): Refunds {
  const read = async (announced: Announced): Promise<RefundOutcome> =>
    judgeSent(announced, await book.receiptsOf(announced.payment))
  return {
    refund: async ({ customer, amount }, { key, tag }) => {
      const [payment, reference] = [`refund-${key}`, referenceOf(tag)]
      return read(await book.announce({ direction: 'out', payment, customer, key, tag, cents: amount.cents, reference }))
    },
    readRefund: async (payment) => {
      const announced = await book.byPayment(payment)
      return announced === null ? { state: 'refused', payment, reason: 'invalid', code: 'not_announced' } : read(announced)
    },
    findRefund: async ({ customer, attempt }) => {
      const announced = await book.byTag(customer, attempt.tag)
      return announced === null ? { state: 'absent' } : read(announced)
    },
  }
}

function judgeSent({ payment, cents, reference }: Announced, receipts: readonly Receipt[]): RefundOutcome {
  const lines = receipts.map(({ line }) => line)
  const foreign = lines.find(({ currency }) => currency !== 'EUR')
  const sent = lines.reduce((sum, line) => sum - line.cents, 0)
  if (foreign !== undefined || sent > cents)
    return { state: 'mismatched', payment, receivedCents: sent, currency: foreign?.currency ?? 'EUR' }
  if (sent < cents) return { state: 'by_hand', payment, reference: printedReference(reference) }
  return { state: 'succeeded', payment, amount: { cents, currency: 'EUR' }, at: lastDay(lines) }
}

/** The day on which all of it was booked. */
const lastDay = (lines: readonly StatementLine[]): Date =>
  new Date(
    `${
      lines
        .map(({ bookedOn }) => bookedOn)
        .toSorted()
        .at(-1) ?? ''
    }T00:00:00Z`,
  )

function judgeReceipts(
  { payment, cents, reference }: Announced,
  receipts: readonly Receipt[],
  { holder, iban, bic }: TransferAccount,
): Outcome {
  const lines = receipts.map(({ line }) => line)
  const foreign = lines.find(({ currency }) => currency !== 'EUR')
  if (foreign !== undefined) return { state: 'mismatched', payment, receivedCents: foreign.cents, currency: foreign.currency }
  const receivedCents = lines.reduce((sum, line) => sum + line.cents, 0)
  const amount = { cents, currency: 'EUR' } as const
  const came = lines.reduce((sum, line) => sum + Math.max(0, line.cents), 0)
  // It was all there once, and is so no longer: what went beyond it is the bank's fee.
  if (came >= cents && receivedCents < cents && lines.some(({ reversal }) => reversal))
    return { state: 'reversed', payment, amount: { cents: cents - receivedCents, currency: 'EUR' }, cause: 'returned' }
  if (receivedCents > cents) return { state: 'mismatched', payment, receivedCents, currency: 'EUR' }
  if (receivedCents < cents) {
    const instructions = { holder, iban, bic, reference: printedReference(reference) }
    return { state: 'transfer_awaited', payment, receivedCents: Math.max(0, receivedCents), instructions }
  }
  return { state: 'succeeded', payment, amount, at: lastDay(lines) }
}
