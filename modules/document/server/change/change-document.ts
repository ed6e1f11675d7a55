import type { Actor } from '../../../../kernel/actor.ts'
import type { BodyOf } from '../../../../kernel/endpoint.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { listPurchases } from '../../../billing/server/index.ts'
import type * as contract from '../../contract/endpoints.ts'
import { assertTransition } from '../../domain/status.ts'
import { refuseUnknownReplaced } from './create-documents.ts'
import { wishCopy } from '../copy/wish-copy.ts'
import { beginStamping, gather, holdPayers, takeBack } from './agree-documents.ts'
import type { AgreeDeps } from '../deposit/deps.ts'
import { recordDocumentAct } from '../deposit/own-document.ts'
import { findAllReachable, findReachable, lockAllReachable, lockReachable } from '../deposit/reach-store.ts'
import { describeDocument, setExpired, setTrashed, type DocumentRecord } from '../deposit/store.ts'

type Deps = AgreeDeps
type Change = BodyOf<typeof contract.changeDocument>

/**
 * Describes a deposit, wishes a copy of its file kept or no longer, agrees to it, or puts it in the trash or takes it out: all that is asked, or nothing.
 * @throws DomainError `document.not_found`, `document.illegal_transition`, `document.sealed_stays`, `document.replaces_unknown`,
 * `document.replaces_itself`, `document.under_way`, `document.not_restorable`, `document.copy_of_nothing`
 */
export async function changeDocument(deps: Deps, actor: Actor, id: string, change: Change): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if (change.agree !== undefined) await holdPayers(tx, deps, [(await findReachable(tx, actor, id)).ownerId])
    const record = await lockReachable(tx, actor, id)
    const now = deps.clock.now()
    await describe(tx, actor, record, change, now)
    if (change.store !== undefined) await wishCopy(tx, actor, record, change.store, now)
    if (change.agree === true) await agree(tx, deps, actor, [record], now)
    if (change.agree === false) await disagree(tx, deps, actor, record, now)
    if (change.trashed === true) await trash(tx, actor, record, now)
    if (change.trashed === false) await restore(tx, actor, record, now)
  })
}

async function describe(tx: Tx, actor: Actor, record: DocumentRecord, change: Change, now: Date): Promise<void> {
  const { label, description, document_name: asked, replaces } = change
  const name = asked === '' ? null : asked
  const changed =
    (label !== undefined && label !== record.label) ||
    (description !== undefined && description !== record.description) ||
    (name !== undefined && name !== record.name) ||
    (replaces !== undefined && replaces !== record.replaces)
  if (!changed) return
  const declares = (name !== undefined && name !== record.name) || (replaces !== undefined && replaces !== record.replaces)
  if (declares && record.status !== 'draft') throw new DomainError('conflict', 'document.sealed_stays', { status: record.status })
  if (replaces?.toLowerCase() === record.id)
    throw new DomainError('invalid', 'document.replaces_itself', {}, { fields: { replaces: ['itself'] } })
  await refuseUnknownReplaced(tx, actor, [{ replaces }])
  await describeDocument(tx, record.id, { name, label, description, replaces })
  await recordDocumentAct(tx, now, 'described', actor, record.id)
}

/** The caller holds the rows. @returns those that are being paid for. @throws DomainError `document.illegal_transition` of the first that cannot be */
async function agree(
  tx: Tx,
  deps: Deps,
  actor: Actor,
  records: readonly DocumentRecord[],
  now: Date,
): Promise<readonly string[]> {
  for (const { status } of records) assertTransition(status, 'stamping')
  const [first] = records
  if (first === undefined) return []
  const beingPaid: string[] = []
  // Of several accounts, where who manages a group agrees for its members: each owner's settings are obeyed.
  for (const ownerId of new Set(records.map((record) => record.ownerId))) {
    const wanted = records.filter((record) => record.ownerId === ownerId)
    const { documents, left } = await gather(tx, deps, wanted, now)
    beingPaid.push(...left)
    await beginStamping(tx, deps, actor, { ownerId, documents }, now)
  }
  await (records.length === 1
    ? recordDocumentAct(tx, now, 'agreed', actor, first.id)
    : recordDocumentAct(tx, now, 'agreed_many', actor, first.id, { count: records.length }))
  return beingPaid
}

