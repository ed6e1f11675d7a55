import type { VerifyDeps } from './package-source.ts'
import type { Authority, Check, TrustBasis } from './report.ts'
import type { SignatureFacts } from './verify-seal.ts'
import { pemOrNone } from './verify-seal.ts'
import type { TimestampFacts } from './verify-timestamp.ts'

/** A timestamp that holds, and the file whose last certificate is its root; none for one that stands in a PDF. */
export type DatedBy = {
  readonly facts: Pick<TimestampFacts, 'root_sha256' | 'root_name'>
  readonly file: string
  readonly isPem: boolean
}

/**
 * On whose word the package rests. Without `trust` each authority is accepted as the package names it, with its fingerprint to
 * compare; where a platform's published keys are at hand and do not name it, who sealed is no conclusion (EN 319 102-1 §5.2.6: a chain
 * to no anchor that the verifier knows). With `trust`, a platform's authority that is not among the given ones fails; a time authority that is
 * not leaves the date unproved, which is no conclusion: nothing shows it to be false.
 */
export function trustChecks(
  signature: SignatureFacts | undefined,
  dated: readonly DatedBy[],
  deps: VerifyDeps,
): { checks: Check[]; authorities: Authority[]; basis: TrustBasis } {
  const pinned = deps.trust === undefined ? undefined : new Set(pemOrNone(deps.trust).map(({ sha256 }) => sha256))
  const anchor = pinned === undefined ? 'package' : 'pinned'
  const basis = pinned === undefined ? basisOf(signature, deps.keys) : 'pinned'
  const platform: Omit<Check, 'status' | 'data'> = {
    id: 'signer_trust',
    subject: platformFile,
    repeat_command: fingerprintCommand(platformFile),
  }
  const checks: Check[] = []
  const authorities: Authority[] = []
  if (signature === undefined) checks.push({ ...platform, status: 'failed', data: { reason: 'no_signature' } })
  else {
    const { sha256, name } = signature.authority
    authorities.push({ kind: 'platform', name, sha256 })
    checks.push(
      basis === 'unpublished'
        ? { ...platform, status: 'indeterminate', data: { name, sha256, basis, reason: 'not_published' } }
        : pinned === undefined || pinned.has(sha256)
          ? { ...platform, status: 'passed', data: { name, sha256, basis } }
          : { ...platform, status: 'failed', data: { sha256, basis, reason: 'not_pinned' } },
    )
  }
  for (const { facts, file, isPem } of dated) {
    const { root_sha256: sha256, root_name: name } = facts
    if (authorities.some((each) => each.kind === 'time' && each.sha256 === sha256)) continue
    authorities.push({ kind: 'time', name, sha256 })
    const base: Omit<Check, 'status' | 'data'> = {
      id: 'time_trust',
      subject: file,
      ...(isPem ? { repeat_command: fingerprintCommand(file) } : {}),
    }
    checks.push(
      pinned === undefined || pinned.has(sha256)
        ? { ...base, status: 'passed', data: { authority: name, sha256, anchor } }
        : { ...base, status: 'indeterminate', data: { authority: name, sha256, anchor, reason: 'not_pinned' } },
    )
  }
  return { checks, authorities, basis }
}

/** Any package names its own authority the platform's: only a list from elsewhere says whose it is. */
function basisOf(signature: SignatureFacts | undefined, keys: VerifyDeps['keys']): TrustBasis {
  const published = keys?.authorities ?? []
  if (signature === undefined || published.length === 0) return 'package'
  return published.includes(signature.authority.sha256) ? 'published' : 'unpublished'
}

const platformFile = 'seal/platform-ca.pem'

/** Of the last certificate of a file, which is the root; `openssl x509` reads the first. */
function fingerprintCommand(file: string): string {
  return `sed -n -e '/BEGIN/h' -e '/BEGIN/!H' -e '\${x;p;}' ${file} | openssl x509 -noout -subject -fingerprint -sha256`
}
