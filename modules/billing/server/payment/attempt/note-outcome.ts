import { DomainError } from '../../../../../kernel/errors.ts'
import type { Tx } from '../../../../../platform/db/database.ts'
import { dayOf } from '../../../domain/calendar/calendar.ts'
import type { Instalment } from '../../invoice/instalment-store.ts'
import type { Outcome } from '../../provider/port.ts'
import { InvoiceBreaksRules } from '../../issue/assert-issuable.ts'
import { finishAttempt, reverseAttempt, withdrawAttempt } from '../../settlement/attempt-payment.ts'
import { findAttempt, isLive, noteAttempt, type Attempt, type AttemptNews } from '../../settlement/attempt-store.ts'
import { holdInstalment } from '../../settlement/settle-instalment.ts'
import { setRenewals } from '../means/customer-store.ts'
import type { BillingDeps } from '../../seller/deps.ts'
import type { PaymentDeps } from '../means/deps.ts'

type NotingDeps = BillingDeps & Pick<PaymentDeps, 'log'>

export type Heard = Outcome | { readonly state: 'withdrawn' }

const minute = 60_000
const hour = 60 * minute

/** When to ask next: sooner while a customer may be waiting, rarely where a bank takes days. */
function askAt(attempt: Attempt, heard: Heard['state'], now: Date): Date | null {
  const doubling = Math.min(hour, minute * 2 ** Math.min(attempt.asked, 10))
  // Of transfers to our own account the statement tells.
  const wait = attempt.channel === 'bank' ? null : heard === 'processing' || heard === 'transfer_awaited' ? 12 * hour : doubling
  return wait === null ? null : new Date(now.getTime() + wait)
}

/** What later invoices are charged to follows what the customer himself paid a subscription by. */
async function followMeans(tx: Tx, attempt: Attempt, instalment: Instalment): Promise<void> {
  const { realm, means, seriesId, present, mandateId } = attempt
  if (instalment.subscriptionId === null || instalment.plan === null || realm === null) return
  if (means === 'card' && present !== null && seriesId !== null) await setRenewals(tx, instalment.customerId, realm, { seriesId })
  else if (means === 'mandate' && mandateId !== null) await setRenewals(tx, instalment.customerId, realm, 'mandate')
}

/**
 * What was heard of an attempt, from whomever, goes into the books, once. Heard again, late or in another order, it changes nothing.
 */
export async function noteOutcome(deps: NotingDeps, attemptId: string, heard: Heard): Promise<void> {
  try {
    await deps.db.transaction().execute(async (tx) => await note(tx, deps, attemptId, heard))
  } catch (error) {
    if (error instanceof InvoiceBreaksRules) {
      // The money is there and its invoice cannot be: it is taken in once somebody has looked at why.
      deps.log.error({ attempt_id: attemptId, rules: error.rules }, 'a payment cannot be invoiced: tried again in an hour')
      return await noteAttempt(deps.db, attemptId, { askAt: new Date(deps.clock.now().getTime() + hour) })
    }
    if (!(error instanceof DomainError)) throw error
    // Money came in that nothing is owed for, or a state that nothing leads to: the books stay as they are, and somebody looks.
    deps.log.error({ attempt_id: attemptId, heard: heard.state, code: error.code }, 'a payment does not fit the books')
    await noteAttempt(deps.db, attemptId, { failureCode: error.code })
  }
}

async function note(tx: Tx, deps: NotingDeps, attemptId: string, heard: Heard): Promise<void> {
  const before = await findAttempt(tx, attemptId)
  if (before === null) return
  const instalment = await holdInstalment(tx, before.instalmentId)
  const attempt = await findAttempt(tx, attemptId)
  if (attempt === null) return
  const now = deps.clock.now()
  const payment = 'payment' in heard && heard.payment !== null ? heard.payment : undefined
  const news: AttemptNews = { reference: payment, askAt: askAt(attempt, heard.state, now), askedAt: now }
  switch (heard.state) {
    case 'succeeded':
      if (heard.amount.cents !== attempt.amount) return await mismatch(tx, deps, attempt, news, heard.amount.cents)
      if (attempt.status === 'succeeded') return void (await reverseAttempt(tx, deps, attemptId, 0))
      await followMeans(tx, attempt, instalment)
      return void (await finishAttempt(tx, deps, attemptId, 'succeeded', news))
    case 'reversed':
      if (attempt.status !== 'succeeded') await finishAttempt(tx, deps, attemptId, 'succeeded', news)
      return void (await reverseAttempt(tx, deps, attemptId, heard.amount.cents))
    case 'mismatched':
      return await mismatch(tx, deps, attempt, news, heard.receivedCents)
    default:
      if (isLive(attempt)) await noteOpen(tx, deps, attempt, instalment, heard, news)
  }
}

async function noteOpen(
  tx: Tx,
  deps: NotingDeps,
  attempt: Attempt,
  instalment: Instalment,
  heard: Exclude<Heard, { state: 'succeeded' | 'reversed' | 'mismatched' }>,
  news: AttemptNews,
): Promise<void> {
  switch (heard.state) {
    case 'processing':
      await followMeans(tx, attempt, instalment)
      return await noteAttempt(tx, attempt.id, {
        ...news,
        redirectUrl: null,
        expectedOn: heard.expectedOn === null ? undefined : dayOf(heard.expectedOn),
      })
    case 'customer_needed':
      await noteAttempt(tx, attempt.id, { ...news, redirectUrl: heard.address })
      return void (await finishAttempt(tx, deps, attempt.id, 'action_required'))
    case 'refused':
      return void (await finishAttempt(tx, deps, attempt.id, 'failed', {
        ...news,
        failure: heard.reason,
        failureCode: heard.code?.slice(0, 200) ?? null,
      }))
    case 'withdrawn':
      return await withdrawAttempt(tx, deps, attempt.id, 'unsent')
    case 'unknown':
      await noteAttempt(tx, attempt.id, news)
      return void (await finishAttempt(tx, deps, attempt.id, 'unknown'))
    // Nothing was sent, which says nothing new; a transfer is on its way.
    case 'unsent':
    case 'transfer_awaited':
      return await noteAttempt(tx, attempt.id, news)
    default:
      return heard satisfies never
  }
}

/** Money moved, but not what was asked for: the books wait for somebody who looks. */
async function mismatch(tx: Tx, deps: NotingDeps, attempt: Attempt, news: AttemptNews, cents: number): Promise<void> {
  deps.log.error(
    { attempt_id: attempt.id, asked_cents: attempt.amount, moved_cents: cents },
    'another amount moved than was asked for',
  )
  await noteAttempt(tx, attempt.id, { ...news, failure: 'mismatched' })
  if (attempt.status === 'started' || attempt.status === 'action_required') await finishAttempt(tx, deps, attempt.id, 'unknown')
}
