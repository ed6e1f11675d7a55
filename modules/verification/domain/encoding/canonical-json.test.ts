import { expect, test } from 'vitest'
import { utf8 } from '../../../../kernel/bytes.ts'
import { canonicalJson, parseCanonicalJson } from './canonical-json.ts'

test.each([
  ['a key twice', '{"a":1,"a":2}'],
  ['a key twice, once escaped', '{"a":1,"\\u0061":1}'],
  ['keys out of order', '{"b":1,"a":2}'],
  ['white space', '{"a": 1}'],
  ['a line at the end', '{"a":1}\n'],
  ['a byte order mark', '\ufeff{"a":1}'],
  ['another form of a number', '{"a":1.0}'],
  ['minus zero', '{"a":-0}'],
  ['an escape that is not needed', '{"a":"\\/"}'],
  ['a lone surrogate', '{"a":"\\ud800"}'],
  ['a number too large', '{"a":1e999}'],
  ['two documents', '{}{}'],
  ['nothing', ''],
])('JSON with %s is not canonical', (_name, text) => {
  expect(() => parseCanonicalJson(utf8(text))).toThrow(RangeError)
})

test('JSON nested 10,000 or 10 million deep is refused in one pass; brackets in texts are no nesting', () => {
  for (const depth of [33, 10_000, 10_000_000]) {
    expect(() => parseCanonicalJson(utf8('['.repeat(depth) + ']'.repeat(depth)))).toThrow('nested too deeply')
  }
  const text = canonicalJson({ a: '['.repeat(1000), b: '"\\[' })
  expect(parseCanonicalJson(utf8(text))).toEqual({ a: '['.repeat(1000), b: '"\\[' })
})

test('bytes that are not UTF-8 are refused', () => {
  expect(() => parseCanonicalJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow('not UTF-8')
  // An overlong form of “/”.
  expect(() => parseCanonicalJson(Uint8Array.of(0x22, 0xc0, 0xaf, 0x22))).toThrow('not UTF-8')
})

/** RFC 8785 §3.2.2 and §3.2.3: its own example. */
test('the example of RFC 8785 comes out as published', () => {
  const value = {
    numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"\u002f',
    literals: [null, true, false],
  }
  expect(canonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
})
