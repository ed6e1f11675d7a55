import { equalBytes } from '../../../../kernel/bytes.ts'
import { isIssuedBy, isSelfSigned, isValidAt } from './x509.ts'
import type { Budget, Certificate } from './x509.ts'

/**
 * The way from a certificate up to one that stands for itself (RFC 5280 §6, without policies and name constraints, whose critical
 * presence is reported). Several ways are tried, because authorities sign one another.
 */
export type CertificatePath = {
  /** Nearest first; the last one is the top. */
  readonly issuers: readonly Certificate[]
  /** `anchor`: a certificate given from elsewhere; `root`: one that names itself; `none`: the issuer of the last one is not at hand. */
  readonly ends: 'anchor' | 'root' | 'none'
  readonly top: Certificate
  /** Why the certificate that signed may not issue others. */
  readonly flaw?: 'not_an_authority' | 'path_length' | 'critical_extension'
}

const longest = 8
/** What one proof may cost; the chains of all its signers and stamps together are shorter. */
export const mostCalculations = 48

/**
 * @param anchors certificates that the reader trusts: a way ends there.
 * @param at when every certificate of the way should be valid; another way is taken only when none is.
 */
export function findPath(
  leaf: Certificate,
  pool: readonly Certificate[],
  anchors: readonly Certificate[],
  at: Date,
  budget: Budget = { left: mostCalculations },
): CertificatePath {
  const all = unique([...anchors, ...pool])
  const trusted = new Set(anchors.map(({ sha256 }) => sha256))
  let best: { path: CertificatePath; score: number } | undefined

  const offer = (path: CertificatePath): boolean => {
    const score = scoreOf(path, leaf, at)
    if (best === undefined || score > best.score) best = { path, score }
    return score === perfect
  }

  /** @returns true when there is no better way to look for. */
  function follow(subject: Certificate, issuers: readonly Certificate[], flaw: CertificatePath['flaw']): boolean {
    const here = { issuers, top: subject, ...(flaw === undefined ? {} : { flaw }) }
    if (trusted.has(subject.sha256)) return offer({ ...here, ends: 'anchor' })
    if (isRoot(subject, budget)) return offer({ ...here, ends: 'root' })
    if (issuers.length < longest)
      for (const issuer of all) {
        if (!equalBytes(issuer.subject, subject.issuer) || issuers.includes(issuer) || issuer === leaf) continue
        if (budget.left < 0) break
        if (isIssuedBy(subject, issuer, budget) && follow(issuer, [...issuers, issuer], flaw ?? flawOf(issuer, issuers)))
          return true
      }
    return offer({ ...here, ends: 'none' })
  }

  follow(leaf, [], undefined)
  return best?.path ?? { issuers: [], ends: 'none', top: leaf }
}

const perfect = 23

/** A way that ends, and by an anchor, before one that does not; a sound one before one with a flaw; a valid one before an expired one. */
function scoreOf(path: CertificatePath, leaf: Certificate, at: Date): number {
  const isValid = [leaf, ...path.issuers].every((each) => isValidAt(each, at))
  const ends = { anchor: 4, root: 2, none: 0 }[path.ends]
  return (path.flaw === undefined && path.ends !== 'none' ? 16 : 0) + ends + (isValid ? 1 : 0) + (path.flaw === undefined ? 2 : 0)
}

/** The signature of a root over itself proves nothing, so one whose algorithm is of the past still ends a way. */
export function isRoot(certificate: Certificate, budget?: Budget): boolean {
  return (
    equalBytes(certificate.issuer, certificate.subject) && (certificate.scheme === undefined || isSelfSigned(certificate, budget))
  )
}

function flawOf(issuer: Certificate, below: readonly Certificate[]): CertificatePath['flaw'] {
  if (!issuer.isAuthority || (issuer.keyUsage !== undefined && !issuer.keyUsage.has(5))) return 'not_an_authority'
  // RFC 5280 §6.1.4 (l): certificates that name themselves do not count.
  const counted = below.filter((each) => !equalBytes(each.issuer, each.subject)).length
  if (issuer.pathLength !== undefined && issuer.pathLength < counted) return 'path_length'
  return issuer.unknownCritical ? 'critical_extension' : undefined
}

export function unique(certificates: readonly Certificate[]): Certificate[] {
  return [...new Map(certificates.map((each) => [each.sha256, each])).values()]
}
