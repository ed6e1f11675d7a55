import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { openIdentity, password, totp } from '../identity.test-data.ts'

const database = withDatabase()
let identity: Awaited<ReturnType<typeof openIdentity>>
type Person = Awaited<ReturnType<typeof identity.person>>
let boss: Person
let ann: Person
let bob: Person

beforeAll(async () => {
  identity = await openIdentity(database.db)
  boss = await identity.person('boss@example.org')
  ann = await identity.person('ann@example.org', { first_name: 'Ann', last_name: 'Other', locale: 'fr' })
  bob = await identity.person('bob@example.org', { first_name: 'Bob', last_name: 'More' })
  const caller = { token: boss.token }
  const { body } = await identity.call('POST', '/second_factor/', { password }, caller)
  await identity.call('POST', '/second_factor/confirm/', { code: await totp(String(body['secret']), identity.now()) }, caller)
  await database.db
    .insertInto('user_role')
    .values({ user_id: boss.id, role: 'administrator', granted_at: identity.now() })
    .execute()
  const record = async (action: `${string}.${string}`, userId: string, accountId: string, subject: string | null) =>
    await database.db.transaction().execute(async (tx) => {
      identity.later(60)
      await recordAct(tx, identity.now(), {
        action,
        actor: { userId, accountId },
        subject: subject === null ? null : { type: 'user', id: subject },
      })
    })
  // Bob for Ann; Ann's group; and the staff, on Ann.
  await record('account.saved_profile', bob.id, ann.id, ann.id)
  await record('account.changed_member', bob.id, bob.id, ann.id)
  await record('identity.reinstated_account', boss.id, boss.id, ann.id)
  await record('identity.of_an_earlier_version', ann.id, ann.id, null)
})
afterAll(async () => await identity.close())

type Line = {
  number: number
  action: string
  actor: { id: string; name: string } | null
  by_staff: boolean
  on_behalf_of: { name: string } | null
}
const list = async (who: Person, query = '', path = '/acts/') => {
  const { status, body } = await identity.call('GET', `${path}?page_size=100&${query}`, undefined, { token: who.token })
  return { status, count: body['count'] as number, lines: (body['results'] ?? []) as Line[] }
}
const file = async (who: Person, path: string) => {
  const response = await identity.server.inject({ method: 'GET', url: path, headers: { authorization: `Bearer ${who.token}` } })
  return { status: response.statusCode, headers: response.headers, lines: response.body.split('\r\n').slice(0, -1) }
}

test('H-43 everybody reads the acts of and upon his account, "X for Y" with both named, and the staff unnamed', async () => {
  const { lines, count } = await list(ann)
  expect(count).toBe(lines.length)
  const [version, reinstated, member, profile] = lines
  expect(version).toMatchObject({ action: 'identity.of_an_earlier_version', actor: { name: 'Ann Other' }, by_staff: false })
  expect(reinstated).toMatchObject({ action: 'identity.reinstated_account', actor: null, by_staff: true })
  expect(member).toMatchObject({ actor: { id: bob.id, name: 'Bob More' }, on_behalf_of: null, by_staff: false })
  expect(profile).toMatchObject({ actor: { name: 'Bob More' }, on_behalf_of: { name: 'Ann Other' }, by_staff: false })
  // Of Bob's other acts she reads none, nor who registered.
  expect(lines.filter(({ actor }) => actor?.id === bob.id)).toHaveLength(2)
  expect((await list(bob)).lines.map(({ action }) => action)).toContain('account.saved_profile')
})

