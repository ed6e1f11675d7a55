import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'
import type { AttemptStatus } from '../../domain/invoice/status.ts'
import type { Channel } from '../../domain/journal/entry.ts'
import { changeStatus } from '../invoice/instalment-store.ts'
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
import { failInstalment, holdInstalment, reverseInstalment, settleInstalment } from './settle-instalment.ts'

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

/**
 * What became of an attempt, by whoever hears of it first: said again, it changes nothing.
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
  const isLate = attempt.status === 'failed' && !['due', 'failed', 'scheduled'].includes(instalment.status)
  // It was given up and paid otherwise: what came in twice is for somebody to look at, and to give back.
  if (isLate) throw new DomainError('conflict', 'billing.paid_twice', { attempt: attemptId })
  await changeAttempt(tx, attempt, outcome, told, deps.clock.now())
  if (outcome === 'succeeded') await settleInstalment(tx, deps, instalment.id, { channel: attempt.channel, attemptId })
  else if (outcome === 'failed') await failInstalment(tx, deps, instalment.id, attempt.present !== null)
  else await changeStatus(tx, instalment, outcome, deps.clock.now())
  return true
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
  await changeStatus(tx, instalment, 'due', now, { nextAttemptOn: dayOf(now) })
}

/** The bank took back what it had brought, or gave it back again; told again, nothing changes. @returns whether it was news */
export async function reverseAttempt(tx: Tx, deps: BillingDeps, attemptId: string, isTaken: boolean): Promise<boolean> {
  const before = await findAttempt(tx, attemptId)
  if (before === null) throw new DomainError('not_found', 'billing.attempt_unknown')
  const instalment = await holdInstalment(tx, before.instalmentId)
  const attempt = await findAttempt(tx, attemptId)
  if (attempt?.status !== 'succeeded' || (attempt.reversedAt !== null) === isTaken) return false
  const means = { channel: attempt.channel, attemptId }
  if (isTaken) await reverseInstalment(tx, deps, instalment.id, means)
  else if (instalment.status === 'due' || instalment.status === 'failed') await settleInstalment(tx, deps, instalment.id, means)
  else throw new DomainError('conflict', 'billing.paid_twice', { attempt: attemptId })
  await noteAttempt(tx, attemptId, { reversedAt: isTaken ? deps.clock.now() : null })
  return true
}
