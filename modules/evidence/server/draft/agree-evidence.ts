import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { dropPurchase, holdPayerOf, spend, type BillingDeps, type Purchased } from '../../../billing/server/index.ts'
import { assertTransition } from '../../domain/status.ts'
import { recordEvidenceAct } from '../own/own-evidence.ts'
import { findReachable, lockReachable, type Caller } from '../own/reach-store.ts'
import type { AgreeDeps } from '../record/deps.ts'
import { finalizeEvidenceJob } from '../record/jobs.ts'
import { changeStatus, lockEvidence, type EvidenceRecord } from '../record/store.ts'

/** Its report is made: the change and the job that makes it are one. The caller holds the row. */
async function beginReport(tx: Tx, id: string, now: Date): Promise<void> {
  await changeStatus(tx, id, 'finalizing', now, { expiresAt: null })
  await enqueue(tx, finalizeEvidenceJob, { evidence_id: id }, { key: `finalize:${id}` })
}

/**
 * Held as it may be agreed to: its payer before it, as whoever pays holds them.
 * @throws DomainError `evidence.account_needed`: what is nobody's nobody can be invoiced for
 */
async function hold(deps: AgreeDeps, tx: Tx, caller: Caller, id: string): Promise<EvidenceRecord> {
  if (deps.billing === undefined) return await lockReachable(tx, caller, id)
  const { ownerId } = await findReachable(tx, caller, id)
  if (ownerId !== null) await holdPayerOf(tx, deps.billing, ownerId)
  return await lockReachable(tx, caller, id)
}

/** Taken from the plan, or bought. @returns whether its report is to be begun now */
async function payFor(deps: AgreeDeps, tx: Tx, { actor }: Caller, { id, ownerId, status }: EvidenceRecord): Promise<boolean> {
  const { billing } = deps
  if (billing === undefined) return true
  if (ownerId === null || actor == null) throw new DomainError('conflict', 'evidence.account_needed')
  // It waits before its purchase is opened: where all of that is to the customer's credit, it is paid at once.
  if (status !== 'awaiting_payment') await changeStatus(tx, id, 'awaiting_payment', deps.clock.now())
  const subject = { category: 'evidence', subjectIds: [id], purchaseId: async () => await Promise.resolve(id) } as const
  const { opened } = await spend(tx, billing, actor, ownerId, subject)
  if (opened !== null) return false
  await drop(tx, billing, id)
  return true
}

/** @throws DomainError `billing.payment_processing` */
async function drop(tx: Tx, billing: BillingDeps, id: string): Promise<void> {
  const dropped = await dropPurchase(tx, billing, { category: 'evidence', subjectId: id })
  if (dropped === 'processing' || dropped === 'paid') throw new DomainError('conflict', 'billing.payment_processing')
}

/**
 * The visitor agrees to the preview (S-38): it is finalised, or waits for its payment first. Asked again while it waits, the plan is asked
 * again: what it includes by now is not paid for. Asked again later, nothing changes.
 * @throws DomainError `evidence.account_needed`, `billing.payment_processing`, and those of `spend`
 */
export async function agreeEvidence(deps: AgreeDeps, caller: Caller, id: string): Promise<EvidenceRecord> {
  await deps.db.transaction().execute(async (tx) => {
    const evidence = await hold(deps, tx, caller, id)
    if (evidence.status === 'finalizing' || evidence.status === 'final') return
    assertTransition(evidence.status, 'finalizing')
    const now = deps.clock.now()
    // The janitor may come a moment later than the term: a preview past it is gone all the same.
    if (evidence.expiresAt !== null && evidence.expiresAt <= now) throw new DomainError('gone', 'evidence.expired')
    if (await payFor(deps, tx, caller, evidence)) await beginReport(tx, id, now)
    if (evidence.status === 'to_validate') await recordEvidenceAct(tx, now, 'agreed', caller, id)
  })
  return await findReachable(deps.db, caller, id)
}

/** Takes the agreement back, while nothing is paid: the preview is as it was. @throws DomainError `billing.payment_processing` */
export async function withdrawEvidence(deps: AgreeDeps, caller: Caller, id: string): Promise<EvidenceRecord> {
  await deps.db.transaction().execute(async (tx) => {
    const { status } = await hold(deps, tx, caller, id)
    if (status === 'to_validate') return
    assertTransition(status, 'to_validate')
    if (deps.billing !== undefined) await drop(tx, deps.billing, id)
    const now = deps.clock.now()
    await changeStatus(tx, id, 'to_validate', now)
    await recordEvidenceAct(tx, now, 'withdrew', caller, id)
  })
  return await findReachable(deps.db, caller, id)
}

/** What follows the payment of a report, in its transaction. */
export function purchasedEvidence({ clock }: { readonly clock: Clock }): Purchased {
  return {
    paid: async (tx, id) => {
      const evidence = await lockEvidence(tx, id)
      if (evidence?.status !== 'awaiting_payment') throw new Error(`evidence ${id} is paid and does not wait for it`)
      await beginReport(tx, id, clock.now())
    },
  }
}

/**
 * The day of a draft that waits for its payment is over: it expires, unless a payment is under way: then it waits for its outcome, and is never
 * lost once it is paid (H-50).
 * @returns whether it may expire now. The caller then holds it, and its payer
 */
export async function holdUnpaid(
  tx: Tx,
  billing: BillingDeps | undefined,
  { id, ownerId }: { readonly id: string; readonly ownerId: string | null },
): Promise<boolean> {
  if (billing !== undefined && ownerId !== null) await holdPayerOf(tx, billing, ownerId)
  const evidence = await lockEvidence(tx, id)
  if (evidence?.status !== 'awaiting_payment') return false
  if (billing === undefined) return true
  const dropped = await dropPurchase(tx, billing, { category: 'evidence', subjectId: id })
  return dropped === 'dropped' || dropped === 'none'
}
