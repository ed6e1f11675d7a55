import { sql, type KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMailer } from '../../../platform/mail/mailer.ts'
import { verifyActs } from '../../../platform/acts/verify-acts.ts'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withDatabase } from '../../../testing/database.ts'
import { cleanUp } from './clean-up.ts'
import { codeOf, keyOf, openIdentity, password, resetOf, totp, type Answer } from './identity.test-data.ts'
import { sendNotice } from './sending/send-mails.ts'

const database = withDatabase()
let identity: Awaited<ReturnType<typeof openIdentity>>
beforeAll(async () => {
  identity = await openIdentity(database.db)
})
afterAll(async () => await identity.close())

const seen = ({ status, body }: Answer) => ({ status, body: { ...body, request_id: undefined } })
const chosen = 'Another-horse 8'
const isSignedIn = async (token: string) => (await identity.call('GET', '/sessions/', undefined, { token })).status === 200

describe('passwords', () => {
  const ask = async (email: string) => await identity.call('POST', '/rest-auth/password/reset/', { email, locale: 'en' })
  const reset = async (body: Record<string, unknown>) =>
    await identity.call('POST', '/rest-auth/password/reset/confirm/', {
      password: chosen,
      password_confirmation: chosen,
      ...body,
    })

  test('C-05, C-06: a link chooses a new password, once, within the hour, and ends every session', async () => {
    const person = await identity.person('reset@example.org')
    await ask(person.email)
    const first = resetOf((await identity.work())[0])
    expect(first.uid).toBe(person.id)
    await ask(person.email)
    const second = resetOf((await identity.work())[0])
    // The newest link alone is good; nobody else's account opens with it.
    expect((await reset(first)).body['code']).toBe('identity.reset_link_invalid')
    const other = await identity.person('reset2@example.org')
    expect((await reset({ ...second, uid: other.id })).body['code']).toBe('identity.reset_link_invalid')
    expect((await reset({ ...second, password: 'short' })).body['code']).toBe('http.invalid_request')
    expect((await reset({ ...second, password_confirmation: password })).body['fields']).toEqual({
      password_confirmation: ['password_differs'],
    })
    expect((await reset(second)).body).toEqual({ status: 'done' })
    expect(await isSignedIn(person.token)).toBe(false)
    expect((await reset(second)).body['code']).toBe('identity.reset_link_invalid')
    expect((await identity.signIn(person.email)).status).toBe(401)
    expect((await identity.signIn(person.email, { password: chosen })).status).toBe(200)
    expect((await identity.work()).map(({ to, subject }) => [to, subject])).toEqual([[person.email, 'Your password was changed']])
    await ask(other.email)
    const late = resetOf((await identity.work())[0])
    identity.later(3600)
    expect((await reset(late)).body['code']).toBe('identity.reset_link_invalid')
    expect(await isSignedIn(other.token)).toBe(true)
  })

  test('C-05 answers the same for every address, and writes to nobody who has no account', async () => {
    await identity.person('asked@example.org')
    await identity.register('halfway@example.org')
    await identity.work()
    const known = await ask('asked@example.org')
    expect((await identity.work()).map(({ to }) => to)).toEqual(['asked@example.org'])
    for (const email of ['nobody@example.org', 'halfway@example.org']) expect(seen(await ask(email))).toEqual(seen(known))
    expect(await identity.work()).toEqual([])
    expect((await ask('nobody@')).body['fields']).toEqual({ email: ['email_invalid'] })
  })

  test('C-05 X-06 asking for a mail is the same work for every address: not a statement differs', async () => {
    await identity.person('counted@example.org')
    const statements: string[] = []
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        statements.push(JSON.stringify(node, (key, value: unknown) => (key === 'value' || key === 'values' ? undefined : value)))
        return node
      },
      transformResult: async ({ result }) => await Promise.resolve(result),
    }
    const counted = await openIdentity(database.db.withPlugin(counting))
    counted.later((identity.now().getTime() - counted.now().getTime()) / 1000 + 7200)
    for (const path of ['/rest-auth/password/reset/', '/rest-auth/registration/resend-email/']) {
      const seenOf = []
      for (const email of ['counted@example.org', 'halfway@example.org', 'nobody-at-all@example.org']) {
        statements.length = 0
        expect((await counted.call('POST', path, { email })).status).toBe(200)
        seenOf.push([...statements])
      }
      expect(seenOf[0]?.length).toBeGreaterThan(2)
      expect(seenOf[1]).toEqual(seenOf[0])
      expect(seenOf[2]).toEqual(seenOf[0])
      await counted.work()
    }
    await counted.close()
  })

  test('a reset does not take the second factor away', async () => {
    const person = await identity.person('both@example.org')
    const caller = { token: person.token }
    const secret = String((await identity.call('POST', '/second_factor/', { password }, caller)).body['secret'])
    await identity.call('POST', '/second_factor/confirm/', { code: await totp(secret, identity.now()) }, caller)
    await identity.work()
    await ask(person.email)
    expect((await reset(resetOf((await identity.work())[0]))).status).toBe(200)
    expect((await identity.signIn(person.email, { password: chosen })).body['code']).toBe('identity.second_factor_required')
    await identity.work()
  })

  test('C-07: the old password is proven, every other session and waiting link ends, and a mail tells', async () => {
    const person = await identity.person('change@example.org')
    const elsewhere = String((await identity.signIn(person.email)).body['access_token'])
    await ask(person.email)
    const waiting = resetOf((await identity.work())[0])
    const change = async (old_password: string, to = chosen) =>
      await identity.call(
        'POST',
        '/rest-auth/password/change/',
        { old_password, password: to, password_confirmation: to },
        { token: person.token },
      )
    const wrong = await change('Wrong-horse 7')
    expect([wrong.status, wrong.body['code'], wrong.body['fields']]).toEqual([
      400,
      'identity.password_wrong',
      { old_password: ['password_wrong'] },
    ])
    // The same one again would change nothing, and end the other sessions as if it did.
    expect((await change(password, password)).body['fields']).toEqual({ password: ['password_unchanged'] })
    expect((await change(password)).body).toEqual({ status: 'done' })
    expect([await isSignedIn(person.token), await isSignedIn(elsewhere)]).toEqual([true, false])
    expect((await reset(waiting)).body['code']).toBe('identity.reset_link_invalid')
    expect((await identity.signIn(person.email, { password: chosen })).status).toBe(200)
    expect((await identity.work()).map(({ subject }) => subject)).toEqual(['Your password was changed'])
    // A found telephone guesses no password.
    const guesses = []
    for (let i = 0; i < 7; i += 1) guesses.push((await change('Wrong-horse 7')).status)
    expect(guesses).toEqual([400, 400, 400, 400, 400, 400, 429])
  })
})

