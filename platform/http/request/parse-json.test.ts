import * as fc from '../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

test.each(['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '[{"x":{"b":[],"b":[]}}]', '{"__proto__":{"admin":true}}', '{"a":1', ''])(
  '%s is refused',
  (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError)
  },
)

test('colons, quotes and backslashes in strings are no members', () => {
  for (const value of [{ a: ':":"', '":': '\\' }, ['"a":1'], { a: { a: { a: '\\":' } } }, ':', 'œ😀', {}, []])
    expect(parseJson(JSON.stringify(value))).toEqual(value)
})

test('whatever JSON.stringify writes is read as it was, pretty or not', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((each) => each !== '__proto__')
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((each) => !Object.is(each, -0)),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }))
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 2), (each, spaces) => {
      expect(parseJson(JSON.stringify(each, null, spaces))).toEqual(each)
    }),
    { numRuns: 300 },
  )
})

test('a deep body is read or refused, never too much for the stack', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  let outcome = 'read'
  try {
    parseJson(deep)
  } catch (error) {
    outcome = error instanceof SyntaxError || error instanceof RangeError ? 'refused' : 'broken'
  }
  expect(['read', 'refused']).toContain(outcome)
})
