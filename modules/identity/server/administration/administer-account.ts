import { staffRoles, type Actor, type StaffRole } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct, type Act } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { Standing } from '../../contract/administration.ts'
import { findPrimaryAddress } from '../people/address-store.ts'
import type { IdentityDeps } from '../people/deps.ts'
import { mailNoticeJob, type Notice } from '../mails/mail-jobs.ts'
import { mailConfirmation } from '../mails/mail-token.ts'
import { deleteSessions } from '../sessions/session-store.ts'
import { countSessions, deleteRoles, holdStaff, leavesAdministrator, markReinstated, markSuspended } from './standing-store.ts'
import { attempt } from '../guard/throttle.ts'
import { grantRole, lockUser, rolesOf, type User } from '../people/user-store.ts'

type Held = { readonly user: User; readonly roles: readonly StaffRole[] }

/**
 * The account that a member of staff does something to, held until the transaction ends. Over others of the staff only an
 * administrator has power: support could else keep out who watches it.
 * @throws DomainError `http.not_found`, `identity.staff_account`
 */
async function hold(tx: Tx, actor: Actor, id: string): Promise<Held> {
  const user = await lockUser(tx, id)
  if (user === null || user.status === 'erased') throw new DomainError('not_found', 'http.not_found')
  const held = await rolesOf(tx, id)
  const roles = staffRoles.filter((role) => held.includes(role))
  if (roles.length > 0 && id !== actor.userId && !actor.roles.has('administrator'))
    throw new DomainError('forbidden', 'identity.staff_account')
  return { user, roles }
}

async function standingOf(tx: Tx, id: string, now: Date): Promise<Standing> {
  const user = await lockUser(tx, id)
  if (user === null) throw new DomainError('not_found', 'http.not_found')
  const held = await rolesOf(tx, id)
  const roles = staffRoles.filter((role) => held.includes(role))
  return { id, status: user.status, roles, sessions: await countSessions(tx, id, now) }
}

/** Writes down what was done, and tells the person of it where he should know. */
async function conclude(
  tx: Tx,
  actor: Actor,
  id: string,
  now: Date,
  what: { readonly action: Act['action']; readonly data?: NonNullable<Act['data']>; readonly notice?: Notice },
): Promise<Standing> {
  const { action, data, notice } = what
  if (notice !== undefined) await enqueue(tx, mailNoticeJob, { user_id: id, notice, at: now.toISOString() })
  const standing = await standingOf(tx, id, now)
  const own = { userId: actor.userId, accountId: actor.userId }
  await recordAct(tx, now, { action, actor: own, subject: { type: 'user', id }, ...(data === undefined ? {} : { data }) })
  return standing
}

/**
 * Ends every session, and what others do in the account by delegation; drafts and reports stay.
 * @throws DomainError `http.not_found`, `identity.staff_account`, `identity.own_account`, `identity.not_active`,
 * `identity.last_administrator`
 */
export async function suspendUser(deps: IdentityDeps, actor: Actor, id: string, reason: string): Promise<Standing> {
  return await deps.db.transaction().execute(async (tx) => {
    await holdStaff(tx)
    const now = deps.clock.now()
    const { user, roles } = await hold(tx, actor, id)
    if (id === actor.userId) throw new DomainError('conflict', 'identity.own_account')
    if (user.status !== 'active') throw new DomainError('conflict', 'identity.not_active')
    if (roles.includes('administrator') && !(await leavesAdministrator(tx, id)))
      throw new DomainError('conflict', 'identity.last_administrator')
    await markSuspended(tx, id, actor.userId, reason, now)
    const ended = await deleteSessions(tx, id)
    return await conclude(tx, actor, id, now, {
      action: 'identity.suspended_account',
      data: { sessions_ended: ended },
      notice: 'suspended',
    })
  })
}

/** @throws DomainError `http.not_found`, `identity.staff_account`, `identity.not_suspended` */
export async function reinstateUser(deps: IdentityDeps, actor: Actor, id: string): Promise<Standing> {
  return await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    const { user } = await hold(tx, actor, id)
    if (user.status !== 'suspended') throw new DomainError('conflict', 'identity.not_suspended')
    await markReinstated(tx, id)
    return await conclude(tx, actor, id, now, { action: 'identity.reinstated_account', notice: 'reinstated' })
  })
}

/** @throws DomainError `http.not_found`, `identity.not_unconfirmed`, `identity.throttled` */
export async function resendConfirmationOf(deps: IdentityDeps, actor: Actor, id: string): Promise<Standing> {
  const waiting = await deps.db.transaction().execute(async (tx) => {
    const { user } = await hold(tx, actor, id)
    const entry = user.status === 'unconfirmed' ? await findPrimaryAddress(tx, id) : null
    if (entry === null) throw new DomainError('conflict', 'identity.not_unconfirmed')
    return entry
  })
  // Staff fills nobody's mailbox either.
  await attempt(deps, { kind: 'mailbox', of: waiting.key })
  return await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    const { user } = await hold(tx, actor, id)
    if (user.status !== 'unconfirmed') throw new DomainError('conflict', 'identity.not_unconfirmed')
    await mailConfirmation(deps, tx, { userId: id, emailId: waiting.id }, now)
    return await conclude(tx, actor, id, now, { action: 'identity.resent_confirmation' })
  })
}

/** @throws DomainError `http.not_found`, `identity.staff_account` */
export async function endSessionsOf(deps: IdentityDeps, actor: Actor, id: string): Promise<Standing> {
  return await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    await hold(tx, actor, id)
    const ended = await deleteSessions(tx, id)
    return await conclude(tx, actor, id, now, {
      action: 'identity.ended_sessions_of_account',
      data: { sessions_ended: ended },
    })
  })
}

/**
 * Roles count at once, those that are given once their holder has a second factor (`platform/http/authorize.ts`).
 * @throws DomainError `http.not_found`, `identity.own_account`, `identity.not_active`, `identity.last_administrator`
 */
export async function changeRolesOf(
  deps: IdentityDeps,
  actor: Actor,
  id: string,
  wanted: readonly StaffRole[],
): Promise<Standing> {
  return await deps.db.transaction().execute(async (tx) => {
    await holdStaff(tx)
    const now = deps.clock.now()
    const { user, roles } = await hold(tx, actor, id)
    if (id === actor.userId) throw new DomainError('conflict', 'identity.own_account')
    if (user.status !== 'active') throw new DomainError('conflict', 'identity.not_active')
    const given = staffRoles.filter((role) => wanted.includes(role) && !roles.includes(role))
    const taken = roles.filter((role) => !wanted.includes(role))
    if (given.length === 0 && taken.length === 0) return await standingOf(tx, id, now)
    if (taken.includes('administrator') && !(await leavesAdministrator(tx, id)))
      throw new DomainError('conflict', 'identity.last_administrator')
    await deleteRoles(tx, id, taken)
    for (const role of given) await grantRole(tx, id, role, actor.userId, now)
    return await conclude(tx, actor, id, now, {
      action: 'identity.changed_roles',
      data: { given: given.join(' '), taken: taken.join(' ') },
      notice: 'roles_changed',
    })
  })
}
