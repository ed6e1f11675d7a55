import { assert, integer, property, uint8Array } from '../../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { utf8 } from '../../../../kernel/bytes.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'
import { platformKeysOf, readPublishedKeys, writePublishedKeys } from './published-keys.ts'
import type { PublishedKeys } from './published-keys.ts'
import { readSealSignatures, writeSealSignatures } from '../package/platform-keys/seal-signatures.ts'
import { share } from '../../../../testing/sweep.ts'

const [since, until] = ['2026-01-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z']
const keys: PublishedKeys = {
  format: 'probant-keys/1',
  issued_at: '2026-11-21T10:00:00.000Z',
  certificates: [{ id: 'ab'.repeat(32), since, until: null, role: 'signing', purpose: 'platform', subject: 'Sceau «é»' }],
  bitcoin: [
    { id: '1BitcoinEaterAddressDontSendf59kuE', since, until },
    { id: '15CRxFdyRpGZLW9w8HnHvVduizdL5jKNbs', since: until, until: null },
  ],
  nano: [],
  log: [{ id: 'here/log+00000000+AQ==', since, until: null }],
  witnesses: [],
}
const bytes = utf8(writePublishedKeys(keys))
const signatures = utf8(
  writeSealSignatures({
    bitcoin: { address: 'a', scheme: 'bip-137', signature: 'b' },
    nano: { account: 'c', scheme: 'oris-001', signature: 'd' },
  }),
)

test('the list is read as it was written, and gives what verifiers compare with', () => {
  expect(readPublishedKeys(bytes)).toEqual(keys)
  expect(platformKeysOf(keys)).toEqual({
    bitcoin: keys.bitcoin,
    nano: [],
    log: ['here/log+00000000+AQ=='],
    witnesses: [],
    authorities: [],
    timeAuthorities: [],
  })
  expect(readSealSignatures(signatures).nano.account).toBe('c')
})

test.each([
  ['a member more', { ...keys, more: 1 }],
  ['a member less', { ...keys, nano: undefined }],
  ['another format', { ...keys, format: 'probant-keys/2' }],
  ['an instant of another form', { ...keys, issued_at: '2026-11-21' }],
  ['an instant that is none', { ...keys, issued_at: '2026-99-21T10:00:00.000Z' }],
  ['a key without an end', { ...keys, nano: [{ id: 'x', since }] }],
  ['a key without a name', { ...keys, nano: [{ id: '', since, until }] }],
  ['a list that is none', { ...keys, log: {} }],
  ['a list without end', { ...keys, nano: Array.from({ length: 1001 }, () => ({ id: 'x', since, until: null })) }],
  ['a certificate by another digest', { ...keys, certificates: [{ ...keys.certificates[0], id: 'ab' }] }],
  ['a certificate of another purpose', { ...keys, certificates: [{ ...keys.certificates[0], purpose: 'other' }] }],
  ['nothing', null],
])('refused: %s', (_, value) => {
  expect(() => readPublishedKeys(utf8(canonicalJson(value)))).toThrow(RangeError)
})

test(`${share(10_000)} hostile inputs: refused by a RangeError, or read as exactly what they are`, () => {
  const tries = [
    [bytes, readPublishedKeys],
    [signatures, readSealSignatures],
  ] as const
  assert(
    property(integer({ min: 0, max: bytes.length - 1 }), uint8Array({ minLength: 1, maxLength: 4 }), (at, change) => {
      for (const [whole, read] of tries) {
        const altered = Uint8Array.from(whole)
        altered.set(change.subarray(0, altered.length - (at % altered.length)), at % altered.length)
        try {
          const found: unknown = read(altered)
          if (canonicalJson(found) !== new TextDecoder().decode(altered)) return false
        } catch (error) {
          if (!(error instanceof RangeError)) return false
        }
      }
      return true
    }),
    { numRuns: share(10_000) },
  )
})
