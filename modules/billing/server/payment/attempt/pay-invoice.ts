import type { Actor } from '../../../../../kernel/actor.ts'
import { DomainError } from '../../../../../kernel/errors.ts'
import { recordAct } from '../../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../../platform/db/database.ts'
import type { PaymentOnTheWire } from '../../../contract/payments.ts'
import { findCustomer, type Customer } from '../../customer/customer-store.ts'
import { findByInvoice, type Instalment } from '../../invoice/instalment-store.ts'
import type { Browser } from '../../provider/port.ts'
import { startAttempt, withdrawAttempt } from '../../settlement/attempt-payment.ts'
import { findLast, isLive, noteAttempt, type Attempt, type Way } from '../../settlement/attempt-store.ts'
import { holdInstalment } from '../../settlement/settle-instalment.ts'
import { findUsable } from '../means/card-store.ts'
import { meansUnavailable, newKey, providerOf, providerUnavailable, type PaymentDeps } from '../means/deps.ts'
import { knowCustomer } from '../means/know-customer.ts'
import { findMandate } from '../means/mandate-store.ts'
import { openSeries } from '../means/open-series.ts'
import { cardUnknown, isExpired } from '../means/register-card.ts'
import { askAfter } from './ask-after.ts'
import { askProvider, ownTransfers, tagOf } from './ask-provider.ts'
import { noteOutcome } from './note-outcome.ts'
import { presentPayment } from './present-payment.ts'

export type Wish = {
  readonly by: 'card' | 'mandate' | 'transfer'
  readonly card: string | undefined
  readonly browser: Browser | undefined
  readonly returnTo: string
  readonly referralManager: 'none' | 'referrer'
  readonly accepted: number | undefined
}

type Payable = Instalment & { readonly invoiceId: string }

/** Of the account that the caller acts in; to anybody else it is not there (P-16). @throws DomainError `billing.invoice_unknown` */
export async function findPayable(
  db: PaymentDeps['db'] | Tx,
  actor: Pick<Actor, 'accountId'>,
  invoiceId: string,
): Promise<{ customer: Customer; instalment: Payable }> {
  const customer = await findCustomer(db, actor.accountId)
  const instalment = await findByInvoice(db, invoiceId)
  if (customer === null || instalment === null || instalment.customerId !== customer.id)
    throw new DomainError('not_found', 'billing.invoice_unknown')
  return { customer, instalment: { ...instalment, invoiceId } }
}

/** What is done before an attempt is noted moves no money: it may be done again. */
async function chooseWay(deps: PaymentDeps, customer: Customer, instalment: Payable, wish: Wish): Promise<Partial<Way>> {
  const { db, clock, publicUrl } = deps
  const { referralManager } = wish
  if (wish.by === 'transfer') return { realm: 'transfer', means: 'transfer', referralManager }
  const { realm, cards, debits } = providerOf(deps)
  if (wish.by === 'mandate') {
    if (debits === undefined) throw meansUnavailable()
    const mandate = await findMandate(db, customer.id, realm)
    if (mandate === null || (mandate.status !== 'submitted' && mandate.status !== 'active'))
      throw new DomainError('conflict', 'billing.mandate_unusable')
    return { realm, means: 'mandate', mandateId: mandate.id, referralManager }
  }
  if (cards === undefined || wish.browser === undefined) throw meansUnavailable()
  const card = await findUsable(db, { customerId: customer.id, realm }, wish.card ?? '')
  if (card === null) throw cardUnknown()
  if (isExpired(card.expiresOn, clock.now())) throw new DomainError('conflict', 'billing.refusal.card_expired')
  const known = await knowCustomer(deps, customer)
  const series = instalment.plan === null ? null : await openSeries(deps, customer, known, card, instalment.toPay)
  const language = wish.returnTo.startsWith('/fr/') ? 'fr' : 'en'
  const present = { browser: wish.browser, language, returnTo: `${publicUrl}${wish.returnTo}` } as const
  return { realm, means: 'card', cardId: card.id, seriesId: series?.id ?? null, present, referralManager }
}

/** @throws DomainError `billing.nothing_due`, `billing.amount_changed` */
function assertPayable({ status, toPay }: Payable, accepted: number | undefined): void {
  if (status === 'paid' || status === 'scheduled' || status === 'dropped' || toPay === 0)
    throw new DomainError('conflict', 'billing.nothing_due')
  if (accepted !== undefined && accepted !== toPay)
    throw new DomainError('conflict', 'billing.amount_changed', { due_now_cents: toPay })
}

