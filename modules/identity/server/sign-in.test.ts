import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withDatabase } from '../../../testing/database.ts'
import { codeOf, keyOf, openIdentity, password, wrongCode } from './identity.test-data.ts'

const database = withDatabase()
let identity: Awaited<ReturnType<typeof openIdentity>>
beforeAll(async () => {
  identity = await openIdentity(database.db)
})
afterAll(async () => await identity.close())

test('C-03, C-04, C-01: register, confirm by the code, sign in, sign out', async () => {
  const { call, register, work, signIn } = identity
  const registered = await register('claire@example.org')
  expect([registered.status, registered.body]).toEqual([
    201,
    { status: 'confirmation_sent', email: 'claire@example.org', referral_code_known: null },
  ])
  const [mail] = await work()
  expect(mail).toMatchObject({ to: 'claire@example.org', subject: 'Confirm your email address', locale: 'en' })
  const unconfirmed = await signIn('claire@example.org')
  expect([unconfirmed.status, unconfirmed.body['code']]).toEqual([403, 'identity.unconfirmed'])
  const confirmed = await call('POST', '/rest-auth/registration/verify-email/', {
    email: 'Claire@Example.org',
    code: codeOf(mail),
  })
  expect([confirmed.status, confirmed.body]).toEqual([200, { status: 'confirmed', email: 'claire@example.org' }])
  const { status, body } = await signIn('CLAIRE@example.ORG')
  expect(status).toBe(200)
  expect(body).toEqual({
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    expires_at: new Date(identity.now().getTime() + 12 * 3_600_000).toISOString(),
    user: { pk: expect.any(String), first_name: 'Claire', last_name: 'Dupont', email: 'claire@example.org' },
  })
  const token = String(body['access_token'])
  expect((await call('GET', '/sessions/', undefined, { token })).status).toBe(200)
  expect((await call('POST', '/rest-auth/logout/', undefined, { token })).status).toBe(200)
  const after = await call('GET', '/sessions/', undefined, { token })
  expect([after.status, after.body['code']]).toEqual([401, 'http.session_ended'])
})
