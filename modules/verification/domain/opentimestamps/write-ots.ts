import { concatBytes, utf8 } from '../../../../kernel/bytes.ts'
import { malformed } from '../encoding/der.ts'
import { tags } from './operation.ts'
import type { Operation } from './operation.ts'
import { isCalendarUri, otsMagic, otsVersion } from './read-ots.ts'
import { attestationTag, canonicalTree, treeOf } from './tree.ts'
import type { Attestation, DetachedTimestamp, TimestampTree } from './tree.ts'

/** The canonical octets: the same tree is always written the same way. @throws MalformedError `empty` for a tree that says nothing. */
export function writeOts({ hash, tree }: DetachedTimestamp): Uint8Array<ArrayBuffer> {
  return concatBytes(otsMagic, leb128(otsVersion), Uint8Array.of(tags[hash]), tree.message, writeTimestamp(tree))
}

/** The tree without its message, as a calendar answers it. @throws MalformedError */
export function writeTimestamp(tree: TimestampTree): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  write(tree, parts)
  return concatBytes(...parts)
}

/** The `.ots` file of a SHA-256 digest of 32 octets. @throws MalformedError */
export function buildOts(input: {
  readonly digest: Uint8Array
  readonly operations: readonly Operation[]
  /** What the end of `operations` is attested by, or how it goes on. */
  readonly end: readonly Attestation[] | TimestampTree
}): Uint8Array<ArrayBuffer> {
  if (input.digest.length !== 32) malformed('file_hash')
  return writeOts({ hash: 'sha256', tree: treeOf(input.digest, input.operations, input.end) })
}

const fork = Uint8Array.of(0xff)

function write(tree: TimestampTree, parts: Uint8Array[]): void {
  const { attestations, branches } = canonicalTree(tree.message, tree.attestations, tree.branches)
  let left = attestations.length + branches.length
  if (left === 0) malformed('empty')
  const next = () => {
    left -= 1
    if (left > 0) parts.push(fork)
  }
  for (const attestation of attestations) {
    next()
    const payload = payloadOf(attestation)
    parts.push(Uint8Array.of(0), attestationTag(attestation), leb128(payload.length), payload)
  }
  for (const { operation, next: after } of branches) {
    next()
    parts.push(Uint8Array.of(tags[operation.op]))
    if ('data' in operation) parts.push(leb128(operation.data.length), operation.data)
    write(after, parts)
  }
}

function payloadOf(attestation: Attestation): Uint8Array {
  switch (attestation.kind) {
    case 'unknown':
      return attestation.payload
    case 'pending':
      return isCalendarUri(attestation.uri)
        ? concatBytes(leb128(attestation.uri.length), utf8(attestation.uri))
        : malformed('uri')
    default:
      return leb128(attestation.height)
  }
}

function leb128(value: number): Uint8Array {
  const out: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...out, rest])
    out.push((rest % 128) | 0x80)
  }
}
