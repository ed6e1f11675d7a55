import { equalBytes, toHex } from '../../../../kernel/bytes.ts'
import { digests, isDigestName } from '../hash/digests.ts'
import { ids } from '../certificate/object-ids.ts'
import type { DigestName } from '../hash/digests.ts'
import { anyTimeOf, MalformedError } from '../encoding/der.ts'
import { collapse } from '../report/collapse-checks.ts'
import { proofReport } from '../report/proof-report.ts'
import type { Bound, Fact, ProofCheck, ProofReport, ProvenDate } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import type { Budget, Certificate } from '../certificate/x509.ts'
import { unarmoured } from '../cms/armour.ts'
import { mostCalculations, unique } from '../certificate/certificate-path.ts'
import type { CertificatePath } from '../certificate/certificate-path.ts'
import { checkCertificate } from '../cms/check-certificate.ts'
import { checkLaterProofs } from './check-later-proofs.ts'
import { checkSigner, orUndefined } from '../cms/check-signer.ts'
import { octetsCheck, unsignedCheck } from '../cms/check-unsigned.ts'
import { digestCompared } from '../cms/digest-content.ts'
import type { Compared } from '../cms/digest-content.ts'
import { laterForms } from './later-imprint.ts'
import type { Question } from './later-imprint.ts'
import { readCms, readSigner } from '../cms/read-cms.ts'
import type { AnyCms, AnySigner } from '../cms/read-cms.ts'
import { readTrust } from '../certificate/read-trust.ts'
import { enclosedCertificates, revocationCheck } from '../cms/revocation.ts'
import type { RevocationData } from '../cms/revocation.ts'

/** Every check of a CMS signature, in the order in which they are said. */
export const cmsCheckIds = [
  'form',
  'content',
  'signer',
  'content_type',
  'message_digest',
  'signing_certificate',
  'signature',
  'signature_timestamp',
  'signing_time',
  'key_usage',
  'chain',
  'validity',
  'algorithms',
  'trust',
  'revocation',
  'current',
  'archive',
  'countersignature',
  'unsigned',
  'octets',
] as const

export type CmsProof = {
  /** SignedData: DER, BER, PEM or base64. */
  readonly signature: Uint8Array
  /** What a detached signature is over. With an enclosed content, what it must equal. */
  readonly content?: Compared
  /** An instant at which something else proves that the signature existed (a document time stamp over it). */
  readonly provenAt?: Date
  /** Certificates from beside the signature: used to build chains, not trusted. */
  readonly certificates?: readonly Certificate[]
  /** Revocation data from beside the signature, as a DSS dictionary has it. */
  readonly revocation?: RevocationData
  /** CAdES and PAdES demand that the signature names its certificate (EN 319 122-1 §5.2.2); false: CMS. */
  readonly mustNameCertificate?: boolean
}

const largest = 32 << 20

/**
 * Verifies CMS signatures (RFC 5652) and CAdES ones (EN 319 122-1), of any number of signers, detached or not, with all that was added
 * to prove since when they exist. Never throws but VerificationStopped and what reading the content throws.
 */
export async function verifyCms(proof: CmsProof, deps: VerifyDeps): Promise<ProofReport> {
  const trust = readTrust(deps.trust)
  const bytes = unarmoured(proof.signature)
  if (bytes === undefined || bytes[0] !== 0x30) return unusable('not_asn1', deps)
  if (bytes.length > largest) return unusable('too_large', deps)
  let cms: AnyCms
  try {
    cms = readCms(bytes, [...(proof.certificates ?? []), ...trust])
  } catch (error) {
    if (error instanceof MalformedError) return unusable('malformed', deps)
    throw error
  }
  if (cms.signers.length === 0) return unusable('no_signer', deps)
  const content = await contentCheck(cms, proof, deps)
  const checks: ProofCheck[] = [
    { id: 'form', status: 'passed', data: { signers: cms.signers.length }, repeat_command: textCommand },
    content.check,
  ]
  const facts: Fact[] = []
  const dates: ProvenDate[] = []
  const budget = { left: mostCalculations }
  const bound = [...content.bound]
  const paths: CertificatePath[] = []
  for (const [i, signer] of cms.signers.entries()) {
    const found = await judgeSigner(cms, signer, { proof, deps, trust, digestOf: content.digestOf, budget })
    const subject = cms.signers.length > 1 ? { subject: `signature ${i + 1}` } : {}
    checks.push(...found.checks.map((check) => ({ ...check, ...subject })))
    facts.push(...found.facts)
    dates.push(...found.dates)
    if (found.path !== undefined) paths.push(found.path)
    for (const each of found.bound) if (!bound.some(({ hex, of }) => hex === each.hex && of === each.of)) bound.push(each)
  }
  const pool = unique([...cms.certificates, ...(proof.certificates ?? []), ...trust])
  checks.push(octetsCheck(cms, pool, paths, false, budget))
  return proofReport('cms', deps, { checks, facts, bound, dates })
}

