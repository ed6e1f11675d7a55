import { toHex, utf8 } from '../../../../kernel/bytes.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Piece, Subject } from '../../../verification/server/index.ts'
import { sealFormat } from '../../domain/seal.ts'
import type { SealedFile, SealRecord, SealSummary } from '../../domain/seal.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'
import { buildManifest } from './build-manifest.ts'
import { includeInLog } from '../log/include-in-log.ts'
import type { PublicLog } from '../log/public-log.ts'
import { sealKeys } from './seal-keys.ts'
import { inSpan } from '../../../../platform/trace/spans.ts'
import { obtainTimestamps } from '../timestamps/obtain-timestamps.ts'
import { pemOf, readCertificate } from '../certificates/read-certificate.ts'
import { signDetached } from '../signed-data/sign-detached.ts'
import type { Keyring } from '../keyring/signer.ts'
import type { Timestamper } from '../timestamps/timestamper.ts'

export type Sealed = {
  /** Bytes of manifest.json. */
  readonly manifest: Uint8Array
  /** Merkle root, lower-case hexadecimal. */
  readonly root: string
  /** manifest.json, then seal/…, in the order of the package. */
  readonly files: readonly SealedFile[]
  readonly summary: SealSummary
}

/**
 * Seals what was captured: manifest, Merkle root, CAdES signature over the root, RFC 3161 tokens over the root, and, where there is a
 * public log, the root's place in it: the same one however often the seal is tried again.
 * Format: docs/package-format.md. @throws DomainError `sealing.…`
 */
export async function sealPieces(
  { subject, pieces }: { subject: Subject; pieces: readonly Piece[] },
  deps: {
    keyring: Keyring
    timestampers: readonly Timestamper[]
    clock: Clock
    log?: PublicLog | undefined
    signal?: AbortSignal | undefined
    /** Name of this installation's witness, for the list of its keys. */
    witness?: string | undefined
  },
): Promise<Sealed> {
  const { bytes: manifest, root } = buildManifest(subject, pieces)
  const signer = await deps.keyring.signer('platform')
  const signedAt = wholeSecond(deps.clock.now())
  const signature = await signDetached(root, signer, signedAt)
  const { timestamps, pending } = await inSpan(
    'time stamps',
    {},
    async () => await obtainTimestamps(root, deps.timestampers, { wanted: 2, signal: deps.signal }),
  )
  const logged = await inSpan('public log', {}, async () => (deps.log === undefined ? null : await includeInLog(deps.log, root)))
  const names = { log: logged?.facts.origin, witness: deps.witness, cosigners: await deps.log?.cosigners?.(signedAt) }
  const own = await sealKeys(root, { keyring: deps.keyring, signer, signedAt, names })

  const certificate = readCertificate(signer.certificate)
  const record: SealRecord = {
    format: sealFormat,
    root: toHex(root),
    signed_at: signedAt.toISOString(),
    signer: { subject: certificate.name, serial: certificate.serial, sha256: certificate.sha256 },
    timestamps: timestamps.map((each, index) => ({
      file: `seal/timestamp-${index + 1}.tsr`,
      ca_file: `seal/timestamp-${index + 1}-ca.pem`,
      authority: each.authority,
      gen_time: each.genTime.toISOString(),
      qualified: false,
      serial: each.serial,
      embedded: each.embedded,
    })),
  }
  const pem = (chain: readonly Uint8Array[]) => utf8(pemOf(chain))
  const files: SealedFile[] = [
    { path: 'manifest.json', media_type: 'application/json', bytes: manifest },
    { path: 'seal/root.bin', media_type: 'application/octet-stream', bytes: root },
    { path: 'seal/signature.p7s', media_type: 'application/pkcs7-signature', bytes: signature },
    { path: 'seal/platform-ca.pem', media_type: 'application/x-pem-file', bytes: pem(signer.chain) },
    ...timestamps.flatMap((each, index) => [
      { path: `seal/timestamp-${index + 1}.tsr`, media_type: 'application/timestamp-reply', bytes: each.response },
      { path: `seal/timestamp-${index + 1}-ca.pem`, media_type: 'application/x-pem-file', bytes: pem(each.chain) },
    ]),
    { path: 'seal/seal.json', media_type: 'application/json', bytes: canonicalJson(record) },
    ...own.files,
    ...(logged === null ? [] : [logged.file]),
  ]
  const { message_signers } = own
  const top = readCertificate(signer.chain.at(-1) ?? signer.certificate)
  const authority = { subject: top.name, sha256: top.sha256 }
  const summary = { ...record, authority, pending_authorities: pending, log: logged?.facts ?? null, message_signers }
  return { manifest, root: record.root, files, summary }
}

/** signing-time is a UTCTime: to the second. */
function wholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000)
}
