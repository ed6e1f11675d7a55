import { equalBytes, toHex } from '../../../../kernel/bytes.ts'
import { digests, embeddedPolicy, ids } from '../algorithms.ts'
import { unarmoured } from '../cms/armour.ts'
import { mostCalculations, unique } from '../cms/certificate-path.ts'
import type { CertificatePath } from '../cms/certificate-path.ts'
import { checkCertificate } from '../cms/check-certificate.ts'
import { checkSigner, stepOf } from '../cms/check-signer.ts'
import { octetsCheck, unsignedCheck } from '../cms/check-unsigned.ts'
import { definiteLengths } from '../cms/definite-lengths.ts'
import { digestCompared } from '../cms/digest-content.ts'
import type { Compared } from '../cms/digest-content.ts'
import { readCms } from '../cms/read-cms.ts'
import type { AnyCms, AnySigner } from '../cms/read-cms.ts'
import { readTrust } from '../cms/read-trust.ts'
import { revocationCheck } from '../cms/revocation.ts'
import { digestWeakness, isWeakAt, labelOf } from '../cms/strength.ts'
import { MalformedError } from '../der.ts'
import { proofReport } from '../proof.ts'
import type { Bound, Fact, ProofCheck, ProofDeps, ProofReport, ProvenDate } from '../proof.ts'
import { ownAuthority } from '../trusted-list/qualified-status.ts'
import type { QualifiedStatus } from '../trusted-list/qualified-status.ts'
import type { Budget, Certificate } from '../x509.ts'
import { authorityNameCheck } from './authority-name.ts'
import { readTokenForm } from './read-response.ts'
import type { TokenForm } from './read-response.ts'
import { readTstInfo } from './read-tst-info.ts'
import type { TstInfo } from './read-tst-info.ts'

/** Every check of a time stamp, in the order in which they are said. */
export const timestampCheckIds = [
  'form',
  'status',
  'info',
  'imprint',
  'imprint_algorithm',
  'nonce',
  'accuracy',
  'clock',
  'signer',
  'content_type',
  'message_digest',
  'signing_certificate',
  'signature',
  'purpose',
  'key_usage',
  'authority_name',
  'chain',
  'validity',
  'algorithms',
  'trust',
  'qualified',
  'revocation',
  'current',
  'unsigned',
  'octets',
] as const

export type TimestampProof = {
  /** Response or bare token: DER, BER, PEM or base64. */
  readonly token: Uint8Array
  /** What should have been stamped. Absent: there is nothing to compare with, which is said. */
  readonly data?: Compared
  /** Of the request, hexadecimal. */
  readonly nonce?: string
  /** Certificates from beside the token (a `-ca.pem`, a DSS dictionary): used to build chains, not trusted. */
  readonly certificates?: readonly Certificate[]
  /** Shared when several stamps are of one proof. */
  readonly budget?: Budget
}

const largest = 4 << 20

/**
 * Verifies an RFC 3161 time stamp by any authority: every check is named and reported, also those after one that failed, as far as
 * there is something to say. Never throws but VerificationStopped and what reading the data throws.
 */
export async function verifyTimestampProof(proof: TimestampProof, deps: ProofDeps): Promise<ProofReport> {
  try {
    const read = readForm(proof, readTrust(deps.trust))
    if (typeof read === 'string') return unusable(read, deps)
    return await verify(read, proof, deps)
  } catch (error) {
    if (error instanceof MalformedError) return unusable('malformed', deps)
    throw error
  }
}

function unusable(reason: string, deps: ProofDeps): ProofReport {
  const form: ProofCheck = { id: 'form', status: 'failed', data: { reason }, repeat_command: textCommand('response') }
  return proofReport('timestamp', deps, { checks: [form], unusable: true })
}

type Read = {
  readonly form: Exclude<TokenForm, { kind: 'request' }>
  readonly trust: readonly Certificate[]
  readonly token: { readonly cms: AnyCms; readonly info: TstInfo; readonly content: Uint8Array } | undefined
}

/** @throws MalformedError */
function readForm(proof: TimestampProof, trust: readonly Certificate[]): Read | string {
  const bytes = unarmoured(proof.token)
  if (bytes === undefined || bytes[0] !== 0x30) return 'not_asn1'
  if (bytes.length > largest) return 'too_large'
  const form = readTokenForm(definiteLengths(bytes).encoded)
  if (form.kind === 'request') return 'request'
  // The lengths as received: what was written otherwise is said by the check `octets`.
  const encoded = form.kind === 'token' ? bytes : form.token
  if (encoded === undefined) return { form, trust, token: undefined }
  const cms = readCms(encoded, [...(proof.certificates ?? []), ...trust])
  if (cms.contentType !== ids.tstInfo || cms.content === undefined) return 'not_a_token'
  return { form, trust, token: { cms, info: readTstInfo(cms.content), content: cms.content } }
}

