import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../../../kernel/endpoint.ts'
import { route } from '../../../../platform/http/route.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { describeBrowser } from '../../domain/describe-browser.ts'
import { cheapCost, codeOf, openIdentity, password, totp, type Answer } from '../identity.test-data.ts'
import { argonCost, createPasswordHasher } from '../passwords/password-hash.ts'

const database = withDatabase()
let identity: Awaited<ReturnType<typeof openIdentity>>
const delegation = { id: randomUUID(), grantorId: randomUUID(), userId: '' }
const whoAmI = endpoint({
  method: 'GET',
  path: '/test/who/',
  summary: 'Says who calls',
  access: ['user'],
  delegable: 'create',
  response: z.object({ user: z.string(), account: z.string(), scope: z.string().nullable() }),
})

beforeAll(async () => {
  identity = await openIdentity(database.db, {
    findDelegation: async (id, userId) =>
      await Promise.resolve(
        id === delegation.id && userId === delegation.userId
          ? { grantorId: delegation.grantorId, scope: 'create', expiresAt: new Date('2100-01-01T00:00:00Z') }
          : null,
      ),
    routes: () => [
      route(
        whoAmI,
        async ({ actor }) =>
          await Promise.resolve({
            user: actor?.userId ?? '',
            account: actor?.accountId ?? '',
            scope: actor?.delegation?.scope ?? null,
          }),
      ),
    ],
  })
})
afterAll(async () => await identity.close())

const seen = ({ status, body }: Answer) => ({ status, body: { ...body, request_id: undefined } })
const sessions = async (token: string) =>
  (await identity.call('GET', '/sessions/', undefined, { token })).body['results'] as Record<string, unknown>[]

