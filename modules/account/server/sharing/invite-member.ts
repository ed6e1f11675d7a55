import { randomUUIDv7 } from 'node:crypto'
import type { z } from 'zod'
import type { Actor } from '../../../../kernel/actor.ts'
import { parseEmailAddress, type EmailAddress } from '../../../../kernel/email-address.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { Group, Invitation, invitationState } from '../../contract/sharing.ts'
import { invitationDays, type GrantedRole } from '../../domain/group.ts'
import { countWrittenTo } from './delegation-store.ts'
import type { AccountDeps } from '../people/deps.ts'
import {
  countMembers,
  endExpiredInvitations,
  endInvitation,
  findInvitation,
  findMembership,
  hasInvitation,
  insertInvitation,
  insertMember,
  lockGroup,
  type InvitationRow,
  type Membership,
} from './group-store.ts'
import { sendMailJob } from '../people/jobs.ts'
import { mailedToken, tokenHash } from '../people/mailed-token.ts'
import { lockManaged, presentGroup, requireGroup, seatsTaken } from './manage-group.ts'
import { findPerson, findPersonByAddress, hasAddress, lockPerson, nameOf, type Person } from '../people/person-store.ts'

/** Strangers that one user has mails sent to, in 24 hours. */
const mostMails = 20

/** Never null: the contract has looked at it. */
export function parsedAddress(typed: string): EmailAddress {
  const address = parseEmailAddress(typed)
  if (address === null) throw new DomainError('invalid', 'http.invalid_request', {}, { fields: { email: ['email_invalid'] } })
  return address
}

/** @throws DomainError `account.too_many_mails` */
export async function assertMayWrite(tx: Tx, actor: Actor, now: Date): Promise<void> {
  const since = new Date(now.getTime() - 86_400_000)
  if ((await countWrittenTo(tx, actor.userId, since)) >= mostMails) throw new DomainError('limited', 'account.too_many_mails')
}

export function presentInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.address,
    role: row.role,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  }
}

/**
 * Invites an address, whoever has it: the answer is the same for every one that is not in the group already, which its managers
 * know. @throws DomainError `account.seats_full` with `seats`, `account.invitation_exists`, `account.member_already`
 */
export async function inviteMember(
  deps: AccountDeps,
  actor: Actor,
  body: { readonly email: string; readonly role: GrantedRole },
): Promise<Invitation> {
  const now = deps.clock.now()
  const { address, key } = parsedAddress(body.email)
  return await deps.db.transaction().execute(async (tx) => {
    // Counted one at a time.
    await lockPerson(tx, actor.userId)
    const group = await lockManaged(tx, actor)
    if (body.role === 'manager' && group.role !== 'owner') throw new DomainError('forbidden', 'account.group_not_owner')
    await endExpiredInvitations(tx, group.groupId, now)
    const known = await findPersonByAddress(tx, key)
    if (known !== null && (await findMembership(tx, known.id))?.groupId === group.groupId)
      throw new DomainError('conflict', 'account.member_already')
    if (await hasInvitation(tx, group.groupId, key)) throw new DomainError('conflict', 'account.invitation_exists')
    if ((await seatsTaken(tx, group.groupId, now)) >= group.seats)
      throw new DomainError('conflict', 'account.seats_full', { seats: group.seats })
    await assertMayWrite(tx, actor, now)
    const row: InvitationRow = {
      id: randomUUIDv7(),
      groupId: group.groupId,
      invitedBy: actor.userId,
      address,
      addressKey: key,
      role: body.role,
      createdAt: now,
      expiresAt: new Date(now.getTime() + invitationDays * 86_400_000),
    }
    await insertInvitation(tx, { ...row, tokenHash: tokenHash(mailedToken(deps.secret, 'group_invitation', row.id)) })
    await enqueue(tx, sendMailJob, { kind: 'invitation', id: row.id })
    const data = { invitation: row.id, role: row.role }
    await recordAct(tx, now, { action: 'account.invited_member', actor, subject: { type: 'group', id: group.groupId }, data })
    return presentInvitation(row)
  })
}

export async function withdrawInvitation(deps: AccountDeps, actor: Actor, id: string): Promise<void> {
  const now = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    const group = await lockManaged(tx, actor)
    const row = await findInvitation(tx, { id }, now)
    if (row === null || row.groupId !== group.groupId || !(await endInvitation(tx, id, now)))
      throw new DomainError('not_found', 'account.invitation_invalid')
    const data = { invitation: id }
    await recordAct(tx, now, {
      action: 'account.withdrew_invitation',
      actor,
      subject: { type: 'group', id: group.groupId },
      data,
    })
  })
}

const invalid = () => new DomainError('gone', 'account.invitation_invalid')

/** One that waits, from somebody who is still in the group and whose account is open: else nobody answers for it any more. */
async function answeredFor(
  db: Db | Tx,
  token: string,
  now: Date,
): Promise<{ row: InvitationRow; inviter: Person; group: Membership }> {
  const row = await findInvitation(db, { tokenHash: tokenHash(token) }, now)
  if (row === null || row.invitedBy === null) throw invalid()
  const inviter = await findPerson(db, row.invitedBy)
  const group = inviter?.status === 'active' ? await findMembership(db, inviter.id) : null
  if (inviter === null || group === null || group.groupId !== row.groupId) throw invalid()
  return { row, inviter, group }
}

export async function readInvitation(deps: AccountDeps, token: string): Promise<z.infer<typeof invitationState>> {
  const { row, inviter, group } = await answeredFor(deps.db, token, deps.clock.now())
  return {
    group: group.name,
    invited_by: nameOf(inviter),
    email: row.address,
    role: row.role,
    expires_at: row.expiresAt.toISOString(),
  }
}

/**
 * Joins the group. The link alone does not: the mailbox that it was sent to must be the caller's, or whoever it is forwarded to
 * would get in. @throws DomainError `account.invitation_invalid`, `account.invitation_other_address`, `account.group_already`, `account.seats_full`
 */
export async function acceptInvitation(deps: AccountDeps, actor: Actor, token: string): Promise<Group> {
  const now = deps.clock.now()
  return await deps.db.transaction().execute(async (tx) => {
    const { groupId } = (await answeredFor(tx, token, now)).row
    await lockGroup(tx, groupId)
    // Whoever changed the group meanwhile may have changed this.
    const { row: found, group } = await answeredFor(tx, token, now)
    if (!(await hasAddress(tx, actor.userId, found.addressKey)))
      throw new DomainError('forbidden', 'account.invitation_other_address', { email: found.address })
    if ((await countMembers(tx, found.groupId)) >= group.seats)
      throw new DomainError('conflict', 'account.seats_full', { seats: group.seats })
    if (!(await insertMember(tx, found.groupId, actor.userId, found.role, now)))
      throw new DomainError('conflict', 'account.group_already')
    if (!(await endInvitation(tx, found.id, now))) throw invalid()
    const answer = await presentGroup(tx, await requireGroup(tx, actor), now)
    const data = { invitation: found.id, role: found.role }
    await recordAct(tx, now, { action: 'account.joined_group', actor, subject: { type: 'group', id: found.groupId }, data })
    return answer
  })
}
