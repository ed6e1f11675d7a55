/** What callers put into bodies, over the real server and all of its calls. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withDatabase } from '../database.ts'
import { accountOf, credentials, password, personOf, type Role } from '../permissions/people.ts'
import { openSite, type Site } from './open-site.test-data.ts'

const database = withDatabase()
let site: Site
let callers = 0
beforeAll(async () => {
  site = await openSite(database.db)
})
afterAll(async () => await site.close())

async function send(
  role: Role,
  method: string,
  path: string,
  body: string | Buffer,
  more: Record<string, string> = {},
): Promise<{ status: number; text: string; json: Record<string, unknown> }> {
  callers += 1
  const response = await fetch(`${site.origin}${path}`, {
    method,
    body,
    headers: {
      'content-type': 'application/json',
      // Another network each time: what counts by network is tested by itself.
      'x-forwarded-for': `10.${String(callers >> 8)}.${String(callers & 255)}.7`,
      ...credentials(site.world, role),
      ...more,
    },
  })
  const text = await response.text()
  return { status: response.status, text, json: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {} }
}

const json = (value: unknown) => JSON.stringify(value)
const fields = (answer: { readonly json: Record<string, unknown> }) => answer.json['fields'] as Record<string, string[]>

test('ASVS 15.3.6 1.5.2 no body reaches the prototype of objects, at whatever depth, in any call', async () => {
  const calls = site.operations.filter(({ body }) => body !== null)
  expect(calls.length).toBeGreaterThan(20)
  for (const { method, path } of calls) {
    const asked = path
      .replaceAll(/:(?:evidence_token)/g, site.world.free.token)
      .replaceAll(/:\w+/g, accountOf(site.world, 'owner').id)
    for (const body of [
      '{"__proto__":{"polluted":"yes"}}',
      '{"a":{"b":[{"__proto__":{"polluted":"yes"}}]}}',
      '{"constructor":{"prototype":{"polluted":"yes"}}}',
      '{"\\u005f_proto__":{"polluted":"yes"}}',
    ]) {
      const { status } = await send('administrator', method, asked, body)
      expect([method, path, body, status < 500]).toEqual([method, path, body, true])
    }
  }
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  const refused = await send('owner', 'POST', '/rest-auth/login/', '{"email":"a@b.example","password":"x","__proto__":{"a":1}}')
  expect([refused.status, refused.json['code']]).toEqual([400, 'http.malformed_json'])
})

describe('ASVS 15.3.3 what a call does not name cannot be set by it', () => {
  const extras = {
    id: '00000000-0000-4000-8000-000000000001',
    pk: '00000000-0000-4000-8000-000000000001',
    user_id: '00000000-0000-4000-8000-000000000001',
    status: 'active',
    roles: ['administrator'],
    role: 'administrator',
    is_staff: true,
    is_superuser: true,
    confirmed_at: '2020-01-01T00:00:00Z',
    verified: true,
    verified_at: '2020-01-01T00:00:00Z',
    is_primary: true,
    password_hash: 'x',
    suspended_at: null,
    created_at: '2020-01-01T00:00:00Z',
    owner_id: '00000000-0000-4000-8000-000000000001',
    group_id: '00000000-0000-4000-8000-000000000001',
    created_by: '00000000-0000-4000-8000-000000000001',
    token_hash: 'x',
    price: 0,
    documents_status: 'success',
  }

  test('a registration is unconfirmed and has no role', async () => {
    const registration = {
      email: 'assigned@people.example',
      password,
      password_confirmation: password,
      first_name: 'Zoë',
      last_name: 'Dupont',
      terms: true,
      locale: 'en',
    }
    const { status } = await send('anonymous', 'POST', '/rest-auth/registration/', json({ ...extras, ...registration }))
    expect([201, 400]).toContain(status)
    await send('anonymous', 'POST', '/rest-auth/registration/', json(registration))
    const row = await database.db
      .selectFrom('email_address as e')
      .innerJoin('account_user as u', 'u.id', 'e.user_id')
      .select(['u.id', 'u.status', 'u.confirmed_at', 'e.verified_at'])
      .where('e.address_key', '=', 'assigned@people.example')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ status: 'unconfirmed', confirmed_at: null, verified_at: null })
    expect(row.id).not.toBe(extras.id)
    expect(await database.db.selectFrom('user_role').selectAll().where('user_id', '=', row.id).execute()).toEqual([])
  })

  test('a profile stays whose it is, and as far verified as it was', async () => {
    const { id } = personOf(site.world, 'other')
    const read = async () => ({
      user: await database.db.selectFrom('account_user').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
      roles: await database.db.selectFrom('user_role').selectAll().orderBy('user_id').orderBy('role').execute(),
      addresses: await database.db.selectFrom('email_address').selectAll().where('user_id', '=', id).orderBy('id').execute(),
    })
    const before = await read()
    const answers = [
      await send('other', 'PATCH', `/profiles/${id}/`, json({ ...extras, city: 'Lille' })),
      await send('other', 'PATCH', '/settings/', json({ ...extras, notify_share: true })),
    ]
    // What is named is taken, so that the rest was left out, or all of it is refused.
    for (const { status, text } of answers) expect([200, 400], text).toContain(status)
    expect(await read()).toEqual(before)
  })

  test('an evidence is the caller’s, and begins at its beginning', async () => {
    const { id } = personOf(site.world, 'other')
    const good = { url: 'https://example.org/', action: 'static', locale: 'en' }
    const answers = [
      await send('other', 'POST', '/evidences/', json({ ...extras, ...good })),
      await send('other', 'POST', '/evidences/', json(good)),
    ]
    expect(answers.at(-1)?.status).toBe(201)
    for (const { json: body, status } of answers) {
      if (status !== 201) continue
      const row = await database.db
        .selectFrom('evidence')
        .select(['id', 'owner_id', 'created_by', 'status'])
        .where('id', '=', String((body['evidence'] as Record<string, unknown>)['id']))
        .executeTakeFirstOrThrow()
      expect(row).toMatchObject({ owner_id: id, created_by: id, status: 'queued' })
      expect(row.id).not.toBe(extras.id)
    }
  })
})

describe('ASVS 5.2.1 2.2.1 15.3.5 bodies that are no JSON object of ours', () => {
  test.each([
    ['deep arrays', '['.repeat(120_000) + ']'.repeat(120_000)],
    ['deep objects', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`],
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '1'],
    ['a text', '"x"'],
    ['an array for each field', '{"email":["a@b.example"],"password":["x"]}'],
    ['an object for each field', '{"email":{"$ne":null},"password":{"$gt":""}}'],
    ['a number for a text', '{"email":1,"password":2}'],
    ['a truth for a text', '{"email":true,"password":true}'],
    ['a length', `{"email":{"length":3,"0":"a"},"password":"x"}`],
    ['a key a thousand times', `{${Array.from({ length: 10_000 }, () => '"email":1').join(',')}}`],
  ])('%s', async (_, body) => {
    const answer = await send('anonymous', 'POST', '/rest-auth/login/', body)
    expect(answer.status).toBe(400)
    expect(answer.text.length).toBeLessThan(2_000)
  })

  test('more than 256 KiB is not read', async () => {
    const { status } = await send('anonymous', 'POST', '/rest-auth/login/', json({ email: 'x'.repeat(300_000), password: 'x' }))
    expect(status).toBe(413)
  })

  test.each([
    'text/plain',
    'text/xml',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/x-yaml',
    'application/octet-stream',
  ])('ASVS 3.5.2 1.5.1 of another type: %s', async (type) => {
    const body = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'
    const { status, text } = await send('anonymous', 'POST', '/rest-auth/login/', body, { 'content-type': type })
    expect([status, text.includes('root:')]).toEqual([415, false])
  })

  test('ASVS 1.1.1 what is in another encoding is not guessed', async () => {
    const body = Buffer.from('\ufeff{"email":"a@b.example","password":"x"}', 'utf16le')
    const { status } = await send('anonymous', 'POST', '/rest-auth/login/', body)
    expect(status).toBe(400)
  })
})

describe('ASVS 1.3.3 2.2.1 names and addresses that deceive are refused, each field by name', () => {
  const registration = (changes: object) =>
    json({
      email: 'plain@people.example',
      password,
      password_confirmation: password,
      first_name: 'Zoë',
      last_name: 'Dupont',
      terms: true,
      locale: 'en',
      ...changes,
    })

  test.each([
    ['right-to-left override', 'Claire\u202Eexe'],
    ['isolates', 'Claire\u2066x\u2069'],
    ['zero width', 'Cla\u200Bire'],
    ['a line', 'Claire\nBcc: x@evil.example'],
    ['a header', 'Claire\r\nBcc: x@evil.example'],
    ['a separator', 'Claire\u2028x'],
    ['markup', '<b>Claire</b>'],
    ['an address', 'https://evil.example'],
    ['a formula', '=HYPERLINK("https://evil.example")'],
    ['a call', '@SUM(1+1)'],
    ['NUL', 'Claire\0'],
    ['half a character', 'Claire\uD800'],
    ['tags', 'Claire\u{E0041}'],
  ])('a name with %s', async (_, name) => {
    const answer = await send(
      'anonymous',
      'POST',
      '/rest-auth/registration/',
      registration({ first_name: name, last_name: name }),
    )
    expect(answer.status).toBe(400)
    expect(Object.keys(fields(answer)).toSorted()).toEqual(['first_name', 'last_name'])
  })

  test.each([
    ['Cyrillic', 'аdmin@people.example'],
    ['full width', 'ａdmin@people.example'],
    ['a line', 'a@people.example\r\nBcc: x@evil.example'],
    ['two addresses', 'a@people.example,b@evil.example'],
    ['a name', 'Admin <a@people.example>'],
    ['a quoted part', '"a b"@people.example'],
    ['a comment', 'a(comment)@people.example'],
    ['a parameter of SMTP', 'a@people.example> SIZE=1'],
    ['an address of a machine', 'a@[127.0.0.1]'],
    ['a number for a domain', 'a@127.0.0.1'],
    ['no domain', 'a@localhost'],
    ['a path', 'a@people.example/../x'],
  ])('ASVS 1.3.11 an address with %s', async (_, email) => {
    const answer = await send('anonymous', 'POST', '/rest-auth/registration/', registration({ email }))
    expect(answer.status).toBe(400)
    expect(Object.keys(fields(answer))).toEqual(['email'])
  })
})
