import { expect, test } from 'vitest'
import { CaptureFailure } from '../../modules/capture/server/index.ts'
import { tellError, withoutPersons } from './tell-error.ts'

test('of an error the log has its kind, its code, its places and the words that are nobody’s', () => {
  const cause = Object.assign(new Error('getaddrinfo ENOTFOUND secret-client.example'), {
    code: 'ENOTFOUND',
    hostname: 'secret-client.example',
  })
  const error = Object.assign(
    new Error('could not fetch https://user:pw@secret-client.example/a?b=c of ada@client.example', { cause }),
    {
      row: { email: 'ada@client.example' },
    },
  )
  const told = tellError(error)
  expect(told).toEqual({
    type: 'Error',
    message: 'could not fetch https://… of …@…',
    stack: expect.stringMatching(/tell-error\.test\.ts:\d+:\d+/),
    cause: { type: 'Error', code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND …', stack: expect.any(String) },
  })
  expect(JSON.stringify(told)).not.toMatch(/client|ada|pw/)
  expect(tellError(new CaptureFailure('unknown_host', { host: 'secret-client.example' }))).toMatchObject({
    message: 'unknown_host {…}',
    code: 'unknown_host',
  })
})

test.each([
  ['paid from FR76 3000 6000 0112 3456 7890 189 today', 'paid from … today'],
  ['token Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6 refused', 'token … refused'],
  [`blob ${'0a'.repeat(32)} is not in the store`, `blob ${'0a'.repeat(32)} is not in the store`],
  ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED 127.0.0.1:5432'],
  ['relation "api_key" does not exist', 'relation "api_key" does not exist'],
])('%s', (said, told) => {
  expect(withoutPersons(said)).toBe(told)
})

test('what is no error, and what causes itself, is told too', () => {
  expect(tellError('lost https://client.example/')).toBe('lost https://…')
  expect(tellError({ email: 'a@b.c' })).toBe('object')
  const circle = new Error('round')
  circle.cause = circle
  expect(JSON.stringify(tellError(circle)).split('round')).toHaveLength(6)
})
