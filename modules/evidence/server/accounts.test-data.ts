import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Actor, DelegationScope, StaffRole } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Authenticate } from '../../../platform/http/authenticate.ts'

/** An account whose address is confirmed. @returns its id */
export async function haveAccount(
  db: Db,
  name: { first: string; last: string } = { first: 'Ada', last: 'Byron' },
): Promise<string> {
  const id = randomUUID()
  await db
    .insertInto('account_user')
    .values({
      id,
      status: 'active',
      password_hash: '$argon2id$of-no-password',
      password_changed_at: new Date('2026-11-01T09:00:00Z'),
      first_name: name.first,
      last_name: name.last,
      locale: 'en',
      referral_code: id
        .replaceAll('-', '')
        .toUpperCase()
        .replaceAll(/[^A-F2-9]/g, 'Z')
        .slice(0, 8),
      terms_accepted_at: new Date('2026-11-01T09:00:00Z'),
      created_at: new Date('2026-11-01T09:00:00Z'),
      confirmed_at: new Date('2026-11-01T09:05:00Z'),
    })
    .execute()
  return id
}

export async function haveGroup(db: Db): Promise<string> {
  const id = randomUUID()
  await db.insertInto('account_group').values({ id, name: 'A company', seats: 5, created_at: new Date() }).execute()
  return id
}

export async function setMember(db: Db, userId: string, groupId: string, role: 'owner' | 'manager' | 'member'): Promise<void> {
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

/** Takes an evidence through what the other roles do, without files. */
export async function finish(db: Db, id: string, status: 'to_validate' | 'final', at = new Date()): Promise<void> {
  for (const to of ['preparing', 'completing', 'to_validate', ...(status === 'final' ? ['finalizing', 'final'] : [])])
    await sql`update evidence set status = ${to}, finalized_at = ${to === 'final' ? at : null}::timestamptz where id = ${id}::uuid`.execute(
      db,
    )
}
