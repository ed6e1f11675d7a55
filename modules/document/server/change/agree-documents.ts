import { randomUUIDv7 } from 'node:crypto'
import type { Actor } from '../../../../kernel/actor.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { dropPurchase, holdPayerOf, spend, type BillingDeps, type Purchased } from '../../../billing/server/index.ts'
import type { AgreeDeps } from '../deposit/deps.ts'
import { lockPaidTogether, setAgreementBack, setAwaiting, type Unpaid } from '../deposit/payment-store.ts'
import { setStamping, type DocumentRecord } from '../deposit/store.ts'
import { openBatches } from './open-batches.ts'

/** Held before the deposits, in the order of their owners: whoever pays holds them so too. */
export async function holdPayers(tx: Tx, { billing }: Pick<AgreeDeps, 'billing'>, ownerIds: readonly string[]): Promise<void> {
  if (billing === undefined) return
  for (const ownerId of [...new Set(ownerIds)].toSorted()) await holdPayerOf(tx, billing, ownerId)
}

/**
 * Agreed to, by one owner: what his plan includes is sealed at once, the others wait for their payment, all on one invoice. What failed was paid
 * for, or taken from the plan, when it was agreed to first. What waits already waits on. The caller holds the rows, and before them their payer.
 * @throws DomainError those of `spend`
 */
export async function beginStamping(
  tx: Tx,
  { billing }: Pick<AgreeDeps, 'billing'>,
  actor: Actor,
  { ownerId, documents }: { readonly ownerId: string; readonly documents: readonly Pick<DocumentRecord, 'id' | 'status'>[] },
  now: Date,
): Promise<void> {
  const paidBefore = documents.filter(({ status }) => status === 'failed').map(({ id }) => id)
  const drafts = documents.filter(({ status }) => status === 'draft').map(({ id }) => id)
  const { covered } = billing === undefined ? { covered: drafts } : await buy(tx, billing, actor, ownerId, drafts, now)
  const sealed = [...paidBefore, ...covered].map((id) => ({ id }))
  if (sealed.length > 0) await setStamping(tx, await openBatches(tx, ownerId, sealed, now), now)
}

async function buy(tx: Tx, billing: BillingDeps, actor: Actor, ownerId: string, subjectIds: readonly string[], now: Date) {
  if (subjectIds.length === 0) return { covered: [] }
  const paymentId = randomUUIDv7()
  return await spend(tx, billing, actor, ownerId, {
    category: 'document',
    subjectIds,
    purchaseId: async (others) => {
      await setAwaiting(tx, others, paymentId, now)
      return paymentId
    },
  })
}

type Agreed = Pick<DocumentRecord, 'id' | 'status' | 'paymentId'>

/**
 * What waits for several payments is paid for by one from now on, with whatever is agreed to beside it: all that they were of, at the prices of
 * now. The caller holds the rows, and before them their payer.
 * @returns what is to be agreed to, and what stays as it is because it is being paid for
 */
export async function gather(
  tx: Tx,
  { billing }: Pick<AgreeDeps, 'billing'>,
  documents: readonly Agreed[],
  now: Date,
): Promise<{ readonly documents: readonly Pick<Agreed, 'id' | 'status'>[]; readonly left: readonly string[] }> {
  const others = documents.filter(({ status }) => status !== 'awaiting_payment')
  const payments = new Set(documents.flatMap(({ status, paymentId }) => (status === 'awaiting_payment' ? (paymentId ?? []) : [])))
  // One payment by itself stays what it is, with its invoice.
  if (payments.size < 2 && !others.some(({ status }) => status === 'draft')) return { documents: others, left: [] }
  const gathered: Pick<Agreed, 'id' | 'status'>[] = [...others]
  const left: string[] = []
  for (const paymentId of payments) {
    const together = await lockPaidTogether(tx, paymentId)
    if (await isUnpaid(tx, billing, paymentId)) {
      await setAgreementBack(tx, paymentId, now)
      gathered.push(...together.map(({ id }) => ({ id, status: 'draft' as const })))
    } else left.push(...together.map(({ id }) => id))
  }
  return { documents: gathered, left }
}

/** What follows the payment of deposits, in its transaction. */
export function purchasedDocuments({ clock }: { readonly clock: Clock }): Purchased {
  return {
    paid: async (tx, paymentId) => {
      const paid = await lockPaidTogether(tx, paymentId)
      const [first] = paid
      if (first === undefined) throw new Error(`deposits ${paymentId} are paid and do not wait for it`)
      const now = clock.now()
      await setStamping(tx, await openBatches(tx, first.ownerId, paid, now), now)
    },
  }
}

/** Of all that is paid for together, while nothing is paid. The caller holds the payer. @throws DomainError `billing.payment_processing` */
export async function takeBack(tx: Tx, { billing }: Pick<AgreeDeps, 'billing'>, paymentId: string, now: Date): Promise<void> {
  if (!(await isUnpaid(tx, billing, paymentId))) throw new DomainError('conflict', 'billing.payment_processing')
  await setAgreementBack(tx, paymentId, now)
}

/** Whether nothing was paid, nor is under way; then its purchase is dropped. */
async function isUnpaid(tx: Tx, billing: BillingDeps | undefined, paymentId: string): Promise<boolean> {
  if (billing === undefined) return true
  const dropped = await dropPurchase(tx, billing, { category: 'document', subjectId: paymentId })
  return dropped === 'dropped' || dropped === 'none'
}

/**
 * Those that may expire, held for the caller with their payer; none while a payment of them is under way (H-50). Where others were to be paid for
 * with them, these are drafts again, each until its own day is over.
 * @param before whose end has come; null: of whatever end
 */
export async function holdUnpaid(
  tx: Tx,
  { billing }: Pick<AgreeDeps, 'billing'>,
  { ownerId, paymentId }: Unpaid,
  now: Date,
  before: Date | null,
): Promise<string[]> {
  await holdPayers(tx, { billing }, [ownerId])
  const unpaid = await lockPaidTogether(tx, paymentId)
  const over = unpaid.filter(({ expiresAt }) => before === null || (expiresAt !== null && expiresAt <= before))
  if (over.length === 0 || !(await isUnpaid(tx, billing, paymentId))) return []
  await setAgreementBack(tx, paymentId, now)
  return over.map(({ id }) => id)
}
