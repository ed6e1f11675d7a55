import type { Actor } from '../../../../../kernel/actor.ts'
import { DomainError } from '../../../../../kernel/errors.ts'
import { recordAct } from '../../../../../platform/acts/record-act.ts'
import { dayOf } from '../../../domain/calendar/calendar.ts'
import type { CardOnTheWire, CardRegistrationOnTheWire } from '../../../contract/payments.ts'
import { findCustomer, lockCustomerOf } from '../../customer/customer-store.ts'
import { attemptAt, made, meansUnavailable, providerOf, type PaymentDeps } from './deps.ts'
import { findBegun, findUsable, insertBegun, setUsable, type Begun, type Usable } from './card-store.ts'
import { knowCustomer } from './know-customer.ts'

export const cardUnknown = () => new DomainError('not_found', 'billing.card_unknown')

const presentBegun = ({ id, handed }: Begun, test: boolean): CardRegistrationOnTheWire => ({
  id,
  user_id: handed.userId,
  card_registration_url: handed.address,
  access_key: handed.accessKey,
  preregistration_data: handed.data,
  test,
})

/** What a card no longer holds on. */
export const isExpired = (expiresOn: string, now: Date): boolean => expiresOn <= dayOf(now)

export function presentCard({ id, alias, expiresOn }: Usable, now: Date): CardOnTheWire {
  return { id, alias, last_digits: alias.slice(-4), expires_on: expiresOn, expired: isExpired(expiresOn, now) }
}

/** E-56. What the browser is given is of use for one card, and to whoever knows the card alone. */
export async function beginCardRegistration(deps: PaymentDeps, actor: Actor): Promise<CardRegistrationOnTheWire> {
  const provider = providerOf(deps)
  const { cards, realm } = provider
  if (cards === undefined) throw meansUnavailable()
  const { db, clock } = deps
  const customer = await db.transaction().execute(async (tx) => await lockCustomerOf(tx, actor.accountId, clock.now()))
  const userId = await knowCustomer(deps, customer)
  const now = clock.now()
  const begun = made(await cards.beginRegistration(userId, attemptAt(now, `card of ${customer.id}`)))
  const handed = { userId, address: begun.address, accessKey: begun.accessKey, data: begun.data }
  const id = await insertBegun(db, { customerId: customer.id, realm }, { registration: begun.id, handed }, now)
  return presentBegun({ id, registration: begun.id, handed }, provider.isTest)
}

async function findOwnBegun(deps: PaymentDeps, actor: Actor, id: string) {
  const provider = providerOf(deps)
  const customer = await findCustomer(deps.db, actor.accountId)
  if (customer === null) throw cardUnknown()
  const owner = { customerId: customer.id, realm: provider.realm }
  return { provider, owner, begun: await findBegun(deps.db, owner, id) }
}

/** C-51. @throws DomainError `billing.card_unknown` */
export async function readCardRegistration(deps: PaymentDeps, actor: Actor, id: string): Promise<CardRegistrationOnTheWire> {
  const { provider, begun } = await findOwnBegun(deps, actor, id)
  if (begun === null) throw cardUnknown()
  return presentBegun(begun, provider.isTest)
}

/** C-53. A second time it is the same card. @throws DomainError `billing.card_unknown`, `billing.refusal.…` */
export async function finishCardRegistration(
  deps: PaymentDeps,
  actor: Actor,
  id: string,
  answer: string,
): Promise<CardOnTheWire & { test: boolean }> {
  const { provider, owner, begun } = await findOwnBegun(deps, actor, id)
  const { db, clock } = deps
  if (begun !== null && provider.cards !== undefined) {
    const card = made(await provider.cards.finishRegistration(begun.registration, answer))
    await setUsable(db, id, { reference: card.card, alias: card.alias, expiresOn: card.expires })
    await db.transaction().execute(async (tx) => {
      const subject = { type: 'card', id }
      await recordAct(tx, clock.now(), { action: 'billing.registered_card', actor, subject })
    })
  }
  const card = await findUsable(db, owner, id)
  if (card === null) throw cardUnknown()
  return { ...presentCard(card, clock.now()), test: provider.isTest }
}
