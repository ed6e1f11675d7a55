import { followNotice } from '../../provider/follow-notice.ts'
import type { Named } from '../../provider/port.ts'
import { findNamed } from '../../settlement/attempt-store.ts'
import { findRefundNamed } from '../../settlement/refund-store.ts'
import { noteOutcome } from '../attempt/note-outcome.ts'
import { noteMandate } from '../means/create-mandate.ts'
import { providerOf, type PaymentDeps } from '../means/deps.ts'
import { findMandateNamed } from '../means/mandate-store.ts'
import { noteRefundOutcome } from '../refund/note-refund.ts'

/** What it names is read at this moment, and what was read goes into the books: all one how often, in what order and by whom it was told. */
export async function follow(deps: PaymentDeps, named: Named): Promise<'read' | 'silent' | 'none'> {
  const provider = providerOf(deps)
  const followed = await followNotice(provider, named)
  if (followed === null) return 'none'
  const { kind, id, reading } = followed
  if (reading === 'unknown' || (typeof reading === 'object' && (reading.state === 'unknown' || reading.state === 'unsent')))
    return 'silent'
  if (kind === 'mandate') {
    const mandate = await findMandateNamed(deps.db, provider.realm, id)
    if (mandate === null) return 'none'
    await noteMandate(deps, mandate, reading)
    return 'read'
  }
  if (kind === 'refund') {
    const refund = await findRefundNamed(deps.db, provider.realm, id)
    if (refund === null) return 'none'
    await noteRefundOutcome(deps, refund.id, reading)
    return 'read'
  }
  if (kind !== 'payment') return 'none'
  const attempt = await findNamed(deps.db, provider.realm, id)
  if (attempt === null) return 'none'
  await noteOutcome(deps, attempt.id, reading)
  return 'read'
}
