import type { Actor } from '../../../../kernel/actor.ts'
import { toHex } from '../../../../kernel/bytes.ts'
import type { Qualifications } from '../../../sealing/server/index.ts'
import { listPurchases } from '../../../billing/server/index.ts'
import type { Document } from '../../contract/document.ts'
import { haveCertificates } from '../deposit/certificate-store.ts'
import { countSteps, findBatches, type BatchRecord } from '../deposit/batch-store.ts'
import { countReceived, findCopies, type CopyRecord } from '../copy/copy-store.ts'
import { presentStored } from '../copy/present-copy.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'
import { linksFor, type LinkTo } from '../links/link-to.ts'
import { findPeople, type Person } from '../../../../platform/reach/people-store.ts'
import { readAnchorProgress, type AnchorProgress } from '../anchor/present-anchor.ts'
import { datedBy } from '../stamps/qualify-stamps.ts'
import { findEarliest, type EarlierDeposit } from '../deposit/reach-store.ts'
import { findChains, type Chain } from './chain-store.ts'
import { shareToken } from '../links/share-token.ts'
import { presentHealth, presentProofs, presentSeal } from './present-proofs.ts'
import type { DocumentRecord } from '../deposit/store.ts'

type Payment = NonNullable<Document['payment']>

/** What several deposits that are shown together need, read once for all of them. */
type Around = {
  readonly people: ReadonlyMap<string, Person>
  readonly batches: ReadonlyMap<string, BatchRecord>
  readonly steps: ReadonlyMap<string, number>
  readonly earliest: ReadonlyMap<string, EarlierDeposit>
  readonly chains: ReadonlyMap<string, Chain>
  readonly anchors: AnchorProgress
  readonly qualifications: Qualifications
  readonly now: Date
  readonly certified: ReadonlySet<string>
  readonly copies: ReadonlyMap<string, CopyRecord>
  readonly copyBytes: ReadonlyMap<string, number>
  readonly payments: ReadonlyMap<string, Payment>
}

export async function presentDocuments(
  deps: DocumentWebDeps,
  actor: Actor,
  records: readonly DocumentRecord[],
): Promise<Document[]> {
  const ids = records.map(({ id }) => id)
  const batches = await findBatches(
    deps.db,
    records.flatMap(({ batchId }) => batchId ?? []),
  )
  const copies = await findCopies(deps.db, ids)
  const around: Around = {
    people: await findPeople(
      deps.db,
      records.flatMap(({ ownerId, createdBy }) => [ownerId, createdBy]),
    ),
    batches,
    steps: await countSteps(deps.db, ids),
    earliest: await findEarliest(
      deps.db,
      actor,
      records.map(({ sha256 }) => toHex(sha256)),
    ),
    chains: await findChains(deps.db, actor, records),
    anchors: await readAnchorProgress(deps, [...batches.values()]),
    qualifications: (await deps.qualify?.([...batches.values()].map(datedBy))) ?? new Map(),
    now: deps.clock.now(),
    certified: await haveCertificates(deps.db, ids),
    copies,
    payments: await readPayments(deps, records),
    copyBytes: await countReceived(
      deps.db,
      [...copies.values()].flatMap((copy) => (copy.state === 'receiving' ? copy.id : [])),
    ),
  }
  const linkTo = linksFor(deps, actor)
  return records.map((record) => present(deps, record, around, linkTo))
}

async function readPayments(
  { db }: Pick<DocumentWebDeps, 'db'>,
  records: readonly DocumentRecord[],
): Promise<ReadonlyMap<string, Payment>> {
  const waiting = records.flatMap(({ status, paymentId }) => (status === 'awaiting_payment' ? (paymentId ?? []) : []))
  const purchases = await listPurchases(db, 'document', [...new Set(waiting)])
  return new Map(
    purchases.map(({ subjectId, invoiceId, amount, toPay, quantity, state }) => [
      subjectId,
      { invoice_id: invoiceId, net_cents: amount.net, gross_cents: amount.gross, to_pay_cents: toPay, count: quantity, state },
    ]),
  )
}

export async function presentDocument(deps: DocumentWebDeps, actor: Actor, record: DocumentRecord): Promise<Document> {
  const [document] = await presentDocuments(deps, actor, [record])
  if (document === undefined) throw new Error('a deposit was shown as none')
  return document
}

function present(deps: DocumentWebDeps, record: DocumentRecord, around: Around, linkTo: LinkTo): Document {
  const { id, sealedAt } = record
  const batch = record.batchId === null ? undefined : around.batches.get(record.batchId)
  const person = (of: string) => ({ id: of, name: around.people.get(of)?.name ?? '' })
  const chain = around.chains.get(id)
  const copy = around.copies.get(id)
  return {
    id,
    owner: person(record.ownerId),
    created_by: record.createdBy === record.ownerId ? null : person(record.createdBy),
    api_key: record.apiKey,
    document_name: record.name,
    label: record.label,
    description: record.description,
    sha256: toHex(record.sha256),
    sha512: record.sha512 === null ? null : toHex(record.sha512),
    status: record.status,
    category: record.category,
    store: record.store,
    stored: presentStored(record, copy, around.copyBytes.get(copy?.id ?? '') ?? 0),
    document_url: copy?.state === 'stored' ? linkTo(id, 'copy') : null,
    ...presentProofs(deps, record, { batch, anchors: around.anchors, certified: around.certified.has(id) }, linkTo),
    seal: presentSeal(batch, around.steps.get(id) ?? 0, around.qualifications),
    health: presentHealth(batch, around.now),
    replaces: chain?.replaces ?? null,
    replaced_by: [...(chain?.replacedBy ?? [])],
    duplicate_of: earlierThan(record, around.earliest.get(toHex(record.sha256))),
    share_url: record.shareNonce === null ? null : `/shared/${shareToken(deps.secret, id, record.shareNonce)}/`,
    payment: around.payments.get(record.paymentId ?? '') ?? null,
    created_at: record.createdAt.toISOString(),
    sealed_at: sealedAt?.toISOString() ?? null,
    expires_at: record.expiresAt?.toISOString() ?? null,
    failure: record.status === 'failed' ? { code: batch?.failure ?? 'sealing.no_timestamp' } : null,
    trashed_at: record.trashedAt?.toISOString() ?? null,
    content_deleted_at: record.contentDeletedAt?.toISOString() ?? null,
  }
}

/** Whether one was deposited before it that is not itself. */
export function earlierThan(
  { id, createdAt }: Pick<DocumentRecord, 'id' | 'createdAt'>,
  earliest: EarlierDeposit | undefined,
): Document['duplicate_of'] {
  if (earliest === undefined || earliest.id === id || earliest.createdAt > createdAt) return null
  return { id: earliest.id, sealed_at: earliest.sealedAt?.toISOString() ?? null }
}
