/** The SQL of groups, their members and invitations. */
import { sql } from 'kysely'
import type { Page } from '../../../../kernel/page.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { releaseServersOf } from '../../../capture/server/index.ts'
import type { GrantedRole, GroupRole } from '../../domain/group.ts'

export type Membership = {
  readonly groupId: string
  readonly name: string
  readonly seats: number
  readonly createdAt: Date
  readonly role: GroupRole
}

/** One group for each user; null: none. */
export async function findMembership(db: Db | Tx, userId: string): Promise<Membership | null> {
  const row = await db
    .selectFrom('group_member')
    .innerJoin('account_group', 'account_group.id', 'group_member.group_id')
    .select(['account_group.id', 'name', 'seats', 'created_at', 'role'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return null
  return { groupId: row.id, name: row.name, seats: row.seats, createdAt: row.created_at, role: row.role as GroupRole }
}

/** Who changes a group waits here for whoever changes it. */
export async function lockGroup(tx: Tx, groupId: string): Promise<{ name: string; seats: number } | null> {
  const row = await tx
    .selectFrom('account_group')
    .select(['name', 'seats'])
    .where('id', '=', groupId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export async function insertGroup(
  tx: Tx,
  group: { readonly id: string; readonly name: string; readonly seats: number },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('account_group')
    .values({ ...group, created_at: now })
    .execute()
}

export async function renameGroup(tx: Tx, groupId: string, name: string): Promise<void> {
  await tx.updateTable('account_group').set({ name }).where('id', '=', groupId).execute()
}

/** Nobody is in it any more, its servers are nobody's, and nothing says whose it was. The row stays: evidences that were made in it name it. */
export async function eraseGroup(tx: Tx, groupId: string): Promise<void> {
  await tx.deleteFrom('group_invitation').where('group_id', '=', groupId).execute()
  await tx.deleteFrom('group_member').where('group_id', '=', groupId).execute()
  await tx.updateTable('account_group').set({ name: groupId }).where('id', '=', groupId).execute()
  await releaseServersOf(tx, groupId)
}

/** @returns false when he is in a group already */
export async function insertMember(tx: Tx, groupId: string, userId: string, role: GroupRole, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('group_member')
    .values({ user_id: userId, group_id: groupId, role, joined_at: now })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function setRole(tx: Tx, groupId: string, userId: string, role: GroupRole): Promise<void> {
  await tx.updateTable('group_member').set({ role }).where('group_id', '=', groupId).where('user_id', '=', userId).execute()
}

export async function deleteMember(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('group_member').where('user_id', '=', userId).execute()
}

export async function countMembers(db: Db | Tx, groupId: string): Promise<number> {
  const { count } = await db
    .selectFrom('group_member')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('group_id', '=', groupId)
    .executeTakeFirstOrThrow()
  return count
}

export type GroupRow = {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  readonly members: number
  readonly owner: { readonly id: string; readonly name: string; readonly email: string }
}

/** Groups that have an owner: one that ended has none. By name. */
export async function pageGroups(
  db: Db | Tx,
  { search, limit, offset }: { readonly search: string | null; readonly limit: number; readonly offset: number },
): Promise<Page<GroupRow>> {
  let found = db
    .selectFrom('account_group')
    .innerJoin('group_member', (join) => join.onRef('group_id', '=', 'account_group.id').on('role', '=', 'owner'))
    .innerJoin('account_user', 'account_user.id', 'group_member.user_id')
    .innerJoin('email_address', (join) => join.onRef('email_address.user_id', '=', 'account_user.id').on('is_primary', '=', true))
  for (const word of (search ?? '').split(/\s+/).filter((each) => each !== '')) {
    const pattern = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`
    found = found.where((eb) =>
      eb.or((['name', 'first_name', 'last_name', 'address'] as const).map((column) => eb(column, 'ilike', pattern))),
    )
  }
  const { count } = await found.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await found
    .select((eb) => [
      'account_group.id',
      'account_group.name',
      'account_group.created_at',
      'account_user.id as owner_id',
      'first_name',
      'last_name',
      'address',
      eb
        .selectFrom('group_member as each')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('each.group_id', '=', 'account_group.id')
        .as('members'),
    ])
    .orderBy(sql`lower(name)`)
    .orderBy('account_group.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return {
    count,
    rows: rows.map((row) => ({
      id: row.id,
      name: row.name,
      createdAt: row.created_at,
      members: row.members ?? 0,
      owner: { id: row.owner_id, name: `${row.first_name} ${row.last_name}`, email: row.address },
    })),
  }
}

export type MemberRow = {
  readonly userId: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly role: GroupRole
  readonly joinedAt: Date
}

function membersOf(db: Db | Tx, groupId: string) {
  return db
    .selectFrom('group_member')
    .innerJoin('account_user', 'account_user.id', 'group_member.user_id')
    .leftJoin('email_address', (join) =>
      join.onRef('email_address.user_id', '=', 'account_user.id').on('email_address.is_primary', '=', true),
    )
    .select([
      'group_member.user_id',
      'account_user.first_name',
      'account_user.last_name',
      'email_address.address',
      'group_member.role',
      'group_member.joined_at',
    ])
    .where('group_member.group_id', '=', groupId)
}

type JoinedRow = {
  user_id: string
  first_name: string
  last_name: string
  address: string | null
  role: string
  joined_at: Date
}

function toMember(row: JoinedRow): MemberRow {
  return {
    userId: row.user_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.address ?? '',
    role: row.role as GroupRole,
    joinedAt: row.joined_at,
  }
}

/** In the order in which they joined. */
export async function listMembers(db: Db, groupId: string, limit: number, offset: number): Promise<Page<MemberRow>> {
  const rows = await membersOf(db, groupId)
    .orderBy('group_member.joined_at')
    .orderBy('group_member.user_id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { count: await countMembers(db, groupId), rows: rows.map(toMember) }
}

export async function findMember(db: Db | Tx, groupId: string, userId: string): Promise<MemberRow | null> {
  const row = await membersOf(db, groupId).where('group_member.user_id', '=', userId).executeTakeFirst()
  return row === undefined ? null : toMember(row)
}

export async function findOwner(db: Db | Tx, groupId: string): Promise<MemberRow | null> {
  const row = await membersOf(db, groupId).where('group_member.role', '=', 'owner').executeTakeFirst()
  return row === undefined ? null : toMember(row)
}

export type InvitationRow = {
  readonly id: string
  readonly groupId: string
  readonly invitedBy: string | null
  readonly address: string
  readonly addressKey: string
  readonly role: GrantedRole
  readonly createdAt: Date
  readonly expiresAt: Date
}

const invitationColumns = ['id', 'group_id', 'invited_by', 'address', 'address_key', 'role', 'created_at', 'expires_at'] as const

type Invited = {
  id: string
  group_id: string
  invited_by: string | null
  address: string
  address_key: string
  role: string
  created_at: Date
  expires_at: Date
}

function toInvitation(row: Invited): InvitationRow {
  return {
    id: row.id,
    groupId: row.group_id,
    invitedBy: row.invited_by,
    address: row.address,
    addressKey: row.address_key,
    role: row.role as GrantedRole,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

export async function insertInvitation(tx: Tx, row: InvitationRow & { readonly tokenHash: Buffer }): Promise<void> {
  await tx
    .insertInto('group_invitation')
    .values({
      id: row.id,
      group_id: row.groupId,
      invited_by: row.invitedBy,
      address: row.address,
      address_key: row.addressKey,
      role: row.role,
      token_hash: row.tokenHash,
      created_at: row.createdAt,
      expires_at: row.expiresAt,
    })
    .execute()
}

/** Those that expired wait no longer: their places are free, their addresses may be invited anew. */
export async function endExpiredInvitations(tx: Tx, groupId: string, now: Date): Promise<void> {
  await tx
    .updateTable('group_invitation')
    .set({ ended_at: now })
    .where('group_id', '=', groupId)
    .where('ended_at', 'is', null)
    .where('expires_at', '<=', now)
    .execute()
}

export async function listInvitations(
  db: Db | Tx,
  groupId: string,
  now: Date,
  page: { readonly limit: number; readonly offset: number },
): Promise<Page<InvitationRow>> {
  const waiting = db
    .selectFrom('group_invitation')
    .where('group_id', '=', groupId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
  const { count } = await waiting.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await waiting
    .select(invitationColumns)
    .orderBy('created_at')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return { count, rows: rows.map(toInvitation) }
}

/** One that waits, by its id or by the token of its mail. */
export async function findInvitation(
  db: Db | Tx,
  by: { readonly id: string } | { readonly tokenHash: Buffer },
  now: Date,
): Promise<InvitationRow | null> {
  const waiting = db
    .selectFrom('group_invitation')
    .select(invitationColumns)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
  const row = await (
    'id' in by ? waiting.where('id', '=', by.id) : waiting.where('token_hash', '=', by.tokenHash)
  ).executeTakeFirst()
  return row === undefined ? null : toInvitation(row)
}

export async function hasInvitation(db: Db | Tx, groupId: string, addressKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('group_invitation')
    .select('id')
    .where('group_id', '=', groupId)
    .where('address_key', '=', addressKey)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** @returns whether it waited until now */
export async function endInvitation(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('group_invitation')
    .set({ ended_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Strangers' addresses are not kept for longer than needed. */
export async function deleteOldInvitations(db: Db, before: Date): Promise<number> {
  return Number((await db.deleteFrom('group_invitation').where('expires_at', '<', before).executeTakeFirst()).numDeletedRows)
}
