import type { PaymentOnTheWire } from '../../../contract/payments.ts'
import { findRetry, type Instalment } from '../../invoice/instalment-store.ts'
import { findLast, isLive, type Attempt } from '../../settlement/attempt-store.ts'
import type { PaymentDeps } from '../means/deps.ts'
import { ownTransfers } from './ask-provider.ts'

function statusOf(instalment: Instalment, attempt: Attempt | null): PaymentOnTheWire['status'] {
  if (instalment.status === 'paid') return 'success'
  if (attempt === null) return 'none'
  if (isLive(attempt)) return attempt.status === 'action_required' ? 'action_required' : 'processing'
  // Nothing was sent, or another way was chosen: nobody has been asked.
  if (attempt.status === 'failed') return attempt.failure === 'unsent' || attempt.failure === 'replaced' ? 'none' : 'failed'
  return 'none'
}

/** Where the payment of an invoice stands, as its last attempt tells. */
export async function presentPayment(
  deps: PaymentDeps,
  instalment: Instalment & { readonly invoiceId: string },
): Promise<PaymentOnTheWire> {
  const { db, provider } = deps
  const attempt = await findLast(db, instalment.id)
  const status = statusOf(instalment, attempt)
  const announced =
    status === 'processing' && attempt?.channel === 'bank' ? await ownTransfers(deps).readPayment(attempt.reference ?? '') : null
  return {
    invoice_id: instalment.invoiceId,
    status,
    amount_cents: instalment.toPay,
    by: status === 'none' ? null : (attempt?.means ?? null),
    redirect_url: status === 'action_required' ? (attempt?.redirectUrl ?? null) : null,
    expected_on: status === 'processing' ? (attempt?.expectedOn ?? null) : null,
    transfer:
      announced?.state === 'transfer_awaited'
        ? { ...announced.instructions, amount_cents: instalment.toPay, received_cents: announced.receivedCents }
        : null,
    failure: status === 'failed' ? `billing.refusal.${attempt?.failure ?? 'other'}` : null,
    retry_on: status === 'failed' ? await findRetry(db, instalment.id) : null,
    test: provider?.isTest ?? false,
  }
}
