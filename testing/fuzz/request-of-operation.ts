import {
  type Arbitrary,
  array,
  bigInt,
  boolean,
  constant,
  constantFrom,
  dictionary,
  double,
  emailAddress,
  integer,
  jsonValue,
  oneof,
  record,
  string,
  stringMatching,
  tuple,
  uuid,
} from '../fast-check.ts'
import type { Operation, Schema } from '../permissions/open-web-api.test-data.ts'

/** What a request holds besides who sends it. */
export type Request = {
  readonly params: Readonly<Record<string, string>>
  readonly query: readonly (readonly [string, string])[]
  /** As it is sent; null: none. */
  readonly body: string | null
  readonly headers: Readonly<Record<string, string>>
}

/** Values that exist here, by the names that they have in calls. */
export type Known = Readonly<Record<string, readonly string[]>>

/** Texts that break what is not careful: data bases, headers, paths, objects, readers of Unicode. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfffy',
  '\r\nx-injected: 1',
  'a\r\n\r\nGET / HTTP/1.1',
  '\u2028\u2029\u0085',
  '\u202eevil\u202c',
  '\ufeff\u200b\u00ad',
  'раураl@example.org',
  'ＡＤＭＩＮ@people.example',
  'İı ẞß ﬀ',
  'e\u0301'.repeat(400),
  'a'.repeat(10_000),
  '😀'.repeat(2_000),
  "' or '1'='1",
  "'; drop table evidence; --",
  '1; notify evidence',
  '%_%\\',
  '%00',
  '%c0%ae%c0%ae/',
  '../../../../etc/passwd',
  '..%2f..%2f',
  'C:\\boot.ini',
  '{{7*7}}${7*7}<%= 7*7 %>',
  '<script>alert(1)</script>',
  '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '-0',
  '1e400',
  '9007199254740993',
  '99999999999999999999999',
  'NaN',
  'null',
  'true',
  '[]',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-00-00T00:00:00Z',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  'http://127.0.0.1:5432/',
  'http://[::1]/',
  'http://example.org:0/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'gopher://example.org/',
  `https://${'a'.repeat(300)}.example/`,
  'https://xn--a.example/',
  'https://user:pass@example.org/',
]

const hostileText = oneof(
  { weight: 5, arbitrary: constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: string({ unit: 'binary', maxLength: 60 }) },
)
const hostileNumber = oneof(
  constantFrom(0, -0, -1, 1e308, -1e308, 2 ** 53, 2 ** 31, -(2 ** 63), 0.1 + 0.2, Number.MIN_VALUE),
  double({ noNaN: true }),
  integer(),
)
const hostileValue: Arbitrary<unknown> = oneof(
  { weight: 6, arbitrary: hostileText },
  { weight: 2, arbitrary: hostileNumber },
  { weight: 1, arbitrary: constantFrom(null, true, false, [], {}, [[]], [null]) },
  { weight: 1, arbitrary: array(hostileText, { maxLength: 5 }) },
  { weight: 1, arbitrary: dictionary(hostileText, hostileText, { maxKeys: 4 }) },
  { weight: 1, arbitrary: jsonValue({ maxDepth: 4 }) },
)

const deep = (open: string, close: string, levels: number) => `${open.repeat(levels)}${close.repeat(levels)}`
/** Bodies that are no JSON, or JSON that no serialiser of ours would write. */
const hostileBodies: readonly string[] = [
  '',
  '{',
  '{"a":',
  'undefined',
  '\0',
  '\ufeff{}',
  "{'a':1}",
  '{"a":1,"a":2}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"a":{"__proto__":{"polluted":true}}}',
  '{"email":1e400,"page":1e400}',
  '[1e999999]',
  deep('[', ']', 20_000),
  deep('{"a":', '', 20_000),
  `${deep('{"a":', '', 5_000)}1${'}'.repeat(5_000)}`,
  `"${'a'.repeat(300_000)}"`,
  `[${'0,'.repeat(100_000)}0]`,
]

