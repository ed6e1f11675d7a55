import { equalBytes } from '../../../../kernel/bytes.ts'
import { digests, embeddedPolicy, ids } from '../algorithms.ts'
import type { DigestName } from '../algorithms.ts'
import { checkCertificate } from '../cms/check-certificate.ts'
import { checkSigner } from '../cms/check-signer.ts'
import { octetsCheck } from '../cms/check-unsigned.ts'
import { readCms } from '../cms/read-cms.ts'
import { enclosedData, revocationOf } from '../cms/revocation.ts'
import type { RevocationData } from '../cms/revocation.ts'
import { MalformedError } from '../der.ts'
import type { ProofCheck, ProofDeps, ProvenDate } from '../proof.ts'
import { readTstInfo } from '../timestamp/read-tst-info.ts'
import type { Certificate } from '../x509.ts'
import type { CertificatePath } from '../cms/certificate-path.ts'
import { collapse } from './collapse-checks.ts'

export type Known = {
  readonly certificates: readonly Certificate[]
  readonly anchors: readonly Certificate[]
  readonly evidence: RevocationData
}

/** A token that holds, whether or not its authority is one that the reader knows. */
export type Token = {
  readonly genTime: Date
  /** On whose word, as reports have it. */
  readonly date: ProvenDate
  readonly name: string
  /** Whether every certificate of its way has an answer from its issuer, in the token or in a store, that says it was good. */
  hasEvidence(store: RevocationData): boolean
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
  deps: ProofDeps,
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
    const pool = [...cms.certificates, ...known.certificates]
    const answer = checkCertificate(
      {
        certificate,
        pool,
        anchors: known.anchors,
        lists: deps.trustedLists,
        deps,
        at: info.genTime,
        by: 'gen_time',
        now: deps.now(),
      },
      signer,
    )
    const [trust, others] = split(answer.checks, ['trust', 'current'])
    const whole = collapse(id, subject, [held, ...others])
    const isQualified = answer.status.status === 'qualified'
    const name = certificate.name
    const enclosed = enclosedData(cms, signer)
    return {
      checks: [
        { ...whole, data: { name, gen_time: info.genTime.toISOString(), ...whole.data } },
        { ...octetsCheck(cms, pool, [answer.path]), subject },
        ...trust.filter(({ id }) => id === 'trust').map((each) => ({ ...each, id: 'time_trust', subject })),
      ],
      token:
        whole.status === 'failed'
          ? undefined
          : {
              genTime: info.genTime,
              name,
              date: {
                kind: 'timestamp',
                at: info.genTime.toISOString(),
                by: name,
                rests_on: [
                  info.policy === embeddedPolicy || answer.trusted === 'published'
                    ? 'platform'
                    : answer.trusted === 'trusted_list'
                      ? 'trusted_list'
                      : 'time_authority',
                ],
                ...(isQualified ? { qualified: true } : {}),
              },
              hasEvidence: (store) => hasEvidence(certificate, answer.path, joined(enclosed, store), pool, info.genTime),
            },
    }
  } catch (error) {
    if (error instanceof MalformedError || error instanceof RangeError) return fail('malformed')
    throw error
  }
}

const split = (checks: readonly ProofCheck[], ids: readonly string[]): [ProofCheck[], ProofCheck[]] => [
  checks.filter(({ id }) => ids.includes(id)),
  checks.filter(({ id }) => !ids.includes(id)),
]

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

export const joined = (a: RevocationData, b: RevocationData): RevocationData => ({
  crls: [...a.crls, ...b.crls],
  ocsps: [...a.ocsps, ...b.ocsps],
})

/** Of every certificate below the top, whose own revocation nobody could state. */
export function hasEvidence(
  certificate: Certificate,
  path: CertificatePath,
  evidence: RevocationData,
  pool: readonly Certificate[],
  at: Date,
): boolean {
  const chain = [certificate, ...path.issuers]
  return (
    path.ends !== 'none' &&
    path.issuers.every((issuer, i) => {
      const found = revocationOf(chain[i] as Certificate, issuer, evidence, pool)
      return found?.status === 'good' && (found.at >= at || (found.nextUpdate !== undefined && found.nextUpdate >= at))
    })
  )
}