/** A transfer of which nothing came in yet is no longer awaited once another way is chosen. */
async function isGivenUp(deps: PaymentDeps, live: Attempt, wish: Wish): Promise<boolean> {
  if (live.means !== 'transfer' || wish.by === 'transfer') return false
  const read = await ownTransfers(deps).readPayment(live.reference ?? '')
  return read.state === 'transfer_awaited' && read.receivedCents === 0
}

/**
 * C-41. The attempt is noted with its key before anybody is asked for money; two who pay the same at once, in two tabs or twice, pay once: the
 * second is told where the first stands.
 */
export async function payInvoice(deps: PaymentDeps, actor: Actor, invoiceId: string, wish: Wish): Promise<PaymentOnTheWire> {
  const { db, clock } = deps
  const { customer, instalment } = await findPayable(db, actor, invoiceId)
  assertPayable(instalment, wish.accepted)
  const live = await findLast(db, instalment.id)
  const isReplaced = live !== null && isLive(live) && (await isGivenUp(deps, live, wish))
  if (live !== null && isLive(live) && !isReplaced) return await readOn(deps, actor, invoiceId, live)
  const way = await chooseWay(deps, customer, instalment, wish)
  const attempt = await db.transaction().execute(async (tx) => {
    const held = await holdInstalment(tx, instalment.id)
    assertPayable({ ...held, invoiceId }, wish.accepted)
    if (live !== null && isReplaced) await withdrawAttempt(tx, deps, live.id, 'replaced')
    const last = await findLast(tx, instalment.id)
    if (last !== null && isLive(last)) return last
    const channel = wish.by === 'transfer' ? 'bank' : 'provider'
    const started = await startAttempt(tx, deps, instalment.id, { channel, idempotencyKey: newKey(), ...way })
    if (channel === 'bank') await announceTransfer(tx, deps, customer, started)
    const subject = { type: 'invoice', id: invoiceId }
    await recordAct(tx, clock.now(), {
      action: 'billing.asked_to_pay',
      actor,
      subject,
      data: { by: wish.by, cents: started.amount },
    })
    return started
  })
  if (attempt.channel === 'provider' && attempt.asked === 0) await askNow(deps, attempt)
  return await presentPayment(deps, (await findPayable(db, actor, invoiceId)).instalment)
}

async function announceTransfer(tx: Tx, deps: PaymentDeps, customer: Customer, attempt: Attempt): Promise<void> {
  const asked = { key: attempt.idempotencyKey, tag: tagOf(attempt), since: attempt.createdAt }
  const amount = { cents: attempt.amount, currency: 'EUR' } as const
  const announced = await ownTransfers({ ...deps, db: tx }).transfers.announce({ customer: customer.id, amount }, asked)
  if (announced.state !== 'transfer_awaited') throw new Error(`a transfer is not awaited but ${announced.state}`)
  await noteAttempt(tx, attempt.id, { reference: announced.payment })
}

/** With the customer there: what was not sent is not sent later, when he has gone. @throws DomainError `billing.provider_unavailable` */
async function askNow(deps: PaymentDeps, attempt: Attempt): Promise<void> {
  const heard = await askProvider(deps, attempt)
  if (heard.state !== 'unsent') return await noteOutcome(deps, attempt.id, heard)
  await noteOutcome(deps, attempt.id, { state: 'withdrawn' })
  throw providerUnavailable()
}

const askedLatelyMs = 1_500

/** Asked again, the provider may know more: customers come back from their bank before anything is told. */
async function readOn(deps: PaymentDeps, actor: Actor, invoiceId: string, live: Attempt): Promise<PaymentOnTheWire> {
  const { db, clock } = deps
  const since = clock.now().getTime() - (live.lastAskedAt ?? new Date(0)).getTime()
  // Whoever has just begun it is asking.
  const isBegun = live.asked === 0 && clock.now().getTime() - live.createdAt.getTime() < 60_000
  const isDebit = live.means === 'mandate' && live.reference !== null
  if (live.channel === 'provider' && !isBegun && !isDebit && Math.abs(since) > askedLatelyMs) await askAfter(deps, live)
  return await presentPayment(deps, (await findPayable(db, actor, invoiceId)).instalment)
}

/** Where it stands. */
export async function readPayment(deps: PaymentDeps, actor: Actor, invoiceId: string): Promise<PaymentOnTheWire> {
  const { instalment } = await findPayable(deps.db, actor, invoiceId)
  const last = await findLast(deps.db, instalment.id)
  return last !== null && isLive(last) ? await readOn(deps, actor, invoiceId, last) : await presentPayment(deps, instalment)
}
