/** The SQL of to whom servers are dedicated. Every function takes the database or transaction first. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { CaptureServerKind } from '../../domain/servers/capture-server.ts'

export type Group = { readonly id: string; readonly name: string }
export type Assigned = { readonly group: Group | null; readonly waiting: number }

/** Of each of these servers: whose it is, and how many wait for it by name. */
export async function findAssigned(db: Db | Tx, serverIds: readonly string[]): Promise<ReadonlyMap<string, Assigned>> {
  const { rows } = await sql<{ id: string; group_id: string | null; name: string | null; waiting: number }>`
    select s.id, g.id as group_id, g.name,
      (select count(*)::integer from evidence e where e.status = 'queued' and coalesce(e.asked_server, '') = s.id) as waiting
    from capture_server s left join account_group g on g.id = s.owner_group
    where s.id = any(${[...serverIds]}::text[])`.execute(db)
  return new Map(
    rows.map(({ id, group_id: groupId, name, waiting }) => [
      id,
      { group: groupId === null ? null : { id: groupId, name: name ?? '' }, waiting },
    ]),
  )
}

/** Whose it is, until the transaction ends; captures may be asked for meanwhile. */
export async function holdAssignment(
  tx: Tx,
  serverId: string,
): Promise<{ readonly kind: CaptureServerKind; readonly groupId: string | null } | null> {
  const row = await tx
    .selectFrom('capture_server')
    .select(['kind', 'owner_group'])
    .where('id', '=', serverId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row === undefined ? null : { kind: row.kind as CaptureServerKind, groupId: row.owner_group }
}

export async function setAssignment(tx: Tx, serverId: string, groupId: string | null): Promise<void> {
  await tx.updateTable('capture_server').set({ owner_group: groupId }).where('id', '=', serverId).execute()
}

/** Those of a group that ends become nobody's. */
export async function releaseServersOf(tx: Tx, groupId: string): Promise<void> {
  await tx.updateTable('capture_server').set({ owner_group: null }).where('owner_group', '=', groupId).execute()
}

/** A group that has members, held so that it does not end meanwhile; one that ended is nobody. */
export async function holdGroup(tx: Tx, id: string): Promise<Group | null> {
  const row = await tx
    .selectFrom('account_group')
    .select(['id', 'name'])
    .where('id', '=', id)
    .where((eb) => eb.exists(eb.selectFrom('group_member').select('user_id').where('group_id', '=', id)))
    .forKeyShare()
    .executeTakeFirst()
  return row ?? null
}

/** By its id, or by its name, whatever its case: those of that name that have members, at most ten. */
export async function findGroupsNamed(db: Db | Tx, named: string): Promise<Group[]> {
  return await db
    .selectFrom('account_group')
    .select(['id', 'name'])
    .where((eb) =>
      eb.and([
        eb.or([eb(sql<string>`id::text`, '=', named.toLowerCase()), eb(sql<string>`lower(name)`, '=', named.toLowerCase())]),
        eb.exists(eb.selectFrom('group_member').select('user_id').whereRef('group_id', '=', 'account_group.id')),
      ]),
    )
    .orderBy('id')
    .limit(10)
    .execute()
}
