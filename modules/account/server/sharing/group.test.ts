import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { linkOf, openAccounts, type Accounts, type Someone } from '../account.test-data.ts'

const database = withDatabase()
let accounts: Accounts
let group = 0

beforeAll(async () => {
  accounts = await openAccounts(database.db)
})
afterAll(async () => {
  await accounts.close()
})

/** A legal entity with a group of its own. */
async function owner(): Promise<Someone> {
  group += 1
  const who = await accounts.person(`owner${group}@example.org`, ['Olga', 'Owner'])
  await accounts.call('PATCH', `/profiles/${who.id}/`, who, { user_type: 'legal', company_name: 'Firm' })
  const { status } = await accounts.call('POST', '/groups/', who, { name: ' Firm\u00a0 & Co ' })
  expect(status).toBe(201)
  await accounts.work()
  return who
}

async function invite(by: Someone, email: string, role = 'member') {
  return await accounts.call('POST', '/groups/current/invitations/', by, { email, role })
}

/** What the mail that was just sent carries. */
async function mailedToken(): Promise<string> {
  const [mail] = await accounts.work()
  return linkOf(mail).searchParams.get('key') ?? ''
}

async function join(by: Someone, name: string, role = 'member'): Promise<Someone> {
  const who = await accounts.person(`${name}${group}@example.org`, [name, 'Member'])
  expect((await invite(by, who.email, role)).status).toBe(201)
  const token = await mailedToken()
  expect((await accounts.call('POST', '/group_invitations/accept/', who, { token })).status).toBe(200)
  return who
}

const codeOf = (answer: { status: number; body: Record<string, unknown> }) => [answer.status, answer.body['code']]

describe('H-23 a group', () => {
  test('P-08 E-64 belongs to a legal entity, and each user is in one', async () => {
    const natural = await accounts.person('natural@example.org')
    expect(codeOf(await accounts.call('GET', '/groups/current/', natural))).toEqual([404, 'account.group_none'])
    expect(codeOf(await accounts.call('POST', '/groups/', natural, { name: 'A' }))).toEqual([409, 'account.group_needs_legal'])
    const olga = await owner()
    expect(codeOf(await accounts.call('POST', '/groups/', olga, { name: 'B' }))).toEqual([409, 'account.group_already'])
    expect((await accounts.call('GET', '/groups/current/', olga)).body).toMatchObject({
      name: 'Firm & Co',
      role: 'owner',
      owner: { id: olga.id, name: 'Olga Owner' },
      seats: { total: 5, taken: 1 },
    })
    expect((await accounts.call('GET', '/profiles/current/', olga)).body['group']).toMatchObject({
      name: 'Firm & Co',
      role: 'owner',
    })
    const unnamed = await accounts.call('PATCH', '/groups/current/', olga, { name: ' ' })
    expect(unnamed.body['fields']).toEqual({ name: ['group_name_required'] })
    expect((await accounts.call('PATCH', '/groups/current/', olga, { name: 'New' })).body['name']).toBe('New')
  })

  test('an invitation is a mail with a link, good for its addressee, once, for seven days', async () => {
    const olga = await owner()
    const nora = await accounts.person('nora@example.org', ['Nora', 'New'], 'fr')
    const { status, body, text } = await invite(olga, 'Nora@Example.org')
    expect(status).toBe(201)
    const [mail] = await accounts.work()
    expect(mail).toMatchObject({ to: 'Nora@example.org', locale: 'fr', subject: 'Vous êtes invité dans un groupe' })
    expect(mail?.text).toContain('Olga Owner')
    const token = linkOf(mail).searchParams.get('key') ?? ''
    expect(token).toHaveLength(43)
    expect(text).not.toContain(token)
    expect(codeOf(await invite(olga, 'nora@example.org'))).toEqual([409, 'account.invitation_exists'])

    const read = await accounts.call('POST', '/group_invitations/read/', null, { token })
    expect(read.body).toMatchObject({ group: 'Firm & Co', invited_by: 'Olga Owner', email: 'Nora@example.org', role: 'member' })
    const stranger = await accounts.person('stranger@example.org')
    await accounts.addAddress(stranger.id, 'other@example.org')
    expect(codeOf(await accounts.call('POST', '/group_invitations/accept/', stranger, { token }))).toEqual([
      403,
      'account.invitation_other_address',
    ])
    expect((await accounts.call('POST', '/group_invitations/accept/', nora, { token })).body).toMatchObject({ role: 'member' })
    expect(codeOf(await accounts.call('POST', '/group_invitations/accept/', nora, { token }))).toEqual([
      410,
      'account.invitation_invalid',
    ])
    expect(codeOf(await accounts.call('POST', '/group_invitations/read/', null, { token: 'x' }))[1]).toBe(
      'account.invitation_invalid',
    )
    expect((await accounts.acts(nora.id)).map((act) => act.action)).toEqual(['account.joined_group'])

    const late = await accounts.person('late@example.org')
    await invite(olga, late.email)
    const lateToken = await mailedToken()
    accounts.later(7 * 24)
    expect(codeOf(await accounts.call('POST', '/group_invitations/accept/', late, { token: lateToken }))[1]).toBe(
      'account.invitation_invalid',
    )
    expect((await accounts.call('GET', '/groups/current/invitations/', olga)).body['count']).toBe(0)
    // Its place and its address are free again.
    expect((await invite(olga, late.email)).status).toBe(201)
    const waiting = (await accounts.call('GET', '/groups/current/invitations/', olga)).body['results'] as { id: string }[]
    expect(waiting).toHaveLength(1)
    const id = waiting[0]?.id ?? ''
    const again = await mailedToken()
    expect((await accounts.call('DELETE', `/groups/current/invitations/${id}/`, olga)).status).toBe(200)
    expect(codeOf(await accounts.call('POST', '/group_invitations/accept/', late, { token: again }))[1]).toBe(
      'account.invitation_invalid',
    )
    expect(body['role']).toBe('member')
  })

  test('D-02 five seats, invitations that wait among them; a sixth is refused however many ask at once', async () => {
    const olga = await owner()
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => await invite(olga, `seat${String(i)}@example.org`)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4)
    const full = answers.find(({ status }) => status === 409)
    expect(full?.body).toMatchObject({ code: 'account.seats_full', data: { seats: 5 } })
    expect((await accounts.call('GET', '/groups/current/', olga)).body['seats']).toEqual({ total: 5, taken: 5 })
    await accounts.work()
  })

  test('strangers are not flooded: twenty mails a day', async () => {
    const olga = await owner()
    await sql`insert into group_invitation (id, group_id, invited_by, address, address_key, role, token_hash, created_at, expires_at, ended_at)
      select gen_random_uuid(), group_id, user_id, 'a@example.org', 'a@example.org', 'member', sha256(n::text::bytea),
        ${accounts.now()}, ${accounts.now()}, ${accounts.now()}
      from group_member, generate_series(1, 19) n where user_id = ${olga.id}::uuid`.execute(database.db)
    expect((await invite(olga, 'twentieth@example.org')).status).toBe(201)
    expect(await accounts.work()).toHaveLength(1)
    expect(codeOf(await invite(olga, 'flood@example.org'))).toEqual([429, 'account.too_many_mails'])
    expect(await accounts.work()).toEqual([])
  })
})

