import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { EvidenceDeps } from '../record/deps.ts'
import { refreshPackageJob, spreadAnchorJob } from '../record/jobs.ts'
import { listUnanchored } from './anchor-store.ts'

const batch = 200

/** An anchor of a checkpoint of `size` leaves was confirmed: the packages below it are made anew, in the same transaction as that. */
export async function announceAnchor(tx: Tx, { size }: { readonly size: number }): Promise<void> {
  await enqueue(tx, spreadAnchorJob, { size }, { key: `spread:${size}` })
}

/** Asks for the package of each final evidence below the checkpoint to be made anew, one job each. @returns how many */
export async function spreadAnchor(deps: Pick<EvidenceDeps, 'db'>, { size }: { readonly size: number }): Promise<number> {
  let after: string | null = null
  let total = 0
  for (;;) {
    const ids: string[] = await listUnanchored(deps.db, { size, after, limit: batch })
    for (const id of ids) await askRefresh(deps.db, id)
    total += ids.length
    after = ids.at(-1) ?? null
    if (ids.length < batch || after === null) return total
  }
}

/** Asking while it waits is asking once. */
export async function askRefresh(db: Db | Tx, evidenceId: string): Promise<void> {
  await enqueue(db, refreshPackageJob, { evidence_id: evidenceId }, { key: `refresh:${evidenceId}` })
}
