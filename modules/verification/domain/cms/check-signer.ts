import { equalBytes, toHex } from '../../../../kernel/bytes.ts'
import { digestNamed, digests } from '../hash/digests.ts'
import { ids } from '../certificate/object-ids.ts'
import type { DigestName } from '../hash/digests.ts'
import { digestSignatureHolds, signatureHolds } from '../certificate/check-signature.ts'
import { children, MalformedError, oidOf, sequence, tagged } from '../encoding/der.ts'
import type { Der } from '../encoding/der.ts'
import type { ProofCheck, Step } from '../report/proof-report.ts'
import { serialHex } from '../certificate/x509.ts'
import type { Certificate } from '../certificate/x509.ts'
import type { AnySigner } from './read-cms.ts'
import { labelOf, schemeLabel } from '../certificate/strength.ts'

/** What a signature binds: the content, by its digest, and the certificate, by name. */
export type SignerQuestion = {
  readonly contentType: string
  /** Enclosed certificates and those given beside. */
  readonly pool: readonly Certificate[]
  /** Of the content under an algorithm; undefined when it is not at hand. */
  readonly contentDigest: (algorithm: DigestName) => Promise<Uint8Array | undefined>
  /** Only with the bytes can the step be shown. */
  readonly content?: Uint8Array
  /** RFC 3161 §2.4.2 and CAdES demand that the signature names its certificate; plain CMS does not. */
  readonly mustNameCertificate: boolean
}

/** The checks `signer`, `content_type`, `message_digest`, `signing_certificate`, `signature` of one signer. */
export async function checkSigner(signer: AnySigner, question: SignerQuestion): Promise<ProofCheck[]> {
  const { certificate } = signer
  const checks: ProofCheck[] = [
    certificate === undefined
      ? { id: 'signer', status: 'indeterminate', data: { reason: 'certificate_absent' } }
      : {
          id: 'signer',
          status: 'passed',
          data: { name: certificate.name, serial: certificate.serial, sha256: certificate.sha256 },
        },
  ]
  const hasAttributes = signer.signedAttributes.length > 0
  if (hasAttributes || question.mustNameCertificate) {
    checks.push(contentType(signer, question), await messageDigest(signer, question))
    const named = signingCertificate(signer, question)
    if (named !== undefined) checks.push(named)
  }
  if (certificate !== undefined) checks.push(await signature(signer, certificate, question, hasAttributes))
  return checks
}

function contentType(signer: AnySigner, { contentType: expected }: SignerQuestion): ProofCheck {
  const [value, second] = signer.signed.get(ids.contentType) ?? []
  const id = 'content_type'
  if (value === undefined) return { id, status: 'failed', data: { reason: 'attribute_absent' } }
  if (second !== undefined) return { id, status: 'failed', data: { reason: 'attribute_repeated' } }
  const found = orUndefined(() => oidOf(value))
  return found === expected
    ? { id, status: 'passed', data: {} }
    : { id, status: 'failed', data: { reason: 'other_content_type', found: found ?? '' } }
}

async function messageDigest(signer: AnySigner, question: SignerQuestion): Promise<ProofCheck> {
  const id = 'message_digest'
  const [value, second] = signer.signed.get(ids.messageDigest) ?? []
  if (value?.tag !== 0x04) return { id, status: 'failed', data: { reason: 'attribute_absent' } }
  if (second !== undefined) return { id, status: 'failed', data: { reason: 'attribute_repeated' } }
  if (signer.digest === undefined)
    return { id, status: 'indeterminate', data: { reason: 'unknown_algorithm', algorithm: signer.digestId } }
  const found = await question.contentDigest(signer.digest)
  if (found === undefined)
    return { id, status: 'indeterminate', data: { reason: 'content_absent', algorithm: labelOf(signer.digest) } }
  const steps = question.content === undefined ? [] : [stepOf(signer.digest, question.content, found)]
  return equalBytes(found, value.contents)
    ? { id, status: 'passed', data: { algorithm: labelOf(signer.digest), digest: toHex(found) }, steps }
    : { id, status: 'failed', data: { reason: 'other_content', algorithm: labelOf(signer.digest), digest: toHex(found) }, steps }
}

