import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { z } from 'zod'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { findSettings } from '../../../account/server/index.ts'
import type { deposit } from '../../contract/document.ts'
import { draftLifetimeMs, largestDirect } from '../../domain/status.ts'
import { insertBatches } from '../deposit/batch-store.ts'
import type { DocumentDeps } from '../deposit/deps.ts'
import { sealBatchJob } from '../deposit/jobs.ts'
import { depositorFor, recordDocumentAct } from '../deposit/own-document.ts'
import { reachedAmong } from '../deposit/reach-store.ts'
import { countDrafts, findByClientIds, findDocuments, holdDeposits, insertDocuments } from '../deposit/store.ts'
import type { DocumentRecord, NewDocument } from '../deposit/store.ts'

/** drafts that an account may have at a time (decision H-34, single user). */
export const mostDrafts = 5
/** How long a seal is tried before its deposits are said to have failed. */
export const sealingLastsMs = 24 * 60 * 60 * 1000

export type Asked = z.output<typeof deposit>

/**
 * Deposits fingerprints: at once, each by itself up to twenty and together above, or as drafts. One whose mark an earlier call left is
 * that call's deposit; nothing is deposited unless all are.
 * @returns in the order that was asked
 * @throws DomainError limited `document.drafts_exhausted`; invalid `document.replaces_unknown`
 */
export async function createDocuments(
  deps: Pick<DocumentDeps, 'db' | 'clock'>,
  actor: Actor,
  {
    documents: asked,
    agree,
    many = false,
  }: {
    readonly documents: readonly Asked[]
    readonly agree: boolean
    /** Whether what is wrong is said of `documents.3` and not of the call's one document. */
    readonly many?: boolean
  },
): Promise<DocumentRecord[]> {
  return await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    const depositor = await depositorFor(tx, actor)
    await holdDeposits(tx, depositor.ownerId)
    const marks = asked.flatMap(({ client_id: mark }) => (mark === undefined ? [] : [mark.toLowerCase()]))
    const known = new Map([...(await findByClientIds(tx, depositor.ownerId, marks))].map(([mark, { id }]) => [mark, id]))
    await refuseUnknownReplaced(tx, actor, asked, many ? (index) => `documents.${String(index)}.replaces` : undefined)
    const fresh: NewDocument[] = []
    // Those of one millisecond are in no order: lists, and what is said of two alike, go by that in which they were asked.
    const newIds = Array.from(asked, () => randomUUIDv7()).toSorted((a, b) => (a < b ? -1 : 1))
    const ids = asked.map((each, index) => {
      const mark = each.client_id?.toLowerCase() ?? null
      const before = mark === null ? undefined : known.get(mark)
      if (before !== undefined) return before
      const made = newDocument(newIds[index] ?? randomUUIDv7(), each, mark)
      fresh.push(made)
      if (mark !== null) known.set(mark, made.id)
      return made.id
    })
    if (fresh.length > 0) {
      if (agree) {
        const batched = await openBatches(tx, depositor.ownerId, fresh, now)
        await insertDocuments(tx, { depositor, status: 'stamping', expiresAt: null, now }, batched)
      } else {
        await refuseTooMany(tx, depositor.ownerId, fresh.length)
        const expiresAt = new Date(now.getTime() + draftLifetimeMs)
        await insertDocuments(tx, { depositor, status: 'draft', expiresAt, now }, fresh)
      }
      const [first] = fresh
      if (first !== undefined)
        await (fresh.length === 1
          ? recordDocumentAct(tx, now, 'deposited', actor, first.id)
          : recordDocumentAct(tx, now, 'deposited_many', actor, first.id, { count: fresh.length }))
    }
    const records = await findDocuments(tx, ids)
    return ids.flatMap((id) => records.get(id) ?? [])
  })
}

function newDocument(id: string, asked: Asked, clientId: string | null): NewDocument {
  const { document_name: name = '' } = asked
  return {
    id,
    clientId,
    batchId: null,
    sha256: asked.sha256,
    sha512: asked.sha512 ?? null,
    name: name === '' ? null : name,
    label: asked.label ?? '',
    description: asked.description ?? '',
    store: asked.store,
    replaces: asked.replaces ?? null,
  }
}

async function refuseTooMany(tx: Tx, ownerId: string, more: number): Promise<void> {
  const held = await countDrafts(tx, ownerId)
  if (held + more > mostDrafts) throw new DomainError('limited', 'document.drafts_exhausted', { held, most: mostDrafts })
}

/** What the caller does not reach, and what is not there, cannot be replaced: which of the two is not told. */
export async function refuseUnknownReplaced(
  tx: Tx,
  actor: Actor,
  asked: readonly { readonly replaces?: string | null | undefined }[],
  fieldOf: (index: number) => string = () => 'replaces',
): Promise<void> {
  const wanted = asked.map(({ replaces }) => replaces?.toLowerCase() ?? null)
  const reached = await reachedAmong(tx, actor, [...new Set(wanted.filter((id) => id !== null))])
  const unknown = wanted.flatMap((id, index) => (id === null || reached.has(id) ? [] : [fieldOf(index)]))
  if (unknown.length === 0) return
  const fields = Object.fromEntries(unknown.map((field) => [field, ['unknown']]))
  throw new DomainError('invalid', 'document.replaces_unknown', {}, { fields })
}

/**
 * What is agreed to at once: up to twenty each in a batch of its own, so that each has a token over its own fingerprint; above, one batch
 * for all. The jobs that seal are asked for in the same transaction.
 * @returns each with its batch
 */
export async function openBatches<T extends { readonly id: string }>(
  tx: Tx,
  ownerId: string,
  documents: readonly T[],
  now: Date,
): Promise<(T & { readonly batchId: string })[]> {
  const direct = documents.length <= largestDirect
  const settings = await findSettings(tx, ownerId)
  const common = {
    ownerId,
    outsideStamps: settings.eidasTimestamping,
    createdAt: now,
    giveUpAt: new Date(now.getTime() + sealingLastsMs),
  }
  const ofAll = randomUUIDv7()
  const batched = documents.map((each) => ({ ...each, batchId: direct ? randomUUIDv7() : ofAll }))
  const batches = direct ? batched.map(({ batchId }) => batchId) : [ofAll]
  await insertBatches(
    tx,
    batches.map((id) => ({ id, ...common, size: direct ? 1 : documents.length, blind: randomBytes(32) })),
  )
  for (const id of batches) await enqueue(tx, sealBatchJob, { batch_id: id }, { key: `seal:${id}` })
  return batched
}
