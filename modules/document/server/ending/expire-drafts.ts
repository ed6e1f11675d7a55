import { holdUnpaid } from '../change/agree-documents.ts'
import type { AgreeDeps, DocumentDeps } from '../deposit/deps.ts'
import { listUnpaid, type Unpaid } from '../deposit/payment-store.ts'
import { listGivenUp, lockBatch, setFailed } from '../deposit/batch-store.ts'
import { setExpired } from '../deposit/store.ts'
import { deleteExpired, lockExpiredDrafts } from './trash-store.ts'
import { trashLifetimeMs } from '../../domain/status.ts'

const batch = 500

/** Drafts that nobody agreed to within 24 hours are deleted (S-41, K-03). @returns how many expired */
export async function expireDrafts(deps: AgreeDeps): Promise<number> {
  const { db, clock } = deps
  const now = clock.now()
  for (let total = await expireUnpaid(deps, await listUnpaid(db, now), now); ;) {
    const expired = await db.transaction().execute(async (tx) => {
      const ids = await lockExpiredDrafts(tx, now, batch)
      if (ids.length > 0) await setExpired(tx, ids, now)
      return ids.length
    })
    total += expired
    if (expired < batch) return total
  }
}

/**
 * Those that wait for their payment, but for what is being paid for: that waits for its outcome (H-50).
 * @param before whose end has come; null: of whatever end
 * @returns how many expired
 */
export async function expireUnpaid(deps: AgreeDeps, all: readonly Unpaid[], before: Date | null): Promise<number> {
  let total = 0
  for (const unpaid of all)
    await deps.db.transaction().execute(async (tx) => {
      const now = deps.clock.now()
      const ids = await holdUnpaid(tx, deps, unpaid, now, before)
      if (ids.length > 0) await setExpired(tx, ids, now)
      total += ids.length
    })
  return total
}

/** What nobody could be had to stamp for a day, though its job be lost: its deposits may be agreed to again. @returns how many batches */
export async function giveUpBatches({ db, clock }: Pick<DocumentDeps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now()
  let total = 0
  for (const id of await listGivenUp(db, now, batch)) {
    await db.transaction().execute(async (tx) => {
      const locked = await lockBatch(tx, id)
      if (locked?.state !== 'stamping') return
      await setFailed(tx, id, locked.failure ?? 'sealing.no_timestamp', now)
      total += 1
    })
  }
  return total
}

/** What expired is shown in the trash for thirty days; nothing was ever sealed of it. @returns how many were deleted */
export async function deleteOldDrafts({ db, clock }: Pick<DocumentDeps, 'db' | 'clock'>): Promise<number> {
  const before = new Date(clock.now().getTime() - trashLifetimeMs)
  for (let total = 0; ;) {
    const deleted = await deleteExpired(db, before, batch)
    total += deleted
    if (deleted < batch) return total
  }
}
