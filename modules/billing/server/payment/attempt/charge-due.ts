import { DomainError } from '../../../../../kernel/errors.ts'
import { dayOf } from '../../../domain/calendar/calendar.ts'
import { startAttempt } from '../../settlement/attempt-payment.ts'
import type { Way } from '../../settlement/attempt-store.ts'
import { newKey, type PaymentDeps } from '../means/deps.ts'
import { findMandate } from '../means/mandate-store.ts'
import { findSeries } from '../means/series-store.ts'
import { askProvider } from './ask-provider.ts'
import { listChargeable, type Chargeable } from './chargeable-store.ts'
import { noteOutcome } from './note-outcome.ts'

const atATime = 200
const patience = 5

async function wayOf({ db, provider }: PaymentDeps, due: Chargeable): Promise<Partial<Way> | null> {
  if (provider === null) return null
  const { realm } = provider
  if (due.renewedBy === 'mandate') {
    const mandate = await findMandate(db, due.customerId, realm)
    const isUsable = mandate !== null && (mandate.status === 'submitted' || mandate.status === 'active')
    return isUsable ? { realm, means: 'mandate', mandateId: mandate.id } : null
  }
  const series = due.seriesId === null ? null : await findSeries(db, due.seriesId)
  return series === null || series.reference === null
    ? null
    : { realm, means: 'card', cardId: series.cardId, seriesId: series.id }
}

/**
 * Renewals and instalments whose day has come are charged without the customer, and those that failed are tried again on their day; what he
 * does not pay by card or mandate waits for him. Each attempt is noted with its key before the provider is asked: run twice, or killed in
 * between, nobody pays twice.
 * @returns how many were charged
 */
export async function chargeDue(deps: PaymentDeps, signal?: AbortSignal): Promise<number> {
  const { provider, db, clock } = deps
  if (provider === null) return 0
  let [charged, silent] = [0, 0]
  for (let after = ''; ;) {
    const due = await listChargeable(db, provider.realm, dayOf(clock.now()), after, atATime)
    for (const each of due) {
      after = each.instalmentId
      if (signal?.aborted === true || silent >= patience) return charged
      const heard = await chargeOne(deps, each)
      if (heard === null) continue
      silent = heard === 'unsent' || heard === 'unknown' ? silent + 1 : 0
      charged += 1
    }
    if (due.length < atATime) return charged
  }
}

/** @returns what was heard; null: there is nothing to charge it to, or somebody was quicker */
async function chargeOne(deps: PaymentDeps, due: Chargeable): Promise<string | null> {
  const way = await wayOf(deps, due)
  if (way === null) return null
  try {
    const attempt = await deps.db
      .transaction()
      .execute(
        async (tx) => await startAttempt(tx, deps, due.instalmentId, { channel: 'provider', idempotencyKey: newKey(), ...way }),
      )
    const heard = await askProvider(deps, attempt)
    await noteOutcome(deps, attempt.id, heard)
    return heard.state
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}