describe('roles in a group', () => {
  test('the owner makes managers; they invite, list and remove members, and nobody else', async () => {
    const olga = await owner()
    const mara = await join(olga, 'mara', 'manager')
    const max = await join(mara, 'max')
    const mia = await join(mara, 'mia')
    const members = (await accounts.call('GET', '/groups/current/members/', mara)).body
    expect((members['results'] as { role: string }[]).map(({ role }) => role)).toEqual(['owner', 'manager', 'member', 'member'])
    const listed = (await accounts.call('GET', '/profiles/?search=MEMBER&ordering=-last_name', mara)).body
    expect(listed['count']).toBe(3)
    expect((await accounts.call('GET', '/profiles/', max)).body['count']).toBe(1)

    for (const path of ['/groups/current/members/', '/groups/current/invitations/'])
      expect(codeOf(await accounts.call('GET', path, max))).toEqual([403, 'account.group_not_manager'])
    expect(codeOf(await invite(max, 'x@example.org'))).toEqual([403, 'account.group_not_manager'])
    expect(codeOf(await invite(mara, 'x@example.org', 'manager'))).toEqual([403, 'account.group_not_owner'])
    const role = async (by: Someone, of: Someone, wanted: string) =>
      await accounts.call('PATCH', `/groups/current/members/${of.id}/`, by, { role: wanted })
    expect(codeOf(await role(mara, max, 'manager'))).toEqual([403, 'account.group_not_owner'])
    expect(codeOf(await role(olga, olga, 'member'))).toEqual([403, 'account.group_not_owner'])
    const remove = async (by: Someone, of: Someone) => await accounts.call('DELETE', `/groups/current/members/${of.id}/`, by)
    expect(codeOf(await remove(mara, mara))).toEqual([403, 'account.group_not_owner'])
    expect(codeOf(await remove(mara, olga))).toEqual([403, 'account.group_not_owner'])
    expect((await remove(mara, max)).status).toBe(200)
    expect(codeOf(await accounts.call('GET', '/groups/current/', max))[1]).toBe('account.group_none')
    expect((await accounts.work()).map(({ to }) => to)).toEqual([max.email])
    expect(codeOf(await remove(mara, max))).toEqual([404, 'account.member_unknown'])
    expect((await role(olga, mia, 'manager')).body['role']).toBe('manager')
    expect(codeOf(await remove(mara, mia))).toEqual([403, 'account.group_not_owner'])
    expect((await role(olga, mara, 'member')).status).toBe(200)
    expect(codeOf(await accounts.call('GET', '/groups/current/members/', mara))[1]).toBe('account.group_not_manager')
  })

  test('C-08 profiles are searched, ordered and paged, and nobody sees more of them than those whom he manages', async () => {
    const olga = await owner()
    const mara = await join(olga, 'mara', 'manager')
    const max = await join(mara, 'max')
    const stranger = await owner()
    type Page = { count: number; next: string | null; previous: string | null; results: { id: string; own: boolean }[] }
    const list = async (by: Someone, query = '') => (await accounts.call('GET', `/profiles/${query}`, by)).body as unknown as Page
    const ids = ({ results }: Page) => results.map(({ id }) => id)
    expect(ids(await list(mara)).toSorted()).toEqual([olga.id, mara.id, max.id].toSorted())
    expect((await list(mara)).results.filter(({ own }) => own)).toMatchObject([{ id: mara.id }])
    expect(ids(await list(max))).toEqual([max.id])
    expect(ids(await list(stranger))).toEqual([stranger.id])
    // By name, by address, and by what is no pattern.
    expect(ids(await list(mara, '?search=OLGA'))).toEqual([olga.id])
    expect(ids(await list(mara, `?search=${encodeURIComponent(max.email)}`))).toEqual([max.id])
    expect(await list(mara, '?search=%25')).toMatchObject({ count: 0, results: [] })
    expect(ids(await list(mara, '?ordering=-last_name'))[0]).toBe(olga.id)
    expect(ids(await list(mara, '?ordering=last_name')).at(-1)).toBe(olga.id)
    const second = await list(mara, '?page=2&page_size=2')
    expect([second.count, ids(second), second.next, second.previous]).toEqual([
      3,
      [olga.id],
      null,
      '/profiles/?page=1&page_size=2&ordering=last_name',
    ])
    expect(codeOf(await accounts.call('GET', '/profiles/?ordering=password_hash', mara))).toEqual([400, 'http.invalid_request'])
    expect((await accounts.call('GET', '/profiles/', null)).status).toBe(401)
  })

  test('the owner stays until he hands the group over to another legal entity', async () => {
    const olga = await owner()
    const mara = await join(olga, 'mara')
    const handOver = async () => await accounts.call('POST', '/groups/current/hand_over/', olga, { member_id: mara.id })
    expect(codeOf(await accounts.call('POST', '/groups/current/leave/', olga))).toEqual([409, 'account.group_owner_stays'])
    expect(codeOf(await handOver())).toEqual([409, 'account.group_needs_legal'])
    await accounts.call('PATCH', `/profiles/${mara.id}/`, mara, { user_type: 'legal' })
    expect((await handOver()).body).toMatchObject({ role: 'manager', owner: { id: mara.id } })
    expect(codeOf(await handOver())).toEqual([403, 'account.group_not_owner'])
    expect((await accounts.call('POST', '/groups/current/leave/', olga)).status).toBe(200)
    expect((await accounts.call('GET', '/groups/current/', mara)).body['seats']).toEqual({ total: 5, taken: 1 })
  })

  test('another group’s members and invitations do not exist', async () => {
    const olga = await owner()
    const other = await owner()
    const { body } = await invite(olga, 'guest@example.org')
    const gone = await accounts.call('DELETE', `/groups/current/invitations/${String(body['id'])}/`, other)
    expect(codeOf(gone)).toEqual([404, 'account.invitation_invalid'])
    expect(codeOf(await accounts.call('DELETE', `/groups/current/members/${olga.id}/`, other))[1]).toBe('account.member_unknown')
    expect(codeOf(await accounts.call('POST', '/groups/current/hand_over/', other, { member_id: olga.id }))[1]).toBe(
      'account.member_unknown',
    )
    await accounts.work()
  })
})
