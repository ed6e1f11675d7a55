import { equalBytes, fromHex, utf8 } from '../../../../kernel/bytes.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'
import { readBoundedJson } from '../encoding/bounded-json.ts'
import { malformed } from '../encoding/der.ts'
import { displayed, headerLength, readBlockHeader } from './block-header.ts'

export const anchorHeaderFormat = 'probant-anchor-header/1'

/** `seal/anchor-header.json` (docs/package-format.md). */
export type AnchorHeader = {
  readonly height: number
  /** 80 octets. */
  readonly header: Uint8Array
  /** Who gave it, by the platform's word: hostile. */
  readonly sources: readonly string[]
}

type Members = { format: string; height: number; hash: string; header: string; time: string; sources: string[] }

/** @throws MalformedError unless it is the canonical JSON of a header whose hash and time are those that it states. */
export function readAnchorHeader(bytes: Uint8Array): AnchorHeader {
  const text = new TextDecoder().decode(bytes)
  const value = readBoundedJson(text)
  if (!isHeader(value) || !equalBytes(canonicalOrNone(value), bytes)) return malformed('anchor_header_form')
  const header = fromHex(value.header)
  const read = readBlockHeader(header)
  const time = new Date(read.time * 1000).toISOString()
  if (value.hash !== displayed(read.hash) || value.time !== time) return malformed('anchor_header_form')
  return { height: value.height, header, sources: value.sources }
}

function isHeader(value: unknown): value is Members {
  if (typeof value !== 'object' || value === null) return false
  const { format, height, hash, header, time, sources, ...more } = value as Record<string, unknown>
  return (
    Object.keys(more).length === 0 &&
    format === anchorHeaderFormat &&
    typeof height === 'number' &&
    Number.isSafeInteger(height) &&
    height >= 0 &&
    typeof hash === 'string' &&
    typeof time === 'string' &&
    typeof header === 'string' &&
    new RegExp(`^[0-9a-f]{${headerLength * 2}}$`).test(header) &&
    Array.isArray(sources) &&
    sources.length > 0 &&
    sources.length <= 16 &&
    sources.every((source) => typeof source === 'string' && source.length <= 256)
  )
}

function canonicalOrNone(value: Members): Uint8Array {
  try {
    return utf8(canonicalJson(value))
  } catch {
    return new Uint8Array()
  }
}
