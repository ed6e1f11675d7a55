import type { Actor } from '../../../../../kernel/actor.ts'
import { DomainError } from '../../../../../kernel/errors.ts'
import { recordAct } from '../../../../../platform/acts/record-act.ts'
import { lockCustomerOf } from '../../customer/customer-store.ts'
import { providerOf, providerUnavailable, type PaymentDeps } from './deps.ts'
import { findUsable, isPaying, setEnded } from './card-store.ts'
import { findKnown, setRenewals } from './customer-store.ts'
import { cardUnknown } from './register-card.ts'
import { findSeries, listSeriesOf } from './series-store.ts'

/**
 * Of no more use, here and at the provider. A card by which a payment is under way stays until that is known.
 * @throws DomainError `billing.card_unknown`, `billing.payment_processing`, `billing.provider_unavailable`
 */
export async function endCard(deps: PaymentDeps, actor: Actor, id: string): Promise<void> {
  const { realm, cards } = providerOf(deps)
  const { db, clock } = deps
  const now = clock.now()
  const { card, series } = await db.transaction().execute(async (tx) => {
    const customer = await lockCustomerOf(tx, actor.accountId, now)
    const found = await findUsable(tx, { customerId: customer.id, realm }, id)
    if (found === null) throw cardUnknown()
    if (await isPaying(tx, id)) throw new DomainError('conflict', 'billing.payment_processing')
    const known = await findKnown(tx, customer.id, realm)
    const renewed = known === null || known.seriesId === null ? null : await findSeries(tx, known.seriesId)
    if (renewed?.cardId === id) await setRenewals(tx, customer.id, realm, null)
    return { card: found, series: await listSeriesOf(tx, id) }
  })
  for (const each of series) await cards?.endSeries(each)
  const ended = await cards?.endCard(card.reference)
  // What the provider no longer knows has ended.
  if (ended?.state === 'unsent' || ended?.state === 'unknown') throw providerUnavailable()
  await db.transaction().execute(async (tx) => {
    await setEnded(tx, id)
    await recordAct(tx, now, { action: 'billing.removed_card', actor, subject: { type: 'card', id } })
  })
}
