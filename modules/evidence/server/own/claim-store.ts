/** How evidences that are nobody's become somebody's, as SQL. Every function takes the transaction first. */
import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/database.ts'

export type HeldByToken = { readonly id: string; readonly ownerId: string | null; readonly pendingOwner: string | null }

/** Everything that was ever held with that token, in an order in which nobody waits for who waits for him; locked for the caller. */
export async function lockByToken(tx: Tx, tokenHash: Buffer): Promise<HeldByToken[]> {
  const rows = await tx
    .selectFrom('evidence')
    .select(['id', 'owner_id', 'pending_owner'])
    .where('token_hash', '=', tokenHash)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => ({ id: row.id, ownerId: row.owner_id, pendingOwner: row.pending_owner }))
}

export async function lockPending(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('evidence')
    .select('id')
    .where('pending_owner', '=', userId)
    .where('owner_id', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

export async function setPending(tx: Tx, ids: readonly string[], userId: string): Promise<void> {
  await tx
    .updateTable('evidence')
    .set({ pending_owner: userId })
    .where('id', 'in', [...ids])
    .execute()
}

/** @param claim `by`: who takes them over, for the account; within the group of which that is a member */
export async function setOwner(
  tx: Tx,
  ids: readonly string[],
  claim: { readonly ownerId: string; readonly by: string; readonly at: Date },
): Promise<void> {
  await tx
    .updateTable('evidence')
    .set({
      owner_id: claim.ownerId,
      claimed_by: claim.by,
      claimed_at: claim.at,
      pending_owner: null,
      group_id: sql<string | null>`(select m.group_id from group_member m where m.user_id = ${claim.ownerId}::uuid)`,
    })
    .where('id', 'in', [...ids])
    .where('owner_id', 'is', null)
    .execute()
}