describe('e-mail addresses', () => {
  type Entry = { id: string; email: string; primary: boolean; verified: boolean }
  const list = async (token: string) =>
    (await identity.call('GET', '/emails/', undefined, { token })).body as { count: number; results: Entry[] }
  const add = async (token: string, email: string) => await identity.call('POST', '/emails/', { email }, { token })

  test('C-19, C-20, C-21, C-22, C-23, E-49: add, confirm, make primary by either verb, delete', async () => {
    const person = await identity.person('mails@example.org')
    const caller = { token: person.token }
    const added = await add(person.token, 'Second@Example.org')
    expect(added.status).toBe(201)
    const entry = added.body as unknown as Entry
    expect(entry).toMatchObject({ email: 'Second@example.org', primary: false, verified: false })
    const mails = await identity.work()
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ['Second@example.org', 'Confirm an email address of your account – Probant'],
      ['mails@example.org', 'An email address was added to your account'],
    ])
    expect((await identity.call('GET', `/emails/${entry.id}/`, undefined, caller)).body).toEqual(added.body)
    const early = await identity.call('POST', `/emails/${entry.id}/set_primary/`, undefined, caller)
    expect([early.status, early.body['code']]).toEqual([409, 'identity.address_unverified'])
    expect((await identity.signIn('second@example.org')).body['code']).toBe('identity.unconfirmed')
    const key = keyOf(mails[0])
    expect((await identity.call('POST', '/rest-auth/registration/confirmation/', { key })).body).toMatchObject({
      state: 'pending',
      email: 'Second@example.org',
      purpose: 'address',
    })
    const code = { email: 'second@example.org', code: codeOf(mails[0]) }
    expect((await identity.call('POST', '/rest-auth/registration/verify-email/', code)).status).toBe(200)
    for (const method of ['GET', 'POST', 'GET'] as const)
      expect((await identity.call(method, `/emails/${entry.id}/set_primary/`, undefined, caller)).body).toMatchObject({
        primary: true,
      })
    expect((await identity.work()).map(({ to, subject }) => [to, subject])).toEqual([
      ['mails@example.org', 'Your primary email address was changed'],
    ])
    const all = await list(person.token)
    expect([all.count, all.results.map(({ email, primary, verified }) => [email, primary, verified])]).toEqual([
      2,
      [
        ['Second@example.org', true, true],
        ['mails@example.org', false, true],
      ],
    ])
    expect((await identity.signIn('second@example.org', {}, { from: '192.0.2.9' })).body['user']).toMatchObject({
      email: 'Second@example.org',
    })
    expect((await identity.work()).map(({ to, subject }) => [to, subject])).toEqual([
      ['Second@example.org', 'Somebody signed in from a new place'],
    ])
    // C-05: where it was asked for, not where messages go: the other mailbox may be what was lost.
    await identity.call('POST', '/rest-auth/password/reset/', { email: 'mails@example.org', locale: 'en' })
    expect((await identity.work()).map(({ to, subject }) => [to, subject])).toEqual([
      ['mails@example.org', 'Choose a new password'],
    ])
    const primary = await identity.call('DELETE', `/emails/${entry.id}/`, undefined, caller)
    expect([primary.status, primary.body['code']]).toEqual([409, 'identity.primary_address'])
    const old = all.results[1]?.id ?? ''
    expect((await identity.call('DELETE', `/emails/${old}/`, undefined, caller)).body).toEqual({ status: 'done' })
    expect((await identity.signIn('mails@example.org')).body['code']).toBe('identity.sign_in_failed')
  })

  test('an address of somebody else is answered as a new one; its owner is told, and nobody else can confirm it', async () => {
    const owner = await identity.person('taken@example.org')
    const other = await identity.person('taker@example.org')
    const fresh = await add(other.token, 'fresh@example.org')
    await identity.work()
    const taken = await add(other.token, 'taken@example.org')
    const shape = (answer: Answer) => ({ ...seen(answer).body, id: 0, email: 0 })
    expect([taken.status, shape(taken)]).toEqual([fresh.status, shape(fresh)])
    expect((await identity.work()).map(({ to, subject }) => [to, subject])).toEqual([
      ['taken@example.org', 'An account with this email address already exists'],
      ['taker@example.org', 'An email address was added to your account'],
    ])
    const resent = `/emails/${String(taken.body['id'])}/resend/`
    expect((await identity.call('POST', resent, undefined, { token: other.token })).body).toEqual({ status: 'sent' })
    expect((await identity.work()).map(({ to, subject }) => [to, subject])).toEqual([
      ['taken@example.org', 'An account with this email address already exists'],
    ])
    expect((await identity.signIn('taken@example.org')).body['user']).toMatchObject({ pk: owner.id })
  })

  test('nobody reads or changes another’s addresses', async () => {
    const [owner, other] = [await identity.person('mine@example.org'), await identity.person('theirs@example.org')]
    const id = (await list(owner.token)).results[0]?.id ?? ''
    for (const [method, path] of [
      ['GET', `/emails/${id}/`],
      ['GET', `/emails/${id}/set_primary/`],
      ['POST', `/emails/${id}/set_primary/`],
      ['POST', `/emails/${id}/resend/`],
      ['DELETE', `/emails/${id}/`],
    ] as const) {
      expect(await identity.call(method, path, undefined, { token: other.token })).toMatchObject({
        status: 404,
        body: { code: 'http.not_found' },
      })
      expect((await identity.call(method, path)).status).toBe(401)
    }
    expect((await list(owner.token)).results).toHaveLength(1)
  })

  test('ten at most; disposable ones are refused; one that is listed is not listed twice', async () => {
    const { token } = await identity.person('ten@example.org')
    expect((await add(token, 'x@mailinator.com')).body['code']).toBe('identity.disposable_address')
    for (let i = 1; i < 10; i += 1) expect((await add(token, `ten${String(i)}@example.org`)).status).toBe(201)
    const same = await add(token, 'TEN1@example.org')
    expect([same.status, same.body['email']]).toEqual([201, 'ten1@example.org'])
    expect(await add(token, 'ten10@example.org')).toMatchObject({
      status: 409,
      body: { code: 'identity.too_many_addresses', data: { most: 10 } },
    })
    const page = await identity.call('GET', '/emails/?page=2&page_size=4', undefined, { token })
    expect([page.body['count'], (page.body['results'] as unknown[]).length, page.body['next']]).toEqual([
      10,
      4,
      '/emails/?page=3&page_size=4',
    ])
    await identity.work()
  })
})