const textCommand = 'openssl cms -cmsout -print -noout -inform DER -in signature.p7s'
const verifyCommand =
  'openssl cms -verify -binary -inform DER -in signature.p7s -content FILE -CAfile roots.pem -purpose any -out /dev/null'

function unusable(reason: string, deps: VerifyDeps): ProofReport {
  const form: ProofCheck = { id: 'form', status: 'failed', data: { reason }, repeat_command: textCommand }
  return proofReport('cms', deps, { checks: [form], unusable: true })
}

type DigestOf = Question['digestOf']

async function contentCheck(
  { content: enclosed }: AnyCms,
  { content: given }: CmsProof,
  deps: VerifyDeps,
): Promise<{ check: ProofCheck; digestOf: DigestOf; bound: Bound[] }> {
  const id = 'content'
  const known = new Map<DigestName, Uint8Array | undefined>()
  const digestOf: DigestOf = async (algorithm, around) => {
    if (around !== undefined) return given === undefined ? undefined : await digestCompared(given, algorithm, deps, around)
    if (!known.has(algorithm)) known.set(algorithm, await fresh(algorithm))
    return known.get(algorithm)
  }
  const fresh: DigestOf = async (algorithm) =>
    enclosed === undefined
      ? given === undefined
        ? undefined
        : digestCompared(given, algorithm, deps)
      : digests[algorithm](enclosed)
  if (enclosed === undefined && given === undefined)
    return { check: { id, status: 'indeterminate', data: { reason: 'content_absent' } }, digestOf, bound: [] }
  if (enclosed === undefined || given === undefined)
    return { check: { id, status: 'passed', data: { kind: enclosed === undefined ? 'given' : 'enclosed' } }, digestOf, bound: [] }
  const algorithm = 'digests' in given ? Object.keys(given.digests).find(isDigestName) : 'sha256'
  const other = algorithm === undefined ? undefined : await digestCompared(given, algorithm, deps)
  const same = algorithm !== undefined && other !== undefined && equalBytes(digests[algorithm](enclosed), other)
  const check: ProofCheck = same
    ? { id, status: 'passed', data: { kind: 'both' } }
    : { id, status: 'failed', data: { reason: 'content_differs' } }
  return { check, digestOf, bound: [] }
}

type Judging = {
  readonly proof: CmsProof
  readonly deps: VerifyDeps
  readonly trust: readonly Certificate[]
  readonly digestOf: DigestOf
  readonly budget: Budget
  readonly isCounter?: true
}

type Judged = Pick<ProofReport, 'checks' | 'facts' | 'bound' | 'dates'> & { readonly path: CertificatePath | undefined }

async function judgeSigner(cms: AnyCms, signer: AnySigner, judging: Judging): Promise<Judged> {
  const { proof, deps, trust, digestOf, budget } = judging
  const checks = (
    await checkSigner(signer, {
      contentType: cms.contentType,
      pool: [...cms.certificates, ...(proof.certificates ?? []), ...trust],
      contentDigest: digestOf,
      ...(cms.content === undefined ? {} : { content: cms.content }),
      mustNameCertificate: proof.mustNameCertificate ?? false,
    })
  ).map((check) => (check.id === 'signature' ? { ...check, repeat_command: verifyCommand } : check))
  const beside = [...cms.certificates, ...(proof.certificates ?? []), ...enclosedCertificates(signer)]
  const later = await checkLaterProofs({ cms, signer, digestOf }, beside, deps, budget)
  checks.push(...later.checks)
  const facts: Fact[] = []
  const bound = boundBy(signer, proof, checks)
  const now = deps.now()
  const proven = earliest(later.at, proof.provenAt)
  const [claimedElement] = signer.signed.get(ids.signingTime) ?? []
  const claimed = orUndefined(() => anyTimeOf(claimedElement))
  if (claimed !== undefined) {
    checks.push(signingTimeCheck(claimed, proven ?? now))
    facts.push({ id: 'signing_time', value: claimed.toISOString(), form: 'instant' })
  }
  const { certificate } = signer
  let path: CertificatePath | undefined
  if (certificate !== undefined) {
    const pool = unique([...beside, ...trust])
    const at = proven ?? now
    const by = proven === undefined ? 'now' : 'timestamp'
    const judged = checkCertificate({ certificate, pool, anchors: trust, lists: undefined, deps, at, by, now, budget }, signer)
    path = judged.path
    checks.push(keyUsageCheck(certificate), ...judged.checks)
    checks.push(...revocationCheck(cms, signer, certificate, judged.path, pool, at, proof.revocation, budget), ...judged.current)
    facts.push(
      { id: 'signer', value: certificate.name, form: 'text' },
      { id: 'certificate_sha256', value: certificate.sha256, form: 'hex' },
      { id: 'certificate_expires', value: certificate.notAfter.toISOString(), form: 'instant' },
      { id: 'top_name', value: judged.path.top.name, form: 'text' },
      { id: 'top_sha256', value: judged.path.top.sha256, form: 'hex' },
    )
  }
  checks.push(
    ...(await countersignatures(cms, signer, judging)),
    ...unsignedCheck(signer, judging.isCounter ? laterForms : evaluated),
  )
  facts.push({ id: 'level', value: levelOf(checks), form: 'text' })
  return { checks, facts, bound, dates: later.dates, path }
}

