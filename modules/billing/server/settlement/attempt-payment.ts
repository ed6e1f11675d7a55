import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { AttemptStatus } from '../../domain/invoice/status.ts'
import type { Channel } from '../../domain/journal/entry.ts'
import { changeStatus } from '../invoice/instalment-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { changeAttempt, findAttempt, insertAttempt, type Attempt } from './attempt-store.ts'
import { failInstalment, holdInstalment, settleInstalment } from './settle-instalment.ts'

/**
 * Notes, before the provider is asked, that he will be: killed in between, it is known what to ask him after, by the same key.
 * @throws DomainError `billing.payment_processing`: another is under way; `billing.nothing_due`
 */
export async function startAttempt(
  tx: Tx,
  deps: BillingDeps,
  instalmentId: string,
  by: { readonly channel: Channel; readonly idempotencyKey: string },
): Promise<Attempt> {
  const instalment = await holdInstalment(tx, instalmentId)
  if (['collecting', 'action_required', 'unknown'].includes(instalment.status))
    throw new DomainError('conflict', 'billing.payment_processing')
  if (instalment.status !== 'due' && instalment.status !== 'failed') throw new DomainError('conflict', 'billing.nothing_due')
  const now = deps.clock.now()
  await changeStatus(tx, instalment, 'collecting', now, { nextAttemptOn: null })
  const id = await insertAttempt(tx, { instalmentId, amount: instalment.toPay, ...by }, now)
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
  told: { readonly reference?: string; readonly failure?: string } = {},
): Promise<boolean> {
  const before = await findAttempt(tx, attemptId)
  if (before === null) throw new DomainError('not_found', 'billing.attempt_unknown')
  const instalment = await holdInstalment(tx, before.instalmentId)
  const attempt = await findAttempt(tx, attemptId)
  if (attempt === null || attempt.status === outcome) return false
  await changeAttempt(tx, attempt, outcome, told, deps.clock.now())
  if (outcome === 'succeeded') await settleInstalment(tx, deps, instalment.id, { channel: attempt.channel, attemptId })
  else if (outcome === 'failed') await failInstalment(tx, deps, instalment.id)
  else await changeStatus(tx, instalment, outcome, deps.clock.now())
  return true
}
