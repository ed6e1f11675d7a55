import { randomUUIDv7 } from 'node:crypto'
import type { z } from 'zod'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { deposit } from '../../contract/document.ts'
import { draftLifetimeMs } from '../../domain/status.ts'
import type { AgreeDeps } from '../deposit/deps.ts'
import { depositorFor, recordDocumentAct } from '../deposit/own-document.ts'
import { beginStamping, holdPayers } from './agree-documents.ts'
import { openBatches } from './open-batches.ts'
import { reachedAmong } from '../deposit/reach-store.ts'
import { countDrafts, findByClientIds, findDocuments, holdDeposits, insertDocuments } from '../deposit/store.ts'
import type { DocumentRecord, NewDocument } from '../deposit/store.ts'

/** drafts that an account may have at a time (decision H-34, single user). */
export const mostDrafts = 5
export type Asked = z.output<typeof deposit>

/**
 * Deposits fingerprints: at once, each by itself up to twenty and together above, or as drafts. One whose mark an earlier call left is
 * that call's deposit; nothing is deposited unless all are.
 * @returns in the order that was asked
 * @throws DomainError limited `document.drafts_exhausted`; invalid `document.replaces_unknown`; of what is agreed to, those of `spend`
 */
export async function createDocuments(
  deps: AgreeDeps,
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
    await holdPayers(tx, deps, agree ? [depositor.ownerId] : [])
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
      const expiresAt = new Date(now.getTime() + draftLifetimeMs)
      if (agree && deps.billing === undefined) {
        const batched = await openBatches(tx, depositor.ownerId, fresh, now)
        await insertDocuments(tx, { depositor, status: 'stamping', expiresAt: null, now }, batched)
      } else {
        if (!agree) await refuseTooMany(tx, depositor.ownerId, fresh.length)
        await insertDocuments(tx, { depositor, status: 'draft', expiresAt, now }, fresh)
        const { ownerId } = depositor
        const documents = fresh.map(({ id }) => ({ id, status: 'draft' as const }))
        if (agree) await beginStamping(tx, deps, actor, { ownerId, documents }, now)
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
