import { enqueue } from '../../../../../platform/jobs/jobs.ts'
import { hearNotice as call } from '../../../contract/payments.ts'
import { findNamed } from '../../settlement/attempt-store.ts'
import { findRefundNamed } from '../../settlement/refund-store.ts'
import type { PaymentDeps } from '../means/deps.ts'
import { followNoticeJob } from '../means/jobs.ts'
import { findMandateNamed } from '../means/mandate-store.ts'

/** Where the provider is asked to tell what happens. */
export const hooksAt = (publicUrl: string): string => `${publicUrl}${call.path}`

/**
 * Anybody may send one: it only names what is to be read again, and what we know nothing of is not read at all. A payment whose name was lost
 * is found by those who ask after it.
 */
export async function hearNotice(deps: PaymentDeps, query: URLSearchParams): Promise<void> {
  const { db, provider } = deps
  const named = provider?.notices?.parse(query) ?? null
  if (provider === null || named === null) return
  const { kind, id } = named
  if (kind === 'payment' && (await findNamed(db, provider.realm, id)) === null) return
  if (kind === 'mandate' && (await findMandateNamed(db, provider.realm, id)) === null) return
  if (kind === 'refund' && (await findRefundNamed(db, provider.realm, id)) === null) return
  if (kind !== 'payment' && kind !== 'refund' && kind !== 'mandate' && kind !== 'dispute') return
  await enqueue(db, followNoticeJob, { kind, id }, { key: `${followNoticeJob.name} ${kind} ${id}`, maxAttempts: 8 })
}