/** Files, an octet a letter: what they say they are is the beginning of something else, too much, or too little. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const hostileFiles: readonly string[] = [
  '',
  '\0',
  'a=b&c=d',
  '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  'GIF89a/*\x01\0\x01\0*/=1;alert(1)',
  '%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n%%EOF',
  '\x89PNG\r\n\x1a\n\xff\xff\xff\xffIHDR',
  '\xff\xd8\xff\xe1\xff\xffExif\0\0MM\0*\xff\xff\xff\xff',
  'RIFF\xff\xff\xff\xffWEBPVP8X\xff\xff\xff\xff',
  atob(onePixel),
  'a'.repeat(300_000),
]

const known = (names: Known, name: string): Arbitrary<string> | null => {
  const values = Object.hasOwn(names, name) ? names[name] : undefined
  return values === undefined || values.length === 0 ? null : constantFrom(...values)
}

/** What keeps to a schema, as far as schemas tell: `refine` of the contracts does not stand in them. */
function keepingTo(schema: Schema, names: Known, name: string): Arbitrary<unknown> {
  const usual = schema['type'] === 'array' || schema['type'] === 'object' ? null : known(names, name)
  const ruled = byRules(schema, names, name)
  return usual === null ? ruled : oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: ruled })
}

function byRules(schema: Schema, names: Known, name: string): Arbitrary<unknown> {
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined
  if (choices !== undefined) return oneof(...choices.map((each) => keepingTo(each, names, name)))
  if ('const' in schema) return constant(schema['const'])
  if (Array.isArray(schema['enum'])) return constantFrom(...(schema['enum'] as unknown[]))
  const bound = (key: string, otherwise: number) => (typeof schema[key] === 'number' ? schema[key] : otherwise)
  switch (schema['type']) {
    case 'object':
      return objectOf(schema, names)
    case 'array': {
      const minLength = bound('minItems', 0)
      const items = (schema['items'] ?? {}) as Schema
      return array(keepingTo(items, names, name), { minLength, maxLength: Math.min(bound('maxItems', 5), minLength + 5) })
    }
    case 'integer':
      return integer({ min: Math.max(bound('minimum', -9), -(2 ** 31)), max: Math.min(bound('maximum', 99), 2 ** 31 - 1) })
    case 'number':
      return double({ min: bound('minimum', -1e9), max: bound('maximum', 1e9), noNaN: true })
    case 'boolean':
      return boolean()
    case 'null':
      return constant(null)
    case 'string':
      return textOf(schema)
    default:
      return oneof(hostileText, boolean(), integer())
  }
}

function textOf(schema: Schema): Arbitrary<string> {
  const minLength = typeof schema['minLength'] === 'number' ? schema['minLength'] : 0
  const maxLength = Math.min(typeof schema['maxLength'] === 'number' ? schema['maxLength'] : 40, minLength + 40)
  switch (schema['format']) {
    case 'uuid':
      return uuid()
    case 'email':
      return emailAddress()
    case 'date-time':
      return integer({ min: 0, max: 4e9 }).map((seconds) => new Date(seconds * 1000).toISOString())
    default:
      return typeof schema['pattern'] === 'string'
        ? stringMatching(new RegExp(schema['pattern']))
        : string({ unit: 'grapheme', minLength, maxLength })
  }
}

function objectOf(schema: Schema, names: Known): Arbitrary<Record<string, unknown>> {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>
  const required = (schema['required'] ?? []) as string[]
  const named = record(
    Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, keepingTo(each, names, name)])),
    { requiredKeys: required.filter((name) => Object.hasOwn(properties, name)) },
  ) as Arbitrary<Record<string, unknown>>
  const others = schema['additionalProperties']
  if (typeof others !== 'object' || others === null) return named
  return tuple(named, dictionary(hostileText, keepingTo(others as Schema, names, ''), { maxKeys: 3 })).map(([own, more]) => ({
    ...more,
    ...own,
  }))
}