async function verify({ form, trust, token }: Read, proof: TimestampProof, deps: ProofDeps): Promise<ProofReport> {
  const checks: ProofCheck[] = [{ id: 'form', status: 'passed', data: {}, repeat_command: textCommand(form.kind) }]
  if (form.kind === 'response') checks.push(statusCheck(form))
  if (token === undefined) {
    return proofReport('timestamp', deps, { checks })
  }
  const { cms, info, content } = token
  const now = deps.now()
  const compared = await imprintCheck(info, proof, deps)
  checks.push(infoCheck(info), compared.check, strengthCheck(info, now), ...nonceCheck(info, proof), accuracyCheck(info))
  checks.push(clockCheck(info, now))
  const [signer] = cms.signers
  if (signer === undefined || cms.signers.length > 1) {
    checks.push({ id: 'signer', status: 'failed', data: { reason: 'several_signers', count: cms.signers.length } })
    return proofReport('timestamp', deps, { checks, facts: factsOf(info), bound: compared.bound })
  }
  const bound = await checkSigner(signer, {
    contentType: ids.tstInfo,
    content,
    pool: [...cms.certificates, ...(proof.certificates ?? []), ...trust],
    contentDigest: async (algorithm) => digests[algorithm](content),
    mustNameCertificate: true,
  })
  checks.push(
    ...bound.map((check) => (check.id === 'signature' ? { ...check, repeat_command: verifyCommand(form.kind) } : check)),
  )
  const facts = factsOf(info, signer)
  let dates: ProvenDate[] = []
  const { certificate } = signer
  if (certificate !== undefined) {
    const budget = proof.budget ?? { left: mostCalculations }
    const pool = unique([...cms.certificates, ...(proof.certificates ?? []), ...trust])
    const judged = checkCertificate(
      { certificate, pool, anchors: trust, lists: deps.trustedLists, at: info.genTime, by: 'gen_time', now, budget },
      signer,
    )
    checks.push(purposeCheck(certificate), keyUsageCheck(certificate))
    if (info.authority !== undefined) checks.push(authorityNameCheck(info.authority, certificate))
    const status = info.policy === embeddedPolicy ? ownAuthority : judged.status
    const revocation = revocationCheck(cms, signer, certificate, judged.path, pool, info.genTime, undefined, budget)
    checks.push(
      ...judged.checks,
      qualifiedCheck(status, judged.path, [...checks, ...judged.checks]),
      ...revocation,
      ...judged.current,
    )
    facts.push(...certificateFacts(certificate, judged.path.top))
    if (judged.trusted !== undefined && isDated(checks))
      dates = [
        {
          kind: 'timestamp',
          at: info.genTime.toISOString(),
          by: certificate.name,
          rests_on: ['time_authority', judged.trusted],
          ...(status.status === 'indeterminate' || isUnknown(status, judged.path)
            ? {}
            : { qualified: status.status === 'qualified' }),
        },
      ]
    checks.push(
      ...unsignedCheck(signer),
      octetsCheck(cms, pool, [judged.path], form.kind === 'response' && form.text !== '', budget),
    )
  }
  return proofReport('timestamp', deps, { checks, facts, bound: compared.bound, dates })
}

/** What a date stands on: whatever else is unknown, these are not. */
const dating: readonly string[] = [
  'info',
  'content_type',
  'message_digest',
  'signature',
  'purpose',
  'key_usage',
  'chain',
  'validity',
  'clock',
]

function isDated(checks: readonly ProofCheck[]): boolean {
  return dating.every((id) => checks.some((check) => check.id === id && check.status === 'passed'))
}

function statusCheck(form: Extract<TokenForm, { kind: 'response' }>): ProofCheck {
  const { status, failure, text } = form
  const granted = status === 'granted' || status === 'granted_with_mods'
  if (granted && form.token !== undefined) return { id: 'status', status: 'passed', data: { granted: status, text } }
  return { id: 'status', status: 'failed', data: { reason: failure ?? (granted ? 'token_absent' : status), text } }
}

function infoCheck({ version, criticalExtension, serial, policy }: TstInfo): ProofCheck {
  const id = 'info'
  if (version !== 1) return { id, status: 'failed', data: { reason: 'other_version', version } }
  if (criticalExtension !== undefined)
    return { id, status: 'indeterminate', data: { reason: 'info_extension', oid: criticalExtension } }
  return { id, status: 'passed', data: { serial, policy } }
}

