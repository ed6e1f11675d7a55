import { equalBytes } from '../../../../../kernel/bytes.ts'
import { digests } from '../../hash/digests.ts'
import { embeddedPolicy, ids } from '../../certificate/object-ids.ts'
import type { DigestName } from '../../hash/digests.ts'
import type { CertificateAnswer } from '../../cms/check-certificate.ts'
import { checkSigner } from '../../cms/check-signer.ts'
import { readCms } from '../../cms/read-cms.ts'
import { MalformedError } from '../../encoding/der.ts'
import type { ProofCheck, ProvenDate } from '../../report/proof-report.ts'
import type { VerifyDeps } from '../../known/verify-deps.ts'
import { readTstInfo } from '../../timestamp/read-tst-info.ts'
import type { Certificate } from '../../certificate/x509.ts'
import { collapse } from '../../report/collapse-checks.ts'
import { judgeSigner } from '../../cms/judge-signer.ts'
import type { Judgement, Known } from '../../cms/judge-signer.ts'

/** A token that holds, whether or not its authority is one that the reader knows. */
export type Token = {
  readonly genTime: Date
  /** On whose word, as reports have it. */
  readonly date: ProvenDate
  readonly name: string
  readonly hasEvidence: Judgement['hasEvidence']
}

/** Words `verification.proof.pdf.<id>`: `timestamp` says whether it holds, `time_trust` whether its authority is known. */
export type CheckedToken = { readonly checks: readonly ProofCheck[]; readonly token: Token | undefined }

/**
 * A token inside a signature or a document, by anybody (RFC 3161, EN 319 422): imprint, signature, purpose, way up and validity at
 * its own time. Never throws.
 * @param id of the check that says whether it holds. @param digestOf what must have been stamped, under the digest that the token names.
 */
export async function checkToken(
  encoded: Uint8Array,
  id: string,
  subject: string,
  digestOf: (algorithm: DigestName) => Promise<Uint8Array>,
  known: Known,
  deps: VerifyDeps,
): Promise<CheckedToken> {
  const fail = (reason: string): CheckedToken => ({
    checks: [{ id, status: 'failed', data: { reason }, subject }],
    token: undefined,
  })
  try {
    const cms = readCms(encoded, known.certificates)
    const [signer, second] = cms.signers
    const { content } = cms
    if (cms.contentType !== ids.tstInfo || content === undefined || signer === undefined || second !== undefined)
      return fail('not_a_token')
    const info = readTstInfo(content)
    const bound = await checkSigner(signer, {
      contentType: ids.tstInfo,
      pool: [...cms.certificates, ...known.certificates],
      contentDigest: async (algorithm) => digests[algorithm](content),
      content,
      mustNameCertificate: true,
    })
    const checks = [...bound, await imprintCheck(info, digestOf), purposeCheck(signer.certificate), criticalCheck(info)]
    const held = collapse(id, subject, checks)
    if (signer.certificate === undefined || held.status === 'failed') return { checks: [held], token: undefined }
    const { certificate } = signer
    const { name } = certificate
    const at = info.genTime.toISOString()
    const judged = judgeSigner({ cms, signer, certificate }, known, { at: info.genTime, by: 'gen_time', now: deps.now() }, deps)
    const trust = judged.checks.filter((check) => check.id === 'trust')
    const whole = collapse(id, subject, [held, ...judged.checks.filter((check) => check.id !== 'trust')])
    return {
      checks: [
        { ...whole, data: { name, gen_time: at, ...whole.data } },
        { ...judged.octets, subject },
        ...trust.map((each) => ({ ...each, id: 'time_trust', subject })),
      ],
      token:
        whole.status === 'failed'
          ? undefined
          : {
              genTime: info.genTime,
              name,
              date: {
                kind: 'timestamp',
                at,
                by: name,
                rests_on: [restsOn(info.policy, judged.trusted)],
                ...(judged.status.status === 'qualified' ? { qualified: true } : {}),
              },
              hasEvidence: judged.hasEvidence,
            },
    }
  } catch (error) {
    if (error instanceof MalformedError || error instanceof RangeError) return fail('malformed')
    throw error
  }
}

function restsOn(policy: string, trusted: CertificateAnswer['trusted']): ProvenDate['rests_on'][number] {
  if (policy === embeddedPolicy || trusted === 'published') return 'platform'
  return trusted === 'trusted_list' ? 'trusted_list' : 'time_authority'
}

async function imprintCheck(
  info: ReturnType<typeof readTstInfo>,
  digestOf: (algorithm: DigestName) => Promise<Uint8Array>,
): Promise<ProofCheck> {
  const { algorithm, imprint } = info
  if (algorithm === undefined)
    return { id: 'imprint', status: 'indeterminate', data: { reason: 'unknown_algorithm', algorithm: info.algorithmId } }
  return equalBytes(imprint, await digestOf(algorithm))
    ? { id: 'imprint', status: 'passed', data: {} }
    : { id: 'imprint', status: 'failed', data: { reason: 'other_imprint' } }
}

function purposeCheck(certificate: Certificate | undefined): ProofCheck {
  const isRight = certificate === undefined || certificate.extendedKeyUsage?.purposes.includes(ids.timeStamping) === true
  return { id: 'purpose', status: isRight ? 'passed' : 'failed', data: isRight ? {} : { reason: 'purpose' } }
}

function criticalCheck(info: ReturnType<typeof readTstInfo>): ProofCheck {
  const isOdd = info.version !== 1 || info.criticalExtension !== undefined
  return { id: 'form', status: isOdd ? 'indeterminate' : 'passed', data: isOdd ? { reason: 'unusual_token' } : {} }
}
