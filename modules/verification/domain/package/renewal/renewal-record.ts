import { toHex, utf8 } from '../../../../../kernel/bytes.ts'
import { canonicalJson, parseCanonicalJson } from '../../encoding/canonical-json.ts'
import type { Json } from '../../encoding/canonical-json.ts'
import { malformed } from '../../encoding/der.ts'

export const renewalFormat = 'probant-renewal/1'

/**
 * What a renewal renews (RFC 4998 §5.2): digests of the files of the seal whose stamps are to be carried on. A leaf of the public log
 * commits to it, and a time stamp over a checkpoint of that log dates it.
 */
export type RenewalRecord = {
  /** From 1. */
  readonly number: number
  /** Merkle root of the seal, lower-case hexadecimal. */
  readonly root: string
  /** By path, in the order of code units; SHA-256 in lower-case hexadecimal. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[]
}

export const mostRenewals = 99
const mostFiles = 1000
/** One small file holds it. */
export const largestRenewal = 1 << 18

export type RenewalPaths = { readonly record: string; readonly proof: string; readonly token: string; readonly chain: string }

export function renewalPaths(number: number): RenewalPaths {
  const base = `seal/renewal-${String(number)}`
  return { record: `${base}.json`, proof: `${base}-log-proof.txt`, token: `${base}.tsr`, chain: `${base}-ca.pem` }
}

const pathForm = /^seal\/renewal-([1-9]\d?)(?:\.json|-log-proof\.txt|\.tsr|-ca\.pem)$/

/** The number of the renewal that a file belongs to; null for other files. */
export function renewalOfPath(path: string): number | null {
  const number = pathForm.exec(path)?.[1]
  return number === undefined ? null : Number(number)
}

/** Bytes of `seal/renewal-N.json`, RFC 8785: the same for the same files, whenever it is written. */
export function writeRenewal({ number, root, files }: RenewalRecord): Uint8Array {
  const sorted = files.map(({ path, sha256 }) => ({ path, sha256 })).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return utf8(canonicalJson({ format: renewalFormat, number, root, files: sorted }))
}

/** @throws MalformedError */
export function readRenewal(bytes: Uint8Array): RenewalRecord {
  if (bytes.length > largestRenewal) malformed('renewal too long')
  const { format, number, root, files } = membersOf(json(bytes), 4)
  if (format !== renewalFormat || typeof number !== 'number' || !isDigest(root) || !Array.isArray(files)) malformed('renewal')
  const named: readonly Json[] = files
  if (named.length === 0 || named.length > mostFiles) malformed('files of a renewal')
  let last = ''
  const read = named.map((each) => {
    const { path, sha256 } = membersOf(each, 2)
    if (typeof path !== 'string' || path <= last || !path.startsWith('seal/') || !isDigest(sha256)) malformed('file of a renewal')
    last = path
    return { path, sha256 }
  })
  return { number, root, files: read }
}

function json(bytes: Uint8Array): Json {
  try {
    return parseCanonicalJson(bytes)
  } catch (error) {
    if (error instanceof RangeError) malformed(error.message)
    throw error
  }
}

function membersOf(value: Json | undefined, count: number): Readonly<Record<string, Json | undefined>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length !== count)
    malformed('members of a renewal')
  return value as Readonly<Record<string, Json>>
}

function isDigest(value: Json | undefined): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

export const isRoot = (record: RenewalRecord, root: Uint8Array): boolean => record.root === toHex(root)
