import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { countParts, lengthOfPart } from '../../domain/copy.ts'
import { compareCopyJob } from '../jobs.ts'
import { recordDocumentAct } from '../own-document.ts'
import { findReachable, lockReachable } from '../reach-store.ts'
import { holdDeposits, type DocumentRecord } from '../store.ts'
import type { CopyDeps } from './copy-deps.ts'
import { makeCopyKey, openCopyKey, scopeOfCopy } from './copy-key.ts'
import {
  announceCopy,
  countHeldBytes,
  findCopy,
  findCopyOf,
  forgetCopy,
  insertCopy,
  listParts,
  putPart,
  setCopyState,
  type CopyRecord,
} from './copy-store.ts'
import { endCopy } from './end-copy.ts'
import { sealPart } from './part-cipher.ts'
import type { Places } from './places.ts'

const over = () => new DomainError('conflict', 'document.copy_over')

/** @throws DomainError as the contract says of `beginDocumentCopy` */
export async function beginCopy(deps: CopyDeps, actor: Actor, documentId: string, bytes: number): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const { ownerId } = await findReachable(tx, actor, documentId)
    await holdDeposits(tx, ownerId)
    const record = await lockReachable(tx, actor, documentId)
    refuseUnwanted(record)
    const now = deps.clock.now()
    const found = await findCopyOf(tx, documentId)
    const before = found === null ? null : await findCopy(tx, found.id, true)
    if (before?.state === 'stored' || before?.state === 'comparing') throw new DomainError('conflict', 'document.copy_there')
    if (before?.state === 'receiving' && before.bytes === bytes) return
    if (before !== null) await giveWay(tx, before, now)
    await refuseTooMuch(deps, tx, ownerId, bytes)
    const id = randomUUID()
    await insertCopy(tx, { id, documentId, ownerId, bytes, sealedKey: makeCopyKey(deps.vault, id), now })
    await announceCopy(tx, documentId)
  })
}

function refuseUnwanted({ store, status, trashedAt, contentDeletedAt }: DocumentRecord): void {
  if (!store) throw new DomainError('conflict', 'document.copy_not_wanted')
  if (status === 'expired' || trashedAt !== null || contentDeletedAt !== null)
    throw new DomainError('conflict', 'document.copy_of_nothing')
}

async function giveWay(tx: Tx, before: CopyRecord, now: Date): Promise<void> {
  if (before.sealedKey !== null) await endCopy(tx, before.id, { by: 'anew', at: now })
  await forgetCopy(tx, before.id)
}

async function refuseTooMuch({ copyLimits }: CopyDeps, tx: Tx, ownerId: string, bytes: number): Promise<void> {
  const { largestBytes, accountBytes } = copyLimits
  if (bytes > largestBytes) throw new DomainError('too_large', 'document.copy_too_large', { most: largestBytes })
  const left = Math.max(0, accountBytes - (await countHeldBytes(tx, ownerId)))
  if (bytes > left) throw new DomainError('limited', 'document.copies_exhausted', { left, most: accountBytes })
}

type Sent = { readonly documentId: string; readonly upload: string; readonly part: number }

/**
 * Takes one piece: enciphered as it arrives, so that no clear byte is ever on disk, and kept once it is there to its last byte.
 * @throws DomainError as the contract says of `sendDocumentCopyPart`
 */
export async function receivePart(
  deps: CopyDeps,
  places: Places,
  actor: Actor,
  { documentId, upload, part }: Sent,
  bytes: Readable,
): Promise<void> {
  await findReachable(deps.db, actor, documentId)
  const copy = await findCopy(deps.db, upload)
  if (copy?.documentId !== documentId || copy.state !== 'receiving' || copy.sealedKey === null) throw over()
  const length = lengthOfPart(copy.bytes, part)
  if (length === 0) throw new DomainError('invalid', 'document.copy_part_length', { bytes: 0 })
  const key = openCopyKey(deps.vault, copy.id, copy.sealedKey)
  const leave = places.take(actor.userId)
  try {
    const kept = deps.blobs.scope(scopeOfCopy(copy.id))
    const { sha256: blob } = await kept.putStream(sealPart(key, { copyId: copy.id, part }, ofLength(bytes, length)))
    const taken = await deps.db.transaction().execute(async (tx) => {
      const now = await findCopy(tx, copy.id, true)
      if (now?.state !== 'receiving') return null
      return { before: await putPart(tx, copy.id, { part, blob, now: deps.clock.now() }) }
    })
    // What it was for has ended meanwhile; or it takes the place of the one before.
    if (taken === null || taken.before !== null) await kept.remove(taken?.before ?? blob)
    if (taken === null) throw over()
  } finally {
    leave()
  }
}

/** @throws DomainError `document.copy_part_length` before more than that is taken, or at the end of less */
async function* ofLength(bytes: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  const wrong = () => new DomainError('invalid', 'document.copy_part_length', { bytes: length })
  let taken = 0
  for await (const chunk of bytes) {
    taken += chunk.length
    if (taken > length) throw wrong()
    yield chunk
  }
  if (taken < length) throw wrong()
}

/** @throws DomainError `document.copy_incomplete`, `document.copy_over` */
export async function completeCopy(deps: CopyDeps, actor: Actor, documentId: string, upload: string): Promise<void> {
  await findReachable(deps.db, actor, documentId)
  await deps.db.transaction().execute(async (tx) => {
    const copy = await findCopy(tx, upload, true)
    if (copy === null || copy.documentId !== documentId) throw over()
    // Asked again after a lost answer.
    if (copy.state === 'comparing' || copy.state === 'stored') return
    if (copy.state !== 'receiving') throw over()
    const [held, wanted] = [(await listParts(tx, upload)).size, countParts(copy.bytes)]
    if (held < wanted) throw new DomainError('conflict', 'document.copy_incomplete', { missing: wanted - held })
    const now = deps.clock.now()
    await setCopyState(tx, upload, 'comparing', now)
    await enqueue(tx, compareCopyJob, { copy_id: upload }, { key: `compare:${upload}` })
    await announceCopy(tx, documentId)
    await recordDocumentAct(tx, now, 'copy_sent', actor, documentId, { bytes: copy.bytes })
  })
}

/** Whatever there is of it. @throws DomainError `document.not_found` */
export async function deleteCopy(deps: CopyDeps, actor: Actor, documentId: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await lockReachable(tx, actor, documentId)
    const found = await findCopyOf(tx, documentId)
    const copy = found === null ? null : await findCopy(tx, found.id, true)
    if (copy === null || copy.sealedKey === null) return
    const now = deps.clock.now()
    await endCopy(tx, copy.id, { by: 'owner', at: now })
    await announceCopy(tx, documentId)
    await recordDocumentAct(tx, now, 'copy_deleted', actor, documentId)
  })
}
