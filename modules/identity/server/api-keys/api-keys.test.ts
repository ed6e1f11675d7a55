import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoint } from '../../../../kernel/endpoint.ts'
import { verifyActs } from '../../../../platform/acts/verify-acts.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { route, signedIn } from '../../../../platform/http/route.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { z } from 'zod'
import { cleanUp } from '../clean-up.ts'
import { openIdentity, password } from '../identity.test-data.ts'
import { warnOfEndingKeys } from './warn-of-ending-keys.ts'

const database = withDatabase()
let identity: Awaited<ReturnType<typeof openIdentity>>
/** A call that takes keys, and says who it took the caller for. */
const forKeys = endpoint({
  method: 'POST',
  path: '/for_keys/',
  summary: 'Take keys',
  access: ['user'],
  delegable: 'create',
  apiScope: 'documents:create',
  response: z.object({ user: z.string(), key: z.string() }),
})
beforeAll(async () => {
  identity = await openIdentity(database.db, {
    routes: ({ db, clock }) => [
      route(forKeys, async ({ actor }) => {
        const caller = signedIn(actor)
        await db.transaction().execute(async (tx) => {
          await recordAct(tx, clock.now(), { action: 'identity.signed_out', actor: caller, subject: null, data: { one: 1 } })
        })
        return { user: caller.userId, key: caller.apiKey?.name ?? '' }
      }),
    ],
  })
})
afterAll(async () => await identity.close())

const day = 24 * 3600
type Entry = { id: string; hint: string; expired: boolean; last_used: unknown; expires_at: string; per_minute: number }
const make = async (token: string, more: Record<string, unknown> = {}) =>
  await identity.call('POST', '/api_keys/', { name: 'Backup', scopes: ['documents:create'], ...more }, { token })
const made = async (token: string, more: Record<string, unknown> = {}) => {
  const { body } = await make(token, more)
  return { key: String(body['key']), entry: body['entry'] as Entry }
}
const list = async (token: string) => (await identity.call('GET', '/api_keys/', undefined, { token })).body['results'] as Entry[]
const use = async (key: string, more: Record<string, string> = {}) =>
  await identity.call('POST', '/for_keys/', undefined, { token: key, ...more })

test('a key is shown once, told by mail, recorded, and kept as its hash alone', async () => {
  const person = await identity.person('keys@example.org')
  const { status, body } = await make(person.token, { days: 30, per_minute: 7 })
  const { key, entry } = body as { key: string; entry: Entry }
  expect(status).toBe(201)
  expect(key).toMatch(/^pbt_[\w-]{43}[0-9A-Za-z]{6}$/)
  expect(entry).toMatchObject({ hint: key.slice(0, 8), expired: false, last_used: null, per_minute: 7 })
  expect(Date.parse(entry.expires_at) - identity.now().getTime()).toBe(30 * day * 1000)
  expect(await list(person.token)).toEqual([entry])
  const [mail] = (await identity.work()).filter(({ to }) => to === person.email)
  expect([mail?.subject, mail?.text.includes(key.slice(0, 12))]).toEqual(['An API key was made', false])
  const { rows } = await sql<{ all: string }>`
    select (select string_agg(api_key::text, '') from api_key) || (select string_agg(act::text, '') from act)
      || coalesce((select string_agg(payload::text, '') from graphile_worker._private_jobs), '') as all`.execute(database.db)
  expect(rows[0]?.all).not.toContain(key.slice(4, 47))
  expect(rows[0]?.all).toContain('identity.made_api_key')
  expect((await use(key)).body).toEqual({ user: person.id, key: 'Backup' })
})

test('it is made by whoever proved anew who he is, and by no key', async () => {
  const person = await identity.person('proving@example.org')
  const { key } = await made(person.token)
  identity.later(11 * 60)
  expect((await make(person.token)).body['code']).toBe('identity.proof_required')
  expect(await list(person.token)).toHaveLength(1)
  await identity.call('POST', '/rest-auth/prove/', { password }, { token: person.token })
  expect((await make(person.token)).status).toBe(201)
  expect((await make(key)).body['code']).toBe('http.not_for_keys')
  for (const path of ['/api_keys/', '/sessions/', '/emails/', '/acts/', '/rest-auth/registration/'])
    expect((await identity.call('GET', path, undefined, { token: key })).body['code'], path).toBe('http.not_for_keys')
})

