import type {
  DocumentReading,
  MandateReading,
  Named,
  Outcome,
  PaymentProvider,
  RefundOutcome,
  VerificationReading,
} from './port.ts'

/** What was read of what a notice named. A dispute is about a payment, and is read as one. */
export type Followed =
  | { readonly kind: 'payment' | 'payout'; readonly id: string; readonly reading: Outcome }
  | { readonly kind: 'refund'; readonly id: string; readonly reading: RefundOutcome }
  | { readonly kind: 'mandate'; readonly id: string; readonly reading: MandateReading }
  | { readonly kind: 'document'; readonly id: string; readonly reading: DocumentReading }
  | { readonly kind: 'verification'; readonly id: string; readonly reading: VerificationReading }
  | { readonly kind: 'customer'; readonly id: string; readonly reading: boolean | 'unknown' }

/**
 * A notice says nothing: what it names is read, at the moment it is followed. So it is all one how often notices come, in what order, and
 * who sent them; the reading of something that is not there is `refused`.
 *
 * @returns null for what is followed by nothing: events of other kinds, and what this provider does not do
 */
export async function followNotice(provider: PaymentProvider, { kind, id }: Named): Promise<Followed | null> {
  switch (kind) {
    case 'payment':
      return { kind, id, reading: await provider.readPayment(id) }
    case 'dispute':
      return followDispute(provider, id)
    case 'refund':
      return provider.refunds === undefined ? null : { kind, id, reading: await provider.refunds.readRefund(id) }
    case 'payout':
      return provider.payouts === undefined ? null : { kind, id, reading: await provider.payouts.readPayOut(id) }
    case 'mandate':
      return provider.debits === undefined ? null : { kind, id, reading: await provider.debits.readMandate(id) }
    case 'document':
      return provider.identity === undefined ? null : { kind, id, reading: await provider.identity.readDocument(id) }
    case 'verification':
      return provider.identity === undefined ? null : { kind, id, reading: await provider.identity.readVerification(id) }
    case 'customer':
      return provider.identity === undefined ? null : { kind, id, reading: await provider.identity.isVerified(id) }
    default:
      return null
  }
}

async function followDispute(provider: PaymentProvider, dispute: string): Promise<Followed | null> {
  const found = (await provider.notices?.paymentOf(dispute)) ?? { payment: null }
  if (found === 'unknown') return { kind: 'payment', id: dispute, reading: { state: 'unknown' } }
  return found.payment === null ? null : followNotice(provider, { kind: 'payment', id: found.payment })
}
