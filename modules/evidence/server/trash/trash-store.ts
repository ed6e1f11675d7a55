/** The trash, and what is left of what was in it, as SQL. Every function takes the database or the transaction first. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { toRecord, type EvidenceRecord } from '../record/store.ts'

export async function setTrashed(tx: Tx, id: string, at: Date | null): Promise<void> {
  await tx.updateTable('evidence').set({ trashed_at: at }).where('id', '=', id).executeTakeFirstOrThrow()
}

export async function setLabel(tx: Tx, id: string, label: string): Promise<void> {
  await tx.updateTable('evidence').set({ label }).where('id', '=', id).executeTakeFirstOrThrow()
}

/** In the trash since before `before`, their files not deleted yet; locked for the caller. */
export async function lockOldTrash(tx: Tx, before: Date, limit: number): Promise<EvidenceRecord[]> {
  const rows = await tx
    .selectFrom('evidence')
    .selectAll()
    .where('trashed_at', '<=', before)
    .where('content_deleted_at', 'is', null)
    .orderBy('trashed_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(toRecord)
}

/** From here on it is never restored. */
export async function setContentDeleted(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.updateTable('evidence').set({ content_deleted_at: at }).where('id', '=', id).executeTakeFirstOrThrow()
}

/** Forgets what the capture showed, but its fingerprint (the seal's row) and the proofs of it. */
export async function forgetContent(tx: Tx, id: string, proofs: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('evidence_file')
    .where('evidence_id', '=', id)
    .$if(proofs.length > 0, (query) => query.where('path', 'not in', [...proofs]))
    .execute()
  await tx.updateTable('seal').set({ renew_at: null, ask_again_at: null }).where('evidence_id', '=', id).execute()
  await tx.updateTable('evidence').set({ facts: null, progress: null }).where('id', '=', id).execute()
}

/** What a closed account made outside of any group, and all that was made in a group that ends with it; by id. */
export async function listToErase(
  db: Db | Tx,
  of: { readonly accountId: string; readonly groupId: string | null },
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<EvidenceRecord[]> {
  const rows = await db
    .selectFrom('evidence')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb.and([eb('owner_id', '=', of.accountId), eb('group_id', 'is', null)]),
        ...(of.groupId === null ? [] : [eb('group_id', '=', of.groupId)]),
      ]),
    )
    .$if(after !== null, (query) => query.where('id', '>', after))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toRecord)
}

/**
 * What its owner wrote: the address and its host, the label, what a scenario was told; what a failure says of them; and of which group it
 * was. `erase-owned.test.ts` looks through every column.
 */
export async function forgetWords(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('evidence')
    .set({
      group_id: null,
      label: '',
      requested_url: '',
      target_host: '',
      scenario: null,
      scenario_recipe: null,
      scenario_input: null,
      failure: sql<string>`jsonb_set(failure, '{data}', '{}')`,
    })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** A group ends: what its members of now made is theirs alone again. */
export async function releaseGroup(tx: Tx, groupId: string): Promise<void> {
  await tx
    .updateTable('evidence')
    .set({ group_id: null })
    .where('group_id', '=', groupId)
    .where('owner_id', 'in', (eb) => eb.selectFrom('group_member').select('user_id').where('group_id', '=', groupId))
    .execute()
}
