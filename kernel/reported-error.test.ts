import * as fc from '../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { share } from '../testing/sweep.ts'
import { builtFile, framesOf, isPagePattern, scrubMessage, scrubName } from './reported-error.ts'

test.each([
  ["Cannot read properties of undefined (reading 'Jeanne')", 'Cannot read properties of undefined …'],
  ['Failed to fetch https://client.example/dossier?token=abc', 'Failed to fetch …'],
  [
    'duplicate key value violates unique constraint "user_email" Key (email)=(jeanne@people.example)',
    'duplicate key value violates unique constraint …',
  ],
  ['connect ECONNREFUSED 10.0.0.7:5432', 'connect …'],
  ['Jeanne Dupont was not found', '… was not found'],
  ['No session of DUPONT, Édouard: pbt_0123456789abcdef', 'No session of …'],
  ['invalid address jeanne@people.example or 2001:db8::1', 'invalid address … or …'],
  ['« Le secret de Jeanne » is not JSON', '… is not …'],
  ['TypeError: x is not a function', 'TypeError: x is not a function'],
  ["no mailbox jeanne.'d'.arc@people.example at https://client.example/'her'letters", 'no mailbox … at …'],
  [`could not read "${'the words of jeanne '.repeat(200)}"`, 'could not read …'],
  ["it doesn't hold", "it doesn't hold"],
  ['request to http://127.0.0.1 failed, reason: ERR_SOCKET_TIMEOUT', 'request to … failed, reason: ERR_SOCKET_TIMEOUT'],
])('T-05 H-41: of %s only what is nobody’s is told', (message, told) => {
  expect(scrubMessage(message)).toBe(told)
})

test('T-05: whatever an address, a token, a number or a name stands in, it does not come through', () => {
  const name = fc.stringMatching(/^[A-ZÉÈÀ][a-zéèà]{2,12}$/).filter((word) => scrubMessage(`at ${word}`) === 'at …')
  const secret = fc.oneof(fc.emailAddress(), fc.webUrl({ withQueryParameters: true }), fc.ipV4(), fc.uuid(), name)
  fc.assert(
    fc.property(secret, fc.constantFrom('', '"', "'", '(', ': ', '='), (text, before) => {
      const told = scrubMessage(`could not read ${before}${text} here`)
      expect(told).not.toContain(text)
      expect(told).toMatch(/^could not read …(?: here)?$/)
    }),
    { numRuns: share(1000) },
  )
})

test('T-05: frames name our own files alone, whichever browser wrote them', () => {
  const v8 = [
    'Error: secret of Jeanne',
    '    at readThing (https://probant.example/assets/index-B1_x.js:12:345)',
    '    at async Object.send (https://probant.example/assets/call-2.js:1:2)',
    '    at https://probant.example/en/evidences/secret/:1:2',
    '    at chrome-extension://abc/content.js:1:2',
  ].join('\n')
  const expected = [
    { file: 'assets/index-B1_x.js', name: 'readThing', line: 12, column: 345 },
    { file: 'assets/call-2.js', name: 'async Object.send', line: 1, column: 2 },
  ]
  expect(framesOf(v8, builtFile)).toEqual(expected)
  const fox = 'readThing@https://probant.example/assets/index-B1_x.js:12:345\n@https://probant.example/en/capture/1/:1:2'
  expect(framesOf(fox, builtFile)).toEqual(expected.slice(0, 1))
  expect(framesOf('    at f (https://h/assets/a.js:1:1)\n'.repeat(500), builtFile)).toHaveLength(20)
})

test('T-05: kinds and pages are names that programs give', () => {
  expect([scrubName('TypeError'), scrubName('jeanne@people.example'), scrubName('')]).toEqual(['TypeError', 'Error', 'Error'])
  for (const page of ['/', '/evidences/pending/', '/capture/:id/']) expect(isPagePattern(page)).toBe(true)
  for (const page of ['', '/capture/0192/', '/shared/T0ken/', 'https://h/', '/a/?b=c']) expect(isPagePattern(page)).toBe(false)
})
