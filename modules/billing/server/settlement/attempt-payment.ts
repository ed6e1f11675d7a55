import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'
import type { AttemptStatus } from '../../domain/invoice/status.ts'
import type { Channel } from '../../domain/journal/entry.ts'
import { entryOfFee } from '../../domain/journal/entry.ts'
import type { Cents } from '../../domain/money/money.ts'
import { changeCredit, creditLeft } from '../customer/customer-store.ts'
import { changeStatus, setOwed, type Instalment } from '../invoice/instalment-store.ts'
import { holdNumbers } from '../invoice/number-store.ts'
import { postEntry } from '../journal/journal-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import {
  changeAttempt,
  findAttempt,
  insertAttempt,
  isLive,
  noteAttempt,
  type Attempt,
  type AttemptNews,
  type Way,
} from './attempt-store.ts'
import { isRefunding } from './refund-store.ts'
import { failInstalment, holdInstalment, postMoney, reverseInstalment, settleInstalment } from './settle-instalment.ts'
import { beginRefund } from './start-refund.ts'

const firstAskMs = 60_000

/**
 * Notes, before the provider is asked, that he will be: killed in between, it is known what to ask him after, by the same key.
 * @throws DomainError `billing.payment_processing`: another is under way; `billing.nothing_due`
 */
export async function startAttempt(
  tx: Tx,
  deps: BillingDeps,
  instalmentId: string,
  by: { readonly channel: Channel; readonly idempotencyKey: string } & Partial<Way>,
): Promise<Attempt> {
  const instalment = await holdInstalment(tx, instalmentId)
  if (['collecting', 'action_required', 'unknown'].includes(instalment.status))
    throw new DomainError('conflict', 'billing.payment_processing')
  if (instalment.status !== 'due' && instalment.status !== 'failed') throw new DomainError('conflict', 'billing.nothing_due')
  const now = deps.clock.now()
  await changeStatus(tx, instalment, 'collecting', now, { nextAttemptOn: null })
  // Whoever asks now hears it sooner: this is for one who is killed meanwhile. Of a transfer the statement tells.
  const askAt = by.means === 'card' || by.means === 'mandate' ? new Date(now.getTime() + firstAskMs) : null
  const id = await insertAttempt(tx, { instalmentId, amount: instalment.toPay, ...by }, now, askAt)
  const attempt = await findAttempt(tx, id)
  if (attempt === null) throw new Error('an attempt is gone as it begins')
  return attempt
}

/** Whether whoever waits for it is told what became of an attempt: what was paid otherwise, or dropped, waits for nothing. */
const isWaiting = ({ status }: Pick<Instalment, 'status'>): boolean =>
  status === 'collecting' || status === 'action_required' || status === 'unknown'

/**
 * What became of an attempt, by whoever hears of it first: said again, it changes nothing. What comes in and is not owed, because it was paid
 * otherwise or is no longer bought, is given back.
 * @returns whether it was news
 * @throws DomainError `billing.illegal_transition`: what is over was told otherwise
 */
export async function finishAttempt(
  tx: Tx,
  deps: BillingDeps,
  attemptId: string,
  outcome: Exclude<AttemptStatus, 'started'>,
  told: AttemptNews = {},
): Promise<boolean> {
  const before = await findAttempt(tx, attemptId)
  if (before === null) throw new DomainError('not_found', 'billing.attempt_unknown')
  const instalment = await holdInstalment(tx, before.instalmentId)
  const attempt = await findAttempt(tx, attemptId)
  if (attempt === null || attempt.status === outcome) return false
  await changeAttempt(tx, attempt, outcome, told, deps.clock.now())
  if (outcome === 'succeeded') await takeIn(tx, deps, instalment, attempt, attempt.amount)
  else if (!isWaiting(instalment)) return true
  else if (outcome === 'failed') await failInstalment(tx, deps, instalment.id, attempt.present !== null)
  else await changeStatus(tx, instalment, outcome, deps.clock.now())
  return true
}

/** Money of an attempt came in, first or again: for what is owed, and what is more than that is given back. */
async function takeIn(tx: Tx, deps: BillingDeps, instalment: Instalment, attempt: Attempt, cents: Cents): Promise<void> {
  const means = { channel: attempt.channel, attemptId: attempt.id }
  const { status, toPay, kept } = instalment
  if (status === 'paid' || status === 'dropped' || status === 'scheduled')
    return await giveBack(tx, deps, instalment, attempt, cents)
  if (cents >= toPay) {
    await settleInstalment(tx, deps, instalment.id, means)
    if (cents > toPay) await giveBack(tx, deps, instalment, attempt, cents - toPay)
    return
  }
  // More of it was taken back meanwhile, or not all of what was is given again.
  await setOwed(tx, instalment.id, toPay - cents, kept + cents)
  await postMoney(tx, deps, instalment, 'payment', cents, means)
  const isOwn = isWaiting(instalment) && isLive(attempt)
  if (isOwn) await changeStatus(tx, instalment, 'due', deps.clock.now())
}

