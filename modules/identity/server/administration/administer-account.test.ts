import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { StaffRole } from '../../../../kernel/actor.ts'
import { holdEndOfActs } from '../../../../platform/acts/store.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { openIdentity, password, totp } from '../identity.test-data.ts'

const database = withDatabase()
let identity: Awaited<ReturnType<typeof openIdentity>>
beforeAll(async () => {
  identity = await openIdentity(database.db)
})
afterAll(async () => await identity.close())

type Person = Awaited<ReturnType<typeof identity.person>>

/** Somebody of the staff, signed in with a second factor. */
async function staff(email: string, ...roles: StaffRole[]): Promise<Person> {
  const person = await identity.person(email)
  const caller = { token: person.token }
  const { body } = await identity.call('POST', '/second_factor/', { password }, caller)
  await identity.call('POST', '/second_factor/confirm/', { code: await totp(String(body['secret']), identity.now()) }, caller)
  for (const role of roles)
    await database.db.insertInto('user_role').values({ user_id: person.id, role, granted_at: identity.now() }).execute()
  await identity.work()
  return person
}

const act = async (who: Person, on: Person, what: string, body?: unknown) =>
  await identity.call('POST', `/admin/users/${on.id}/${what}/`, body, { token: who.token })
const code = async (...call: Parameters<typeof act>) => (await act(...call)).body['code']
const isSignedIn = async ({ token }: Person) => (await identity.call('GET', '/sessions/', undefined, { token })).status === 200
const acts = async (person: Person) => {
  const { rows } = await sql<{ action: string; data: unknown; actor_id: string | null }>`
    select action, data, actor_id from act where subject_type = 'user' and subject_id = ${person.id} order by number`.execute(
    database.db,
  )
  return rows
}
const mailed = async () => (await identity.work()).map(({ to, subject }) => [to, subject])