async function signature(
  signer: AnySigner,
  certificate: Certificate,
  question: SignerQuestion,
  hasAttributes: boolean,
): Promise<ProofCheck> {
  const id = 'signature'
  const { scheme, signedAttributes } = signer
  const { key } = certificate
  if (scheme === undefined || key.type === 'other')
    return { id, status: 'indeterminate', data: { reason: 'unknown_algorithm', algorithm: signer.signatureOid } }
  const algorithm = schemeLabel(key, scheme)
  if (!hasAttributes) {
    // RFC 5652 §5.4: without signed attributes the signature is over the content itself.
    const digest = scheme.kind === 'ed25519' ? undefined : await question.contentDigest(scheme.digest)
    if (digest === undefined) return { id, status: 'indeterminate', data: { reason: 'content_absent', algorithm } }
    return digestSignatureHolds(key, scheme, digest, signer.signature)
      ? { id, status: 'passed', data: { algorithm } }
      : { id, status: 'failed', data: { reason: 'false_signature', algorithm } }
  }
  const over = signedAttributes.find((each) => signatureHolds(key, scheme, each, signer.signature))
  const shown = over ?? signedAttributes[0]
  const { digest } = signer
  const other = digest === undefined || digest === scheme.digest ? undefined : { ...scheme, digest }
  if (
    over === undefined &&
    other !== undefined &&
    signedAttributes.some((each) => signatureHolds(key, other, each, signer.signature))
  )
    return { id, status: 'indeterminate', data: { reason: 'algorithm_mismatch', algorithm, other: schemeLabel(key, other) } }
  const steps =
    shown === undefined || scheme.kind === 'ed25519' ? [] : [stepOf(scheme.digest, shown, digests[scheme.digest](shown))]
  if (over === undefined && digest === undefined)
    return { id, status: 'indeterminate', data: { reason: 'unknown_algorithm', algorithm: signer.digestId } }
  return over === undefined
    ? { id, status: 'failed', data: { reason: 'false_signature', algorithm }, steps }
    : { id, status: 'passed', data: { algorithm }, steps }
}

export function stepOf(operation: DigestName, input: Uint8Array, output: Uint8Array): Step {
  return { operation, input: toHex(input.subarray(0, 256)), input_bytes: input.length, output: toHex(output) }
}

/**
 * ESSCertID (RFC 2634 §5.4) and ESSCertIDv2 (RFC 5035 §4): the first names the certificate of the signer, so that no other one for
 * the same key stands in for it. Some qualified authorities name the certificate of their issuer by mistake.
 */
function signingCertificate(signer: AnySigner, question: SignerQuestion): ProofCheck | undefined {
  const id = 'signing_certificate'
  const values = [
    ...(signer.signed.get(ids.signingCertificate) ?? []).map((value) => ({ value, usual: 'sha1' as const })),
    ...(signer.signed.get(ids.signingCertificateV2) ?? []).map((value) => ({ value, usual: 'sha256' as const })),
  ]
  if (values.length === 0)
    return question.mustNameCertificate
      ? { id, status: 'failed', data: { reason: 'attribute_absent' } }
      : { id, status: 'indeterminate', supplementary: true, data: { reason: 'not_named' } }
  if (signer.certificate === undefined) return undefined
  const { certificate } = signer
  const used: string[] = []
  for (const { value, usual } of values) {
    const named = orUndefined(() => firstNamed(value, usual))
    if (named === undefined) return { id, status: 'failed', data: { reason: 'attribute_malformed' } }
    if (named.digest === undefined)
      return { id, status: 'indeterminate', data: { reason: 'unknown_algorithm', algorithm: named.oid } }
    const { digest, hash } = named
    const isNamed = (each: Certificate): boolean => equalBytes(digests[digest](each.encoded), hash)
    if (!isNamed(certificate)) {
      const other = question.pool.find((each) => isNamed(each) && equalBytes(each.subject, certificate.issuer))
      if (other !== undefined) return { id, status: 'indeterminate', data: { reason: 'names_issuer', name: other.name } }
      // The one named may be the issuer's, which is not at hand: then nothing shows that it is another's.
      const hasIssuer = question.pool.some((each) => equalBytes(each.subject, certificate.issuer))
      return hasIssuer
        ? { id, status: 'failed', data: { reason: 'other_certificate' } }
        : { id, status: 'indeterminate', data: { reason: 'names_absent' } }
    }
    if (named.serial !== undefined && named.serial !== certificate.serial)
      return { id, status: 'failed', data: { reason: 'other_serial' } }
    used.push(digest)
  }
  return { id, status: 'passed', data: { algorithm: used.join(', ') } }
}

function firstNamed(value: Der, usual: DigestName) {
  const [list] = sequence(value, 1, 2)
  const [first] = children(tagged(list, 0x30))
  const parts = sequence(first, 1, 3)
  const explicitDigest = parts[0]?.tag === 0x30
  const oid = explicitDigest ? oidOf(sequence(parts[0], 1, 2)[0]) : ''
  const issuerSerial = parts[explicitDigest ? 2 : 1]
  return {
    oid,
    digest: explicitDigest ? digestNamed(oid) : usual,
    hash: tagged(parts[explicitDigest ? 1 : 0], 0x04).contents,
    serial: issuerSerial === undefined ? undefined : serialHex(sequence(issuerSerial, 2)[1]),
  }
}

export function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof MalformedError) return undefined
    throw error
  }
}