/** One part of it is something else, missing, or too many. */
function nearly(valid: Arbitrary<unknown>): Arbitrary<unknown> {
  return tuple(valid, integer({ min: 0, max: 1000 }), constantFrom('other', 'none', 'more'), hostileText, hostileValue).map(
    ([value, which, how, name, other]) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return other
      const keys = Object.keys(value)
      const key = how === 'more' || keys.length === 0 ? name : (keys[which % keys.length] ?? name)
      const entries = Object.entries(value).filter(([each]) => each !== key)
      return Object.fromEntries(how === 'none' ? entries : [...entries, [key, other]])
    },
  )
}

function bodyOf(schema: Schema | null, names: Known): Arbitrary<string | null> {
  const raw = constantFrom(...hostileBodies)
  if (schema === null)
    return oneof(
      { weight: 6, arbitrary: constant(null) },
      { weight: 1, arbitrary: raw },
      { weight: 1, arbitrary: constant('{}') },
    )
  const valid = keepingTo(schema, names, '')
  return oneof(
    { weight: 8, arbitrary: valid.map((value) => JSON.stringify(value)) },
    { weight: 8, arbitrary: nearly(valid).map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: hostileValue.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: raw },
  )
}

/** Every two parts of a body that are not asked for, each with what its schema lets through, beside those that are. */
export function pairsOf(operation: Operation, names: Known): readonly Arbitrary<string>[] {
  const { properties, required = [] } = (operation.body ?? {}) as {
    readonly properties?: Readonly<Record<string, Schema>>
    readonly required?: readonly string[]
  }
  if (properties === undefined) return []
  const valid = (chosen: readonly string[]) =>
    record(Object.fromEntries(chosen.map((name) => [name, keepingTo(properties[name] ?? {}, names, name)]))).map((body) =>
      JSON.stringify(body),
    )
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  const pairs = optional.flatMap((one, i) => optional.slice(i + 1).map((other) => [...required, one, other]))
  return pairs.map(valid)
}

/** Header values are octets from 0x20 (RFC 9110 §5.5): what cannot be sent is not tried. */
const inHeader = hostileText.map((text) =>
  Array.from(text, (letter) => (/^[\t\u0020-\u007e\u0080-\u00ff]$/.test(letter) ? letter : '?'))
    .join('')
    .slice(0, 4000),
)

/** Of one call: mostly what it may be asked, with one thing wrong or everything. */
export function requestOf(operation: Operation, names: Known): Arbitrary<Request> {
  const inPlace = (place: string) => operation.parameters.filter((each) => each.in === place)
  const text = (schema: Schema, name: string) =>
    oneof(
      { weight: 7, arbitrary: keepingTo(schema, names, name).map(String) },
      { weight: 2, arbitrary: hostileText },
      { weight: 1, arbitrary: bigInt().map(String) },
    )
  const params = record(Object.fromEntries(inPlace('path').map(({ name, schema }) => [name, text(schema, name)])))
  const query = record(Object.fromEntries(inPlace('query').map(({ name, schema }) => [name, text(schema, name)])), {
    requiredKeys: inPlace('query').flatMap(({ name, required }) => (required === true ? [name] : [])),
  }) as Arbitrary<Record<string, string>>
  const more = oneof(
    { weight: 8, arbitrary: constant([]) },
    { weight: 1, arbitrary: array(tuple(hostileText, hostileText), { maxLength: 3 }) },
  )
  const headers = oneof(
    { weight: 8, arbitrary: constant({}) },
    {
      weight: 2,
      arbitrary: dictionary(
        constantFrom(
          'accept-language',
          'authorization',
          'content-type',
          'cookie',
          'if-none-match',
          'last-event-id',
          'origin',
          'range',
          'user-agent',
          'x-delegation',
          'x-evidence-token',
          'x-request-id',
        ),
        inHeader,
        { maxKeys: 3 },
      ),
    },
  )
  return tuple(
    params,
    query,
    more,
    operation.takesFile ? constantFrom(...hostileFiles) : bodyOf(operation.body, names),
    headers,
  ).map(([path, asked, extra, body, sent]) => ({
    params: path,
    query: [...Object.entries(asked), ...extra],
    body,
    headers: sent,
  }))
}
