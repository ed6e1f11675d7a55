/**
 * `capture/rolling-hash.json`: what was dated while the session ran (docs/package-format.md, decision 0125). Written by the
 * witness and read by the verifier from these types.
 */
import { canonicalJson, parseCanonicalJson, type Json } from '../../encoding/canonical-json.ts'

export const sessionRecordPath = 'capture/rolling-hash.json'
export const sessionRecordFormat = 'probant-session/1'
export const checkpointFormat = 'probant-checkpoint/1'

/** What a token of the session dates: the SHA-256 of the canonical JSON (RFC 8785) of this. */
export type CheckpointStatement = {
  readonly format: typeof checkpointFormat
  readonly evidence_id: string
  readonly requested_url: string
  /** 32 random octets of the session, hexadecimal: nobody could have had this dated before it began. */
  readonly session: string
  /** From 1. */
  readonly index: number
  readonly reason: 'start' | 'screenshot' | 'end'
  /** The witness's clock, ISO 8601 UTC with milliseconds. */
  readonly at: string
  /** The rolling hash (decision 0022) after `bytes` octets of payload. */
  readonly bytes: number
  readonly rolling_hash: string
  /** Images taken since the checkpoint before. */
  readonly images: readonly { readonly path: string; readonly sha256: string }[]
  /** Of an interactive session alone: its timeline so far (`capture/timeline.jsonl`). The last statement covers all of it. */
  readonly timeline?: TimelineHead
  /** Digest of the statement before; null for the first. */
  readonly previous: string | null
}

/** `head`: hexadecimal SHA-256 of line number `entries` (from 1), without its line feed; null before the first. */
export type TimelineHead = { readonly entries: number; readonly head: string | null }

export type Checkpoint = {
  readonly statement: CheckpointStatement
  /** Digest of the statement, which the token dates. */
  readonly sha256: string
  /** Paths of the pieces; null when no authority answered. */
  readonly token: string | null
  readonly ca: string | null
  /** Code of the reason why there is no token. */
  readonly error: string | null
}

export type SessionRecord = {
  readonly format: typeof sessionRecordFormat
  /** The recording whose payload is hashed. */
  readonly pcap: string
  readonly checkpoints: readonly Checkpoint[]
}

export function writeSessionRecord(record: SessionRecord): string {
  return canonicalJson(record)
}

export function writeStatement(statement: CheckpointStatement): string {
  return canonicalJson(statement)
}

/** More than a capture ever makes. */
const mostCheckpoints = 1000

/** @throws RangeError saying what is wrong; nothing is read that the format does not have. */
export function readSessionRecord(bytes: Uint8Array): SessionRecord {
  const record = members(parseCanonicalJson(bytes), ['checkpoints', 'format', 'pcap'])
  if (record['format'] !== sessionRecordFormat) throw new RangeError('format')
  const checkpoints = list(record['checkpoints'], mostCheckpoints).map(readCheckpoint)
  if (checkpoints.length === 0) throw new RangeError('no checkpoint')
  return { format: sessionRecordFormat, pcap: piecePath(record['pcap']), checkpoints }
}

function readCheckpoint(value: Json): Checkpoint {
  const found = members(value, ['ca', 'error', 'sha256', 'statement', 'token'])
  const [token, ca, error] = [found['token'], found['ca'], found['error']]
  if ((token === null) !== (ca === null) || (token === null) === (error === null)) throw new RangeError('token or error')
  return {
    statement: readStatement(found['statement'] ?? null),
    sha256: digest(found['sha256']),
    token: token === null ? null : piecePath(token),
    ca: ca === null ? null : piecePath(ca),
    error: error === null ? null : text(error),
  }
}

function readStatement(value: Json): CheckpointStatement {
  const timeline = typeof value === 'object' && value !== null && Object.hasOwn(value, 'timeline')
  const found = members(value, [
    ...(timeline ? ['timeline'] : []),
    'at',
    'bytes',
    'evidence_id',
    'format',
    'images',
    'index',
    'previous',
    'reason',
    'requested_url',
    'rolling_hash',
    'session',
  ])
  const { reason, previous } = found
  if (found['format'] !== checkpointFormat) throw new RangeError('format')
  if (reason !== 'start' && reason !== 'screenshot' && reason !== 'end') throw new RangeError('reason')
  return {
    format: checkpointFormat,
    evidence_id: text(found['evidence_id']),
    requested_url: text(found['requested_url']),
    session: digest(found['session']),
    index: count(found['index']),
    reason,
    at: instant(found['at']),
    bytes: count(found['bytes']),
    rolling_hash: digest(found['rolling_hash']),
    images: list(found['images'], mostCheckpoints).map((each) => {
      const image = members(each, ['path', 'sha256'])
      return { path: piecePath(image['path']), sha256: digest(image['sha256']) }
    }),
    ...(timeline ? { timeline: readTimelineHead(found['timeline'] ?? null) } : {}),
    previous: previous === null ? null : digest(previous),
  }
}

function readTimelineHead(value: Json): TimelineHead {
  const { entries, head } = members(value, ['entries', 'head'])
  const read = { entries: count(entries), head: head === null ? null : digest(head) }
  if ((read.head === null) !== (read.entries === 0)) throw new RangeError('head without entries')
  return read
}

function members(value: Json, names: readonly string[]): Readonly<Record<string, Json>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new RangeError('not an object')
  const found = value as Readonly<Record<string, Json>>
  const keys = Object.keys(found)
  if (keys.length !== names.length || !names.every((name) => Object.hasOwn(found, name))) throw new RangeError('members')
  return found
}

function list(value: Json | undefined, most: number): readonly Json[] {
  if (!Array.isArray(value) || value.length > most) throw new RangeError('not a list')
  return value as readonly Json[]
}

function text(value: Json | undefined): string {
  if (typeof value !== 'string' || value === '' || value.length > 65_536) throw new RangeError('not a text')
  return value
}

function digest(value: Json | undefined): string {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value)) throw new RangeError('not a digest')
  return value
}

function count(value: Json | undefined): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw new RangeError('not a count')
  return value
}

function piecePath(value: Json | undefined): string {
  if (typeof value !== 'string' || !/^capture\/[A-Za-z0-9._/-]{1,500}$/.test(value)) throw new RangeError('not a piece')
  return value
}

function instant(value: Json | undefined): string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) || Number.isNaN(Date.parse(value)))
    throw new RangeError('not an instant')
  return value
}
