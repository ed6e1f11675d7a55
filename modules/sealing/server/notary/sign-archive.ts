/** `signedData` of a web archive: WACZ Signing and Verification 0.1.0 (specs.webrecorder.net/wacz-auth/0.1.0). */
import { createPrivateKey, createPublicKey, createHash, sign, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Notes } from '../../../../platform/log/log.ts'
import type { ArchiveKey } from './archive-key.ts'
import { obtainTimestamps } from '../timestamps/obtain-timestamps.ts'
import { pemOf } from '../certificates/read-certificate.ts'
import type { Timestamper } from '../timestamps/timestamper.ts'

/** Exactly the members of one of the two forms; the specification forbids others. */
export type ArchiveSignature = Readonly<Record<string, string>>

export type ArchiveSigningDeps = {
  readonly key: ArchiveKey
  /** PEM files of the operator: the domain's certificate with its issuers, leaf first, and its EC key. Read at each signature: they are renewed often. */
  readonly domain: { readonly certificateFile: string; readonly keyFile: string } | null
  readonly timestampers: readonly Timestamper[]
  readonly clock: Clock
  readonly log: Notes
  /** `probant/0.1.0` */
  readonly software: string
}

/** Version of the specification, as authsign writes it. */
const version = '0.1.0'
/** authsign believes a certificate for seven days after its start (`CERT_DURATION`), and a date for ten minutes before its timestamp. */
const certificateMs = 7 * 24 * 3_600_000
const createdMs = 10 * 60_000

/**
 * Signs `hash` (`sha256:<hex>` of datapackage.json) in the domain form when the operator gave a certificate that holds now,
 * else in the anonymous one (decision 0127). @param created that of datapackage.json, `2026-11-21T10:00:00Z`
 */
export async function signArchive(
  { hash, created }: { hash: string; created: string },
  deps: ArchiveSigningDeps,
  signal?: AbortSignal,
): Promise<ArchiveSignature> {
  if (!/^sha256:[0-9a-f]{64}$/.test(hash)) throw new DomainError('invalid', 'sealing.archive_hash', {})
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(created) || Number.isNaN(Date.parse(created)))
    throw new DomainError('invalid', 'sealing.archive_created', {})
  const common = { hash, created, software: deps.software, version }
  const data = new TextEncoder().encode(hash)
  if (deps.domain !== null) {
    try {
      return { ...common, ...(await signForDomain(data, created, deps.domain, deps, signal)) }
    } catch (error) {
      if (signal?.aborted === true) throw error
      // An archive without its domain's signature is better than none: the form says which it has.
      deps.log.warn({ err: error }, 'the web archive is signed without the domain')
    }
  }
  return {
    ...common,
    signature: Buffer.from(deps.key.sign(data)).toString('base64'),
    publicKey: Buffer.from(deps.key.publicKey).toString('base64'),
  }
}

async function signForDomain(
  data: Uint8Array,
  created: string,
  files: NonNullable<ArchiveSigningDeps['domain']>,
  deps: ArchiveSigningDeps,
  signal: AbortSignal | undefined,
): Promise<ArchiveSignature> {
  const certificates = readChain(await readFile(files.certificateFile, 'latin1'))
  const [leaf] = certificates
  const key = createPrivateKey(await readFile(files.keyFile, 'latin1'))
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  if (leaf === undefined || !leaf.publicKey.export({ type: 'spki', format: 'der' }).equals(publicKey)) throw unusable('key')
  if (key.asymmetricKeyType !== 'ec') throw unusable('algorithm')
  const at = Date.parse(created)
  if (
    at < leaf.validFromDate.getTime() ||
    at > Math.min(leaf.validToDate.getTime(), leaf.validFromDate.getTime() + certificateMs)
  )
    throw unusable('age')
  const domain = domainOf(leaf)
  if (domain === null) throw unusable('name')
  // ECDSA with SHA-256 in DER (RFC 3279 §2.2.3), over the ASCII of the hash.
  const signature = sign('sha256', data, key).toString('base64')
  // The time of the signature's base64, not of its octets: so authsign makes and checks it.
  const digest = new Uint8Array(createHash('sha256').update(signature, 'ascii').digest())
  const { timestamps } = await obtainTimestamps(digest, deps.timestampers, { wanted: 1, signal })
  const [timestamp] = timestamps
  if (timestamp === undefined) throw unusable('timestamp')
  const late = timestamp.genTime.getTime() - at
  if (late < 0 || late > createdMs) throw unusable('time')
  return {
    signature,
    domain,
    domainCert: pemList(certificates.map((each) => new Uint8Array(each.raw))),
    timeSignature: Buffer.from(timestamp.response).toString('base64'),
    timestampCert: pemList([timestamp.certificate, ...timestamp.chain]),
  }
}

const unusable = (reason: string): DomainError => new DomainError('unavailable', 'sealing.archive_domain', { reason })

/** Leaf first, each issued by the next. */
function readChain(text: string): X509Certificate[] {
  const found = [...text.matchAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)].slice(0, 16)
  const chain = found.map(([pem]) => new X509Certificate(pem))
  for (const [i, issuer] of chain.slice(1).entries()) {
    const subject = chain[i]
    if (subject === undefined || !subject.checkIssued(issuer) || !subject.verify(issuer.publicKey)) throw unusable('chain')
  }
  return chain
}

/** Common name, else the first DNS name: the order in which authsign compares them. */
function domainOf(certificate: X509Certificate): string | null {
  const name = /^CN=(.+)$/m.exec(certificate.subject)?.[1]
  return name ?? /(?:^|, )DNS:([^,\s]+)/.exec(certificate.subjectAltName ?? '')?.[1] ?? null
}

/** A blank line between certificates: ReplayWeb.page parts them there. */
const pemList = (certificates: readonly Uint8Array[]): string => certificates.map((each) => pemOf([each])).join('\n')
