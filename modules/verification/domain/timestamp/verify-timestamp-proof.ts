import { digests } from '../hash/digests.ts'
import { embeddedPolicy, ids } from '../certificate/object-ids.ts'
import { unarmoured } from '../cms/armour.ts'
import { mostCalculations, unique } from '../certificate/certificate-path.ts'
import { checkCertificate } from '../cms/check-certificate.ts'
import { checkSigner } from '../cms/check-signer.ts'
import { octetsCheck, unsignedCheck } from '../cms/check-unsigned.ts'
import { definiteLengths } from '../encoding/definite-lengths.ts'
import type { Compared } from '../cms/digest-content.ts'
import { readCms } from '../cms/read-cms.ts'
import type { AnyCms } from '../cms/read-cms.ts'
import { readTrust } from '../certificate/read-trust.ts'
import { revocationCheck } from '../cms/revocation.ts'
import { MalformedError } from '../encoding/der.ts'
import { proofReport } from '../report/proof-report.ts'
import type { ProofCheck, ProofReport, ProvenDate } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { ownAuthority } from '../trusted-list/qualified-status.ts'
import type { Budget, Certificate } from '../certificate/x509.ts'
import { authorityNameCheck } from './authority-name.ts'
import { isDated, isUnknown, keyUsageCheck, purposeCheck, qualifiedCheck } from './check-authority.ts'
import { accuracyCheck, clockCheck, imprintCheck, infoCheck, nonceCheck, strengthCheck } from './check-info.ts'
import { readTokenForm } from './read-response.ts'
import type { TokenForm } from './read-response.ts'
import { readTstInfo } from './read-tst-info.ts'
import type { TstInfo } from './read-tst-info.ts'
import { certificateFacts, factsOf } from './timestamp-facts.ts'

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
export async function verifyTimestampProof(proof: TimestampProof, deps: VerifyDeps): Promise<ProofReport> {
  try {
    const read = readForm(proof, readTrust(deps.trust))
    if (typeof read === 'string') return unusable(read, deps)
    return await verify(read, proof, deps)
  } catch (error) {
    if (error instanceof MalformedError) return unusable('malformed', deps)
    throw error
  }
}

function unusable(reason: string, deps: VerifyDeps): ProofReport {
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

async function verify({ form, trust, token }: Read, proof: TimestampProof, deps: VerifyDeps): Promise<ProofReport> {
  const checks: ProofCheck[] = [{ id: 'form', status: 'passed', data: {}, repeat_command: textCommand(form.kind) }]
  if (form.kind === 'response') checks.push(statusCheck(form))
  if (token === undefined) {
    return proofReport('timestamp', deps, { checks })
  }
  const { cms, info, content } = token
  const now = deps.now()
  const compared = await imprintCheck(info, proof.data, deps)
  checks.push(infoCheck(info), compared.check, strengthCheck(info, now), ...nonceCheck(info, proof.nonce), accuracyCheck(info))
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
      { certificate, pool, anchors: trust, lists: deps.trustedLists, deps, at: info.genTime, by: 'gen_time', now, budget },
      signer,
    )
    checks.push(purposeCheck(certificate), keyUsageCheck(certificate))
    if (info.authority !== undefined) checks.push(authorityNameCheck(info.authority, certificate))
    // The platform's own authority is no other party than the platform (decision 0054).
    const isOwn = info.policy === embeddedPolicy || judged.trusted === 'published'
    const status = isOwn ? ownAuthority : judged.status
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
          rests_on:
            judged.trusted === 'published'
              ? ['platform']
              : [isOwn ? 'platform' : 'time_authority', judged.trusted === 'compared' ? 'given' : judged.trusted],
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

function statusCheck(form: Extract<TokenForm, { kind: 'response' }>): ProofCheck {
  const { status, failure, text } = form
  const granted = status === 'granted' || status === 'granted_with_mods'
  if (granted && form.token !== undefined) return { id: 'status', status: 'passed', data: { granted: status, text } }
  return { id: 'status', status: 'failed', data: { reason: failure ?? (granted ? 'token_absent' : status), text } }
}

const textCommand = (kind: 'response' | 'token'): string =>
  `openssl ts -reply -in stamp.tsr${kind === 'token' ? ' -token_in' : ''} -text`

const verifyCommand = (kind: 'response' | 'token'): string =>
  `openssl ts -verify -in stamp.tsr${kind === 'token' ? ' -token_in' : ''} -data FILE -CAfile roots.pem`
