import { equalBytes, fromHex, toHex } from '../../../../kernel/bytes.ts'
import { malformed } from '../encoding/der.ts'
import { applyOperation, longestMessage, tags } from './operation.ts'
import type { Operation } from './operation.ts'
import { attestationTags, canonicalTree, fileHashes } from './tree.ts'
import type { Attestation, DetachedTimestamp, FileHash, TimestampBranch, TimestampTree } from './tree.ts'

/** `\0OpenTimestamps\0\0Proof\0` and eight octets that no text has. */
export const otsMagic = fromHex('004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e89294')
export const otsVersion = 1

/**
 * Bounds of python-opentimestamps, and two of ours: it puts none on the number of operations, each of which may hash 4096 octets.
 * A proof of ten calendars has some five hundred operations in ten kilobytes.
 */
export const otsBounds = { bytes: 1 << 20, depth: 256, operations: 10_000, payload: 8192, uri: 1000 } as const

/** Why octets are no such proof; each has words. */
export const otsReasons = [
  'magic',
  'version',
  'file_hash',
  'truncated',
  'trailing',
  'operation',
  'message_length',
  'too_deep',
  'too_many',
  'too_large',
  'length',
  'number',
  'uri',
] as const

const digestLengths: Readonly<Record<FileHash, number>> = { sha1: 20, ripemd160: 20, sha256: 32, keccak256: 32 }
const operationOf = new Map(Object.entries(tags).map(([op, tag]) => [tag, op as Operation['op']]))

/** @throws MalformedError whose message is a reason: one of `otsReasons` */
export function readOts(bytes: Uint8Array): DetachedTimestamp {
  const cursor = cursorOver(bytes)
  if (bytes.length < otsMagic.length || !equalBytes(bytes.subarray(0, otsMagic.length), otsMagic)) malformed('magic')
  cursor.take(otsMagic.length)
  if (cursor.number() !== otsVersion) malformed('version')
  const named = operationOf.get(cursor.octet())
  const hash = fileHashes.find((each) => each === named) ?? malformed('file_hash')
  const tree = readTree(cursor, cursor.take(digestLengths[hash]).slice(), otsBounds.depth)
  cursor.end()
  return { hash, tree }
}

/** The tree of `message` alone, as a calendar answers it. @throws MalformedError as `readOts`. */
export function readTimestamp(bytes: Uint8Array, message: Uint8Array): TimestampTree {
  const cursor = cursorOver(bytes)
  const tree = readTree(cursor, message, otsBounds.depth)
  cursor.end()
  return tree
}

function readTree(cursor: Cursor, message: Uint8Array, depth: number): TimestampTree {
  if (depth === 0) malformed('too_deep')
  const attestations: Attestation[] = []
  const branches: TimestampBranch[] = []
  for (let last = false; !last;) {
    let tag = cursor.octet()
    last = tag !== 0xff
    if (!last) tag = cursor.octet()
    cursor.count()
    if (tag === 0) {
      attestations.push(readAttestation(cursor))
      continue
    }
    const operation = readOperation(cursor, tag)
    branches.push({ operation, next: readTree(cursor, applyOperation(operation, message), depth - 1) })
  }
  return canonicalTree(message, attestations, branches)
}

function readOperation(cursor: Cursor, tag: number): Operation {
  const op = operationOf.get(tag) ?? malformed('operation')
  if (op !== 'append' && op !== 'prepend') return { op }
  const data = cursor.sized(longestMessage).slice()
  return data.length === 0 ? malformed('operation') : { op, data }
}

function readAttestation(cursor: Cursor): Attestation {
  const tag = cursor.take(8).slice()
  const payload = cursor.sized(otsBounds.payload).slice()
  const inner = cursorOver(payload)
  const name = toHex(tag)
  const kind = (['pending', 'bitcoin', 'litecoin'] as const).find((each) => attestationTags[each] === name)
  if (kind === undefined) return { kind: 'unknown', tag, payload }
  if (kind !== 'pending') {
    const height = inner.number()
    inner.end()
    return { kind, height }
  }
  const uri = inner.sized(otsBounds.uri)
  inner.end()
  const text = String.fromCharCode(...uri)
  return isCalendarUri(text) ? { kind, uri: text } : malformed('uri')
}

/** Upstream leaves out what queries, fragments, logins and escapes need (`PendingAttestation.ALLOWED_URI_CHARS`). */
export function isCalendarUri(uri: string): boolean {
  return uri.length <= otsBounds.uri && /^[A-Za-z0-9\-._/:]*$/.test(uri)
}

type Cursor = {
  octet(): number
  take(length: number): Uint8Array
  /** LEB128, unsigned, up to 2⁵³ − 1. */
  number(): number
  /** A length and that many octets. */
  sized(most: number): Uint8Array
  /** Counts an operation or an attestation. */
  count(): void
  end(): void
}

function cursorOver(bytes: Uint8Array): Cursor {
  if (bytes.length > otsBounds.bytes) malformed('too_large')
  let at = 0
  let counted = 0
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - at) malformed('truncated')
    at += length
    return bytes.subarray(at - length, at)
  }
  const octet = (): number => take(1)[0] as number
  const number = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const digit = octet()
      value += (digit & 0x7f) * scale
      if (value > Number.MAX_SAFE_INTEGER || scale > 2 ** 56) malformed('number')
      if (digit < 0x80) return value
    }
  }
  return {
    octet,
    take,
    number,
    sized: (most) => {
      const length = number()
      return length > most ? malformed('length') : take(length)
    },
    count: () => {
      counted += 1
      if (counted > otsBounds.operations) malformed('too_many')
    },
    end: () => {
      if (at !== bytes.length) malformed('trailing')
    },
  }
}
