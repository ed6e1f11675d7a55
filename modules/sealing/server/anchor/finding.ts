import type { DomainError } from '../../../../kernel/errors.ts'
import { readTimestamp, treeOf, type Attested, type TimestampTree } from '../../../verification/server/index.ts'
import type { AnchorEventKind } from '../../domain/anchor.ts'
import type { AnchorEvent, AnchorRecord } from './anchor-store.ts'

/** What one look at a pending anchor found: what to keep, and what to tell. */
export type Finding = {
  readonly promise?: TimestampTree
  readonly transactions?: AnchorRecord['transactions']
  /** Ways to blocks that are said to hold it, the likeliest first. */
  readonly blocks: readonly TimestampTree[]
  readonly events: readonly { readonly kind: AnchorEventKind; readonly data: AnchorEvent['data'] }[]
  readonly failures: readonly DomainError[]
  /** Somebody answered as hoped: then there is nothing to do but wait, whatever others did. */
  readonly answered: boolean
  /** There is a next step that needs no waiting. */
  readonly goesOn?: boolean
}

export const nothingFound: Finding = { blocks: [], events: [], failures: [], answered: false }

/** The tree of a stored column. */
export function storedTree(anchor: Pick<AnchorRecord, 'commitment'>, bytes: Uint8Array | null): TimestampTree | null {
  return bytes === null ? null : readTimestamp(bytes, anchor.commitment)
}

/** One way of a tree and nothing else. */
export function oneWay(tree: TimestampTree, attested: Attested): TimestampTree {
  return treeOf(tree.message, attested.operations, [attested.attestation])
}
