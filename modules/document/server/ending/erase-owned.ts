import { endCopiesOf } from '../copy/end-copy.ts'
import type { AgreeDeps, DocumentDeps } from '../deposit/deps.ts'
import { listUnpaid } from '../deposit/payment-store.ts'
import { expireUnpaid } from './expire-drafts.ts'
import { deleteNotices } from '../notify/notify-store.ts'
import { countStamping, deleteUnsealed, erased, forgetFinal, releaseGroup, type ErasedAccount } from './erase-store.ts'

const batch = 500

/** A seal of it is being made: it is erased once that is done, or given up. The job that closes the account tries again. */
export class StillStamping extends Error {
  override readonly name = 'StillStamping'
}

/**
 * Erases what a closed account deposited by itself (decision H-38): drafts and what failed go; what is sealed loses every word of its
 * depositor and its certificates, which name him. Fingerprints and their proofs stay, and lead to nobody. What belongs to a group stays
 * with it. May be repeated, and begun again where it was cut off.
 * @param groupId a group that ends with the account: what its members of now deposited is theirs alone again; what others deposited in it, which nobody reaches any more, is erased too
 * @throws StillStamping when a seal is under way; all others were erased
 */
export async function eraseOwnedDocuments(
  deps: AgreeDeps & Pick<DocumentDeps, 'blobs'>,
  accountId: string,
  groupId: string | null = null,
): Promise<void> {
  const of: ErasedAccount = { accountId, groupId }
  if (groupId !== null) await deps.db.transaction().execute(async (tx) => await releaseGroup(tx, groupId))
  await endCopiesOf(deps, erased(of), 'closing')
  await expireUnpaid(deps, await listUnpaid(deps.db, deps.clock.now(), accountId), null)
  while ((await deleteUnsealed(deps.db, of, batch)) >= batch);
  for (;;) {
    const ids = await forgetFinal(deps.db, of, {
      limit: batch,
      now: deps.clock.now(),
      before: async (id) => await deps.blobs.scope(id).clear(),
    })
    if (ids < batch) break
  }
  await deleteNotices(deps.db, accountId)
  const waiting = await countStamping(deps.db, of)
  if (waiting > 0) throw new StillStamping(`${String(waiting)} deposits of a closed account are being sealed`)
}
