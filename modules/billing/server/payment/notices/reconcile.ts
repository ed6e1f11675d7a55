import type { PaymentDeps } from '../means/deps.ts'
import { findNamed } from '../../settlement/attempt-store.ts'
import { findRefundNamed } from '../../settlement/refund-store.ts'
import { findMandateNamed } from '../means/mandate-store.ts'
import { adoptRefund } from '../refund/adopt-refund.ts'
import { follow } from './follow.ts'
import { findReconciled, setReconciled } from './reconciled-store.ts'

/** What happened while it was being told is told once more; the provider keeps its record for 45 days. */
const overlapMs = 2 * 3_600_000
const firstMs = 30 * 24 * 3_600_000

/**
 * Reads all that changed at the provider since the last time, by its own record: notices that never came lose nothing. What is ours and was
 * never heard of is found so too, and so is what was given back without us.
 * @returns how many were read; null: the provider did not answer, and all of it is read again next time
 */
export async function reconcile(deps: PaymentDeps, signal?: AbortSignal): Promise<number | null> {
  const { provider, db, clock, log } = deps
  if (provider?.notices === undefined) return 0
  const now = clock.now()
  const last = await findReconciled(db, provider.realm)
  const since = new Date((last ?? new Date(now.getTime() - firstMs)).getTime() - overlapMs)
  const changed = await provider.notices.changedSince(since)
  if (changed === 'unknown') return null
  let [read, whole] = [0, true]
  for (const named of changed) {
    if (signal?.aborted === true) return read
    const { kind, id } = named
    if (kind === 'refund' && (await findRefundNamed(db, provider.realm, id)) === null) {
      const heard = await adoptRefund(deps, id)
      if (heard === 'silent') whole = false
      else if (heard === 'read') read += 1
      continue
    }
    const isOurs =
      kind === 'dispute' ||
      (kind === 'payment' && (await findNamed(db, provider.realm, id)) !== null) ||
      kind === 'refund' ||
      (kind === 'mandate' && (await findMandateNamed(db, provider.realm, id)) !== null)
    if (!isOurs) continue
    const heard = await follow(deps, named)
    if (heard === 'silent') whole = false
    else if (heard === 'read') read += 1
  }
  if (whole) await setReconciled(db, provider.realm, now)
  else log.warn({ since }, 'the provider did not answer all that was asked: it is asked again')
  return read
}
