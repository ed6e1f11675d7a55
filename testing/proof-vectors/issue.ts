import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { concatBytes, fromHex, utf8 } from '../../kernel/bytes.ts'
import {
  bitString,
  booleanTrue,
  contextConstructed,
  contextPrimitive,
  generalizedTime,
  integer,
  namedBits,
  objectIdentifier,
  octetString,
  retag,
  sequence,
  setOf,
  time,
  utf8String,
} from '../../modules/sealing/server/encoding/write-der.ts'

/**
 * Certificates, CMS signatures and time stamps that are right, or wrong in one way that is told: the makers of the vectors beside
 * the verifiers.
 */
export type Issued = { readonly der: Uint8Array; readonly subject: Uint8Array; readonly key: KeyObject; readonly serial: number }

export const oid = objectIdentifier
const ecdsaSha256 = sequence(oid('1.2.840.10045.4.3.2'))
const rsaSha256 = sequence(oid('1.2.840.113549.1.1.11'), fromHex('0500'))
export const sha256Id = sequence(oid('2.16.840.1.101.3.4.2.1'))
const sha512Id = sequence(oid('2.16.840.1.101.3.4.2.3'))
export const day = (text: string): Date => new Date(`${text}T00:00:00Z`)

/** A P-256 key from a secret number. */
export function keyOf(secret: number): KeyObject {
  const d = Buffer.alloc(32)
  d.writeUInt32BE(0x50726f62, 0)
  d.writeUInt32BE(secret, 28)
  const sec1 = sequence(integer(1), octetString(d), contextConstructed(0, oid('1.2.840.10045.3.1.7')))
  return createPrivateKey({ key: Buffer.from(sec1), format: 'der', type: 'sec1' })
}

export const nameOf = (text: string): Uint8Array =>
  sequence(setOf([sequence(oid('2.5.4.10'), utf8String('Vectors'))]), setOf([sequence(oid('2.5.4.3'), utf8String(text))]))

export function signed(message: Uint8Array, key: KeyObject): Uint8Array {
  return sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', message, key)
}

function algorithmOf(key: KeyObject): Uint8Array {
  if (key.asymmetricKeyType === 'ed25519') return sequence(oid('1.3.101.112'))
  return key.asymmetricKeyType === 'rsa' ? rsaSha256 : ecdsaSha256
}

export const extension = (id: string, value: Uint8Array, critical = false): Uint8Array =>
  critical ? sequence(oid(id), booleanTrue(), octetString(value)) : sequence(oid(id), octetString(value))

export type CertificateOptions = {
  readonly name: string
  readonly serial: number
  readonly key: KeyObject
  readonly from?: Date
  readonly until?: Date
  readonly authority?: boolean | { readonly pathLength: number }
  readonly usage?: readonly number[]
  readonly purposes?: readonly string[]
  readonly purposesCritical?: boolean
  readonly extensions?: readonly Uint8Array[]
  /** As authorities wrote them before RFC 3280: no version and no extensions, and other types of string, number and time. */
  readonly isFirstVersion?: boolean
  readonly subject?: Uint8Array
  readonly serialElement?: Uint8Array
  readonly times?: readonly [Uint8Array, Uint8Array]
}

export const timeStamping = '1.3.6.1.5.5.7.3.8'