describe('sign-in', () => {
  test('C-03, C-04, C-01, E-02, S-01, S-02: register, confirm by the code, sign in, sign out', async () => {
    const registered = await identity.register('claire@example.org')
    expect([registered.status, registered.body]).toEqual([
      201,
      { status: 'confirmation_sent', email: 'claire@example.org', referral_code_known: null, claim: expect.any(String) },
    ])
    const [mail] = await identity.work()
    expect(mail).toMatchObject({ to: 'claire@example.org', subject: 'Confirm your email address – Probant', locale: 'en' })
    const unconfirmed = await identity.signIn('claire@example.org')
    expect([unconfirmed.status, unconfirmed.body['code']]).toEqual([403, 'identity.unconfirmed'])
    expect((await identity.signIn('claire@example.org', { password: 'Wrong-horse 7' })).body['code']).toBe(
      'identity.sign_in_failed',
    )
    const confirmed = await identity.call('POST', '/rest-auth/registration/verify-email/', {
      email: 'Claire@Example.org',
      code: codeOf(mail),
    })
    expect([confirmed.status, confirmed.body]).toEqual([200, { status: 'confirmed', email: 'claire@example.org' }])
    const { status, body } = await identity.signIn('CLAIRE@example.ORG')
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: new Date(identity.now().getTime() + 12 * 3_600_000).toISOString(),
      user: { pk: expect.any(String), first_name: 'Claire', last_name: 'Dupont', email: 'claire@example.org' },
    })
    const token = String(body['access_token'])
    expect(await sessions(token)).toHaveLength(1)
    expect((await identity.call('POST', '/rest-auth/logout/', undefined, { token })).body).toEqual({ status: 'done' })
    const after = await identity.call('GET', '/sessions/', undefined, { token })
    expect([after.status, after.body['code']]).toEqual([401, 'http.session_ended'])
  })

  test.each([
    ['V-05', { password }, { email: ['email_required'] }],
    ['V-05', { email: ' ', password }, { email: ['email_required'] }],
    ['V-06', { email: 'claire@', password }, { email: ['email_invalid'] }],
    ['V-07', { email: 'claire@example.org' }, { password: ['password_required'] }],
    ['V-07', { email: 'claire@example.org', password: '' }, { password: ['password_required'] }],
  ])('V-05 V-06 V-07: %s, %j is told by its field', async (_, body, fields) => {
    const answer = await identity.call('POST', '/rest-auth/login/', body)
    expect([answer.status, answer.body['fields']]).toEqual([400, fields])
  })

  test('X-04 X-05: what fails in signing in and is no refusal of its own is logged, and tells the visitor nothing', async () => {
    const logged: unknown[][] = []
    const hasher = createPasswordHasher(cheapCost)
    let broken = false
    const watched = await openIdentity(database.db, {
      log: { ...silentLog, error: (...entry: unknown[]) => void logged.push(entry) },
      passwords: {
        ...hasher,
        async verify(phc, typed) {
          if (broken) throw new Error('the hasher is away')
          return await hasher.verify(phc, typed)
        },
      },
    })
    const { email } = await watched.person('logged@example.org')
    expect((await watched.signIn(email, { password: 'Wrong-horse 7' })).body['code']).toBe('identity.sign_in_failed')
    expect((await watched.signIn(email, { password: '' })).status).toBe(400)
    expect((await watched.call('GET', '/sessions/', undefined, { token: 'x'.repeat(43) })).status).toBe(401)
    expect(logged).toEqual([])
    broken = true
    const { status, body } = await watched.signIn(email)
    expect([status, body['code']]).toEqual([500, 'http.internal'])
    expect(JSON.stringify(body)).not.toContain('hasher')
    expect(logged).toHaveLength(1)
    expect(logged[0]?.[0]).toMatchObject({ err: { message: 'the hasher is away' } })
    expect(JSON.stringify(logged)).not.toContain(password)
    await watched.close()
  })

  test('a wrong password and an unknown address are told apart by nothing, and slow down alike', async () => {
    await identity.person('known@example.org')
    const tries = async (email: string) => {
      const all = []
      for (let i = 0; i < 8; i += 1) {
        const before = identity.hashed.verify
        const answer = seen(await identity.signIn(email, { password: 'Wrong-horse 7' }))
        all.push({ ...answer, verifications: identity.hashed.verify - before })
      }
      return all
    }
    const known = await tries('known@example.org')
    expect(known).toEqual(await tries('unknown@example.org'))
    expect(known.map(({ status, verifications }) => [status, verifications])).toEqual([
      ...Array.from({ length: 6 }, () => [401, 1]),
      [429, 0],
      [429, 0],
    ])
    expect(known[7]?.body).toMatchObject({ code: 'identity.throttled', data: { seconds: 1 } })
    // The right password does not get in either while the delay runs, then it does and all is forgotten.
    expect((await identity.signIn('known@example.org')).status).toBe(429)
    identity.later(1)
    expect((await identity.signIn('known@example.org', { password: 'Wrong-horse 7' })).status).toBe(401)
    identity.later(1)
    expect((await identity.signIn('known@example.org')).headers['retry-after']).toBe('1')
    identity.later(1)
    expect((await identity.signIn('known@example.org')).status).toBe(200)
    for (let i = 0; i < 6; i += 1)
      expect((await identity.signIn('known@example.org', { password: 'Wrong-horse 7' })).status).toBe(401)
  })

  test('attempts made at once are counted before any is answered', async () => {
    await identity.person('rushed@example.org')
    const answers = await Promise.all(
      Array.from({ length: 15 }, async () => await identity.signIn('rushed@example.org', { password: 'Wrong-horse 7' })),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(6)
  })

  test('one network that tries many accounts is slowed down; others are not', async () => {
    const from = '198.51.100.20'
    await sql`delete from throttle`.execute(database.db)
    const statuses = []
    for (let i = 0; i < 63; i += 1) {
      // The wall in front of every call refills meanwhile.
      identity.later(2)
      statuses.push((await identity.signIn(`many${String(i)}@example.org`, {}, { from })).status)
    }
    expect(statuses.slice(0, 61)).toEqual(Array.from({ length: 61 }, () => 401))
    const blocked = []
    for (let i = 0; i < 6; i += 1) blocked.push(await identity.signIn(`more${String(i)}@example.org`, {}, { from }))
    expect(blocked.at(-1)?.body['code']).toBe('identity.throttled')
    expect((await identity.signIn('more9@example.org', {}, { from: '198.51.101.20' })).status).toBe(401)
  })

  test.each(['suspended', 'closing'])('an account that is %s says so to its password alone', async (status) => {
    const { id, token, email } = await identity.person(`${status}@example.org`)
    const at = identity.now()
    await sql`update account_user set status = ${status}, suspended_at = ${status === 'suspended' ? at : null},
      erase_after = ${status === 'closing' ? at : null} where id = ${id}`.execute(database.db)
    expect((await identity.signIn(email, { password: 'Wrong-horse 7' })).body['code']).toBe('identity.sign_in_failed')
    const answer = await identity.signIn(email)
    expect([answer.status, answer.body['code']]).toEqual([403, `identity.${status}`])
    expect((await identity.call('GET', '/sessions/', undefined, { token })).status).toBe(401)
  })

  test('a password of an older cost is hashed anew when it is shown; typed on another system it is the same', async () => {
    const { id, email } = await identity.person('older@example.org', {
      password: 'Café-horse 7',
      password_confirmation: 'Café-horse 7',
    })
    const hashOf = async () =>
      (await sql<{ hash: string }>`select password_hash as hash from account_user where id = ${id}`.execute(database.db)).rows[0]
        ?.hash ?? ''
    const other = createPasswordHasher({ ...cheapCost, timeCost: 2 })
    await sql`update account_user set password_hash = ${await other.hash('Café-horse 7')} where id = ${id}`.execute(database.db)
    expect((await identity.signIn(email, { password: 'Cafe\u0301-horse 7' })).status).toBe(200)
    expect(await hashOf()).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
    expect((await identity.signIn(email, { password: 'Café-horse 7' })).status).toBe(200)
    expect(argonCost).toEqual({ memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  })
})

describe('sessions (H-08)', () => {
  test('S-03: remembered 30 days, else 12 hours, from the last use; use is written down once a minute', async () => {
    const { email } = await identity.person('sliding@example.org')
    const tokenOf = async (remember_me: boolean) => String((await identity.signIn(email, { remember_me })).body['access_token'])
    const [remembered, short] = [await tokenOf(true), await tokenOf(false)]
    const seenAt = async () => (await sessions(remembered)).find((each) => each['current'] === true)?.['seen_at']
    const first = await seenAt()
    identity.later(59)
    expect(await seenAt()).toBe(first)
    identity.later(1)
    await seenAt()
    expect(await seenAt()).toBe(identity.now().toISOString())
    identity.later(11 * 3600)
    expect((await identity.call('GET', '/sessions/', undefined, { token: short })).status).toBe(200)
    identity.later(12 * 3600 - 1)
    expect((await identity.call('GET', '/sessions/', undefined, { token: short })).status).toBe(200)
    identity.later(12 * 3600)
    expect((await identity.call('GET', '/sessions/', undefined, { token: short })).status).toBe(401)
    expect(await sessions(remembered)).toHaveLength(2)
    identity.later(30 * 86_400 - 1)
    expect(await sessions(remembered)).toHaveLength(1)
    identity.later(30 * 86_400)
    expect((await identity.call('GET', '/sessions/', undefined, { token: remembered })).status).toBe(401)
  })

  test('the list says which browser and network, and one or all are ended; never another’s', async () => {
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
    const { email, token } = await identity.person('lists@example.org')
    const other = await identity.person('others@example.org')
    const signedIn = await identity.signIn(email, {}, { agent: firefox, from: '203.0.113.77' })
    const second = String(signedIn.body['access_token'])
    const list = await sessions(token)
    const added = list.find((each) => each['current'] === false)
    expect(list).toHaveLength(2)
    expect(added).toMatchObject({
      browser: 'Firefox 145, Linux',
      network: '203.0.113.0/24',
      remembered: false,
      second_factor: false,
    })
    identity.later(60)
    await identity.call('GET', '/sessions/', undefined, { token: second, from: '203.0.114.77' })
    expect((await sessions(token)).find((each) => each['id'] === added?.['id'])).toMatchObject({ network: '203.0.114.0/24' })
    const path = `/sessions/${String(added?.['id'])}/`
    expect((await identity.call('DELETE', path, undefined, { token: other.token })).status).toBe(404)
    expect((await identity.call('DELETE', path, undefined, { token })).status).toBe(200)
    expect((await identity.call('GET', '/sessions/', undefined, { token: second })).status).toBe(401)
    await identity.signIn(email)
    expect((await identity.call('POST', '/sessions/end_all/', undefined, { token })).body).toEqual({ ended: 2 })
    expect((await identity.call('GET', '/sessions/', undefined, { token })).status).toBe(401)
    expect(await sessions(other.token)).toHaveLength(1)
  })

  test('an account has fifty sessions at most: the one used longest ago ends', async () => {
    const { email, id, token } = await identity.person('fifty@example.org')
    await sql`insert into user_session (id, user_id, token_hash, created_at, seen_at, expires_at, remembered, browser, network)
      select gen_random_uuid(), ${id}, decode(md5(i::text) || md5((i + 100)::text), 'hex'), ${identity.now()}::timestamptz + i * interval '1 second',
      ${identity.now()}::timestamptz + i * interval '1 second', ${identity.now()}::timestamptz + interval '1 day', false, '', ''
      from generate_series(1, 49) i`.execute(database.db)
    identity.later(50)
    const newest = String((await identity.signIn(email)).body['access_token'])
    expect((await identity.call('GET', '/sessions/', undefined, { token })).status).toBe(401)
    expect(await sessions(newest)).toHaveLength(50)
  })

  test('a token is 256 bits, kept as its hash alone; one that was changed opens nothing', async () => {
    const { token } = await identity.person('hashes@example.org')
    const { rows } = await sql<{ text: string }>`select string_agg(s::text, ' ') as text from user_session s`.execute(database.db)
    expect(rows[0]?.text).not.toContain(token)
    expect(rows[0]?.text).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    for (const changed of [`${token}A`, token.slice(1), token.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))])
      expect((await identity.call('GET', '/sessions/', undefined, { token: changed })).status).toBe(401)
  })

  test('H-22: a delegation opens the account that granted it, to whom it was granted', async () => {
    const delegate = await identity.person('delegate@example.org')
    const stranger = await identity.person('stranger3@example.org')
    delegation.userId = delegate.id
    const asked = async (token: string, id: string) =>
      await identity.call('GET', '/test/who/', undefined, { token, delegation: id })
    expect((await asked(delegate.token, delegation.id)).body).toEqual({
      user: delegate.id,
      account: delegation.grantorId,
      scope: 'create',
    })
    for (const [token, id] of [
      [stranger.token, delegation.id],
      [delegate.token, randomUUID()],
      [delegate.token, "' or 1=1"],
    ] as const)
      expect(await asked(token, id)).toMatchObject({ status: 403, body: { code: 'http.delegation_ended' } })
    // What concerns the person himself nobody does for another.
    const password_change = await identity.call('GET', '/emails/', undefined, {
      token: delegate.token,
      delegation: delegation.id,
    })
    expect([password_change.status, password_change.body['code']]).toEqual([403, 'http.not_delegated'])
  })
})

