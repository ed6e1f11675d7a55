import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listActs } from '../../../../platform/acts/store.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { codeOf, keyOf, openIdentity, password, resetOf, wrongCode, type Answer } from '../identity.test-data.ts'
import { invite } from './invite.ts'

const database = withDatabase()
let identity: Awaited<ReturnType<typeof openIdentity>>
beforeAll(async () => {
  identity = await openIdentity(database.db)
})
afterAll(async () => await identity.close())

/** All that a caller sees, but for the identifier of the request. */
const seen = ({ status, body }: Answer): Omit<Answer, 'headers'> => ({ status, body: { ...body, request_id: undefined } })
const usersWith = async (email: string) =>
  (await sql<{ n: number }>`select count(*)::int as n from email_address where address_key = ${email}`.execute(database.db))
    .rows[0]?.n

describe('registration', () => {
  test.each([
    ['V-01', { password: '', password_confirmation: '' }, { password: ['password_required'] }],
    ['V-02', { password_confirmation: `${password}x` }, { password_confirmation: ['password_differs'] }],
    ['V-03 K-19', { password: 'Sh0rt-1', password_confirmation: 'Sh0rt-1' }, { password: ['password_too_short'] }],
    [
      'V-03 K-19',
      { password: `Aa1-${'x'.repeat(29)}`, password_confirmation: `Aa1-${'x'.repeat(29)}` },
      { password: ['password_too_long'] },
    ],
    [
      'V-04',
      { password: 'éééééééé', password_confirmation: 'éééééééé' },
      { password: ['password_no_uppercase', 'password_no_digit', 'password_no_special'] },
    ],
    ['V-04', { password: 'ABCDEFG-1', password_confirmation: 'ABCDEFG-1' }, { password: ['password_no_lowercase'] }],
    ['V-08', { terms: false }, { terms: ['terms_required'] }],
    ['V-08', { terms: undefined }, { terms: ['terms_required'] }],
    ['E-01', { email: 'claire' }, { email: ['email_invalid'] }],
    ['E-01', { email: 'claire@exаmple.org\r\nBcc: x@y.org' }, { email: ['email_invalid'] }],
    ['E-01', { first_name: ' ' }, { first_name: ['first_name_required'] }],
    ['E-01', { last_name: '<b>Dupont</b>' }, { last_name: ['name_characters'] }],
    ['E-01', { last_name: 'Du\u202Epont' }, { last_name: ['name_characters'] }],
    ['V-11', { formula: 'gold' }, { formula: ['invalid'] }],
  ])('V-01 V-02 V-03 V-04 V-08 V-11 K-19: %s, %j is told by its field', async (_, changes, fields) => {
    const { status, body } = await identity.register('rules@example.org', changes)
    expect([status, body['code'], body['fields']]).toEqual([400, 'http.invalid_request', fields])
    expect(await usersWith('rules@example.org')).toBe(0)
  })

  test.each(['x@mailinator.com', 'x@deep.sub.mailinator.com', 'x@MAILINATOR.com'])(
    'V-09 X-07: %s is refused as disposable',
    async (email) => {
      const { status, body } = await identity.register(email)
      expect([status, body['code'], body['message'], body['fields']]).toEqual([
        400,
        'identity.disposable_address',
        'Disposable emails are not allowed',
        { email: ['disposable_address'] },
      ])
    },
  )

  test.each([
    ['fr-CA,fr;q=0.9,en;q=0.1', 'Confirmez votre adresse'],
    ['de,en;q=0.5', 'Confirm your email address'],
  ])('whoever names no language is written to in that of the browser: %s', async (language, said) => {
    const email = `browser-${said.length}@example.org`
    const { status } = await identity.call(
      'POST',
      '/rest-auth/registration/',
      identity.registration(email, { locale: undefined }),
      {
        language,
      },
    )
    const [mail] = await identity.work()
    expect([status, mail?.to, mail?.subject]).toEqual([201, email, expect.stringContaining(said)])
  })

  test('V-10: a referral code is optional; a wrong one blocks nothing', async () => {
    const referrer = await identity.person('referrer@example.org')
    const { rows } = await sql<{
      code: string
    }>`select referral_code as code from account_user where id = ${referrer.id}`.execute(database.db)
    const code = rows[0]?.code ?? ''
    const good = await identity.register('referred@example.org', {
      referral_code: ` ${code.slice(0, 4)}-${code.slice(4).toLowerCase()}`,
    })
    expect([good.status, good.body['referral_code_known']]).toEqual([201, true])
    const wrong = await identity.register('misreferred@example.org', { referral_code: 'ZZZZZZZZ' })
    expect([wrong.status, wrong.body['referral_code_known']]).toEqual([201, false])
    const referred = await sql<{ by: string }>`select u.referred_by as by from account_user u
      join email_address e on e.user_id = u.id where e.address_key = 'referred@example.org'`.execute(database.db)
    expect(referred.rows).toEqual([{ by: referrer.id }])
    await identity.work()
  })

  test('V-11: a formula is noted and binds nothing', async () => {
    expect((await identity.register('formula@example.org', { formula: 'comfort' })).status).toBe(201)
    const { rows } = await sql`select u.formula, u.status from account_user u
      join email_address e on e.user_id = u.id where e.address_key = 'formula@example.org'`.execute(database.db)
    expect(rows).toEqual([{ formula: 'comfort', status: 'unconfirmed' }])
    await identity.work()
  })

  test('X-06: an address that has an account is told to its owner alone; answer and work are the same', async () => {
    const owner = await identity.person('owner@example.org', { locale: 'fr' })
    const count = async (email: string) => {
      const before = { ...identity.hashed }
      const answer = seen(await identity.register(email, { first_name: 'Mallory' }))
      return { answer, hashes: identity.hashed.hash - before.hash, verifications: identity.hashed.verify - before.verify }
    }
    const known = await count('owner@example.org')
    const [mail, ...others] = await identity.work()
    const unknown = await count('nobody@example.org')
    const [confirmation] = await identity.work()
    expect(known).toEqual({
      ...unknown,
      answer: {
        ...unknown.answer,
        body: { ...unknown.answer.body, email: 'owner@example.org', claim: known.answer.body['claim'] },
      },
    })
    expect(known.answer.body['claim']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
    expect([unknown.hashes, unknown.verifications]).toEqual([1, 0])
    expect([others, mail?.to, mail?.subject]).toEqual([
      [],
      'owner@example.org',
      'Un compte avec cette adresse e-mail existe déjà',
    ])
    expect(mail?.text).toContain('https://probant.example/fr/authentication/login/')
    expect(`${mail?.text ?? ''}${mail?.html ?? ''}${confirmation?.text ?? ''}`).not.toContain('Mallory')
    const acts = await listActs(database.db, { accountId: owner.id, limit: 10 })
    expect(acts[0]).toMatchObject({ action: 'identity.registered_again', actorId: null, subjectId: owner.id })
  })

  test('the mail holds nothing that whoever registered chose, but the address', async () => {
    await identity.register('victim@example.org', { first_name: 'Visit evil.example.now', last_name: 'Dupont' })
    const [mail] = await identity.work()
    expect(mail?.to).toBe('victim@example.org')
    expect(`${mail?.subject ?? ''}${mail?.text ?? ''}${mail?.html ?? ''}`).not.toMatch(/evil|Dupont/)
    expect(mail?.html).toContain(`https://probant.example/en/authentication/confirm-email/${keyOf(mail)}/`)
  })

  test('nothing in the database or the queue opens what was mailed', async () => {
    await identity.register('kept@example.org')
    const kept = await sql<{ text: string }>`select concat(
      (select string_agg(t::text, ' ') from mailed_token t), ' ', (select string_agg(j.payload::text, ' ') from graphile_worker._private_jobs j)) as text`.execute(
      database.db,
    )
    const [mail] = await identity.work()
    const stored = kept.rows[0]?.text ?? ''
    expect(stored).toContain('token_id')
    expect(stored).not.toContain(keyOf(mail))
    expect(stored).not.toContain(Buffer.from(keyOf(mail), 'base64url').toString('hex'))
    expect(stored).not.toMatch(new RegExp(`\\b${codeOf(mail)}\\b`))
  })

  test('a mailbox gets few mails, whether it has an account or not', async () => {
    await identity.person('patient@example.org')
    const answers = async (email: string) => {
      const all = []
      for (let i = 0; i < 8; i += 1)
        all.push(seen(await identity.call('POST', '/rest-auth/registration/resend-email/', { email, locale: 'en' })))
      return all
    }
    const known = await answers('patient@example.org')
    const unknown = await answers('stranger@example.org')
    // Its registration was a mail, too.
    expect(known.slice(0, 7)).toEqual(unknown.slice(1))
    expect(unknown.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    expect(unknown[7]?.body).toMatchObject({ code: 'identity.throttled', data: { seconds: 60 } })
    identity.later(61)
    expect((await answers('stranger@example.org')).map(({ status }) => status).slice(0, 2)).toEqual([200, 429])
    // X-06 to the owner, a few times; nothing to a stranger.
    expect((await identity.work()).map(({ to, subject }) => [to, subject])).toEqual(
      Array.from({ length: 4 }, () => ['patient@example.org', 'An account with this email address already exists']),
    )
  })

  test('one network asks for few accounts', async () => {
    const statuses = []
    for (let i = 0; i < 22; i += 1)
      statuses.push((await identity.register(`flood${String(i)}@example.org`, {}, { from: '192.0.2.9' })).status)
    expect(statuses).toEqual([...Array.from({ length: 21 }, () => 201), 429])
    await identity.work()
  })
})

describe('who may register (H-39)', () => {
  test('X-08: nobody', async () => {
    const closed = await openIdentity(database.db, { registrations: 'closed' })
    const { status, body } = await closed.register('late@example.org')
    expect([status, body['code'], body['message']]).toEqual([403, 'identity.registrations_disabled', 'Registration are disabled'])
    expect((await closed.call('GET', '/rest-auth/registration/')).body).toEqual({ registrations: 'closed' })
    await closed.close()
  })

  test('whoever was invited, once', async () => {
    const invited = await openIdentity(database.db, { registrations: 'invite' })
    const { token } = await invite(invited.deps, 7)
    const stranger = await invited.register('stranger2@example.org', { invitation: 'x'.repeat(43) })
    expect([stranger.status, stranger.body['code']]).toEqual([403, 'identity.invitation_unknown'])
    expect((await invited.register('guest@example.org')).status).toBe(403)
    expect((await invited.register('guest@example.org', { invitation: token })).status).toBe(201)
    expect((await invited.register('guest2@example.org', { invitation: token })).status).toBe(403)
    const [mail] = await invited.work()
    // Whose account was not wanted leaves the invitation to another.
    await invited.call('POST', '/rest-auth/registration/disown/', { key: keyOf(mail) })
    expect((await invited.register('guest2@example.org', { invitation: token })).status).toBe(201)
    const late = (await invite(invited.deps, 7)).token
    invited.later(7 * 86_400)
    expect((await invited.register('guest3@example.org', { invitation: late })).status).toBe(403)
    await invited.work()
    await invited.close()
  })
})

describe('confirmation', () => {
  const sentence = 'An account with this email address already exists'
  const state = async (key: string) => (await identity.call('POST', '/rest-auth/registration/confirmation/', { key })).body
  const verify = async (body: object) => await identity.call('POST', '/rest-auth/registration/verify-email/', body)
  const registered = async (email: string) => {
    await identity.register(email)
    const [mail] = await identity.work()
    return { key: keyOf(mail), code: codeOf(mail) }
  }

  test('S-43, S-44, C-04: reading the link changes nothing; confirming by it opens the account, and again does no harm', async () => {
    const { key } = await registered('state@example.org')
    const pending = {
      state: 'pending',
      email: 'state@example.org',
      created_at: identity.now().toISOString(),
      purpose: 'account',
    }
    expect(await state(key)).toEqual(pending)
    expect(await state(key)).toEqual(pending)
    for (let again = 0; again < 2; again += 1)
      expect(await verify({ key })).toMatchObject({ status: 200, body: { status: 'confirmed', email: 'state@example.org' } })
    expect(await state(key)).toEqual({ state: 'confirmed', email: null, created_at: null, purpose: null })
    expect((await identity.signIn('state@example.org')).status).toBe(200)
  })

  test('S-45: a wrong, late or foreign link confirms nothing', async () => {
    const failed = { state: 'failed', email: null, created_at: null, purpose: null }
    expect(await state('x'.repeat(43))).toEqual(failed)
    const { key, code } = await registered('late2@example.org')
    identity.later(24 * 3600)
    expect(await state(key)).toEqual(failed)
    for (const proof of [
      { key },
      { key: 'x'.repeat(43) },
      { email: 'late2@example.org', code },
      { email: 'no@example.org', code },
    ])
      expect(await verify(proof)).toMatchObject({ status: 400, body: { code: 'identity.confirmation_failed' } })
  })

  test('five wrong codes end the code, not the link; the code of the newest mail counts', async () => {
    const email = 'codes@example.org'
    const first = await registered(email)
    await identity.call('POST', '/rest-auth/registration/resend-email/', { email, locale: 'en' })
    const [mail] = await identity.work()
    const second = codeOf(mail)
    expect((await verify({ email, code: first.code })).status).toBe(400)
    for (let i = 0; i < 4; i += 1) expect((await verify({ email, code: wrongCode(second) })).status).toBe(400)
    expect((await verify({ email, code: second })).status).toBe(400)
    expect((await verify({ key: first.key })).status).toBe(200)
  })

  test('a code confirms the registration it was asked for, whoever else named the address', async () => {
    const email = 'hijacked@example.org'
    const claims = []
    for (let i = 0; i < 2; i += 1) {
      const { body } = await identity.register(email, { first_name: i === 0 ? 'Mallory' : 'Victor' })
      claims.push({ claim: body['claim'] as string, code: codeOf((await identity.work())[0]) })
    }
    const [stranger, own] = claims
    // The owner of the mailbox types either code where he registered; no code counts that is not his registration's.
    for (const code of [stranger?.code, own?.code]) expect((await verify({ email, code })).status).toBe(400)
    expect((await verify({ email, code: stranger?.code, claim: own?.claim })).status).toBe(400)
    const again = { email, locale: 'en', claim: own?.claim }
    expect((await identity.call('POST', '/rest-auth/registration/resend-email/', again)).status).toBe(200)
    const code = codeOf((await identity.work())[0])
    expect((await verify({ email, code, claim: own?.claim })).status).toBe(200)
    expect((await identity.signIn(email)).body['user']).toMatchObject({ first_name: 'Victor' })
    // Whoever types the code that came for the stranger's reads that mailbox.
    expect((await verify({ email, code: stranger?.code, claim: stranger?.claim })).body['code']).toBe('identity.address_taken')
    expect(await usersWith(email)).toBe(1)
  })

  test('the owner of an address that was not his doing makes the account go away', async () => {
    const { key, code } = await registered('disowned@example.org')
    expect((await identity.call('POST', '/rest-auth/registration/disown/', { key })).body).toEqual({ status: 'done' })
    expect(await usersWith('disowned@example.org')).toBe(0)
    expect((await verify({ email: 'disowned@example.org', code })).status).toBe(400)
    expect((await identity.call('POST', '/rest-auth/registration/disown/', { key })).status).toBe(400)
  })

  test('of several who claim a mailbox, one at most confirms it, at whatever moment', async () => {
    const email = 'contested@example.org'
    const claims = []
    for (let i = 0; i < 3; i += 1) claims.push(await registered(email))
    const answers = await Promise.all(claims.map(async ({ key }) => await verify({ key })))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409'])
    expect(await usersWith(email)).toBe(1)
  })

  test('X-06 is told on the page once the mailbox was proven', async () => {
    const ann = await identity.person('ann@example.org')
    const { body: claim } = await identity.call('POST', '/emails/', { email: 'shared@example.org' }, { token: ann.token })
    const [confirmation] = await identity.work()
    await identity.person('shared@example.org')
    // Adding it was undone when somebody else confirmed it; whoever reads the mailbox is told that it has an account.
    const [key, code] = [keyOf(confirmation), codeOf(confirmation)]
    for (let again = 0; again < 2; again += 1)
      expect(await verify({ key })).toMatchObject({ status: 409, body: { code: 'identity.address_taken', message: sentence } })
    expect(await state(key)).toMatchObject({ state: 'taken', email: null })
    const proof = { email: 'shared@example.org', claim: claim['id'] }
    expect((await verify({ ...proof, code })).body['code']).toBe('identity.address_taken')
    // Nobody else is: neither by a wrong code, five of which end the right one, nor once the proof is too old.
    for (let i = 0; i < 5; i += 1)
      expect((await verify({ ...proof, code: wrongCode(code) })).body['code']).toBe('identity.confirmation_failed')
    expect((await verify({ ...proof, code })).body['code']).toBe('identity.confirmation_failed')
    const list = (await identity.call('GET', '/emails/', undefined, { token: ann.token })).body
    expect(list['count']).toBe(1)
    identity.later(24 * 3600)
    expect((await verify({ key })).body['code']).toBe('identity.confirmation_failed')
    expect(await state(key)).toMatchObject({ state: 'failed' })
  })

  test('what waited for the first confirmed address is told, in the same transaction', async () => {
    const told: string[] = []
    const other = await openIdentity(database.db, {
      onConfirmed: async (tx, userId) => {
        const { rows } = await sql<{ status: string }>`select status from account_user where id = ${userId}`.execute(tx)
        told.push(rows[0]?.status ?? '')
      },
    })
    await other.person('waiting@example.org')
    expect(told).toEqual(['active'])
    await other.close()
  })
})

test('V-04: a common password is refused at registration, reset and change, as a fault of its field', async () => {
  const [common, fields] = ['Password1!', { password: ['password_common'] }]
  const twice = { password: common, password_confirmation: common }
  expect((await identity.register('plain@example.org', twice)).body['fields']).toEqual(fields)
  const named = { password: 'Dupont-2026', password_confirmation: 'Dupont-2026' }
  expect((await identity.register('plain@example.org', named)).body['fields']).toEqual(fields)
  expect(await identity.work()).toEqual([])
  const person = await identity.person('strong@example.org')
  const change = { old_password: password, ...twice }
  const changed = await identity.call('POST', '/rest-auth/password/change/', change, { token: person.token })
  expect(changed.body['fields']).toEqual(fields)
  await identity.call('POST', '/rest-auth/password/reset/', { email: person.email, locale: 'en' })
  const link = resetOf((await identity.work())[0])
  const reset = async (typed: object) => await identity.call('POST', '/rest-auth/password/reset/confirm/', { ...link, ...typed })
  expect((await reset(twice)).body['fields']).toEqual(fields)
  // The link is not used up by it.
  expect((await reset({ password: 'Another-horse 8', password_confirmation: 'Another-horse 8' })).status).toBe(200)
})
