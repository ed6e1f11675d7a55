import type { Db } from '../../../../../platform/db/database.ts'
import type { Outcome, PaymentProvider } from '../../provider/port.ts'
import { findNamed } from '../../settlement/attempt-store.ts'

export type UnknownPayment = { readonly payment: string; readonly outcome: Outcome }

/**
 * What moved at the provider since a moment and stands in no book here: after a restore, what was paid since the backup was taken.
 * @returns 'unknown': he did not answer all that was asked
 */
export async function listUnknownPayments(
  { db, provider }: { readonly db: Db; readonly provider: Pick<PaymentProvider, 'realm' | 'notices' | 'readPayment'> },
  since: Date,
): Promise<readonly UnknownPayment[] | 'unknown'> {
  const changed = (await provider.notices?.changedSince(since)) ?? []
  if (changed === 'unknown') return 'unknown'
  const unknown: UnknownPayment[] = []
  for (const { kind, id } of changed) {
    if (kind !== 'payment' || (await findNamed(db, provider.realm, id)) !== null) continue
    const outcome = await provider.readPayment(id)
    if (outcome.state === 'unknown' || outcome.state === 'unsent') return 'unknown'
    unknown.push({ payment: id, outcome })
  }
  return unknown
}
