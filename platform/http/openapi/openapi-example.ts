import { z } from 'zod'

/** A JSON schema (draft 2020-12) as zod writes it. */
export type JsonSchema = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const numberOf = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise)

/** Texts of the forms that contracts ask for; the first that a schema admits is its example. */
const texts: readonly string[] = [
  'Example',
  'example',
  '2026-01-15',
  '2026-01-15T09:30:00.000Z',
  '0197f0a2-6c1e-7d3b-9a54-3f2b8c1d0e6f',
  'jeanne.martin@example.org',
  'https://example.org/',
  '123456',
  'FR',
  'fr',
  'ab'.repeat(32),
  'ab'.repeat(64),
  'ab'.repeat(80),
  'a'.repeat(43),
  'AAAAAAAAAAAAAAAAAAAAAA==',
]
const textOfFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T09:30:00.000Z',
  date: '2026-01-15',
  email: 'jeanne.martin@example.org',
  uri: 'https://example.org/',
  uuid: '0197f0a2-6c1e-7d3b-9a54-3f2b8c1d0e6f',
}

function textOf(schema: JsonSchema, named: unknown): string {
  const { pattern, format } = schema
  const [shortest, longest] = [numberOf(schema['minLength'], 0), numberOf(schema['maxLength'], Infinity)]
  const form = typeof pattern === 'string' ? new RegExp(pattern, 'u') : null
  const first = [named, typeof format === 'string' ? textOfFormat[format] : undefined].filter((each) => typeof each === 'string')
  const fits = (text: string) => text.length >= shortest && text.length <= longest && (form === null || form.test(text))
  return [...first, ...texts, 'x'.repeat(Math.min(Math.max(shortest, 1), longest))].find(fits) ?? 'Example'
}

function numeric(schema: JsonSchema, named: unknown): number {
  const least = Math.max(numberOf(schema['minimum'], 0), numberOf(schema['exclusiveMinimum'], -Infinity) + 1)
  const most = Math.min(numberOf(schema['maximum'], Infinity), numberOf(schema['exclusiveMaximum'], Infinity) - 1)
  const usual = typeof named === 'number' ? named : 1
  return usual >= least && usual <= most ? usual : least <= most ? least : most
}

export type ExampleOptions = {
  /** Values by the names of properties; each is taken where its schema admits it. */
  readonly named: Readonly<Record<string, unknown>>
  /** Which of the properties that may be absent are there. */
  readonly keeps: (property: string, depth: number) => boolean
}

/** A value of that schema, the same each time: what it says itself, else the first alternative that is not null. */
export function exampleOfSchema(schema: unknown, options: ExampleOptions, name = '', depth = 0): unknown {
  if (!isObject(schema)) return options.named[name] ?? 'Example'
  if ('const' in schema) return schema['const']
  const said = listOf(schema['examples'])[0] ?? schema['default']
  if (said !== undefined) return said
  const named = Object.hasOwn(options.named, name) ? options.named[name] : undefined
  const among = listOf(schema['enum'])
  if (among.length > 0) return among.includes(named) ? named : among[0]
  const alternatives = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].filter(isObject)
  const chosen = alternatives.find(({ type }) => type !== 'null') ?? alternatives[0]
  if (chosen !== undefined)
    return exampleOfSchema({ ...schema, anyOf: undefined, oneOf: undefined, ...chosen }, options, name, depth)
  const type = listOf(schema['type']).find((each) => each !== 'null') ?? schema['type']
  switch (type) {
    case 'object':
      return exampleOfObject(schema, options, depth)
    case 'array': {
      const items = [...listOf(schema['prefixItems'])]
      if (items.length > 0) return items.map((each) => exampleOfSchema(each, options, name, depth + 1))
      const length = Math.min(Math.max(numberOf(schema['minItems'], 0), 1), numberOf(schema['maxItems'], 1))
      return Array.from({ length }, () => exampleOfSchema(schema['items'], options, name, depth + 1))
    }
    case 'string':
      return textOf(schema, named)
    case 'integer':
    case 'number':
      return numeric(schema, named)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return named ?? 'Example'
  }
}

function exampleOfObject(schema: JsonSchema, options: ExampleOptions, depth: number): Record<string, unknown> {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required = listOf(schema['required'])
  const kept = Object.entries(properties).filter(([key]) => required.includes(key) || options.keeps(key, depth))
  const value = Object.fromEntries(kept.map(([key, each]) => [key, exampleOfSchema(each, options, key, depth + 1)]))
  const others = schema['additionalProperties']
  if (!isObject(others) || Object.keys(properties).length > 0) return value
  // A record: with each key that it must have, else with one.
  const keys =
    required.length > 0 ? required : [exampleOfSchema(schema['propertyNames'] ?? { type: 'string' }, options, '', depth)]
  return Object.fromEntries(keys.map((key) => [String(key), exampleOfSchema(others, options, String(key), depth + 1)]))
}

/**
 * The fullest example that the contract itself admits: rules between fields say which may stand together, and no JSON schema knows them.
 * @param direction `input`: as it is sent to us; `output`: as we write it
 * @returns undefined when none was found
 */
export function exampleOf(
  contract: z.ZodType,
  schema: unknown,
  direction: 'input' | 'output',
  named: ExampleOptions['named'],
): { readonly value: unknown } | undefined {
  const optional = isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : []
  const keeps: ExampleOptions['keeps'][] = [
    () => true,
    (_, depth) => depth > 0,
    () => false,
    ...optional.map(
      (key): ExampleOptions['keeps'] =>
        (property, depth) =>
          depth > 0 || property === key,
    ),
    ...optional.map(
      (key): ExampleOptions['keeps'] =>
        (property, depth) =>
          depth === 0 && property === key,
    ),
    ...optional.map(
      (key): ExampleOptions['keeps'] =>
        (property, depth) =>
          depth > 0 || property !== key,
    ),
  ]
  for (const each of keeps) {
    const value = exampleOfSchema(schema, { named, keeps: each })
    if (admits(contract, value, direction)) return { value }
  }
  return undefined
}

/** Whether the server would take that value, or write it. */
export const admits = (contract: z.ZodType, value: unknown, direction: 'input' | 'output'): boolean =>
  direction === 'input' ? contract.safeParse(value).success : z.safeEncode(contract, value).success