/** @param issuer undefined: signed by itself. */
export function certificate(options: CertificateOptions, issuer?: Issued): Issued {
  const { name, serial, key, authority = false } = options
  const subject = options.subject ?? nameOf(name)
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  const extensions: Uint8Array[] = []
  if (authority !== false)
    extensions.push(
      extension('2.5.29.19', sequence(booleanTrue(), ...(authority === true ? [] : [integer(authority.pathLength)])), true),
    )
  extensions.push(extension('2.5.29.15', namedBits(options.usage ?? (authority === false ? [0] : [5, 6])), true))
  const { purposes } = options
  if (purposes !== undefined)
    extensions.push(extension('2.5.29.37', sequence(...purposes.map(oid)), options.purposesCritical ?? true))
  extensions.push(...(options.extensions ?? []))
  const signer = issuer?.key ?? key
  const tbs = sequence(
    ...(options.isFirstVersion === true ? [] : [contextConstructed(0, integer(2))]),
    options.serialElement ?? integer(serial),
    algorithmOf(signer),
    issuer?.subject ?? subject,
    sequence(...(options.times ?? [time(options.from ?? day('2025-01-01')), time(options.until ?? day('2035-01-01'))])),
    subject,
    spki,
    ...(options.isFirstVersion === true ? [] : [contextConstructed(3, sequence(...extensions))]),
  )
  return { der: sequence(tbs, algorithmOf(signer), bitString(signed(tbs, signer))), subject, key, serial }
}

/** A certificate that issues others, in force for twenty years. */
export const authority = (
  name: string,
  key: KeyObject,
  serial: number,
  options: Partial<CertificateOptions> = {},
  issuer?: Issued,
): Issued =>
  certificate({ name, serial, key, authority: true, from: day('2020-01-01'), until: day('2040-01-01'), ...options }, issuer)

export const rsaKey = (modulusLength: 1024 | 2048): KeyObject => generateKeyPairSync('rsa', { modulusLength }).privateKey

export function revocationList(
  issuer: Issued,
  revoked: readonly { serial: number; at: Date; reason?: number }[],
  at: Date,
): Uint8Array {
  const entries = revoked.map(({ serial, at: since, reason }) =>
    sequence(
      integer(serial),
      time(since),
      ...(reason === undefined ? [] : [sequence(extension('2.5.29.21', Uint8Array.of(0x0a, 1, reason)))]),
    ),
  )
  const tbs = sequence(
    integer(1),
    algorithmOf(issuer.key),
    issuer.subject,
    time(at),
    time(new Date(at.getTime() + 30 * 86_400_000)),
    ...(entries.length === 0 ? [] : [sequence(Buffer.concat(entries))]),
  )
  return sequence(tbs, algorithmOf(issuer.key), bitString(signed(tbs, issuer.key)))
}