async function imprintCheck(
  { algorithm, algorithmId, imprint }: TstInfo,
  { data }: TimestampProof,
  deps: ProofDeps,
): Promise<{ check: ProofCheck; bound: Bound[] }> {
  const id = 'imprint'
  const hex = toHex(imprint)
  const name = algorithm === undefined ? algorithmId : labelOf(algorithm)
  const says = { algorithm: name, digest: hex }
  if (algorithm === undefined)
    return { check: { id, status: 'indeterminate', data: { ...says, reason: 'unknown_algorithm' } }, bound: [] }
  const linked = boundAlgorithms.find((each) => each === algorithm)
  const bound: Bound[] = linked === undefined ? [] : [{ algorithm: linked, hex, of: 'imprint' }]
  if (imprint.length !== digests[algorithm].outputLen)
    return { check: { id, status: 'failed', data: { ...says, reason: 'imprint_length' } }, bound: [] }
  if (data === undefined)
    return { check: { id, status: 'indeterminate', data: { ...says, reason: 'nothing_to_compare' } }, bound }
  const found = await digestCompared(data, algorithm, deps)
  if (found === undefined)
    return { check: { id, status: 'indeterminate', data: { ...says, reason: 'other_algorithm_given' } }, bound }
  const steps = 'bytes' in data ? [stepOf(algorithm, data.bytes, found)] : []
  const repeat_command = imprintCommand(algorithm)
  if (!equalBytes(found, imprint)) {
    const check: ProofCheck = {
      id,
      status: 'failed',
      data: { ...says, reason: 'other_data', found: toHex(found) },
      steps,
      repeat_command,
    }
    return { check, bound }
  }
  if (linked !== undefined && !('digests' in data)) bound.push({ algorithm: linked, hex, of: 'file' })
  return { check: { id, status: 'passed', data: says, steps, repeat_command }, bound }
}

const boundAlgorithms = ['sha1', 'sha256', 'sha384', 'sha512', 'sha3-256'] as const

function strengthCheck({ algorithm, genTime }: TstInfo, now: Date): ProofCheck {
  const id = 'imprint_algorithm'
  if (algorithm === undefined) return { id, status: 'indeterminate', data: { reason: 'unknown_algorithm' } }
  const weak = digestWeakness(algorithm)
  const label = labelOf(algorithm)
  if (weak === undefined || !isWeakAt(weak, now)) return { id, status: 'passed', data: { algorithm: label } }
  const reason = isWeakAt(weak, genTime) ? 'weak_then' : 'weak_since'
  return { id, status: 'indeterminate', data: { reason, algorithm: label, until: weak.until } }
}

function nonceCheck({ nonce }: TstInfo, { nonce: expected }: TimestampProof): ProofCheck[] {
  if (expected === undefined) return []
  const wanted = expected
    .toLowerCase()
    .replace(/^0x/, '')
    .replace(/^0+(?=.)/, '')
  return nonce === wanted
    ? [{ id: 'nonce', status: 'passed', data: { nonce } }]
    : [
        {
          id: 'nonce',
          status: 'failed',
          data: { reason: nonce === undefined ? 'nonce_absent' : 'other_nonce', nonce: nonce ?? '' },
        },
      ]
}

function accuracyCheck({ accuracy, accuracyInRange }: TstInfo): ProofCheck {
  const id = 'accuracy'
  if (accuracy === undefined) return { id, status: 'indeterminate', supplementary: true, data: { reason: 'accuracy_absent' } }
  return accuracyInRange
    ? { id, status: 'passed', data: { seconds: seconds(accuracy) } }
    : { id, status: 'indeterminate', data: { reason: 'accuracy_range', seconds: seconds(accuracy) } }
}

/** From microseconds, without trailing zeros. */
function seconds(micros: number): string {
  return (micros / 1_000_000).toFixed(6).replace(/\.?0+$/, '')
}

function clockCheck({ genTime, accuracy }: TstInfo, now: Date): ProofCheck {
  const data = { gen_time: genTime.toISOString() }
  return genTime.getTime() - (accuracy ?? 0) / 1000 <= now.getTime()
    ? { id: 'clock', status: 'passed', data }
    : { id: 'clock', status: 'indeterminate', data: { ...data, reason: 'later_than_now' } }
}

function purposeCheck({ extendedKeyUsage: usage }: Certificate): ProofCheck {
  const id = 'purpose'
  const fail = (reason: string): ProofCheck => ({ id, status: 'failed', data: { reason } })
  if (usage === undefined) return fail('purpose_absent')
  if (!usage.purposes.includes(ids.timeStamping)) return fail('other_purpose')
  if (usage.purposes.length > 1) return fail('several_purposes')
  return usage.critical ? { id, status: 'passed', data: {} } : fail('purpose_not_critical')
}

