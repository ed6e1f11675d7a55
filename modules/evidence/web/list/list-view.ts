import type { QueryInputOf } from '../../../../kernel/endpoint.ts'
import { idIn, listKind, oneIn, queryOf, textIn, type Days, type ListKind, type Place } from '../../../../ui/list/list-view.ts'
import type { listEvidences } from '../../contract/endpoints.ts'
import { evidenceStatuses, type EvidenceStatus } from '../../contract/evidence.ts'
import { captureActions, type CaptureAction } from '../../domain/action.ts'

export type Category = 'draft' | 'completed' | 'trash'

export const orderings = [
  '-created_at',
  'created_at',
  '-captured_at',
  'captured_at',
  'page_url',
  '-page_url',
  'label',
  '-label',
] as const
export type Ordering = (typeof orderings)[number]
/** What is sorted, and therefore bounded (`sortable` of the answer). */
export const isSorting = (ordering: Ordering): boolean => !ordering.endsWith('created_at')

/** What a list shows: all of it stands in the address of the page. */
export type Filters = Days & {
  readonly status: EvidenceStatus | null
  readonly action: CaptureAction | null
  readonly scenario: string | null
  /** Id of who asked for it. */
  readonly by: string | null
}
export type ListView = Place<Ordering> & Filters
export const noFilters: Filters = { status: null, action: null, scenario: null, by: null, from: null, to: null }
/** Statuses that one can meet in a category; of one alone there is nothing to choose. */
export const statusesIn: Readonly<Record<Category, readonly EvidenceStatus[]>> = {
  draft: ['queued', 'preparing', 'capturing', 'completing', 'to_validate', 'awaiting_payment', 'finalizing', 'failed'],
  completed: [],
  trash: ['final', 'rejected', 'expired'],
}

export const list: ListKind<ListView> = listKind<Ordering, Filters>({
  orderings,
  noFilters,
  ownFilters: (asked) => ({
    status: oneIn(asked, 'status', evidenceStatuses),
    action: oneIn(asked, 'action', captureActions),
    scenario: textIn(asked, 'scenario')?.slice(0, 100) ?? null,
    by: idIn(asked, 'by'),
  }),
})

export function queryOfView(category: Category, view: ListView): QueryInputOf<typeof listEvidences> {
  const { search, status, action, scenario, by } = view
  return {
    category,
    ...queryOf(view),
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(status === null ? {} : { status }),
    ...(action === null ? {} : { action }),
    ...(scenario === null ? {} : { scenario }),
    ...(by === null ? {} : { created_by: by }),
  }
}