/** Runs what records acts while the end of the record is held, until so many transactions wait for a lock. */
async function heldUp<T>(waiting: number, run: () => Promise<T>): Promise<T> {
  const holding = Promise.withResolvers<void>()
  const held = database.db.transaction().execute(async (tx) => {
    await holdEndOfActs(tx)
    holding.resolve()
    await vi.waitUntil(
      async () => {
        const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_locks
          where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`.execute(tx)
        return rows[0]?.count === waiting
      },
      { timeout: 60_000, interval: 10 },
    )
  })
  await holding.promise
  const [result] = await Promise.all([run(), held])
  return result
}

test('H-43, X-54: staff suspends with a reason, ends every session, and reinstates; the person is told in his language', async () => {
  const helper = await staff('support@example.org', 'support')
  const person = await identity.person('suspended@example.org', { locale: 'fr' })
  await identity.signIn(person.email)
  await identity.work()
  expect((await act(helper, person, 'suspend', { reason: ' ' })).body['fields']).toEqual({ reason: ['reason_required'] })
  const reason = 'Sold captures of pages that were made up'
  expect((await act(helper, person, 'suspend', { reason })).body).toEqual({
    id: person.id,
    status: 'suspended',
    roles: [],
    sessions: 0,
  })
  expect(await isSignedIn(person)).toBe(false)
  expect((await identity.signIn(person.email)).body['code']).toBe('identity.suspended')
  const [mail] = await identity.work()
  expect([mail?.to, mail?.subject]).toEqual([person.email, 'Votre compte a été suspendu'])
  // What becomes of what he sells, and where he may object without an account.
  expect(mail?.text).toContain('Si vous vendez des licences')
  expect(mail?.text).toMatch(/\/fr\/support\//)
  // Why is for staff: neither the mail nor the record of acts holds what somebody typed.
  expect(`${mail?.text ?? ''}${mail?.html ?? ''}`).not.toContain('made up')
  const line = (await acts(person)).at(-1)
  expect(line).toEqual({ action: 'identity.suspended_account', data: { sessions_ended: 2 }, actor_id: helper.id })
  const row = await database.db
    .selectFrom('account_user')
    .select(['suspension_reason', 'suspended_by'])
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ suspension_reason: reason, suspended_by: helper.id })
  expect(await code(helper, person, 'suspend', { reason })).toBe('identity.not_active')
  expect((await act(helper, person, 'reinstate')).body).toMatchObject({ status: 'active' })
  expect(await code(helper, person, 'reinstate')).toBe('identity.not_suspended')
  expect((await identity.signIn(person.email)).status).toBe(200)
  expect(await mailed()).toEqual([[person.email, 'Votre compte est rouvert']])
})

test('H-20: staff suspends no staff but by an administrator, nobody himself, and never the last administrator', async () => {
  const [helper, boss] = [await staff('support2@example.org', 'support'), await staff('boss@example.org', 'administrator')]
  const reason = 'because'
  expect(await code(helper, boss, 'suspend', { reason })).toBe('identity.staff_account')
  expect(await code(helper, boss, 'end_sessions')).toBe('identity.staff_account')
  expect(await code(helper, helper, 'suspend', { reason })).toBe('identity.own_account')
  expect(await code(boss, boss, 'suspend', { reason })).toBe('identity.own_account')
  expect(await isSignedIn(boss)).toBe(true)
  const second = await staff('boss2@example.org', 'administrator')
  // At once: each would leave the other, and nobody would be left. Both are held up at what comes last before they commit.
  const answers = await heldUp(
    2,
    async () => await Promise.all([act(boss, second, 'suspend', { reason }), act(second, boss, 'suspend', { reason })]),
  )
  const codes = answers.map(({ status, body }) => (status === 200 ? 'done' : String(body['code'])))
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from user_role join account_user on id = user_id
    where role = 'administrator' and status = 'active'`.execute(database.db)
  expect([codes.filter((each) => each === 'done').length, rows[0]?.count]).toEqual([1, 1])
  const left = codes[0] === 'done' ? boss : second
  expect((await act(left, left === boss ? second : boss, 'reinstate')).status).toBe(200)
  expect((await act(left, helper, 'suspend', { reason })).body).toMatchObject({ status: 'suspended', roles: ['support'] })
  await identity.work()
})

test('H-20: an administrator gives and takes roles, with a fresh proof; each counts with a second factor alone', async () => {
  const [boss, person] = [await staff('boss3@example.org', 'administrator'), await identity.person('raised@example.org')]
  const roles = async (...wanted: StaffRole[]) => await act(boss, person, 'roles', { roles: wanted })
  const reads = async (token: string) =>
    (await identity.call('POST', `/admin/users/${boss.id}/reinstate/`, {}, { token })).body['code']
  expect((await roles('verifier', 'support', 'support')).body).toMatchObject({ roles: ['support', 'verifier'] })
  // Without a second factor there is no such call for him.
  expect(await reads(person.token)).toBe('http.not_found')
  const { body } = await identity.call('POST', '/second_factor/', { password }, { token: person.token })
  const first = await totp(String(body['secret']), identity.now())
  await identity.call('POST', '/second_factor/confirm/', { code: first }, { token: person.token })
  expect(await reads(person.token)).toBe('identity.staff_account')
  expect((await roles('verifier')).body).toMatchObject({ roles: ['verifier'] })
  expect(await reads(person.token)).toBe('http.not_found')
  const before = (await acts(person)).length
  expect((await roles('verifier')).status).toBe(200)
  const lines = await acts(person)
  expect(lines.length).toBe(before)
  expect(lines.filter(({ action }) => action === 'identity.changed_roles').map(({ data }) => data)).toEqual([
    { given: 'support verifier', taken: '' },
    { given: '', taken: 'support' },
  ])
  expect((await mailed()).filter(([, subject]) => subject === 'Your roles were changed')).toHaveLength(2)
  const wrong = await act(boss, person, 'roles', { roles: ['owner'] })
  expect([wrong.status, await code(boss, boss, 'roles', { roles: [] })]).toEqual([400, 'identity.own_account'])
  // What a helper may do is not this.
  const helper = await staff('support3@example.org', 'support')
  expect(await code(helper, person, 'roles', { roles: ['administrator'] })).toBe('http.not_found')
  identity.later(600)
  expect(await code(boss, person, 'roles', { roles: [] })).toBe('identity.proof_required')
})

test('H-43: staff ends sessions, and sends a confirmation again, within what one mailbox is sent', async () => {
  const helper = await staff('support4@example.org', 'support')
  const person = await identity.person('lost@example.org')
  expect(await code(helper, person, 'resend_confirmation')).toBe('identity.not_unconfirmed')
  expect((await act(helper, person, 'end_sessions')).body).toMatchObject({ status: 'active', sessions: 0 })
  expect(await isSignedIn(person)).toBe(false)
  await identity.register('waits@example.org')
  await identity.work()
  const { user_id: id } = await database.db
    .selectFrom('email_address')
    .select('user_id')
    .where('address_key', '=', 'waits@example.org')
    .executeTakeFirstOrThrow()
  const waits = { id, token: '', email: 'waits@example.org' }
  expect((await act(helper, waits, 'resend_confirmation')).body).toMatchObject({ status: 'unconfirmed' })
  expect(await mailed()).toEqual([['waits@example.org', 'Confirm your email address – Probant']])
  expect((await acts(waits)).at(-1)).toEqual({ action: 'identity.resent_confirmation', data: {}, actor_id: helper.id })
  const codes = []
  for (let i = 0; i < 6; i += 1) codes.push(await code(helper, waits, 'resend_confirmation'))
  expect(codes.at(-1)).toBe('identity.throttled')
  const nobody = { ...waits, id: '00000000-0000-4000-8000-000000000000' }
  for (const what of ['reinstate', 'end_sessions', 'resend_confirmation'])
    expect(await code(helper, nobody, what)).toBe('http.not_found')
})
