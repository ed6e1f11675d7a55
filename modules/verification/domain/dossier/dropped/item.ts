import type { Bound, ProofReport } from '../../report/proof-report.ts'
import type { ItemKind } from '../../recognise/recognise.ts'
import type { VerificationReport } from '../../report/package-report.ts'

export type ItemResult =
  | { readonly form: 'package'; readonly report: VerificationReport }
  | { readonly form: 'proof'; readonly report: ProofReport }
  /** Nothing in it proves anything; its digests do link it to what does. */
  | { readonly form: 'document' }
  /** Roots that the reader may decide to trust; names of their subjects. */
  | { readonly form: 'certificates'; readonly names: readonly string[] }
  /** Published keys, compared with as what the reader gave; how many. */
  | { readonly form: 'keys'; readonly count: number }
  | { readonly form: 'unreadable'; readonly reason: 'read' | 'too_large' | 'defect' }

export type DossierItem = {
  readonly name: string
  readonly size: number
  readonly kind: ItemKind
  readonly result: ItemResult
  /** Of the file itself and of what it commits to. */
  readonly bound: readonly Bound[]
}
