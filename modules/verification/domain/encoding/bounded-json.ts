import { malformed } from './der.ts'

export const jsonBounds = { characters: 1 << 20, depth: 64, values: 50_000 } as const

/**
 * JSON of a stranger, read only once its length, nesting and number of values are known to be small.
 * @throws MalformedError `too_large`, `too_deep` or `not_json`
 */
export function readBoundedJson(text: string): unknown {
  if (text.length > jsonBounds.characters) malformed('too_large')
  let depth = 0
  let values = 0
  let quoted = false
  for (let i = 0; i < text.length; i += 1) {
    const unit = text[i]
    if (quoted) {
      if (unit === '\\') i += 1
      else if (unit === '"') quoted = false
    } else if (unit === '"') quoted = true
    else if (unit === '{' || unit === '[') {
      depth += 1
      if (depth > jsonBounds.depth) malformed('too_deep')
    } else if (unit === '}' || unit === ']') depth -= 1
    else if (unit === ',') {
      values += 1
      if (values > jsonBounds.values) malformed('too_large')
    }
  }
  try {
    return JSON.parse(text)
  } catch {
    return malformed('not_json')
  }
}

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
