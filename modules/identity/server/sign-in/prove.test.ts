import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { cleanUp } from '../clean-up.ts'
import { openIdentity, password, totp } from '../identity.test-data.ts'

const database = withDatabase()
let identity: Awaited<ReturnType<typeof openIdentity>>
beforeAll(async () => {
  identity = await openIdentity(database.db)
})
afterAll(async () => await identity.close())

const minutes = 60
const hours = 60 * minutes
const days = 24 * hours
const isSignedIn = async (token: string) => (await identity.call('GET', '/sessions/', undefined, { token })).status === 200
const prove = async (token: string, body: Record<string, unknown>) =>
  await identity.call('POST', '/rest-auth/prove/', body, { token })
const add = async (token: string, email: string) =>
  (await identity.call('POST', '/emails/', { email }, { token })).body['code'] ?? 'done'

test('what protects an account takes a proof of the last ten minutes, of that very session', async () => {
  const person = await identity.person('proof@example.org')
  const other = String((await identity.signIn(person.email, { remember_me: true })).body['access_token'])
  expect(await add(person.token, 'one@proof.example')).toBe('done')
  identity.later(10 * minutes - 1)
  expect(await add(person.token, 'two@proof.example')).toBe('done')
  identity.later(1)
  // A field that is wrong is told before anybody is asked who he is.
  expect(await add(person.token, 'no address')).toBe('http.invalid_request')
  expect(await add(person.token, 'three@proof.example')).toBe('identity.proof_required')
  const { body } = await identity.call('GET', '/emails/', undefined, { token: person.token })
  const [primary] = body['results'] as { id: string }[]
  for (const [method, path] of [
    ['GET', `/emails/${primary?.id ?? ''}/set_primary/`],
    ['POST', `/emails/${primary?.id ?? ''}/set_primary/`],
    ['DELETE', `/emails/${primary?.id ?? ''}/`],
  ] as const) {
    const refused = await identity.call(method, path, undefined, { token: person.token })
    expect([refused.status, refused.body['code']]).toEqual([403, 'identity.proof_required'])
  }
  const wrong = await prove(person.token, { password: 'Wrong-horse 7' })
  expect([wrong.status, wrong.body['fields']]).toEqual([400, { password: ['password_wrong'] }])
  expect(await add(person.token, 'three@proof.example')).toBe('identity.proof_required')
  const until = new Date(identity.now().getTime() + 10 * minutes * 1000).toISOString()
  expect((await prove(person.token, { password })).body).toEqual({ proven_until: until })
  expect(await add(person.token, 'three@proof.example')).toBe('done')
  expect(await add(other, 'four@proof.example')).toBe('identity.proof_required')
  expect((await identity.call('POST', '/rest-auth/prove/', { password })).status).toBe(401)
})

test('who has a second factor proves himself with both, each code once, and slows down when he guesses', async () => {
  const person = await identity.person('factor@example.org')
  const { body } = await identity.call('POST', '/second_factor/', { password }, { token: person.token })
  const secret = String(body['secret'])
  const code = async () => await totp(secret, identity.now())
  const confirmed = await identity.call('POST', '/second_factor/confirm/', { code: await code() }, { token: person.token })
  const [recovery] = confirmed.body['recovery_codes'] as string[]
  await identity.work()
  identity.later(11 * minutes)
  const asked = await prove(person.token, { password })
  expect([asked.status, asked.body['code'], asked.body['fields']]).toEqual([
    400,
    'identity.second_factor_required',
    { code: ['code_required'] },
  ])
  expect((await prove(person.token, { password: 'Wrong-horse 7', code: await code() })).body['code']).toBe(
    'identity.password_wrong',
  )
  expect((await prove(person.token, { password, code: await code() })).status).toBe(200)
  expect((await prove(person.token, { password, code: await code() })).body['code']).toBe('identity.second_factor_wrong')
  expect((await prove(person.token, { password, code: recovery })).status).toBe(200)
  expect((await identity.work()).map(({ subject }) => subject)).toEqual(['A recovery code was used'])
  const guesses = []
  for (let i = 0; i < 7; i += 1) guesses.push((await prove(person.token, { password, code: '000000' })).status)
  expect(guesses.at(-1)).toBe(429)
})

test('H-08: a session ends for good, however much it is used: after 90 days where it is remembered, after 24 hours elsewhere', async () => {
  const person = await identity.person('long@example.org')
  const signIn = async (remember_me: boolean) => (await identity.signIn(person.email, { remember_me })).body
  const passing = await signIn(false)
  const expiry = new Date(identity.now().getTime() + 12 * hours * 1000)
  expect(passing['expires_at']).toBe(expiry.toISOString())
  const token = String(passing['access_token'])
  identity.later(11 * hours)
  expect(await isSignedIn(token)).toBe(true)
  identity.later(11 * hours)
  expect(await isSignedIn(token)).toBe(true)
  identity.later(2 * hours - 1)
  expect(await isSignedIn(token)).toBe(true)
  identity.later(1)
  expect(await isSignedIn(token)).toBe(false)
  const remembered = String((await signIn(true))['access_token'])
  for (const after of [29, 29, 29]) {
    identity.later(after * days)
    expect(await isSignedIn(remembered)).toBe(true)
  }
  identity.later(3 * days - 1)
  expect(await isSignedIn(remembered)).toBe(true)
  identity.later(1)
  expect(await isSignedIn(remembered)).toBe(false)
})

test('a sign-in from a browser and a network that are new to the account is told to its owner, once', async () => {
  const person = await identity.person('places@example.org', { locale: 'fr' })
  const firefox = (version: number) => `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`
  const from = async (network: string, agent: string) => {
    await identity.signIn(person.email, {}, { from: network, agent })
    return (await identity.work()).map(({ subject }) => subject)
  }
  const told = ['Connexion depuis un nouvel endroit']
  expect(await from('192.0.2.7', firefox(140))).toEqual(told)
  expect(await from('192.0.2.200', firefox(141))).toEqual([])
  expect(await from('198.51.100.7', firefox(141))).toEqual(told)
  expect(await from('192.0.2.7', 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36')).toEqual(told)
  const mail = identity.mails.at(-1)
  expect([mail?.to, mail?.text]).toEqual([person.email, expect.stringContaining('Chrome 140, Windows')])
  expect(mail?.text).toContain('192.0.2.0/24')
  // An account that was never signed in to has no place that could be new: its first is not told.
  await identity.person('first@example.org')
  expect(await identity.work()).toEqual([])
  identity.later(181 * days)
  expect((await cleanUp(identity.deps)).origins).toBeGreaterThan(3)
})
