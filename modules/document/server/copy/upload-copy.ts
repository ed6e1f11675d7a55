import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { findMissing, lengthOfPart, lengthOfSlice } from '../../domain/copy.ts'
import { compareCopyJob } from '../deposit/jobs.ts'
import { recordDocumentAct } from '../deposit/own-document.ts'
import { findReachable, lockReachable } from '../deposit/reach-store.ts'
import { holdDeposits, type DocumentRecord } from '../deposit/store.ts'
import type { CopyDeps } from './copy-deps.ts'
import { makeCopyKey, openCopyKey, opensCopyKey, scopeOfCopy } from './copy-key.ts'
import { isFull, noRoom, refuseWithoutRoom } from './copy-room.ts'
import {
  announceCopy,
  countHeldBytes,
  findCopy,
  findCopyOf,
  forgetCopy,
  insertCopy,
  listPieces,
  putPiece,
  setCopyState,
  type CopyRecord,
} from './copy-store.ts'
import { endCopy } from './end-copy.ts'
import { endCopyByOwner, refuseOfNothing } from './wish-copy.ts'
import { sealPart } from './part-cipher.ts'
import type { Places } from '../../../../platform/http/request/places.ts'

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
    if (before?.state === 'receiving' && before.bytes === bytes && opens(deps, before)) return
    if (before !== null) await giveWay(tx, before, now)
    await refuseTooMuch(deps, tx, ownerId, bytes)
    await refuseWithoutRoom(deps, bytes)
    const id = randomUUID()
    await insertCopy(tx, {
      id,
      documentId,
      ownerId,
      bytes,
      sealedKey: makeCopyKey(deps.vault, id),
      now,
      compared: before?.compared ?? null,
    })
    await announceCopy(tx, documentId)
  })
}

const opens = ({ vault }: CopyDeps, { id, sealedKey }: CopyRecord): boolean =>
  sealedKey !== null && opensCopyKey(vault, id, sealedKey)

function refuseUnwanted(record: DocumentRecord): void {
  if (!record.store) throw new DomainError('conflict', 'document.copy_not_wanted')
  refuseOfNothing(record)
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

/** `from`: of a slice, at which byte of the piece it begins; null: the whole piece. */
type Sent = {
  readonly documentId: string
  readonly upload: string
  readonly part: number
  readonly from: number | null
  /** Aborted once its sender may not send it any more: then nothing of it is kept. */
  readonly signal: AbortSignal
}

/**
 * Takes one piece, or a slice of one: enciphered as it arrives, so that no clear byte is ever on disk, and kept once it is there to its last byte.
 * @throws DomainError as the contract says of `sendDocumentCopyPart`
 */
export async function receivePart(
  deps: CopyDeps,
  places: Places,
  actor: Actor,
  { documentId, upload, part, from, signal }: Sent,
  bytes: Readable,
): Promise<void> {
  await findReachable(deps.db, actor, documentId)
  const copy = await findCopy(deps.db, upload)
  if (copy?.documentId !== documentId || copy.state !== 'receiving' || copy.sealedKey === null) throw over()
  const whole = lengthOfPart(copy.bytes, part)
  const length = from === null ? whole : lengthOfSlice(whole, from)
  if (length === 0) throw new DomainError('invalid', 'document.copy_part_length', { bytes: 0 })
  // It begins anew, under a key that opens.
  if (!opens(deps, copy)) throw over()
  await refuseWithoutRoom(deps, length)
  const key = openCopyKey(deps.vault, copy.id, copy.sealedKey)
  const at = from ?? 0
  const leave = places.take(actor.userId)
  try {
    const kept = deps.blobs.scope(scopeOfCopy(copy.id))
    const { sha256: blob } = await kept.putStream(sealPart(key, { copyId: copy.id, part }, ofLength(bytes, length), at))
    const taken = await deps.db.transaction().execute(async (tx) => {
      const now = await findCopy(tx, copy.id, true)
      if (now?.state !== 'receiving' || signal.aborted) return null
      return await putPiece(tx, copy.id, { part, at, bytes: length, blob }, deps.clock.now())
    })
    // What it was for has ended meanwhile; or it takes the place of what was there.
    for (const unnamed of taken ?? [blob]) await kept.remove(unnamed)
    signal.throwIfAborted()
    if (taken === null) throw over()
  } catch (error) {
    throw isFull(error) ? noRoom(error) : error
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
    const { missing } = findMissing(copy.bytes, await listPieces(tx, upload))
    if (missing.length > 0) throw new DomainError('conflict', 'document.copy_incomplete', { missing: missing.length })
    const now = deps.clock.now()
    await setCopyState(tx, upload, 'comparing', now)
    await enqueue(tx, compareCopyJob, { copy_id: upload }, { key: `compare:${upload}` })
    await announceCopy(tx, documentId)
    await recordDocumentAct(tx, now, 'copy_sent', actor, documentId, { bytes: copy.bytes })
  })
}

/** Whatever there is of it; a copy is wished on. @throws DomainError `document.not_found` */
export async function deleteCopy(deps: CopyDeps, actor: Actor, documentId: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await endCopyByOwner(tx, actor, await lockReachable(tx, actor, documentId), deps.clock.now())
  })
}
