import type { z } from 'zod'
import type { Actor } from '../../../../../kernel/actor.ts'
import type { listPaymentMethods } from '../../../contract/payments.ts'
import { findCustomer } from '../../customer/customer-store.ts'
import { listUsable } from './card-store.ts'
import { findKnown, isReferred } from './customer-store.ts'
import { presentMandate } from './create-mandate.ts'
import type { PaymentDeps } from './deps.ts'
import { findMandate } from './mandate-store.ts'
import { presentCard } from './register-card.ts'
import { findSeries } from './series-store.ts'

/** How somebody may pay; the provider is not asked. */
export async function listMethods(
  { db, clock, provider }: PaymentDeps,
  actor: Pick<Actor, 'accountId'>,
): Promise<z.output<NonNullable<typeof listPaymentMethods.response>>> {
  const by = [
    ...(provider?.cards === undefined ? [] : ['card' as const]),
    ...(provider?.debits === undefined ? [] : ['mandate' as const]),
    'transfer' as const,
  ]
  const test = provider?.isTest ?? false
  const referred = await isReferred(db, actor.accountId)
  const customer = await findCustomer(db, actor.accountId)
  if (provider === null || customer === null) return { cards: [], mandate: null, renewals: null, by, referred, test }
  const owner = { customerId: customer.id, realm: provider.realm }
  const cards = await listUsable(db, owner)
  const known = await findKnown(db, customer.id, provider.realm)
  const series = known === null || known.seriesId === null ? null : await findSeries(db, known.seriesId)
  return {
    cards: cards.map((card) => presentCard(card, clock.now())),
    mandate: presentMandate(await findMandate(db, customer.id, provider.realm)),
    renewals: known === null || known.renewedBy === null ? null : { by: known.renewedBy, card: series?.cardId ?? null },
    by,
    referred,
    test,
  }
}
