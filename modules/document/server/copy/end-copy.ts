import type { RawBuilder, SqlBool } from 'kysely'
import type { Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { abandonedAfterMs, type CopyEnd } from '../../domain/copy.ts'
import { trashLifetimeMs } from '../../domain/status.ts'
import type { DocumentDeps } from '../deposit/deps.ts'
import { clearCopyJob, compareCopyJob } from '../deposit/jobs.ts'
import { scopeOfCopy } from './copy-key.ts'
import { deleteForgotten, findCopy, listUncompared, lockDueCopies, lockLiveCopies, setEnded } from './copy-store.ts'

const batch = 500
/** A piece may still be on its way when its copy ends. */
const stragglersMs = 60 * 60 * 1000
/** Longer than any file takes to be read. */
const strandedMs = 6 * 60 * 60 * 1000

/**
 * Ends a copy that the caller holds: with its key what it says is gone; its bytes are cleared by a job of the same transaction, and once more
 * when nothing can be on its way any longer.
 */
export async function endCopy(
  tx: Tx,
  id: string,
  ended: { readonly by: CopyEnd; readonly at: Date; readonly foundSha256?: Uint8Array },
): Promise<void> {
  await setEnded(tx, id, ended)
  await enqueue(tx, clearCopyJob, { copy_id: id })
  await enqueue(tx, clearCopyJob, { copy_id: id }, { runAt: new Date(ended.at.getTime() + stragglersMs) })
}

/** Copies whose comparing was given up, as when the disk was away for long, are compared again; not those whose key does not open. @returns how many are asked for */
export async function compareStranded({ db, clock }: Pick<DocumentDeps, 'db' | 'clock'>): Promise<number> {
  const ids = await listUncompared(db, new Date(clock.now().getTime() - strandedMs), batch)
  for (const id of ids) await enqueue(db, compareCopyJob, { copy_id: id }, { key: `compare:${id}` })
  return ids.length
}

/** The job: what is left in the blob store of a copy that ended. May be repeated. */
export async function clearCopy({ db, blobs }: Pick<DocumentDeps, 'db' | 'blobs'>, id: string): Promise<void> {
  const copy = await findCopy(db, id)
  if (copy !== null && copy.sealedKey !== null) return
  await blobs.scope(scopeOfCopy(id)).clear()
}

/** Of the deposits that the condition on `document` holds of. @returns how many ended */
export async function endCopiesOf(
  { db, clock }: Pick<DocumentDeps, 'db' | 'clock'>,
  of: RawBuilder<SqlBool>,
  by: CopyEnd,
): Promise<number> {
  for (let total = 0; ;) {
    const ended = await db.transaction().execute(async (tx) => {
      const ids = await lockLiveCopies(tx, of, batch)
      for (const id of ids) await endCopy(tx, id, { by, at: clock.now() })
      return ids.length
    })
    total += ended
    if (ended < batch) return total
  }
}

/**
 * Ends what was in the trash for thirty days, what was kept as long as was promised, and what nobody sent the rest of for a week; forgets
 * copies of deposits that are gone. @returns how many ended
 */
export async function endDueCopies({ db, clock }: Pick<DocumentDeps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  let total = 0
  for (;;) {
    const ended = await db.transaction().execute(async (tx) => {
      const due = await lockDueCopies(tx, { now, trashed: before(trashLifetimeMs), touched: before(abandonedAfterMs) }, batch)
      for (const { id, by } of due) await endCopy(tx, id, { by, at: now })
      return due.length
    })
    total += ended
    if (ended < batch) break
  }
  while ((await deleteForgotten(db, batch)) >= batch);
  return total
}
