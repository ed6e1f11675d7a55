import { assert, constantFrom, oneof, property, string, tuple } from '../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { loginBody } from '../contract/identity.ts'
import { emailFault, passwordFault } from './sign-in-faults.ts'
import { share } from '../../../testing/sweep.ts'

/** The first code of each field, as the forms show them. */
function contractFaults(email: string, password: string): Record<string, string> {
  const { error } = loginBody.safeParse({ email, password })
  const found: Record<string, string> = {}
  for (const { path, message } of error?.issues ?? []) found[String(path[0])] ??= message
  return found
}

test('V-05 V-46: the page of signing in and the contract find the same faults', () => {
  const email = oneof(
    string(),
    constantFrom('', ' ', 'a', 'a@b', 'a@b.fr', ' a@b.fr ', 'a@é.fr', 'é@b.fr', 'a@b.1', '"a"@b.fr', 'a@[127.0.0.1]'),
    tuple(string(), string()).map(([name, domain]) => `${name}@${domain}.fr`),
  )
  const password = oneof(string({ maxLength: 250 }), constantFrom('', ' ', 'x'.repeat(200), 'x'.repeat(201)))
  const seen = new Set<string>()
  assert(
    property(email, password, (typed, secret) => {
      const own = { email: emailFault(typed), password: passwordFault(secret) }
      const faults = Object.fromEntries(Object.entries(own).filter(([, code]) => code !== null))
      for (const code of Object.values(faults)) seen.add(code ?? '')
      expect(contractFaults(typed, secret)).toEqual(faults)
    }),
    { numRuns: share(1000) },
  )
  expect([...seen].toSorted()).toEqual(['email_invalid', 'email_required', 'password_required', 'password_wrong'])
})