/** Takes the agreement back, of all that would be paid for together. @throws DomainError `billing.payment_processing` */
async function disagree(tx: Tx, deps: Deps, actor: Actor, record: DocumentRecord, now: Date): Promise<void> {
  if (record.status === 'draft') return
  assertTransition(record.status, 'draft')
  if (record.paymentId !== null) await takeBack(tx, deps, record.paymentId, now)
  await recordDocumentAct(tx, now, 'disagreed', actor, record.id)
}

/**
 * What is sealed can be taken out again for thirty days. A draft, or one that failed, is thrown away: nothing was sealed that could be kept.
 */
async function trash(tx: Tx, actor: Actor, { id, status, trashedAt }: DocumentRecord, now: Date): Promise<void> {
  if (status === 'expired' || trashedAt !== null) return
  if (status === 'stamping' || status === 'awaiting_payment') throw new DomainError('conflict', 'document.under_way', { status })
  if (status === 'final') {
    await setTrashed(tx, id, now)
    return await recordDocumentAct(tx, now, 'trashed', actor, id)
  }
  await setExpired(tx, [id], now)
  await recordDocumentAct(tx, now, 'discarded', actor, id)
}

async function restore(tx: Tx, actor: Actor, { id, status, trashedAt }: DocumentRecord, now: Date): Promise<void> {
  if (status === 'expired') throw new DomainError('conflict', 'document.not_restorable')
  if (trashedAt === null) return
  await setTrashed(tx, id, null)
  await recordDocumentAct(tx, now, 'restored', actor, id)
}

/** What each of them waits for the payment of. */
async function findInvoicesOf(tx: Tx, actor: Actor, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const waiting = [...(await findAllReachable(tx, actor, ids)).values()].flatMap(({ id, status, paymentId }) =>
    status === 'awaiting_payment' && paymentId !== null ? [{ id, paymentId }] : [],
  )
  const purchases = await listPurchases(tx, 'document', [...new Set(waiting.map(({ paymentId }) => paymentId))])
  const invoices = new Map(purchases.map(({ subjectId, invoiceId }) => [subjectId, invoiceId]))
  return new Map(
    waiting.flatMap(({ id, paymentId }) => {
      const invoiceId = invoices.get(paymentId)
      return invoiceId === undefined ? [] : [[id, invoiceId] as const]
    }),
  )
}

type Result = { readonly id: string; readonly code: string | null; readonly invoice_id: string | null }

/** Each by itself, in the order that was asked; those that can be agreed to together. @returns the code of what kept it back, or null */
export async function changeDocuments(
  deps: Deps,
  actor: Actor,
  { action, ids }: BodyOf<typeof contract.changeDocuments>,
): Promise<Result[]> {
  const asked = [...new Set(ids.map((id) => id.toLowerCase()))]
  if (action === 'agree') return await agreeToMany(deps, actor, asked)
  const results: Result[] = []
  for (const id of asked) {
    try {
      await changeDocument(deps, actor, id, { trashed: action === 'trash' })
      results.push({ id, code: null, invoice_id: null })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      results.push({ id, code: error.code, invoice_id: null })
    }
  }
  return results
}

async function agreeToMany(deps: Deps, actor: Actor, ids: readonly string[]): Promise<Result[]> {
  return await deps.db.transaction().execute(async (tx) => {
    const owners = [...(await findAllReachable(tx, actor, ids)).values()].map(({ ownerId }) => ownerId)
    await holdPayers(tx, deps, owners)
    const records = await lockAllReachable(tx, actor, ids)
    const agreeable: DocumentRecord[] = []
    const codes = new Map<string, string | null>()
    for (const id of ids) {
      const record = records.get(id)
      codes.set(id, record === undefined ? 'document.not_found' : null)
      if (record === undefined) continue
      try {
        assertTransition(record.status, 'stamping')
        agreeable.push(record)
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        codes.set(id, error.code)
      }
    }
    for (const id of await agree(tx, deps, actor, agreeable, deps.clock.now()))
      if (codes.has(id)) codes.set(id, 'billing.payment_processing')
    const invoices = await findInvoicesOf(tx, actor, ids)
    return ids.map((id) => ({ id, code: codes.get(id) ?? null, invoice_id: invoices.get(id) ?? null }))
  })
}
