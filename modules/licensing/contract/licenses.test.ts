import { expect, test } from 'vitest'
import { createLicense } from './licenses.ts'

const request = {
  sale_token: 'a'.repeat(43),
  beneficiary: { email: 'ada@example.org', first_name: 'Ada', last_name: 'Lovelace', company: 'Analytique SARL' },
  terms_accepted: true,
  withdrawal_waived: true,
}
const refusedOf = (change: Readonly<Record<string, unknown>>): readonly string[] => {
  const parsed = createLicense.body.safeParse({ ...request, ...change })
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}
const of = (change: Readonly<Record<string, unknown>>) => refusedOf({ beneficiary: { ...request.beneficiary, ...change } })

test('E-45 a beneficiary is somebody whom a document can name, and whoever buys has accepted what he buys', () => {
  expect(refusedOf({})).toEqual([])
  expect(of({ company: undefined, first_name: ' Zoë-Anne ', last_name: 'd’Artagnan' })).toEqual([])
  expect(of({ first_name: '', last_name: ' \t', email: '' })).toEqual([
    'beneficiary.email: email_required',
    'beneficiary.email: email_invalid',
    'beneficiary.first_name: first_name_required',
    'beneficiary.last_name: last_name_required',
  ])
  for (const hostile of ['<script>', 'a\u202Eb', 'a\nb', 'a\u0000b', '12', 'a@b'])
    expect(of({ last_name: hostile })).toEqual(['beneficiary.last_name: name_characters'])
  expect(of({ last_name: 'a'.repeat(101) })).toEqual(['beneficiary.last_name: name_too_long'])
  for (const hostile of ['<b>', 'a\u202Eb', 'a\u2028b', 'a\u0007'])
    expect(of({ company: hostile })).toEqual(['beneficiary.company: characters'])
  for (const hostile of ['a@b', 'a b@c.example', 'a@b.example\r\nBcc: x@y.example', '"a"@b.example'])
    expect(of({ email: hostile })).toEqual(['beneficiary.email: email_invalid'])
  expect(refusedOf({ terms_accepted: false, withdrawal_waived: false })).toEqual([
    'terms_accepted: license_terms_required',
    'withdrawal_waived: waiver_required',
  ])
  for (const token of ['', 'a'.repeat(42), `${'a'.repeat(42)}/`, 'a'.repeat(44)])
    expect(refusedOf({ sale_token: token })).toHaveLength(1)
})
