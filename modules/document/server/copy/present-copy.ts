import type { Actor } from '../../../../kernel/actor.ts'
import { toHex } from '../../../../kernel/bytes.ts'
import type { CopyLimitsTold, DocumentCopy } from '../../contract/copy.ts'
import type { Document } from '../../contract/document.ts'
import { copyPartBytes, copySliceBytes, countParts, findMissing } from '../../domain/copy.ts'
import { findReachable } from '../deposit/reach-store.ts'
import type { DocumentRecord } from '../deposit/store.ts'
import type { CopyDeps } from './copy-deps.ts'
import { findRoom } from './copy-room.ts'
import { countHeldBytes, findCopyOf, listPieces, type CopyRecord } from './copy-store.ts'

/** What a deposit says of its copy. @returns null when none is wished, or the deposit expired before one came */
export function presentStored(
  { store, status }: Pick<DocumentRecord, 'store' | 'status'>,
  copy: CopyRecord | undefined,
  received: number,
): Document['stored'] {
  if (copy === undefined) {
    return store && status !== 'expired' ? { state: 'waiting', bytes: null, received: 0, kept_until: null } : null
  }
  const { state, bytes } = copy
  return {
    state,
    bytes,
    received: state === 'receiving' ? received : bytes,
    kept_until: state === 'stored' ? (copy.keptUntil?.toISOString() ?? null) : null,
  }
}

/** What may be kept of the account that the caller acts for. */
export async function readLimits(deps: CopyDeps, ownerId: string): Promise<CopyLimitsTold> {
  const { largestBytes, accountBytes, days } = deps.copyLimits
  const room = await findRoom(deps)
  return {
    bytes: largestBytes,
    left: Math.max(0, accountBytes - (await countHeldBytes(deps.db, ownerId))),
    days,
    room: Math.min(largestBytes, room ?? largestBytes),
  }
}

/** @throws DomainError `document.not_found` */
export async function readCopy(deps: CopyDeps, actor: Actor, documentId: string): Promise<DocumentCopy> {
  const { ownerId } = await findReachable(deps.db, actor, documentId)
  const copy = await findCopyOf(deps.db, documentId)
  const held = copy?.state === 'receiving' ? findMissing(copy.bytes, await listPieces(deps.db, copy.id)) : null
  return {
    state: copy?.state ?? 'waiting',
    upload: copy?.id ?? null,
    bytes: copy?.bytes ?? null,
    part_bytes: copyPartBytes,
    slice_bytes: copySliceBytes,
    parts: copy === null ? 0 : countParts(copy.bytes),
    missing: [...(held?.missing ?? [])],
    begun: (held?.begun ?? []).map(({ part, from }) => ({ part, from: [...from] })),
    stored_at: copy?.storedAt?.toISOString() ?? null,
    kept_until: copy?.keptUntil?.toISOString() ?? null,
    ended_at: copy?.endedAt?.toISOString() ?? null,
    ended_by: copy?.endedBy ?? null,
    found_sha256: copy?.foundSha256 == null ? null : toHex(copy.foundSha256),
    unopened: copy?.sealedKey != null && copy.unopenedAt !== null,
    limits: await readLimits(deps, ownerId),
  }
}
