import type { RevocationData } from '../../cms/revocation.ts'
import type { Fact, ProofCheck, ProvenDate } from '../../report/proof-report.ts'
import type { Token } from './check-token.ts'
import type { FieldSignature } from '../document/find-signatures.ts'
import type { View } from '../document/view.ts'

/** One signature or document timestamp, as far as it is told from itself. */
export type CheckedSignature = {
  readonly subject: string
  readonly isTimestamp: boolean
  readonly field: FieldSignature
  readonly checks: readonly ProofCheck[]
  /** Where what it covers ends, once it is known to be the end of a revision. */
  readonly coveredTo: number | undefined
  /** The document as it was signed; undefined when that revision cannot be read by itself. */
  readonly revision: View | undefined
  /** SHA-256 of what it covers. */
  readonly digest: Uint8Array | undefined
  /** Of a document timestamp: the validation data that it covers; undefined when there is none. */
  readonly store: RevocationData | undefined
  /** Tokens that hold: over the signature, or the document timestamp itself. */
  readonly tokens: readonly Token[]
  readonly holds: boolean
  /** What depends on the signatures that came after. */
  conclude(all: readonly CheckedSignature[]): Conclusion
}

/** What it comes to among the others. */
export type Conclusion = {
  readonly checks: readonly ProofCheck[]
  readonly facts: readonly Fact[]
  readonly dates: readonly ProvenDate[]
}
