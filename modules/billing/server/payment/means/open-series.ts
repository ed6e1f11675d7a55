import type { Customer } from '../../customer/customer-store.ts'
import { made, meansUnavailable, newKey, providerOf, type PaymentDeps } from './deps.ts'
import type { Usable } from './card-store.ts'
import { describePayer } from './know-customer.ts'
import { findSeriesOf, insertSeries, setSeriesReference, type Series } from './series-store.ts'

/**
 * The first payment of a subscription by a card opens a series, by which later ones are charged without the customer; one of this card that
 * goes on is gone on with. One that was opened and never heard of is of no cost: nothing is charged by it.
 */
export async function openSeries(
  deps: PaymentDeps,
  customer: Customer,
  known: string,
  card: Usable,
  cents: number,
): Promise<Series> {
  const { realm, cards } = providerOf(deps)
  if (cards === undefined) throw meansUnavailable()
  const { db, clock } = deps
  const before = await findSeriesOf(db, card.id)
  if (before !== null && before.reference !== null) {
    const state = await cards.readSeries(before.reference)
    if (state !== 'ended') return before
  }
  const { holder } = await describePayer(db, customer)
  const owner = { customerId: customer.id, realm }
  const series = await insertSeries(db, owner, { cardId: card.id, key: newKey(), amount: cents }, clock.now())
  const asked = { customer: known, card: card.reference, amount: { cents, currency: 'EUR' } as const, holder }
  const attempt = { key: series.key, tag: `series ${series.id}`, since: series.createdAt }
  const { id: reference } = made(await cards.openSeries(asked, attempt))
  await setSeriesReference(db, series.id, reference)
  return { ...series, reference }
}
