import type { Actor } from '../../../../kernel/actor.ts'
import { toHex } from '../../../../kernel/bytes.ts'
import type { DocumentCopy } from '../../contract/copy.ts'
import type { Document } from '../../contract/document.ts'
import { copyPartBytes, countParts } from '../../domain/copy.ts'
import { findReachable } from '../reach-store.ts'
import type { DocumentRecord } from '../store.ts'
import type { CopyDeps } from './copy-deps.ts'
import { countHeldBytes, findCopyOf, listParts, type CopyRecord } from './copy-store.ts'

/** What a deposit says of its copy. @param parts how many pieces came; null: none is wished, or the deposit expired before one came */
export function presentStored(
  { store, status }: Pick<DocumentRecord, 'store' | 'status'>,
  copy: CopyRecord | undefined,
  parts: number,
): Document['stored'] {
  if (copy === undefined) {
    return store && status !== 'expired' ? { state: 'waiting', bytes: null, received: 0, kept_until: null } : null
  }
  const { state, bytes } = copy
  const received = state === 'receiving' ? Math.min(bytes, parts * copyPartBytes) : bytes
  return { state, bytes, received, kept_until: state === 'stored' ? (copy.keptUntil?.toISOString() ?? null) : null }
}

/** @throws DomainError `document.not_found` */
export async function readCopy(deps: CopyDeps, actor: Actor, documentId: string): Promise<DocumentCopy> {
  const { ownerId } = await findReachable(deps.db, actor, documentId)
  const copy = await findCopyOf(deps.db, documentId)
  const { largestBytes, accountBytes, days } = deps.copyLimits
  const limits = { bytes: largestBytes, left: Math.max(0, accountBytes - (await countHeldBytes(deps.db, ownerId))), days }
  const parts = copy === null ? 0 : countParts(copy.bytes)
  const held = copy?.state === 'receiving' ? await listParts(deps.db, copy.id) : null
  return {
    state: copy?.state ?? 'waiting',
    upload: copy?.id ?? null,
    bytes: copy?.bytes ?? null,
    part_bytes: copyPartBytes,
    parts,
    missing: held === null ? [] : Array.from({ length: parts }, (_, part) => part).filter((part) => !held.has(part)),
    stored_at: copy?.storedAt?.toISOString() ?? null,
    kept_until: copy?.keptUntil?.toISOString() ?? null,
    ended_at: copy?.endedAt?.toISOString() ?? null,
    ended_by: copy?.endedBy ?? null,
    found_sha256: copy?.foundSha256 == null ? null : toHex(copy.foundSha256),
    limits,
  }
}
