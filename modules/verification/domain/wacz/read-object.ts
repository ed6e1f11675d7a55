import type { Readable } from '../file/readable.ts'
import { ifReadable } from '../zip/if-readable.ts'
import { readEntry } from '../zip/read-any-zip.ts'
import type { AnyZip } from '../zip/read-any-zip.ts'

export type JsonObject = Readonly<Record<string, unknown>>

const largestJson = 16 << 20

/** The JSON object in an entry and its octets, or why there is none. */
export async function readObject(
  file: Readable,
  zip: AnyZip,
  name: string,
): Promise<{ readonly bytes: Uint8Array; readonly found: JsonObject } | 'missing' | 'unpackable' | 'malformed'> {
  const entry = zip.entries.find(({ path }) => path === name)
  if (entry === undefined) return 'missing'
  const bytes = await ifReadable(readEntry(file, entry, largestJson))
  if (bytes === undefined) return 'unpackable'
  const found = objectIn(bytes)
  return found === undefined ? 'malformed' : { bytes, found }
}

function objectIn(bytes: Uint8Array): JsonObject | undefined {
  try {
    return asObject(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    return undefined
  }
}

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
}