export const cmsFactIds = [
  'signing_time',
  'signer',
  'certificate_sha256',
  'certificate_expires',
  'top_name',
  'top_sha256',
  'level',
] as const

const countersignature = '1.2.840.113549.1.9.6'
const evaluated = { ...laterForms, [countersignature]: 'countersignature' }
const mostCountersignatures = 8

/** Signatures over the signature value (RFC 5652 §11.4): each as one of its own, which has no type of content. */
async function countersignatures(cms: AnyCms, signer: AnySigner, judging: Judging): Promise<ProofCheck[]> {
  if (judging.isCounter === true) return []
  const checks: ProofCheck[] = []
  for (const [i, info] of (signer.unsigned.get(countersignature) ?? []).entries()) {
    const id = 'countersignature'
    const subject = `countersignature ${i + 1}`
    const counter = orUndefined(() => readSigner(info, cms.certificates))
    if (counter === undefined || i >= mostCountersignatures) {
      const reason = counter === undefined ? 'malformed' : 'not_evaluated'
      checks.push({ id, subject, status: 'indeterminate', data: { reason } })
      continue
    }
    const digestOf: DigestOf = async (algorithm) => digests[algorithm](signer.signature)
    const { content: _, ...proof } = judging.proof
    const own = { ...judging, proof, digestOf, isCounter: true as const }
    const found = await judgeSigner({ ...cms, content: undefined }, counter, own)
    const weighing = found.checks.filter(
      (each) => each.id !== 'content_type' && each.id !== 'trust' && each.supplementary !== true,
    )
    const trust = found.checks.filter((each) => each.id === 'trust').map((each) => ({ ...each, subject }))
    checks.push(collapse(id, subject, weighing), ...trust)
  }
  return checks
}

function earliest(a: Date | undefined, b: Date | undefined): Date | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a < b ? a : b
}

function boundBy(signer: AnySigner, { content }: CmsProof, checks: readonly ProofCheck[]): Bound[] {
  const found = checks.find(({ id }) => id === 'message_digest')
  const [value] = signer.signed.get(ids.messageDigest) ?? []
  const algorithm = (['sha1', 'sha256', 'sha384', 'sha512', 'sha3-256'] as const).find((each) => each === signer.digest)
  if (value === undefined || algorithm === undefined) return []
  const hex = toHex(value.contents.subarray(0, 64))
  const isFile = found?.status === 'passed' && content !== undefined && !('digests' in content)
  return [{ algorithm, hex, of: 'message' }, ...(isFile ? [{ algorithm, hex, of: 'file' } as const] : [])]
}

function signingTimeCheck(claimed: Date, latest: Date): ProofCheck {
  const data = { at: claimed.toISOString() }
  // A clock may be some minutes off; the claim proves nothing by itself either way.
  return claimed.getTime() <= latest.getTime() + 300_000
    ? { id: 'signing_time', status: 'passed', data, rests_on: ['given'] }
    : { id: 'signing_time', status: 'indeterminate', data: { ...data, reason: 'later_than_proven' } }
}

function keyUsageCheck({ keyUsage }: Certificate): ProofCheck {
  const id = 'key_usage'
  const signs = keyUsage === undefined || keyUsage.has(0) || keyUsage.has(1)
  return signs ? { id, status: 'passed', data: {} } : { id, status: 'failed', data: { reason: 'other_key_usage' } }
}

/** As far as it was measured: a level whose parts were not all verified is not claimed. */
function levelOf(checks: readonly ProofCheck[]): string {
  const passed = (id: string): boolean => checks.some((check) => check.id === id && check.status === 'passed')
  if (!passed('signing_certificate')) return 'CMS'
  if (!passed('signature_timestamp')) return 'CAdES B-B'
  return !passed('revocation') ? 'CAdES B-T' : passed('archive') ? 'CAdES B-LTA' : 'CAdES B-LT'
}
