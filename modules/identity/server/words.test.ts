import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { passwordFaults } from '../domain/password.ts'
import { createMessages } from '../../../platform/messages/messages.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const sources = globSync('{server,domain,contract}/**/*.ts', { cwd: folder, exclude: (name) => name.endsWith('.test.ts') })
const source = sources.map((name) => readFileSync(`${folder}/${name}`, 'utf8')).join('\n')
const all = (pattern: RegExp) => [...new Set([...source.matchAll(pattern)].map((match) => match[1] ?? ''))]
const withoutWords = (ids: readonly string[]) => ids.filter((id) => !createMessages('fr').has(id))

test('H-06, X-58: every failure and field of the module has words', () => {
  const failures = all(/DomainError\(\s*'\w+',\s*'(identity\.\w+)'/g)
  expect(failures.length).toBeGreaterThan(12)
  const fields = all(/(?:error: |nameField\(|\{ \w+: \[)'([a-z]+_[a-z_]+)'/g).concat(passwordFaults)
  expect(fields.length).toBeGreaterThan(12)
  expect(withoutWords(failures)).toEqual([])
  expect(withoutWords(fields.map((code) => `identity.field.${code}`))).toEqual([])
})

test('V-08, X-19, X-06, X-07, X-08 are worded as the specification has them', () => {
  const words = createMessages('en')
  expect(words.format('identity.field.terms_required')).toBe('Please accept terms')
  expect(words.format('identity.address_taken')).toBe('An account with this email address already exists')
  expect(words.format('identity.mail.taken_subject')).toBe('An account with this email address already exists')
  expect(words.format('identity.disposable_address')).toBe('Disposable emails are not allowed')
  expect(words.format('identity.registrations_disabled')).toBe('Registration are disabled')
})
