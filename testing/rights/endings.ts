/** How rights end: whose, and by which call, or by which time. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Someone } from '../signed-in.ts'
import { bearer, password, type Holder, type Process, type World } from './rights-world.test-data.ts'

type Context = {
  readonly world: World
  /** Where the call that ends it is made. */
  readonly process: Process
  /** Moves the clock of every process. */
  readonly later: (hours: number) => void
}
export type Ending = { readonly whose: (world: World) => Holder; readonly end: (context: Context) => Promise<void> }

async function call(
  { origin }: Process,
  who: Holder | null,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { ...who?.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${String(response.status)} ${text}`)
  return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
}

/** A call by somebody in his own account. */
const by =
  (who: (world: World) => Someone, method: string, path: (world: World) => string, body?: (world: World) => unknown) =>
  async ({ world, process }: Context): Promise<void> =>
    void (await call(process, bearer(who(world)), method, path(world), body?.(world)))

/** Another session of the same person. */
async function anotherSession({ db }: World, { id }: Someone): Promise<Holder> {
  const token = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(token).digest()
  await sql`insert into user_session (id, user_id, token_hash, created_at, seen_at, expires_at, remembered, browser, network,
      second_factor, proven_at)
    select ${randomUUID()}::uuid, user_id, ${hash}, created_at, seen_at, expires_at, remembered, browser, network, second_factor,
      proven_at from user_session where user_id = ${id}::uuid limit 1`.execute(db)
  return bearer({ id, token, email: '' })
}

const owner = (world: World) => world.owner
const administrator = (world: World) => world.administrator
const session = (world: World) => bearer(world.owner)
const delegate = (world: World) => bearer(world.delegate, world.delegation)
const key = ({ key: { key: token }, owner: { id } }: World): Holder => ({
  headers: { authorization: `Bearer ${token}` },
  userId: id,
})
const manager = ({ group }: World) => bearer(group.manager)
const token = ({ free }: World): Holder => ({ headers: { 'x-evidence-token': free.token }, userId: null })

const newPassword = { password: 'Wrong-battery 9!', password_confirmation: 'Wrong-battery 9!' }
const delegationPath = ({ delegation }: World) => `/access_delegations/${delegation}/`
const closing = () => ({ reason: 'I leave.' })
const suspending = () => ({ reason: 'Complaint.' })

export const endings = {
  'sign-out': { whose: session, end: by(owner, 'POST', () => '/rest-auth/logout/') },
  'sign-out everywhere': { whose: session, end: by(owner, 'POST', () => '/sessions/end_all/') },
  'sign-out of all other sessions': {
    whose: session,
    async end({ world, process }) {
      await call(process, await anotherSession(world, world.owner), 'POST', '/sessions/end_others/')
    },
  },
  'a session that another one ends': {
    whose: session,
    async end({ world, process }) {
      const { rows } = await sql<{ id: string }>`select id from user_session where user_id = ${world.owner.id}::uuid`.execute(
        world.db,
      )
      await call(process, await anotherSession(world, world.owner), 'DELETE', `/sessions/${rows[0]?.id ?? ''}/`)
    },
  },
  'a session whose time is over': {
    whose: session,
    async end({ world, later }) {
      await sql`update user_session set expires_at = created_at + interval '3 hours' where user_id = ${world.owner.id}::uuid`.execute(
        world.db,
      )
      later(4)
    },
  },
  'a new password, chosen in another session': {
    whose: session,
    async end({ world, process }) {
      await call(process, await anotherSession(world, world.owner), 'POST', '/rest-auth/password/change/', {
        old_password: password,
        ...newPassword,
      })
    },
  },
  'a new password, by a link': {
    whose: session,
    async end({ world, process }) {
      const secret = randomBytes(32).toString('base64url')
      await world.db
        .insertInto('mailed_token')
        .values({
          id: randomUUID(),
          user_id: world.owner.id,
          purpose: 'reset_password',
          token_hash: createHash('sha256').update(secret).digest(),
          created_at: new Date(),
          expires_at: new Date('2100-01-01T00:00:00Z'),
        })
        .execute()
      const body = { uid: world.owner.id, token: secret, ...newPassword }
      await call(process, null, 'POST', '/rest-auth/password/reset/confirm/', body)
    },
  },
  'sessions that staff ends': {
    whose: session,
    end: by(administrator, 'POST', (world) => `/admin/users/${world.owner.id}/end_sessions/`),
  },
  'an account that is suspended': {
    whose: session,
    end: by(administrator, 'POST', (world) => `/admin/users/${world.owner.id}/suspend/`, suspending),
  },
  'an account that is closed': { whose: session, end: by(owner, 'POST', () => '/profiles/current/delete/', closing) },
  'a member who is removed': {
    whose: session,
    end: by(
      ({ group }) => group.owner,
      'DELETE',
      (world) => `/groups/current/members/${world.owner.id}/`,
    ),
  },
  'a member who leaves': { whose: session, end: by(owner, 'POST', () => '/groups/current/leave/') },
  'a manager who is made a member': {
    whose: manager,
    end: by(
      ({ group }) => group.owner,
      'PATCH',
      ({ group }) => `/groups/current/members/${group.manager.id}/`,
      () => ({ role: 'member' }),
    ),
  },
  'a manager who is removed': {
    whose: manager,
    end: by(
      ({ group }) => group.owner,
      'DELETE',
      ({ group }) => `/groups/current/members/${group.manager.id}/`,
    ),
  },
  'a delegation that its grantor ends': { whose: delegate, end: by(owner, 'DELETE', delegationPath) },
  'a delegation that its delegate ends': { whose: delegate, end: by((world) => world.delegate, 'DELETE', delegationPath) },
  'a delegation whose time is over': { whose: delegate, end: async ({ later }) => await Promise.resolve(later(3)) },
  'a delegation that is lowered to reading': {
    whose: delegate,
    async end({ world }) {
      await sql`update access_delegation set scope = 'read' where id = ${world.delegation}::uuid`.execute(world.db)
    },
  },
  'a delegate who signs out': {
    whose: delegate,
    end: by(
      (world) => world.delegate,
      'POST',
      () => '/rest-auth/logout/',
    ),
  },
  'a delegate who is suspended': {
    whose: delegate,
    end: by(administrator, 'POST', (world) => `/admin/users/${world.delegate.id}/suspend/`, suspending),
  },
  'a grantor who is suspended': {
    whose: delegate,
    end: by(administrator, 'POST', (world) => `/admin/users/${world.owner.id}/suspend/`, suspending),
  },
  'a grantor who closes his account': { whose: delegate, end: by(owner, 'POST', () => '/profiles/current/delete/', closing) },
  'a grantor who leaves the group': { whose: delegate, end: by(owner, 'POST', () => '/groups/current/leave/') },
  'a key that is revoked': { whose: key, end: by(owner, 'DELETE', (world) => `/api_keys/${world.key.id}/`) },
  'a key whose time is over': { whose: key, end: async ({ later }) => await Promise.resolve(later(3)) },
  'a key of an account that is suspended': {
    whose: key,
    end: by(administrator, 'POST', (world) => `/admin/users/${world.owner.id}/suspend/`, suspending),
  },
  'a draft without account that is taken over': {
    whose: token,
    end: by(
      (world) => world.stranger,
      'POST',
      ({ free }) => `/evidences/${free.token}/user_assignment/`,
    ),
  },
} satisfies Record<string, Ending>

export type EndingName = keyof typeof endings
