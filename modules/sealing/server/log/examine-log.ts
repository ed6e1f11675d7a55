import { equalBytes } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { readFrontier, rootOfFrontier } from './grow-tree.ts'
import { openKeptCheckpoint } from './kept-checkpoint.ts'
import { countLeaves, findCheckpoint, readLogHead } from './log-store.ts'

/**
 * Whether the next entry could be signed: the newest checkpoint is the tree's, all its leaves are there, and the database still holds what was
 * given out.
 * @returns how many entries there are
 * @throws DomainError `sealing.log_damaged`, `sealing.log_went_back`, `sealing.log_kept_damaged`
 */
export async function examineLog(db: Db, folder: string): Promise<number> {
  const kept = await openKeptCheckpoint(folder)
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await kept.refuseOlder(tx)
      const head = await readLogHead(tx)
      const newest = await findCheckpoint(tx)
      const whole =
        newest === null
          ? head.size === 0
          : newest.size === head.size &&
            equalBytes(rootOfFrontier(readFrontier(head.size, head.frontier)), newest.rootHash) &&
            (await countLeaves(tx)) === head.size
      if (!whole) throw new DomainError('unavailable', 'sealing.log_damaged', { size: head.size })
      return head.size
    })
}
