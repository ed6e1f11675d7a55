import { canonicalJson, compareCodeUnits, parseCanonicalJson } from '../encoding/canonical-json.ts'
import type { Json } from '../encoding/canonical-json.ts'
import type { PlatformKeys, PublishedKey } from './verify-deps.ts'

/**
 * The keys that the platform publishes as its own, with their history: `seal/keys.json` of a package and
 * `/.well-known/probant-keys.json` (docs/package-format.md). RFC 8785; signed by the platform's certificate.
 */
export const publishedKeysFormat = 'probant-keys/1'

export type PublishedCertificateKey = PublishedKey & {
  readonly role: 'authority' | 'signing'
  readonly purpose: 'platform' | 'time'
  /** Common name. */
  readonly subject: string
}

export type PublishedKeys = {
  readonly format: typeof publishedKeysFormat
  /** ISO 8601 UTC: the keys are those of that instant. */
  readonly issued_at: string
  /** `id` is the SHA-256 of the certificate's DER, lower-case hexadecimal. */
  readonly certificates: readonly PublishedCertificateKey[]
  /** `id` is a P2PKH address. */
  readonly bitcoin: readonly PublishedKey[]
  /** `id` is an account, `nano_…`. */
  readonly nano: readonly PublishedKey[]
  /** `id` is a verifier key of C2SP signed-note. */
  readonly log: readonly PublishedKey[]
  readonly witnesses: readonly PublishedKey[]
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const longestList = 1000

/** @throws RangeError on anything but the canonical form of exactly these members. */
export function readPublishedKeys(bytes: Uint8Array): PublishedKeys {
  const { format, issued_at, certificates, bitcoin, nano, log, witnesses } = members(parseCanonicalJson(bytes), [
    'format',
    'issued_at',
    'certificates',
    'bitcoin',
    'nano',
    'log',
    'witnesses',
  ])
  if (format !== publishedKeysFormat) throw new RangeError('not the format of published keys')
  return {
    format,
    issued_at: instantOf(issued_at),
    certificates: list(certificates).map(certificateOf),
    bitcoin: list(bitcoin).map(keyOf),
    nano: list(nano).map(keyOf),
    log: list(log).map(keyOf),
    witnesses: list(witnesses).map(keyOf),
  }
}

export function writePublishedKeys(keys: PublishedKeys): string {
  return canonicalJson(keys)
}

/** What verifiers compare with. */
export function platformKeysOf({ bitcoin, nano, log, witnesses, certificates }: PublishedKeys): PlatformKeys {
  const ids = (keys: readonly PublishedKey[]) => keys.map(({ id }) => id)
  const authorities = certificates.filter(({ role }) => role === 'authority')
  const of = (wanted: PublishedCertificateKey['purpose']) => ids(authorities.filter(({ purpose }) => purpose === wanted))
  return {
    bitcoin,
    nano,
    log: ids(log),
    witnesses: ids(witnesses),
    authorities: of('platform'),
    timeAuthorities: of('time'),
  }
}

function keyOf(value: Json): PublishedKey {
  const { id, since, until } = members(value, ['id', 'since', 'until'])
  return dated(id, since, until)
}

function certificateOf(value: Json): PublishedCertificateKey {
  const { id, since, until, role, purpose, subject } = members(value, ['id', 'since', 'until', 'role', 'purpose', 'subject'])
  if (
    (role !== 'authority' && role !== 'signing') ||
    (purpose !== 'platform' && purpose !== 'time') ||
    typeof subject !== 'string'
  )
    throw new RangeError('not a published certificate')
  const key = dated(id, since, until)
  if (!/^[0-9a-f]{64}$/.test(key.id)) throw new RangeError('not a fingerprint')
  return { ...key, role, purpose, subject }
}

function dated(id: Json | undefined, since: Json | undefined, until: Json | undefined): PublishedKey {
  if (typeof id !== 'string' || id === '' || id.length > 512) throw new RangeError('not the name of a key')
  return { id, since: instantOf(since), until: until === null ? null : instantOf(until) }
}

function instantOf(value: Json | undefined): string {
  if (typeof value !== 'string' || !instant.test(value) || Number.isNaN(Date.parse(value))) throw new RangeError('not an instant')
  return value
}

function list(value: Json | undefined): readonly Json[] {
  if (!Array.isArray(value) || value.length > longestList) throw new RangeError('not a list')
  return value as readonly Json[]
}

/** Exactly these members: whatever else a file holds would be signed unread. */
function members(value: Json, names: readonly string[]): Readonly<Record<string, Json>> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new RangeError('not an object')
  const found = Object.keys(value).toSorted(compareCodeUnits)
  const wanted = names.toSorted(compareCodeUnits)
  if (found.length !== wanted.length || found.some((name, i) => name !== wanted[i])) throw new RangeError('other members')
  return value as Readonly<Record<string, Json>>
}