/** It is the customer's, and begins its way back by the way that it came. */
async function giveBack(tx: Tx, deps: BillingDeps, instalment: Instalment, attempt: Attempt, cents: Cents): Promise<void> {
  const { customerId, invoiceId } = instalment
  const { id: attemptId, channel, realm } = attempt
  await postMoney(tx, deps, instalment, 'payment', cents, { channel, attemptId })
  await changeCredit(tx, customerId, cents)
  await noteAttempt(tx, attemptId, { surplus: attempt.surplus + cents })
  // One of it is under way: it stays to his credit.
  if (await isRefunding(tx, attemptId)) return
  await beginRefund(tx, deps, { customerId, attemptId, invoiceId, creditNoteId: null, amount: cents, channel, realm })
}

/**
 * It is certain that nothing was taken in, or it was given up for another way: what was to be paid is due as before, and nothing failed.
 * @throws DomainError `billing.illegal_transition`
 */
export async function withdrawAttempt(tx: Tx, deps: BillingDeps, attemptId: string, why: 'unsent' | 'replaced'): Promise<void> {
  const before = await findAttempt(tx, attemptId)
  if (before === null) throw new DomainError('not_found', 'billing.attempt_unknown')
  const instalment = await holdInstalment(tx, before.instalmentId)
  const attempt = await findAttempt(tx, attemptId)
  if (attempt === null || !isLive(attempt)) return
  const now = deps.clock.now()
  await changeAttempt(tx, attempt, 'failed', { failure: why }, now)
  if (isWaiting(instalment)) await changeStatus(tx, instalment, 'due', now, { nextAttemptOn: dayOf(now) })
}

/**
 * So much of what it had brought has the bank taken back by now: all, a part, or nothing any more. What it took besides is a fee, which the
 * customer does not owe. Told again, nothing changes.
 * @returns whether it was news
 * @throws DomainError `billing.taken_beyond`: what was given back before is taken as well, and nothing is left that it could be owed of
 */
export async function reverseAttempt(tx: Tx, deps: BillingDeps, attemptId: string, takenInAll: Cents): Promise<boolean> {
  const before = await findAttempt(tx, attemptId)
  if (before === null) throw new DomainError('not_found', 'billing.attempt_unknown')
  const instalment = await holdInstalment(tx, before.instalmentId)
  const attempt = await findAttempt(tx, attemptId)
  const taken = Math.min(takenInAll, before.amount)
  const fee = takenInAll - taken
  if (attempt?.status !== 'succeeded' || (attempt.taken === taken && attempt.fee === fee)) return false
  await noteAttempt(tx, attemptId, { taken, fee, reversedAt: taken === 0 ? null : (attempt.reversedAt ?? deps.clock.now()) })
  if (taken > attempt.taken) await takeOut(tx, deps, instalment, attempt, taken - attempt.taken)
  else if (taken < attempt.taken) await takeIn(tx, deps, instalment, attempt, attempt.taken - taken)
  if (fee !== attempt.fee) {
    await holdNumbers(tx)
    const occasion = { kind: 'fee', customerId: null, invoiceId: instalment.invoiceId, attemptId } as const
    await postEntry(tx, entryOfFee(fee - attempt.fee, attempt.channel), occasion, deps.clock.now())
  }
  return true
}

/** First what was more than was owed, as far as it is still to the customer's credit; then what was paid with it, which is owed again. */
async function takeOut(tx: Tx, deps: BillingDeps, instalment: Instalment, attempt: Attempt, cents: Cents): Promise<void> {
  const means = { channel: attempt.channel, attemptId: attempt.id }
  const { customerId, status, toPay, kept } = instalment
  const surplus = Math.min(cents, attempt.surplus, await creditLeft(tx, customerId))
  if (surplus > 0) {
    await changeCredit(tx, customerId, -surplus)
    await noteAttempt(tx, attempt.id, { surplus: attempt.surplus - surplus })
    await postMoney(tx, deps, instalment, 'reversal', surplus, means)
  }
  const owed = cents - surplus
  if (owed === 0) return
  if (owed > (status === 'paid' ? toPay : kept))
    throw new DomainError('conflict', 'billing.taken_beyond', { attempt: attempt.id })
  await reverseInstalment(tx, deps, instalment.id, means, owed)
}
