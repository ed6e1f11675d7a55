import type { VerifyDeps } from '../../known/verify-deps.ts'
import type { Authority, Check, TrustBasis, TimestampFacts } from '../../report/package-report.ts'
import type { SignatureFacts } from './verify-seal.ts'
import { pemOrNone } from './verify-seal.ts'

/** A timestamp that holds, and the file whose last certificate is its root; none for one that stands in a PDF. */
export type DatedBy = {
  readonly facts: Pick<TimestampFacts, 'root_sha256' | 'root_name'>
  readonly file: string
  readonly isPem: boolean
}

/**
 * On whose word the package rests (EN 319 102-1 §5.2.6: a chain to an anchor that the verifier knows). Any package names its own
 * authority the platform's: it is believed when the reader gave its certificate or compared its fingerprint, or when the platform whose
 * keys are at hand publishes it; otherwise who sealed is no conclusion. An authority that dates is believed for the same reasons, by a
 * trusted list, or because the platform itself names it as its own (`own`): its dates are then the platform's word.
 * With `trust`, those roots alone count, and a platform's authority that is not among them fails; a time authority that is not leaves
 * the date unproved, which is no conclusion: nothing shows it to be false.
 * @param own authorities that date, as the platform signed its keys in the package
 * @param qualified SHA-256 of roots of tokens that a trusted list vouches for
 */
export function trustChecks(
  signature: SignatureFacts | undefined,
  dated: readonly DatedBy[],
  deps: VerifyDeps,
  { own, qualified }: { readonly own: readonly string[]; readonly qualified: ReadonlySet<string> },
): { checks: Check[]; authorities: Authority[]; basis: TrustBasis } {
  const pinned = deps.trust === undefined ? undefined : new Set(pemOrNone(deps.trust).map(({ sha256 }) => sha256))
  const basis = pinned === undefined ? basisOf(signature, deps) : 'pinned'
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
    const said = { name, sha256, basis }
    checks.push(
      pinned !== undefined && !pinned.has(sha256)
        ? { ...platform, status: 'failed', data: { ...said, reason: 'not_pinned' } }
        : basis in unbelieved
          ? { ...platform, status: 'indeterminate', data: { ...said, reason: unbelieved[basis as keyof typeof unbelieved] } }
          : { ...platform, status: 'passed', data: said },
    )
  }
  const anchorOf = (sha256: string): string | undefined => {
    if (pinned !== undefined) return pinned.has(sha256) ? 'pinned' : undefined
    if (deps.fingerprints?.includes(sha256) === true) return 'compared'
    if (deps.keys?.timeAuthorities?.includes(sha256) === true) return 'published'
    if (qualified.has(sha256)) return 'trusted_list'
    return own.includes(sha256) || sha256 === signature?.authority.sha256 ? 'platform' : undefined
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
    const anchor = anchorOf(sha256)
    checks.push(
      anchor === undefined
        ? {
            ...base,
            status: 'indeterminate',
            data: { authority: name, sha256, reason: pinned === undefined ? 'not_compared' : 'not_pinned' },
          }
        : { ...base, status: 'passed', data: { authority: name, sha256, anchor } },
    )
  }
  return { checks, authorities, basis }
}

const unbelieved = { package: 'not_compared', unpublished: 'not_published' } as const

function basisOf(signature: SignatureFacts | undefined, { keys, fingerprints }: VerifyDeps): TrustBasis {
  const published = keys?.authorities ?? []
  if (signature === undefined) return 'package'
  const { sha256 } = signature.authority
  if (published.includes(sha256)) return 'published'
  if (fingerprints?.includes(sha256) === true) return 'compared'
  return published.length === 0 ? 'package' : 'unpublished'
}

const platformFile = 'seal/platform-ca.pem'

/** Of the last certificate of a file, which is the root; `openssl x509` reads the first. */
function fingerprintCommand(file: string): string {
  return `sed -n -e '/BEGIN/h' -e '/BEGIN/!H' -e '\${x;p;}' ${file} | openssl x509 -noout -subject -fingerprint -sha256`
}
