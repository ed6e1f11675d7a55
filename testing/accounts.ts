import { randomBytes, randomUUID } from 'node:crypto'
import type { Actor, DelegationScope, StaffRole } from '../kernel/actor.ts'
import { DomainError } from '../kernel/errors.ts'
import type { Db } from '../platform/db/database.ts'
import type { Authenticate } from '../platform/http/authenticate.ts'

/** An account whose address is confirmed. @returns its id */
export async function haveAccount(
  db: Db,
  name: { first: string; last: string } = { first: 'Ada', last: 'Byron' },
): Promise<string> {
  const id = randomUUID()
  const at = new Date('2026-11-01T09:00:00Z')
  await db
    .insertInto('account_user')
    .values({
      id,
      status: 'active',
      password_hash: '$argon2id$of-no-password',
      password_changed_at: at,
      first_name: name.first,
      last_name: name.last,
      locale: 'en',
      referral_code: drawCode(),
      terms_accepted_at: at,
      created_at: at,
      confirmed_at: new Date('2026-11-01T09:05:00Z'),
    })
    .execute()
  return id
}

/** Eight characters of the alphabet of referral codes. */
export const drawCode = (): string => Array.from(randomBytes(8), (byte) => 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'[byte & 31]).join('')

type GroupRole = 'owner' | 'manager' | 'member'

export async function haveGroup(db: Db, members: Readonly<Record<string, GroupRole>> = {}): Promise<string> {
  const id = randomUUID()
  await db.insertInto('account_group').values({ id, name: 'A company', seats: 9, created_at: new Date() }).execute()
  for (const [userId, role] of Object.entries(members)) await setMember(db, userId, id, role)
  return id
}

export async function setMember(db: Db, userId: string, groupId: string, role: GroupRole): Promise<void> {
  await db
    .insertInto('group_member')
    .values({ user_id: userId, group_id: groupId, role, joined_at: new Date() })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ group_id: groupId, role }))
    .execute()
}

export async function removeMember(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('group_member').where('user_id', '=', userId).execute()
}

export function actorOf(
  userId: string,
  delegation: { id: string; scope: DelegationScope; grantorId: string } | null = null,
): Actor {
  return {
    userId,
    accountId: delegation?.grantorId ?? userId,
    delegation: delegation === null ? null : { id: delegation.id, scope: delegation.scope },
    sessionId: '00000000-0000-4000-8000-000000000000',
    roles: new Set<StaffRole>(),
    secondFactor: false,
    locale: 'en',
  }
}

export type Granted = { readonly userId: string; readonly grantorId: string; readonly scope: DelegationScope }

/** Sessions whose bearer token is the user's id; `granted` by id of delegation. */
export function sessionsOf(granted: ReadonlyMap<string, Granted> = new Map()): Authenticate {
  return ({ bearer, delegation }) => {
    if (delegation === undefined) return Promise.resolve(actorOf(bearer))
    const held = granted.get(delegation)
    if (held === undefined || held.userId !== bearer) return Promise.reject(new DomainError('forbidden', 'http.delegation_ended'))
    return Promise.resolve(actorOf(bearer, { id: delegation, ...held }))
  }
}