/** RFC 3161 §2.3: digitalSignature, nonRepudiation or both, and nothing else. */
function keyUsageCheck({ keyUsage, isAuthority }: Certificate): ProofCheck {
  const id = 'key_usage'
  if (isAuthority) return { id, status: 'failed', data: { reason: 'signer_is_authority' } }
  if (keyUsage === undefined) return { id, status: 'passed', data: {} }
  const signs = keyUsage.has(0) || keyUsage.has(1)
  return signs ? { id, status: 'passed', data: {} } : { id, status: 'failed', data: { reason: 'other_key_usage' } }
}

/** The one that is listed may be the issuer that is not at hand: then that none is listed says nothing. */
function isUnknown({ reason }: QualifiedStatus, path: CertificatePath): boolean {
  return path.ends === 'none' && (reason === 'not_listed' || reason === 'not_listed_list_older')
}

/** Supplementary: a stamp that is not qualified proves its date all the same (article 41(1) of Regulation (EU) No 910/2014). */
function qualifiedCheck(found: QualifiedStatus, path: CertificatePath, before: readonly ProofCheck[]): ProofCheck {
  const { list, service, period } = found
  const data = {
    territory: list?.territory ?? '',
    number: list?.sequence_number ?? '',
    at: list?.issued_at ?? '',
    service: service?.name ?? '',
    provider: service?.provider ?? '',
    since: period?.since ?? '',
  }
  if (isUnknown(found, path))
    return { id: 'qualified', status: 'indeterminate', supplementary: true, data: { ...data, reason: 'qualified_issuer_absent' } }
  // Whoever forges a stamp encloses the certificate of a qualified service: the status is only said of one that holds.
  const holds = [...dating, 'signing_certificate'].every((each) =>
    before.some(({ id, status }) => id === each && status === 'passed'),
  )
  if (found.status === 'qualified' && !holds)
    return { id: 'qualified', status: 'indeterminate', supplementary: true, data: { ...data, reason: 'qualified_unproved' } }
  return found.status === 'qualified'
    ? { id: 'qualified', status: 'passed', data, rests_on: ['trusted_list'] }
    : { id: 'qualified', status: 'indeterminate', supplementary: true, data: { ...data, reason: `qualified_${found.reason}` } }
}

function factsOf(info: TstInfo, signer?: AnySigner): Fact[] {
  const facts: Fact[] = [
    { id: 'gen_time', value: info.genTime.toISOString(), form: 'instant' },
    { id: 'serial', value: info.serial, form: 'hex' },
    { id: 'policy', value: info.policy, form: 'text' },
    { id: 'imprint_algorithm', value: info.algorithm === undefined ? info.algorithmId : labelOf(info.algorithm), form: 'text' },
    { id: 'imprint', value: toHex(info.imprint), form: 'hex' },
  ]
  if (info.accuracy !== undefined) facts.push({ id: 'accuracy', value: `${seconds(info.accuracy)} s`, form: 'text' })
  if (info.nonce !== undefined) facts.push({ id: 'nonce', value: info.nonce, form: 'hex' })
  if (info.ordering) facts.push({ id: 'ordering', value: 'yes', form: 'word' })
  if (info.policy === embeddedPolicy) facts.push({ id: 'embedded', value: 'yes', form: 'word' })
  if (signer?.certificate !== undefined) facts.push({ id: 'authority', value: signer.certificate.name, form: 'text' })
  return facts
}

function certificateFacts(certificate: Certificate, top: Certificate): Fact[] {
  return [
    { id: 'certificate_sha256', value: certificate.sha256, form: 'hex' },
    { id: 'certificate_expires', value: certificate.notAfter.toISOString(), form: 'instant' },
    { id: 'top_name', value: top.name, form: 'text' },
    { id: 'top_sha256', value: top.sha256, form: 'hex' },
  ]
}

export const timestampFactIds = [
  'gen_time',
  'serial',
  'policy',
  'imprint_algorithm',
  'imprint',
  'accuracy',
  'nonce',
  'ordering',
  'embedded',
  'authority',
  'certificate_sha256',
  'certificate_expires',
  'top_name',
  'top_sha256',
] as const

const textCommand = (kind: 'response' | 'token'): string =>
  `openssl ts -reply -in stamp.tsr${kind === 'token' ? ' -token_in' : ''} -text`

const verifyCommand = (kind: 'response' | 'token'): string =>
  `openssl ts -verify -in stamp.tsr${kind === 'token' ? ' -token_in' : ''} -data FILE -CAfile roots.pem`

const imprintCommand = (algorithm: string): string => `openssl dgst -${algorithm} FILE`
