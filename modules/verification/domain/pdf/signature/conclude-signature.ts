import { ids } from '../../certificate/object-ids.ts'
import type { AnySigner } from '../../cms/read-cms.ts'
import { revocationCheck } from '../../cms/revocation.ts'
import type { RevocationData } from '../../cms/revocation.ts'
import { anyTimeOf, MalformedError } from '../../encoding/der.ts'
import type { ProofCheck } from '../../report/proof-report.ts'
import type { VerifyDeps } from '../../known/verify-deps.ts'
import type { CheckedSignature, Conclusion } from './checked-signature.ts'
import type { Token } from './check-token.ts'
import { collapse } from '../../report/collapse-checks.ts'
import type { FieldSignature } from '../document/find-signatures.ts'
import { judgeSigner } from '../../cms/judge-signer.ts'
import type { Known, Signed } from '../../cms/judge-signer.ts'

/** A signature as PAdES has it, and not as the older formats. */
export const isCades = (subFilter: string): boolean => subFilter === 'ETSI.CAdES.detached'

/** A signature over its content, with what was read beside it. */
export type Held = Signed & {
  readonly field: FieldSignature
  readonly subject: string
  readonly tokens: readonly Token[]
  readonly known: Known
  readonly hasStore: boolean
  readonly coveredTo: number
}

/** What follows from the proven time, which a later document timestamp may give: validity, revocation, level. */
export function concludeSignature(held: Held, all: readonly CheckedSignature[], deps: VerifyDeps): Conclusion {
  const { cms, signer, certificate, field, known, subject } = held
  const later = all.filter(({ isTimestamp, holds, coveredTo }) => isTimestamp && holds && (coveredTo ?? 0) > held.coveredTo)
  const proven = [...held.tokens, ...later.flatMap(({ tokens }) => tokens)].toSorted(
    (a, b) => a.genTime.getTime() - b.genTime.getTime(),
  )[0]
  const now = deps.now()
  const at = proven?.genTime ?? now
  const checks: ProofCheck[] = []
  if ((signer.unsigned.get(ids.signatureTimestamp) ?? []).length === 0)
    checks.push(
      proven === undefined
        ? { id: 'timestamp', status: 'indeterminate', data: { reason: 'timestamp_absent' }, subject, supplementary: true }
        : { id: 'timestamp', status: 'passed', data: { name: proven.name, gen_time: proven.date.at }, subject },
    )
  const judged = judgeSigner(held, known, { at, by: proven === undefined ? 'now' : 'timestamp', now }, deps)
  const of = (...wanted: readonly string[]): ProofCheck[] => judged.checks.filter(({ id }) => wanted.includes(id))
  const certified = collapse('certificate', subject, of('chain', 'validity'))
  checks.push(
    { ...certified, data: { name: certificate.name, at: at.toISOString(), ...certified.data } },
    collapse('algorithm', subject, of('algorithms')),
    collapse('trust', subject, of('trust')),
    { ...judged.octets, subject },
    ...revocationCheck(cms, signer, certificate, judged.path, judged.pool, at, known.evidence).map((each) => ({
      ...each,
      subject,
    })),
  )
  const isLasting = (store: RevocationData): boolean => [...held.tokens, judged].every(({ hasEvidence }) => hasEvidence(store))
  // What came after a document timestamp is not under it.
  const isStamped = later.some(({ store }) => store !== undefined && isLasting(store))
  const claimed = claimedTime(signer)
  return {
    checks,
    facts: [
      { id: 'signature_field', value: field.field, form: 'text' },
      { id: 'signer', value: certificate.name, form: 'text' },
      ...(claimed === undefined ? [] : [{ id: 'claimed_time', value: claimed.toISOString(), form: 'instant' } as const]),
      ...(proven === undefined ? [] : [{ id: 'proven_time', value: proven.date.at, form: 'instant' } as const]),
      {
        id: 'level',
        value: levelOf(field.subFilter, proven, isStamped || (held.hasStore && isLasting(known.evidence)), isStamped),
        form: 'text',
      },
    ],
    dates: held.tokens.map(({ date }) => date),
  }
}

/** Of the signer's own clock: a claim, and nothing more. */
function claimedTime(signer: AnySigner): Date | undefined {
  const [value] = signer.signed.get(ids.signingTime) ?? []
  try {
    return value === undefined ? undefined : anyTimeOf(value)
  } catch (error) {
    if (error instanceof MalformedError) return undefined
    throw error
  }
}

/** As measured, not as anybody names it: EN 319 142-1 §6, or its like for signatures of the older formats. */
function levelOf(subFilter: string, proven: Token | undefined, isLasting: boolean, isStamped: boolean): string {
  const suffix = proven === undefined ? 'B' : !isLasting ? 'T' : isStamped ? 'LTA' : 'LT'
  return isCades(subFilter) ? `PAdES B-${suffix}` : `PKCS #7, ${suffix}`
}
