import { findInstalment } from '../../invoice/instalment-store.ts'
import type { Attempt } from '../../settlement/attempt-store.ts'
import type { Outcome } from '../../provider/port.ts'
import { transferProvider } from '../../provider/transfer/transfer-provider.ts'
import { findCardReference } from '../means/card-store.ts'
import { findKnown } from '../means/customer-store.ts'
import type { PaymentDeps } from '../means/deps.ts'
import { findMandateById } from '../means/mandate-store.ts'
import { findSeries } from '../means/series-store.ts'
import { transferBook } from '../transfer/transfer-book-store.ts'

/** So long the same call may be sent again by its key. */
export const sendingMs = 10 * 60_000
/** After so long no call of ours can still be on its way: that there is no such payment is believed from then on. */
export const certainMs = 30 * 60_000

export const tagOf = ({ id }: Pick<Attempt, 'id'>): string => `attempt ${id}`

/** Transfers to the seller's own account, of which statements tell. */
export function ownTransfers({ db, clock, seller }: Pick<PaymentDeps, 'db' | 'clock' | 'seller'>) {
  const account = { holder: seller.name, iban: seller.iban, bic: seller.bic }
  return transferProvider(
    transferBook(db, () => clock.now()),
    account,
  )
}

/** What is asked for of a customer, whom the provider knows; the call is the same however often it is made. */
async function send(deps: PaymentDeps, attempt: Attempt, customer: string): Promise<Outcome> {
  const { db, provider } = deps
  const impossible: Outcome = { state: 'refused', payment: null, reason: 'invalid', code: 'means_gone' }
  if (provider === null) return { state: 'unknown' }
  const asked = { key: attempt.idempotencyKey, tag: tagOf(attempt), since: attempt.createdAt }
  const amount = { cents: attempt.amount, currency: 'EUR' } as const
  const { cards, debits } = provider
  if (attempt.means === 'mandate') {
    const mandate = attempt.mandateId === null ? null : await findMandateById(db, attempt.mandateId)
    if (mandate === null || mandate.reference === null || debits === undefined) return impossible
    return await debits.debit({ customer, mandate: mandate.reference, amount }, asked)
  }
  const series = attempt.seriesId === null ? null : await findSeries(db, attempt.seriesId)
  const { present } = attempt
  if (cards === undefined) return impossible
  if (present === null) {
    if (series === null || series.reference === null) return impossible
    return await cards.chargeLater({ customer, series: series.reference, amount }, asked)
  }
  const card = attempt.cardId === null ? null : await findCardReference(db, attempt.cardId)
  const by = series !== null && series.reference !== null ? { series: series.reference } : card === null ? null : { card }
  if (by === null) return impossible
  const { browser, language, returnTo } = present
  return await cards.chargeNow({ customer, amount, by, browser, language, returnTo, confirm: false }, asked)
}

/**
 * Asks what became of an attempt, or for it where it was not sent yet: by the name that the provider gave it; then, for as long as that is the
 * same call, by its key; then by its tag, among all that the customer paid. A new key is never taken.
 * @returns `withdrawn` where it is certain that nothing was taken in, and nothing will be
 */
export async function askProvider(deps: PaymentDeps, attempt: Attempt): Promise<Outcome | { readonly state: 'withdrawn' }> {
  const { provider, db, clock } = deps
  if (attempt.channel === 'bank') return await ownTransfers(deps).readPayment(attempt.reference ?? '')
  if (provider === null || attempt.realm !== provider.realm) return { state: 'unknown' }
  if (attempt.reference !== null) return await provider.readPayment(attempt.reference)
  const instalment = await findInstalment(db, attempt.instalmentId)
  const known = instalment === null ? null : await findKnown(db, instalment.customerId, provider.realm)
  if (known === null || known.reference === null) return { state: 'withdrawn' }
  const age = clock.now().getTime() - attempt.createdAt.getTime()
  // What is bought no more is not asked for any more.
  if (age < sendingMs && instalment?.status !== 'dropped') {
    const outcome = await send(deps, attempt, known.reference)
    if (outcome.state !== 'unknown') return outcome
  }
  const search = { key: attempt.idempotencyKey, tag: tagOf(attempt), since: attempt.createdAt }
  const found = await provider.findPayment({ customer: known.reference, attempt: search })
  if (found.state !== 'absent') return found
  return age < certainMs ? { state: 'unknown' } : { state: 'withdrawn' }
}