test('the record is asked for by kind, by days, by person; to others than administrators the whole does not exist', async () => {
  const { lines } = await list(ann)
  expect((await list(ann, 'action=account')).lines.map(({ action }) => action)).toEqual([
    'account.changed_member',
    'account.saved_profile',
  ])
  expect((await list(ann, 'action=identity.reinstated_account')).count).toBe(1)
  const from = new Date(identity.now().getTime() - 90_000).toISOString()
  expect((await list(ann, `from=${from}`)).lines.map(({ number }) => number)).toEqual(
    lines.slice(0, 2).map(({ number }) => number),
  )
  expect((await list(ann, `to=${from}`)).count).toBe(lines.length - 2)
  // What she asks for is hers, whatever she writes into the address.
  expect((await list(ann, `person=${bob.id}&actor=${bob.id}`)).count).toBe(lines.length)
  const whole = '/admin/acts/'
  expect((await list(boss, `person=${ann.id}`, whole)).lines.map(({ number }) => number)).toEqual(
    lines.map(({ number }) => number),
  )
  expect((await list(boss, `actor=${boss.id}&subject=${ann.id}`, whole)).lines).toMatchObject([
    { action: 'identity.reinstated_account', actor: { id: boss.id }, by_staff: false },
  ])
  expect((await list(boss, 'from=yesterday', whole)).status).toBe(400)
  for (const who of [ann, bob]) expect((await list(who, '', whole)).status).toBe(404)
})

test('H-43 an export is CSV that no spreadsheet computes, in the language asked for, and is itself an act', async () => {
  await sql`update account_user set first_name = '=HYPERLINK("//x")', last_name = '' where id = ${bob.id}`.execute(database.db)
  const before = (await list(ann)).lines
  const own = await file(ann, '/acts/export/')
  expect([own.status, own.headers['content-type'], own.headers['content-disposition']]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
    `attachment; filename="activity-${identity.now().toISOString().slice(0, 10)}.csv"`,
  ])
  expect(own.lines[0]).toBe('\u{FEFF}"number","at","action","words","actor","actor_name","on_behalf_of","subject","data","hash"')
  expect(own.lines.slice(1).map((line) => Number(line.split(',')[0]))).toEqual(before.map(({ number }) => number))
  expect(own.lines[2]).toContain('"Suspension du compte levée","","Notre équipe"')
  expect(own.lines[3]).toContain(`"'=HYPERLINK(""//x"")"`)
  // What has no words says its code.
  expect(own.lines[1]).toContain('"identity.of_an_earlier_version","identity.of_an_earlier_version"')
  expect((await list(ann)).lines[0]).toMatchObject({ action: 'identity.exported_acts', data: { lines: before.length } })
  const whole = await file(boss, `/admin/acts/export/?person=${ann.id}&language=en&action=identity.reinstated_account`)
  expect(whole.lines.slice(1)).toEqual([expect.stringContaining(`"Reinstated the account","${boss.id}","Claire Dupont"`)])
  expect((await file(ann, '/admin/acts/export/')).status).toBe(404)
  // Reading is no act.
  const count = (await list(boss, '', '/admin/acts/')).count
  expect((await list(boss, '', '/admin/acts/')).count).toBe(count)
})

test('an export of more lines than are read at a time holds each once', async () => {
  await database.db.transaction().execute(async (tx) => {
    for (let i = 0; i < 1100; i += 1)
      await recordAct(tx, identity.now(), {
        action: 'identity.signed_out',
        actor: { userId: bob.id, accountId: bob.id },
        subject: null,
      })
  })
  const numbers = (await file(bob, '/acts/export/?action=identity.signed_out')).lines
    .slice(1)
    .map((line) => Number(line.split(',')[0]))
  expect([numbers.length, new Set(numbers).size]).toEqual([1100, 1100])
})

test('H-43 administrators recompute the chain from any line; what was changed shows', async () => {
  const verify = async (who: Person, from?: number) =>
    await identity.call('POST', '/admin/acts/verify/', from === undefined ? {} : { from }, { token: who.token })
  const { body } = await verify(boss)
  expect(body).toMatchObject({ from: 1, to: body['last'], broken: null })
  expect((await verify(boss, 5)).body).toMatchObject({ from: 5, head: body['head'], broken: null })
  expect([(await verify(ann)).status, (await verify(boss, 0)).status]).toEqual([404, 400])
  await database.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update act set data = '{"lines":0}' where number = 7`.execute(tx)
  })
  expect((await verify(boss, 3)).body).toMatchObject({ to: 6, broken: { number: 7, fault: 'hash' } })
})
