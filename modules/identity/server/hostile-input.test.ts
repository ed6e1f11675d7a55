import {
  assert,
  asyncProperty,
  constant,
  constantFrom,
  dictionary,
  oneof,
  string,
  jsonValue,
} from '../../../testing/fast-check.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../../kernel/endpoint.ts'
import { withDatabase } from '../../../testing/database.ts'
import * as contract from '../contract/endpoints.ts'
import { openIdentity, password } from './identity.test-data.ts'

const database = withDatabase()
let identity: Awaited<ReturnType<typeof openIdentity>>
let token = ''
beforeAll(async () => {
  identity = await openIdentity(database.db)
  token = (await identity.person('fuzz@example.org')).token
})
afterAll(async () => await identity.close())

const endpoints: readonly Endpoint[] = Object.values(contract)
const uuid = '00000000-0000-4000-8000-000000000000'

const hostile = oneof(
  constantFrom(
    '',
    '\u0000',
    'a\u0000b',
    '\uD800',
    "' or 1=1 --",
    '$argon2id$v=19$m=99999999,t=99,p=9$AAAA$AAAA',
    'x'.repeat(100_000),
    'a@b.c\r\nBcc: x@y.z',
    'ada@example.org',
    'аda@example.org',
    '𝓪'.repeat(40),
    '-1',
    '1e309',
    uuid,
    password,
    '123456',
    '１２３４５６',
    '__proto__',
    '%00',
    '../../etc/passwd',
  ),
  string({ unit: 'binary', maxLength: 60 }),
)
const value = oneof(hostile, hostile, jsonValue({ maxDepth: 2 }), constant(null), constant(true))
/** Every name that a body of the module has, with whatever it should not hold. */
const names = [
  'email',
  'password',
  'password_confirmation',
  'old_password',
  'first_name',
  'last_name',
  'terms',
  'locale',
  'referral_code',
  'formula',
  'invitation',
  'claim',
  'code',
  'key',
  'uid',
  'token',
  'remember_me',
  '__proto__',
]
const valid = {
  email: 'ada@example.org',
  password,
  password_confirmation: password,
  first_name: 'Ada',
  last_name: 'Lo',
  terms: true,
  locale: 'en',
  old_password: password,
  code: '123456',
  key: 'k',
  uid: uuid,
  token: 't',
}

test('whatever is sent to a call, it is answered, never with a defect', async () => {
  const statuses = new Set<number>()
  await assert(
    asyncProperty(
      constantFrom(...endpoints),
      dictionary(constantFrom(...names), value, { maxKeys: 3 }),
      hostile,
      constantFrom('none', 'good', 'wrong'),
      async (endpoint, changes, text, bearer) => {
        // Waiting is tried elsewhere.
        identity.later(4000)
        if (endpoint === contract.logout || endpoint === contract.endAllSessions) return
        const query =
          endpoint.method === 'GET'
            ? `?page=${encodeURIComponent(text.toWellFormed())}&action=${encodeURIComponent(text.toWellFormed())}`
            : ''
        const path = endpoint.path.replace(':id', encodeURIComponent(text.toWellFormed().slice(0, 150)) || 'x')
        const caller = bearer === 'none' ? {} : { token: bearer === 'good' ? token : 'x'.repeat(43) }
        const body = endpoint.body === undefined ? undefined : { ...valid, ...changes }
        const method = endpoint.method === 'PATCH' ? 'POST' : endpoint.method
        const { status, body: answer } = await identity.call(method, `${path}${query}`, body, caller)
        statuses.add(status)
        expect(status, JSON.stringify(answer)).toBeLessThan(500)
        if (status >= 400) expect(answer).toMatchObject({ code: expect.any(String), message: expect.any(String) })
        expect(JSON.stringify(answer)).not.toMatch(/select |argon2id|at \/|node_modules/)
      },
    ),
    // The same each time: what the last line asks for is reached by these.
    { numRuns: 400, seed: 20_260_301 },
  )
  // It got past the door, and through.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 401, 404]))
})
