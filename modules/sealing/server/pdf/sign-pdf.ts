import { createHash } from 'node:crypto'
import { concatBytes, toHex } from '../../../../kernel/bytes.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { attribute, buildSignedData } from '../signed-data/build-signed-data.ts'
import { obtainTimestamps } from '../timestamps/obtain-timestamps.ts'
import { extendPdf } from './extend-pdf.ts'
import { addField, loadForUpdate, reservedBytes } from './load-for-update.ts'
import { oids } from '../encoding/object-identifiers.ts'
import { checkSignedData, readSignedData } from '../signed-data/read-signed-data.ts'
import { createEvidenceSource } from '../revocation/gather-evidence.ts'
import type { EvidenceSource } from '../revocation/gather-evidence.ts'
import type { Keyring, Signer } from '../keyring/signer.ts'
import type { Timestamp, Timestamper } from '../timestamps/timestamper.ts'

export type SignPdfDeps = {
  readonly keyring: Keyring
  readonly timestampers: readonly Timestamper[]
  readonly clock: Clock
  /** Shown by PDF readers, in the language of the document; one line, without parentheses or backslashes, as `location`. */
  readonly reason: string
  readonly location?: string
  readonly signal?: AbortSignal | undefined
  /** What issuers say of the certificates used; the platform's own lists alone unless told. */
  readonly evidence?: EvidenceSource
}

/**
 * Signs a PDF at level PAdES B-LTA (EN 319 142-1): incremental updates, so every byte of `pdf` stays as it is, with invisible
 * signature fields. Where an issuer does not answer for a certificate, it stays at B-T: a store that lacks something would promise
 * what it does not hold, and a verifier says the level that it measures. @throws DomainError `sealing.pdf_…` or `sealing.no_timestamp`.
 */
export async function signPdf(pdf: Uint8Array, deps: SignPdfDeps): Promise<Uint8Array> {
  // The library escapes these twice, and a reader would show the backslashes.
  if (/[\\()\r\n]/.test(deps.reason + (deps.location ?? ''))) throw new DomainError('invalid', 'sealing.pdf_reason')
  const signer = await deps.keyring.signer('platform')
  const prepared = await reserve(pdf, signer, deps)
  const gap = locateGap(prepared)
  const content = concatBytes(prepared.subarray(0, gap.start), prepared.subarray(gap.end))
  let timestamp: Timestamp | undefined
  const cms = await buildSignedData(signer, {
    contentType: oids.data,
    digest: createHash('sha256').update(content).digest(),
    certificates: [signer.certificate, ...signer.chain],
    unsigned: async (signature) => {
      timestamp = await timestampOf(signature, deps)
      return [attribute(oids.timeStampToken, timestamp.token)]
    },
  })
  const outcome = checkSignedData(readSignedData(cms), content)
  if (typeof outcome === 'string') throw new Error(`the signature just made by ${signer.keyId} does not verify: ${outcome}`)
  const room = gap.end - gap.start - 2
  const hex = toHex(cms)
  if (hex.length > room)
    throw new DomainError('unavailable', 'sealing.pdf_signature_too_large', { bytes: cms.length, room: room / 2 })
  prepared.set(new TextEncoder().encode(hex.padEnd(room, '0')), gap.start + 1)
  return timestamp === undefined ? prepared : await extend(prepared, { room, cms, signer, timestamp }, deps)
}

async function extend(
  signed: Uint8Array,
  made: {
    readonly room: number
    readonly cms: Uint8Array
    readonly signer: Signer
    readonly timestamp: Timestamp
  },
  deps: SignPdfDeps,
): Promise<Uint8Array> {
  const { signer, timestamp } = made
  const evidenceOf = deps.evidence ?? createEvidenceSource({ keyring: deps.keyring, clock: deps.clock })
  const chains = [
    [signer.certificate, ...signer.chain],
    [timestamp.certificate, ...timestamp.chain],
  ]
  const crls: Uint8Array[] = []
  const ocsps: Uint8Array[] = []
  for (const chain of chains) {
    const found = await evidenceOf(chain, deps.signal)
    if (found === undefined) return signed
    crls.push(...found.crls)
    ocsps.push(...found.ocsps)
  }
  const contents = new Uint8Array(made.room / 2)
  contents.set(made.cms)
  return await extendPdf(signed, contents, { certificates: chains.flat(), crls, ocsps }, async (digest) => {
    const { token } = await timestampOver(digest, deps)
    return token
  })
}

/**
 * The PDF with a signature dictionary and a gap for its Contents. The library fills the gap with a CMS of its own, which is not
 * used: it carries signing-time, which PAdES forbids, and leaves the attributes unsorted (decision 0152).
 */
async function reserve(pdf: Uint8Array, signer: Signer, deps: SignPdfDeps): Promise<Uint8Array> {
  try {
    const document = await loadForUpdate(pdf)
    const { bytes } = await document.sign({
      signer: {
        certificate: signer.certificate,
        keyType: 'EC',
        signatureAlgorithm: 'ECDSA',
        sign: async () => new Uint8Array(64),
      },
      signingTime: deps.clock.now(),
      reason: deps.reason,
      ...(deps.location === undefined ? {} : { location: deps.location }),
      fieldName: addField(document, 'Signature'),
      subFilter: 'ETSI.CAdES.detached',
      estimatedSize: reservedBytes,
    })
    if (bytes.length <= pdf.length || !startsWith(bytes, pdf)) throw new Error('not an incremental update')
    return bytes
  } catch (error) {
    throw new DomainError(
      'invalid',
      'sealing.pdf_unreadable',
      { reason: error instanceof Error ? error.message.slice(0, 200) : 'unknown' },
      { cause: error },
    )
  }
}

/** Where `<…>` of Contents stands, as ByteRange says and as the bytes confirm. */
function locateGap(pdf: Uint8Array): { start: number; end: number } {
  const tail = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  const at = tail.lastIndexOf('/ByteRange')
  const match = /^\/ByteRange ?\[0 +(\d+) +(\d+) +(\d+) *\]/.exec(tail.toString('latin1', at, at + 100))
  const [first = NaN, second = NaN, third = NaN] = match?.slice(1).map(Number) ?? []
  if (
    !(
      second + third === pdf.length &&
      pdf[first] === 0x3c &&
      pdf[second - 1] === 0x3e &&
      second - first === 2 * reservedBytes + 2
    )
  ) {
    throw new Error('the PDF library left no usable gap for the signature')
  }
  return { start: first, end: second }
}

/** signature-time-stamp (EN 319 122-1 §5.3): a token over the signature's octets. */
async function timestampOf(signature: Uint8Array, deps: SignPdfDeps): Promise<Timestamp> {
  return await timestampOver(new Uint8Array(createHash('sha256').update(signature).digest()), deps)
}

async function timestampOver(digest: Uint8Array, deps: SignPdfDeps): Promise<Timestamp> {
  const { timestamps } = await obtainTimestamps(digest, deps.timestampers, { wanted: 1, signal: deps.signal })
  const [timestamp] = timestamps
  if (timestamp === undefined) throw new DomainError('unavailable', 'sealing.no_timestamp', { asked: deps.timestampers.length })
  return timestamp
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return Buffer.compare(bytes.subarray(0, start.length), start) === 0
}
