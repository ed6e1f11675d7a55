import { randomUUIDv7 } from 'node:crypto'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { Group, GroupMember } from '../../contract/sharing.ts'
import { defaultSeats, manages, mayRemove, type GrantedRole } from '../../domain/group.ts'
import type { AccountDeps } from '../people/deps.ts'
import {
  countMembers,
  deleteMember,
  findMember,
  findMembership,
  findOwner,
  insertGroup,
  insertMember,
  listInvitations,
  lockGroup,
  renameGroup as rename,
  setRole,
  type Membership,
  type MemberRow,
} from './group-store.ts'
import { sendMailJob } from '../people/jobs.ts'
import { lockPerson, nameOf } from '../people/person-store.ts'
import { findProfile } from '../people/profile-store.ts'

const noGroup = () => new DomainError('not_found', 'account.group_none')
const noMember = () => new DomainError('not_found', 'account.member_unknown')

/** Only a legal entity has a group (H-23). */
async function assertLegal(tx: Tx, userId: string): Promise<void> {
  if ((await findProfile(tx, userId)).values.user_type !== 'legal') throw new DomainError('conflict', 'account.group_needs_legal')
}

/** Places that are taken: members, the owner among them, and invitations that wait. */
export async function seatsTaken(db: Db | Tx, groupId: string, now: Date): Promise<number> {
  const waiting = await listInvitations(db, groupId, now, { limit: 0, offset: 0 })
  return (await countMembers(db, groupId)) + waiting.count
}

export async function presentGroup(db: Db | Tx, membership: Membership, now: Date): Promise<Group> {
  const owner = await findOwner(db, membership.groupId)
  return {
    id: membership.groupId,
    name: membership.name,
    created_at: membership.createdAt.toISOString(),
    role: membership.role,
    owner: { id: owner?.userId ?? membership.groupId, name: owner === null ? '' : nameOf(owner) },
    seats: { total: membership.seats, taken: await seatsTaken(db, membership.groupId, now) },
  }
}

export function presentMember(member: MemberRow): GroupMember {
  return {
    id: member.userId,
    first_name: member.firstName,
    last_name: member.lastName,
    email: member.email,
    role: member.role,
    joined_at: member.joinedAt.toISOString(),
  }
}

/** The caller's own group. @throws DomainError `account.group_none` */
export async function requireGroup(db: Db | Tx, actor: Actor): Promise<Membership> {
  const membership = await findMembership(db, actor.userId)
  if (membership === null) throw noGroup()
  return membership
}

/** @throws DomainError `account.group_none`, or `account.group_not_manager` for a member who manages nothing */
export async function requireManager(db: Db | Tx, actor: Actor): Promise<Membership> {
  const membership = await requireGroup(db, actor)
  if (!manages(membership.role)) throw new DomainError('forbidden', 'account.group_not_manager')
  return membership
}

/** One change of a group at a time, each on the roles as they are when its turn comes. */
export async function lockManaged(tx: Tx, actor: Actor): Promise<Membership> {
  const { groupId } = await requireManager(tx, actor)
  await lockGroup(tx, groupId)
  return await requireManager(tx, actor)
}

/** @throws DomainError `account.group_needs_legal`, `account.group_already` */
export async function createGroup(deps: AccountDeps, actor: Actor, name: string): Promise<Group> {
  const now = deps.clock.now()
  return await deps.db.transaction().execute(async (tx) => {
    await lockPerson(tx, actor.userId)
    await assertLegal(tx, actor.userId)
    const id = randomUUIDv7()
    await insertGroup(tx, { id, name, seats: defaultSeats }, now)
    if (!(await insertMember(tx, id, actor.userId, 'owner', now))) throw new DomainError('conflict', 'account.group_already')
    const answer = await presentGroup(tx, await requireGroup(tx, actor), now)
    await recordAct(tx, now, { action: 'account.created_group', actor, subject: { type: 'group', id } })
    return answer
  })
}

export async function renameGroup(deps: AccountDeps, actor: Actor, name: string): Promise<Group> {
  const now = deps.clock.now()
  return await deps.db.transaction().execute(async (tx) => {
    const group = await lockManaged(tx, actor)
    await rename(tx, group.groupId, name)
    const answer = await presentGroup(tx, { ...group, name }, now)
    await recordAct(tx, now, { action: 'account.renamed_group', actor, subject: { type: 'group', id: group.groupId } })
    return answer
  })
}

/** Managers are made and unmade by the owner alone. */
export async function changeMember(deps: AccountDeps, actor: Actor, memberId: string, role: GrantedRole): Promise<GroupMember> {
  const now = deps.clock.now()
  return await deps.db.transaction().execute(async (tx) => {
    const group = await lockManaged(tx, actor)
    const member = await findMember(tx, group.groupId, memberId)
    if (member === null) throw noMember()
    if (group.role !== 'owner' || member.role === 'owner') throw new DomainError('forbidden', 'account.group_not_owner')
    await setRole(tx, group.groupId, memberId, role)
    const data = { role, member: memberId }
    await recordAct(tx, now, { action: 'account.changed_member', actor, subject: { type: 'group', id: group.groupId }, data })
    return presentMember({ ...member, role })
  })
}

/** Access ends with the row; what the member made stays with the group, and he is told. */
export async function removeMember(deps: AccountDeps, actor: Actor, memberId: string): Promise<void> {
  const now = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    const group = await lockManaged(tx, actor)
    const member = await findMember(tx, group.groupId, memberId)
    if (member === null) throw noMember()
    if (!mayRemove(group.role, member.role)) throw new DomainError('forbidden', 'account.group_not_owner')
    await deleteMember(tx, memberId)
    await enqueue(tx, sendMailJob, { kind: 'member_removed', id: memberId })
    const data = { member: memberId }
    await recordAct(tx, now, { action: 'account.removed_member', actor, subject: { type: 'group', id: group.groupId }, data })
  })
}

/** @throws DomainError `account.group_owner_stays` */
export async function leaveGroup(deps: AccountDeps, actor: Actor): Promise<void> {
  const now = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    const { groupId } = await requireGroup(tx, actor)
    await lockGroup(tx, groupId)
    const group = await requireGroup(tx, actor)
    if (group.role === 'owner') throw new DomainError('conflict', 'account.group_owner_stays')
    await deleteMember(tx, actor.userId)
    await recordAct(tx, now, { action: 'account.left_group', actor, subject: { type: 'group', id: groupId } })
  })
}

/** The former owner stays as a manager. @throws DomainError `account.group_not_owner`, `account.group_needs_legal` */
export async function handOverGroup(deps: AccountDeps, actor: Actor, memberId: string): Promise<Group> {
  const now = deps.clock.now()
  return await deps.db.transaction().execute(async (tx) => {
    const group = await lockManaged(tx, actor)
    if (group.role !== 'owner') throw new DomainError('forbidden', 'account.group_not_owner')
    if (memberId === actor.userId || (await findMember(tx, group.groupId, memberId)) === null) throw noMember()
    await assertLegal(tx, memberId)
    // One owner at any moment: the index allows no second.
    await setRole(tx, group.groupId, actor.userId, 'manager')
    await setRole(tx, group.groupId, memberId, 'owner')
    const answer = await presentGroup(tx, { ...group, role: 'manager' }, now)
    const data = { member: memberId }
    await recordAct(tx, now, { action: 'account.handed_over_group', actor, subject: { type: 'group', id: group.groupId }, data })
    return answer
  })
}