test.each([
  ['name', '', 'key_name_required'],
  ['name', 'a'.repeat(101), 'too_long'],
  ['name', 'a\u0000b', 'key_name_characters'],
  ['scopes', [], 'key_scope_required'],
  ['scopes', ['documents:read', 'documents:read'], 'key_scope_required'],
  ['days', 0, 'key_days'],
  ['days', 731, 'key_days'],
  ['days', 1.5, 'key_days'],
  ['per_minute', 601, 'key_per_minute'],
] as const)('a key whose %s is %j is not made', async (field, value, code) => {
  const person = await identity.person(`refused.${randomUUID()}@example.org`)
  const { status, body } = await make(person.token, { [field]: value })
  expect([status, body['fields']]).toEqual([400, { [field]: [code] }])
  expect(await list(person.token)).toEqual([])
})

test('it opens nothing once it is revoked, has expired, or its account is not open; and never did what only resembles it', async () => {
  const person = await identity.person('ending@example.org')
  const other = await identity.person('another@example.org')
  const [first, second] = [await made(person.token, { days: 10 }), await made(person.token)]
  const refused = async (key: string) => {
    const { status, body } = await use(key)
    return [status, body['code']]
  }
  const none = [401, 'http.key_refused']
  expect(await refused(`pbt_${'A'.repeat(43)}000000`)).toEqual(none)
  expect(await refused(first.key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')))).toEqual(none)
  expect(await refused(first.key.slice(0, -1))).toEqual(none)
  // Nobody else's, however well it is named.
  const foreign = await identity.call('DELETE', `/api_keys/${second.entry.id}/`, undefined, { token: other.token })
  expect([foreign.status, foreign.body['code']]).toEqual([404, 'http.not_found'])
  expect((await use(second.key)).status).toBe(200)
  expect((await identity.call('DELETE', `/api_keys/${second.entry.id}/`, undefined, { token: person.token })).status).toBe(200)
  expect(await refused(second.key)).toEqual(none)
  await database.db
    .updateTable('account_user')
    .set({ status: 'suspended', suspended_at: identity.now() })
    .where('id', '=', person.id)
    .execute()
  expect(await refused(first.key)).toEqual(none)
  await database.db
    .updateTable('account_user')
    .set({ status: 'active', suspended_at: null })
    .where('id', '=', person.id)
    .execute()
  expect((await use(first.key)).status).toBe(200)
  identity.later(10 * day - 1)
  expect((await use(first.key)).status).toBe(200)
  identity.later(1)
  expect(await refused(first.key)).toEqual(none)
  expect((await list(person.token)).map(({ expired }) => expired)).toEqual([true])
  identity.later(30 * day)
  expect((await cleanUp(identity.deps)).apiKeys).toBeGreaterThan(0)
  const { rows } = await sql<{ left: bigint }>`select count(*) as left from api_key where id = ${first.entry.id}::uuid`.execute(
    database.db,
  )
  expect(Number(rows[0]?.left)).toBe(0)
})

test('a key acts in the account of its owner alone, and what it does says so', async () => {
  const person = await identity.person('alone@example.org')
  const { key, entry } = await made(person.token)
  const delegated = await use(key, { delegation: '01976f3e-aaaa-7bbb-8ccc-0123456789ab' })
  expect([delegated.status, delegated.body['code']]).toEqual([401, 'http.key_refused'])
  await use(key)
  const { rows } = await sql<{
    data: unknown
  }>`select data from act where actor_id = ${person.id}::uuid order by number desc limit 1`.execute(database.db)
  expect(rows[0]?.data).toEqual({ one: 1, api_key: entry.id })
  expect((await verifyActs(database.db)).broken).toBe(null)
})

test('its list says on which day, and from which network, it was last used', async () => {
  const person = await identity.person('using@example.org')
  const { key } = await made(person.token)
  await use(key, { from: '198.51.100.77' })
  const on = () => identity.now().toISOString().slice(0, 10)
  expect((await list(person.token))[0]?.last_used).toEqual({ on: on(), network: '198.51.100.0/24' })
  identity.later(day)
  await use(key, { from: '2001:db8:1:2::7' })
  expect((await list(person.token))[0]?.last_used).toMatchObject({ on: on(), network: '2001:db8:1:0::/56' })
})

test('it makes as many calls a minute as its owner allows, from wherever', async () => {
  const person = await identity.person('often@example.org')
  const [few, more] = [await made(person.token, { per_minute: 3 }), await made(person.token)]
  const statuses: number[] = []
  for (let i = 0; i < 4; i += 1) statuses.push((await use(few.key)).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  const { body, headers } = await use(few.key)
  expect([body['code'], body['data'], headers['retry-after']]).toEqual(['http.rate_limited', { seconds: 20 }, '20'])
  expect((await use(more.key)).status).toBe(200)
  identity.later(20)
  expect([(await use(few.key)).status, (await use(few.key)).status]).toEqual([200, 429])
  // Counted in the database: as many at once as there are processes to ask.
  identity.later(60)
  const atOnce = await Promise.all(Array.from({ length: 9 }, async () => (await use(few.key)).status))
  expect(atOnce.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429, 429, 429, 429, 429, 429])
})

test('its owner is told a week and a day before it ends, once each; not of one that was revoked, or made for less', async () => {
  const person = await identity.person('warned@example.org', { locale: 'fr' })
  await identity.work()
  const { entry } = await made(person.token, { name: 'Poste <b>3</b>', days: 8 })
  await made(person.token, { name: 'Short', days: 1 })
  const told = async () => {
    await warnOfEndingKeys(identity.deps)
    await warnOfEndingKeys(identity.deps)
    return (await identity.work()).filter(({ to, subject }) => to === person.email && subject.includes('se termine'))
  }
  expect(await told()).toEqual([])
  identity.later(day)
  const [week, ...more] = await told()
  expect([week?.subject, more, week?.unsubscribe]).toEqual(['Une de vos clés d’API se termine bientôt', [], undefined])
  expect(week?.text).toContain(`«\u202fPoste <b>3</b>\u202f» (${entry.hint}…) se termine le `)
  expect(week?.html).toContain('Poste &lt;b&gt;3&lt;/b&gt;')
  expect(week?.text).toMatch(/https?:\/\/[^/]+\/fr\/account\/api-keys\//)
  identity.later(5 * day)
  expect(await told()).toEqual([])
  identity.later(day)
  expect(await told()).toHaveLength(1)
  identity.later(day / 2)
  expect(await told()).toEqual([])
  // Nobody looked for a week: the last day is told of, and not the week as well. What is revoked before the mail goes is not told of.
  await identity.call('POST', '/rest-auth/prove/', { password }, { token: person.token })
  const [late, gone] = [await made(person.token, { days: 9 }), await made(person.token, { days: 9 })]
  identity.later(8.5 * day)
  await warnOfEndingKeys(identity.deps)
  await identity.call('DELETE', `/api_keys/${gone.entry.id}/`, undefined, { token: person.token })
  const last = (await identity.work()).filter(({ subject }) => subject.includes('se termine'))
  expect(last.map(({ text }) => text.includes(late.entry.hint))).toEqual([true])
})

test('an account has fifty at most, and none once it is erased', async () => {
  const person = await identity.person('many@example.org')
  for (let i = 0; i < 50; i += 1) expect((await make(person.token, { name: `Key ${String(i)}` })).status).toBe(201)
  const { status, body } = await make(person.token)
  expect([status, body['code'], body['data']]).toEqual([409, 'identity.too_many_api_keys', { most: 50 }])
  await database.db
    .updateTable('account_user')
    .set({ status: 'erased', erased_at: identity.now(), password_hash: null })
    .where('id', '=', person.id)
    .execute()
  const kept = await database.db.selectFrom('api_key').select('id').where('user_id', '=', person.id).execute()
  expect(kept).toEqual([])
})
