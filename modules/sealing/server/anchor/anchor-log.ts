import { createHash, randomUUIDv7 } from 'node:crypto'
import type { AnchorWay } from '../../domain/anchor.ts'
import { anchorCommitment } from '../../../verification/server/index.ts'
import { obtainTimestamps } from '../timestamps/obtain-timestamps.ts'
import type { Checkpoint } from '../log/public-log.ts'
import type { AnchorDeps } from './anchor-deps.ts'
import { insertAnchor, insertCheckpointStamps, listCheckpointStamps, newestAnchor } from './anchor-store.ts'

/**
 * Begins the anchor of the newest checkpoint, on each configured way, when leaves were added since the last one and enough time has
 * passed; or when the last one was given up. The checkpoint is stamped first (RFC 3161): its tokens stand beside it in the log.
 * Asked again, or by two at once, it changes nothing.
 * @returns how many were begun
 */
export async function anchorLog(deps: AnchorDeps, signal?: AbortSignal): Promise<number> {
  const ways: AnchorWay[] = [
    ...(deps.calendars === null || deps.calendars.calendars.length === 0 ? [] : (['calendar'] as const)),
    ...(deps.payer === null ? [] : (['node'] as const)),
  ]
  if (ways.length === 0) return 0
  const checkpoint = await deps.publicLog.checkpoint()
  if (checkpoint === null) return 0
  const due: AnchorWay[] = []
  for (const way of ways) if (await isDue(deps, way, checkpoint.size)) due.push(way)
  if (due.length === 0) return 0

  const noteHash = new Uint8Array(createHash('sha256').update(checkpoint.note).digest())
  const stamps = await stampCheckpoint(deps, checkpoint, noteHash, signal)
  const commitment = anchorCommitment(checkpoint.rootHash, noteHash)
  return await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    await insertCheckpointStamps(tx, checkpoint.size, stamps)
    let begun = 0
    for (const way of due) {
      const { size, rootHash } = checkpoint
      if (await insertAnchor(tx, { id: randomUUIDv7(), way, size, rootHash, noteHash, commitment }, now)) begun += 1
    }
    if (begun > 0) await deps.onProgress?.(tx)
    return begun
  })
}

async function isDue({ db, clock, settings }: AnchorDeps, way: AnchorWay, size: number): Promise<boolean> {
  const last = await newestAnchor(db, way)
  if (last === null) return true
  if (last.status !== 'given_up' && last.size >= size) return false
  // Nobody took the last one yet: a row of others behind it would only knock at the same doors.
  const isTaken = last.promise !== null || last.transactions.some(({ sent }) => sent)
  if (last.status === 'pending' && !isTaken) return false
  return clock.now().getTime() - last.createdAt.getTime() >= settings.everyMs
}

/** @throws DomainError `sealing.no_timestamp` when not even the embedded authority answers. */
async function stampCheckpoint(deps: AnchorDeps, { size }: Checkpoint, noteHash: Uint8Array, signal: AbortSignal | undefined) {
  if ((await listCheckpointStamps(deps.db, size)).length > 0) return []
  const { timestamps } = await obtainTimestamps(noteHash, deps.timestampers, { wanted: 2, signal })
  return timestamps.map(({ response, authority, genTime }, i) => ({ number: i + 1, response, authority, genTime }))
}