describe('second factor', () => {
  const codes = (body: Record<string, unknown>) => body['recovery_codes'] as string[]
  async function secured(email: string) {
    const person = await identity.person(email)
    const caller = { token: person.token }
    const begun = await identity.call('POST', '/second_factor/', { password }, caller)
    const secret = String(begun.body['secret'])
    const code = async () => {
      identity.later(30)
      return await totp(secret, identity.now())
    }
    const confirmed = await identity.call('POST', '/second_factor/confirm/', { code: await code() }, caller)
    await identity.work()
    return { ...person, caller, begun, secret, code, confirmed }
  }

  test('is set up with the password and a first code, and asked for from then on', async () => {
    const person = await identity.person('factor@example.org')
    const elsewhere = String((await identity.signIn(person.email)).body['access_token'])
    const caller = { token: person.token }
    expect((await identity.call('POST', '/second_factor/', { password: 'Wrong-horse 7' }, caller)).body['fields']).toEqual({
      password: ['password_wrong'],
    })
    const { body } = await identity.call('POST', '/second_factor/', { password }, caller)
    const secret = String(body['secret'])
    expect(body['uri']).toMatch(new RegExp(`^otpauth://totp/Probant:factor%40example\\.org\\?.*secret=${secret}`))
    const kept = await sql<{ text: string }>`select string_agg(f::text, ' ') as text from second_factor f`.execute(database.db)
    expect(kept.rows[0]?.text).not.toContain(secret)
    expect(kept.rows[0]?.text).not.toContain(Buffer.from(secret).toString('hex'))
    // Begun counts for nothing yet.
    expect((await identity.signIn(person.email)).status).toBe(200)
    const late = await totp(secret, new Date(identity.now().getTime() - 90_000))
    expect((await identity.call('POST', '/second_factor/confirm/', { code: late }, caller)).status).toBe(401)
    const code = await totp(secret, identity.now())
    const confirmed = await identity.call('POST', '/second_factor/confirm/', { code }, caller)
    expect(codes(confirmed.body)).toHaveLength(10)
    expect(new Set(codes(confirmed.body)).size).toBe(10)
    expect((await identity.call('GET', '/second_factor/', undefined, caller)).body).toEqual({
      enabled: true,
      confirmed_at: identity.now().toISOString(),
      recovery_codes_left: 10,
      required: false,
    })
    expect((await sessions(person.token)).find((each) => each['current'] === true)).toMatchObject({ second_factor: true })
    expect((await identity.call('GET', '/sessions/', undefined, { token: elsewhere })).status).toBe(401)
    const [mail] = await identity.work()
    expect([mail?.to, mail?.subject]).toEqual(['factor@example.org', 'A second factor was set up'])

    expect((await identity.signIn(person.email)).body['code']).toBe('identity.second_factor_required')
    expect((await identity.signIn(person.email, { password: 'Wrong-horse 7' })).body['code']).toBe('identity.sign_in_failed')
    // RFC 6238 §5.2: the code that set it up is good no more.
    expect((await identity.signIn(person.email, { code })).body['code']).toBe('identity.second_factor_wrong')
    identity.later(30)
    const next = await totp(secret, identity.now())
    const signedIn = await identity.signIn(person.email, { code: `${next.slice(0, 3)} ${next.slice(3)}` })
    expect(signedIn.status).toBe(200)
    expect((await identity.signIn(person.email, { code: next })).body['code']).toBe('identity.second_factor_wrong')
    expect((await identity.call('POST', '/second_factor/', { password }, caller)).body['code']).toBe(
      'identity.second_factor_enabled',
    )
  })

  test('one code sent twice at once signs in once', async () => {
    const person = await secured('twice@example.org')
    const code = await person.code()
    const answers = await Promise.all([1, 2, 3].map(async () => await identity.signIn(person.email, { code })))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401', '401'])
  })

  test('guessed codes slow down as passwords do, whoever knows the password', async () => {
    const person = await secured('guessed@example.org')
    const right = await person.code()
    const wrong = right === '123456' ? '654321' : '123456'
    const statuses = []
    for (let i = 0; i < 7; i += 1) {
      statuses.push((await identity.signIn(person.email, { code: wrong })).status)
      // Asking without a code does not forgive.
      await identity.signIn(person.email)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429])
  })

  test('a recovery code signs in once, and says so; they are replaced with both proofs', async () => {
    const person = await secured('recovery@example.org')
    const [first = '', second = ''] = codes(person.confirmed.body)
    expect((await identity.signIn(person.email, { code: first.toUpperCase().replace('-', ' ') })).status).toBe(200)
    expect((await identity.signIn(person.email, { code: first })).body['code']).toBe('identity.second_factor_wrong')
    expect((await identity.work()).map(({ subject }) => subject)).toEqual(['A recovery code was used'])
    const proof = { password, code: await person.code() }
    const renewed = await identity.call('POST', '/second_factor/recovery_codes/', proof, person.caller)
    expect(codes(renewed.body)).toHaveLength(10)
    expect((await identity.signIn(person.email, { code: second })).status).toBe(401)
    expect((await identity.signIn(person.email, { code: codes(renewed.body)[0] })).status).toBe(200)
  })

  test('is given up with both proofs, but never by staff, whom it opens the pages of staff to', async () => {
    const person = await secured('staff@example.org')
    const signedOn = await identity.person('staff2@example.org')
    await sql`insert into user_role (user_id, role, granted_at) values (${person.id}, 'administrator', now()),
      (${signedOn.id}, 'administrator', now())`.execute(database.db)
    const acts = async (token: string) => await identity.call('GET', '/admin/acts/', undefined, { token })
    expect((await acts(person.token)).status).toBe(200)
    const without = await acts(signedOn.token)
    expect([without.status, without.body['code']]).toEqual([404, 'http.not_found'])
    expect((await identity.call('GET', '/second_factor/', undefined, { token: signedOn.token })).body['required']).toBe(true)
    const proof = { password, code: await person.code() }
    const refused = await identity.call('POST', '/second_factor/disable/', proof, person.caller)
    expect([refused.status, refused.body['code']]).toEqual([409, 'identity.second_factor_needed'])
    await sql`delete from user_role where user_id = ${person.id}`.execute(database.db)
    expect((await acts(person.token)).status).toBe(404)
    for (const half of [
      { ...proof, password: 'Wrong-horse 7' },
      { ...proof, code: 'abcde-fghjk' },
    ])
      expect((await identity.call('POST', '/second_factor/disable/', half, person.caller)).status).not.toBe(200)
    expect((await identity.call('POST', '/second_factor/disable/', proof, person.caller)).body).toEqual({ status: 'done' })
    expect((await identity.signIn(person.email)).status).toBe(200)
  })
})

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0',
    'Edge 142, Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'Safari 18, macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'Safari 18, iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
    'Chrome 142, Android',
  ],
  ['<script>alert(1)</script>', ''],
  [`Firefox/${'9'.repeat(50)}`, ''],
  [`${'x'.repeat(100_000)} Firefox/1`, ''],
])('a session names its browser, %#', (header, said) => {
  expect(describeBrowser(header)).toBe(said)
})
