import { ids } from '../certificate/object-ids.ts'
import { checkCertificate } from './check-certificate.ts'
import type { CertificateAnswer, CertificateQuestion } from './check-certificate.ts'
import type { CertificatePath } from '../certificate/certificate-path.ts'
import { octetsCheck, unsignedCheck } from './check-unsigned.ts'
import type { AnyCms, AnySigner } from './read-cms.ts'
import { enclosedData, revocationOf } from './revocation.ts'
import type { RevocationData } from './revocation.ts'
import type { ProofCheck } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import type { Certificate } from '../certificate/x509.ts'

/** What a document brings for all its signatures, and the roots of the reader. */
export type Known = {
  readonly certificates: readonly Certificate[]
  readonly anchors: readonly Certificate[]
  readonly evidence: RevocationData
}

export type Signed = { readonly cms: AnyCms; readonly signer: AnySigner; readonly certificate: Certificate }

export type Judgement = CertificateAnswer & {
  readonly pool: readonly Certificate[]
  readonly octets: ProofCheck
  /** Whether every certificate of its way has an answer from its issuer, enclosed or in a store, that says it was good. */
  readonly hasEvidence: (store: RevocationData) => boolean
}

/** Who signed, at a proven time or now: of a signature in a document and of the tokens over one alike. */
export function judgeSigner(
  { cms, signer, certificate }: Signed,
  known: Known,
  time: Pick<CertificateQuestion, 'at' | 'by' | 'now'>,
  deps: VerifyDeps,
): Judgement {
  const pool = [...cms.certificates, ...known.certificates]
  const answer = checkCertificate({ certificate, pool, anchors: known.anchors, lists: deps.trustedLists, deps, ...time }, signer)
  const enclosed = enclosedData(cms, signer)
  // Of what is added to a signature in a document, time stamps over its value alone are evaluated (EN 319 142-1 §5.3).
  const evaluated = time.by === 'gen_time' ? {} : { [ids.signatureTimestamp]: '' }
  const [open] = unsignedCheck(signer, evaluated).filter(({ supplementary }) => supplementary !== true)
  return {
    ...answer,
    pool,
    octets: open === undefined ? octetsCheck(cms, pool, [answer.path]) : { ...open, id: 'octets' },
    hasEvidence: ({ crls, ocsps }) => {
      const all = { crls: [...enclosed.crls, ...crls], ocsps: [...enclosed.ocsps, ...ocsps] }
      return hasEvidence(certificate, answer.path, all, pool, time.at)
    },
  }
}

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