test('names and addresses are written into mails as text, and into no header', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'probant-identity-mail-'))
  try {
    const person = await identity.person('attack@example.org')
    // As no rule lets it in: should one ever fail.
    await sql`update account_user set first_name = ${'<img src=x>\r\nBcc: evil@example.org'} where id = ${person.id}`.execute(
      database.db,
    )
    const mailer = createMailer({ mail: { smtpUrl: undefined, from: 'Probant <p@example.net>', folder } })
    const deps = { ...identity.deps, mailer, publicUrl: 'https://probant.example' }
    const told = { userId: person.id, notice: 'password_changed', emailId: undefined, at: identity.now() } as const
    await sendNotice(deps, told)
    const [name = ''] = readdirSync(folder)
    const source = readFileSync(join(folder, name), 'utf8')
    const head = source.split('\r\n\r\n', 1)[0] ?? ''
    expect(head).not.toMatch(/bcc|evil/i)
    expect(source.replaceAll('=\r\n', '')).toContain('&lt;img src=3Dx&gt;')
    await sql`update email_address set address = ${'a@example.org\r\nBcc: evil@example.org'} where user_id = ${person.id}`.execute(
      database.db,
    )
    await expect(sendNotice(deps, told)).rejects.toThrow('one plain address')
    expect(readdirSync(folder)).toHaveLength(1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('what happened to an account is read by its owner and by administrators, and the chain holds', async () => {
  const person = await identity.person('acts@example.org')
  const admin = await identity.person('acts-admin@example.org')
  await sql`insert into user_role (user_id, role, granted_at) values (${admin.id}, 'administrator', now())`.execute(database.db)
  const secret = String((await identity.call('POST', '/second_factor/', { password }, { token: admin.token })).body['secret'])
  const code = await totp(secret, identity.now())
  expect((await identity.call('POST', '/second_factor/confirm/', { code }, { token: admin.token })).status).toBe(200)
  type Line = { action: string; actor: { id: string; name: string } | null; number: number }
  const own = (await identity.call('GET', '/acts/?page_size=2', undefined, { token: person.token })).body
  expect(own['count']).toBe(3)
  expect((own['results'] as Line[]).map(({ action }) => action)).toEqual(['identity.signed_in', 'identity.confirmed_account'])
  expect((own['results'] as Line[])[0]?.actor).toEqual({ id: person.id, name: 'Claire Dupont' })
  expect(own['next']).toBe('/acts/?page=2&page_size=2')
  const all = await identity.call('GET', `/admin/acts/?actor=${person.id}`, undefined, { token: admin.token })
  expect((all.body['results'] as Line[]).map(({ action }) => action)).toEqual([
    'identity.signed_in',
    'identity.confirmed_account',
  ])
  for (const [query, expected] of [
    [`subject=${person.id}&action=identity.registered`, 1],
    [`subject=${person.id}`, 2],
    ['action=identity.nothing', 0],
  ] as const)
    expect((await identity.call('GET', `/admin/acts/?${query}`, undefined, { token: admin.token })).body['count']).toBe(expected)
  expect((await identity.call('GET', '/admin/acts/', undefined, { token: person.token })).status).toBe(404)
  expect((await identity.call('GET', '/admin/acts/')).status).toBe(404)
  const chain = await verifyActs(database.db)
  expect(chain.broken).toBeNull()
  expect(chain.lines).toBeGreaterThan(20)
  // No names, no addresses: what is erased of somebody later is not kept here.
  const text = await sql<{ text: string }>`select string_agg(a::text, ' ') as text from act a`.execute(database.db)
  expect(text.rows[0]?.text).not.toMatch(/example\.org|Dupont/)
  await identity.work()
})

test('what has run out is cleaned up, and nothing else', async () => {
  const kept = await identity.person('kept@example.org')
  await identity.register('forgotten@example.org')
  await identity.work()
  const count = async () => {
    const { rows } = await sql<{ n: number }>`select (select count(*) from email_address where address_key in
      ('kept@example.org', 'forgotten@example.org'))::int as n`.execute(database.db)
    return rows[0]?.n
  }
  identity.later(7 * 86_400 - 1)
  await cleanUp(identity.deps)
  expect(await count()).toBe(2)
  identity.later(2)
  // With the one that was left half-way above.
  expect(await cleanUp(identity.deps)).toMatchObject({ accounts: 2 })
  expect(await count()).toBe(1)
  expect(await isSignedIn(kept.token)).toBe(true)
  identity.later(31 * 86_400)
  const cleaned = await cleanUp(identity.deps)
  expect(cleaned.sessions).toBeGreaterThan(0)
  expect(cleaned.tokens).toBeGreaterThan(0)
  const left = await sql<{ n: number }>`select (select count(*) from user_session)::int + (select count(*) from mailed_token)::int
    + (select count(*) from throttle)::int as n`.execute(database.db)
  expect(left.rows).toEqual([{ n: 0 }])
  expect(await cleanUp(identity.deps)).toEqual({
    accounts: 0,
    sessions: 0,
    tokens: 0,
    invitations: 0,
    throttles: 0,
    origins: 0,
    apiKeys: 0,
  })
  expect((await identity.signIn(kept.email)).status).toBe(200)
})
