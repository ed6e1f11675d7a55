import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../../../../kernel/bytes.ts'
import { MalformedError } from '../encoding/der.ts'
import { listTypes, readList } from './read-list.ts'
import type { ReadList } from './read-list.ts'
import { readXml } from '../xml/read-xml.ts'
import { signatureFlaws, verifyListSignature } from './verify-list-signature.ts'

export const listFlaws = [...signatureFlaws, 'malformed', 'version', 'type', 'territory', 'signer'] as const
export type ListFlaw = (typeof listFlaws)[number]

export type OpenedList = {
  readonly list: ReadList
  /** Of the XML as received. */
  readonly sha256: string
  readonly signer: { readonly sha256: string; readonly name: string }
  readonly signedAt: string | null
}

/** Version 5 stood until 29 April 2026, version 6 since (Implementing Decision (EU) 2025/2164). */
const versions = new Set([5, 6])

/**
 * Reads a list and verifies that it is the one expected: whole under one signature, by a certificate that may sign it, of that State
 * and kind. Never throws.
 * @param signers SHA-256 of the certificates that may: those of the Official Journal, or of the pointer that led here.
 */
export function openList(
  bytes: Uint8Array,
  expected: { readonly territory?: string; readonly kind?: keyof typeof listTypes; readonly signers?: ReadonlySet<string> },
): OpenedList | ListFlaw {
  try {
    const root = readXml(bytes)
    const signature = verifyListSignature(root)
    if (typeof signature === 'string') return signature
    const { signer, signedAt } = signature
    if (expected.signers !== undefined && !expected.signers.has(signer.sha256)) return 'signer'
    const list = readList(root)
    if (!versions.has(list.version)) return 'version'
    const kinds: readonly string[] = expected.kind === undefined ? Object.values(listTypes) : [listTypes[expected.kind]]
    if (!kinds.includes(list.type)) return 'type'
    if (expected.territory !== undefined && list.territory !== expected.territory) return 'territory'
    return { list, sha256: toHex(sha256(bytes)), signer: { sha256: signer.sha256, name: signer.name }, signedAt }
  } catch (error) {
    if (error instanceof MalformedError || error instanceof RangeError) return 'malformed'
    throw error
  }
}
