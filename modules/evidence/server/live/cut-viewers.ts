import { DomainError } from '../../../../kernel/errors.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { cutViewersJob } from '../jobs.ts'
import { callSession } from './dial-session.ts'
import { listDoorsOf } from './live-store.ts'

/**
 * Whoever looks at the live sessions of an account is let go, once the transaction that shuts it out commits. Of one that is
 * suspended, tickets that were given and links of witnesses open nothing from then on (`findSession`); nobody there, a session ends by itself.
 */
export async function cutViewersOf(tx: Tx, accountId: string): Promise<void> {
  await enqueue(tx, cutViewersJob, { account_id: accountId })
}

/** Doing it again changes nothing. A session that does not answer has no viewers that anybody could reach. */
export async function cutViewers(db: Db, accountId: string): Promise<void> {
  for (const { evidenceId, ...door } of await listDoorsOf(db, accountId)) {
    try {
      await callSession(evidenceId, door, { name: 'cut' })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
    }
  }
}