/** An answer about a certificate, that it is good (RFC 6960 §4.2): of its issuer's own, or of a responder. */
export function ocspResponse(
  issuer: Issued,
  serial: number,
  at: Date,
  options: { readonly nonce?: Uint8Array | undefined; readonly responder?: Issued } = {},
): Uint8Array {
  const { nonce, responder } = options
  const { key: signing, subject } = responder ?? issuer
  const { x = '', y = '' } = createPublicKey(issuer.key).export({ format: 'jwk' })
  const key = concatBytes(Uint8Array.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url'))
  const about = sequence(sha256Id, octetString(digestOf(issuer.subject)), octetString(digestOf(key)), integer(serial))
  const data = sequence(
    contextConstructed(1, subject),
    generalizedTime(at),
    sequence(sequence(about, contextPrimitive(0, new Uint8Array()), generalizedTime(at))),
    ...(nonce === undefined ? [] : [contextConstructed(1, sequence(extension('1.3.6.1.5.5.7.48.1.2', nonce)))]),
  )
  const certificates = responder === undefined ? [] : [contextConstructed(0, sequence(responder.der))]
  const basic = sequence(data, algorithmOf(signing), bitString(signed(data, signing)), ...certificates)
  const bytes = sequence(oid('1.3.6.1.5.5.7.48.1.1'), octetString(basic))
  return sequence(Uint8Array.of(0x0a, 1, 0), contextConstructed(0, bytes))
}

export const digestOf = (bytes: Uint8Array, algorithm = 'sha256'): Uint8Array => createHash(algorithm).update(bytes).digest()

export const attribute = (id: string, ...values: readonly Uint8Array[]): Uint8Array => sequence(oid(id), setOf(values))

export type SignatureOptions = {
  readonly contentType: string
  readonly content: Uint8Array
  readonly signer: Issued
  readonly issuer: Uint8Array
  readonly detached?: boolean
  readonly certificates?: readonly Uint8Array[]
  readonly crls?: readonly Uint8Array[]
  readonly statedType?: string
  readonly statedDigest?: Uint8Array
  /** The certificate that the signature names; null: none. */
  readonly names?: Uint8Array | null
  readonly attributes?: readonly Uint8Array[]
  readonly unsigned?: readonly Uint8Array[]
  readonly version?: number
  /** The serial number in the signer's identifier, when the certificate writes it otherwise. */
  readonly serialElement?: Uint8Array
  /** The order in which attributes are sent, and what is signed of them: as they are sent, or as DER has them (RFC 5652 §5.4). */
  readonly unsorted?: 'signed as sent' | 'signed sorted'
  readonly digestAlgorithms?: readonly Uint8Array[]
  readonly signatureAlgorithm?: Uint8Array
  readonly signers?: 1 | 2
  readonly alter?: (signature: Uint8Array) => Uint8Array
}

/** A signature of which one bit is another. */
export const falsified = (bytes: Uint8Array): Uint8Array => bytes.with(bytes.length - 3, (bytes.at(-3) ?? 0) ^ 1)

export const data = '1.2.840.113549.1.7.1'
export const tstInfo = '1.2.840.113549.1.9.16.1.4'

/** CMS SignedData of one signer. */
export function signedData(options: SignatureOptions): Uint8Array {
  const { contentType, content, signer } = options
  const { names = signer.der } = options
  // RFC 8419 §2.3: SHA-512 goes with Ed25519.
  const digest = signer.key.asymmetricKeyType === 'ed25519' ? { name: 'sha512', id: sha512Id } : { name: 'sha256', id: sha256Id }
  const attributes = setOf([
    attribute('1.2.840.113549.1.9.3', oid(options.statedType ?? contentType)),
    attribute('1.2.840.113549.1.9.4', octetString(options.statedDigest ?? digestOf(content, digest.name))),
    ...(names === null
      ? []
      : [attribute('1.2.840.113549.1.9.16.2.47', sequence(sequence(sequence(octetString(digestOf(names))))))]),
    ...(options.attributes ?? []),
  ])
  const set = options.unsorted === undefined ? attributes : reversed(attributes)
  const value = signed(options.unsorted === 'signed as sent' ? set : attributes, signer.key)
  const info = sequence(
    integer(1),
    sequence(options.issuer, options.serialElement ?? integer(signer.serial)),
    digest.id,
    retag(set, 0xa0),
    options.signatureAlgorithm ?? algorithmOf(signer.key),
    octetString(options.alter?.(value) ?? value),
    ...(options.unsigned === undefined ? [] : [retag(setOf(options.unsigned), 0xa1)]),
  )
  const certificates = options.certificates ?? [signer.der]
  const encapsulated =
    options.detached === true
      ? sequence(oid(contentType))
      : sequence(oid(contentType), contextConstructed(0, octetString(content)))
  return sequence(
    oid('1.2.840.113549.1.7.2'),
    contextConstructed(
      0,
      sequence(
        integer(options.version ?? (contentType === data ? 1 : 3)),
        setOf(options.digestAlgorithms ?? [digest.id]),
        encapsulated,
        ...(certificates.length === 0 ? [] : [contextConstructed(0, ...certificates)]),
        ...(options.crls === undefined ? [] : [contextConstructed(1, ...options.crls)]),
        setOf(options.signers === 2 ? [info, info] : [info]),
      ),
    ),
  )
}

/** The same SET with its members the other way round. */
function reversed(set: Uint8Array): Uint8Array {
  const members: Uint8Array[] = []
  const head = (set[1] ?? 0) < 0x80 ? 2 : 2 + ((set[1] ?? 0) & 0x7f)
  for (let at = head; at < set.length;) {
    // Each is shorter than 256 octets: one octet of length, or 0x81 and one.
    const size = (set[at + 1] ?? 0) < 0x80 ? 2 + (set[at + 1] ?? 0) : 3 + (set[at + 2] ?? 0)
    members.unshift(set.subarray(at, at + size))
    at += size
  }
  return concatBytes(set.subarray(0, head), ...members)
}

export type StampOptions = {
  readonly digest: Uint8Array
  readonly algorithm?: string
  readonly version?: number
  readonly genTime?: Date
  /** null: no precision is stated. */
  readonly millis?: number | null
  readonly nonce?: number
  readonly authority?: Uint8Array
  readonly extension?: Uint8Array
}

/** TSTInfo of RFC 3161 §2.4.2. */
export function stampInfo(options: StampOptions): Uint8Array {
  const { millis = 500 } = options
  return sequence(
    integer(options.version ?? 1),
    oid('1.3.6.1.4.1.99999.1'),
    sequence(sequence(oid(options.algorithm ?? '2.16.840.1.101.3.4.2.1'), fromHex('0500')), octetString(options.digest)),
    integer(4711),
    generalizedTime(options.genTime ?? new Date('2026-06-01T10:00:00Z')),
    ...(millis === null ? [] : [sequence(integer(1), contextPrimitive(0, integer(millis).subarray(2)))]),
    ...(options.nonce === undefined ? [] : [integer(options.nonce)]),
    ...(options.authority === undefined ? [] : [contextConstructed(0, contextConstructed(4, options.authority))]),
    ...(options.extension === undefined ? [] : [contextConstructed(1, options.extension)]),
  )
}

export function response(token: Uint8Array | undefined, status = 0, text?: string, failure?: number): Uint8Array {
  return sequence(
    sequence(
      integer(status),
      ...(text === undefined ? [] : [sequence(utf8String(text))]),
      ...(failure === undefined ? [] : [namedBits([failure])]),
    ),
    ...(token === undefined ? [] : [token]),
  )
}

/** The same element with an indefinite length (X.690 §8.1.3.6): what follows the definite one is kept. */
export function indefinite(encoded: Uint8Array): Uint8Array {
  const first = encoded[1] ?? 0
  const head = first < 0x80 ? 2 : 2 + (first & 0x7f)
  return concatBytes(encoded.subarray(0, 1), Uint8Array.of(0x80), encoded.subarray(head), Uint8Array.of(0, 0))
}

export const pem = (label: string, der: Uint8Array): Uint8Array =>
  utf8(
    `-----BEGIN ${label}-----\n${Buffer.from(der)
      .toString('base64')
      .replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END ${label}-----\n`,
  )

/**
 * Certificates that all bear the same name and say that any of them issued any other, with keys as large and exponents as long as
 * are read: what it costs most to find out is false.
 */
export function crowd(count: number): Uint8Array[] {
  const subject = nameOf('Crowd')
  return Array.from({ length: count }, (_, i) => {
    const modulus = Uint8Array.from({ length: 1024 }, (_, at) => (at === 0 ? 0xff : (i * 31 + at * 7) & 0xff)).fill(0x35, 1023)
    const key = sequence(integer(modulus), integer(Uint8Array.of(0xff, 0xff, 0xff, 0xff)))
    const tbs = sequence(
      contextConstructed(0, integer(2)),
      integer(1000 + i),
      rsaSha256,
      subject,
      sequence(time(day('2025-01-01')), time(day('2035-01-01'))),
      subject,
      sequence(sequence(oid('1.2.840.113549.1.1.1'), fromHex('0500')), bitString(key)),
      contextConstructed(3, sequence(extension('2.5.29.19', sequence(booleanTrue()), true))),
    )
    return sequence(tbs, rsaSha256, bitString(new Uint8Array(1024).fill(0x11)))
  })
}
