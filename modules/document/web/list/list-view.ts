import type { QueryInputOf } from '../../../../kernel/endpoint.ts'
import { idIn, listKind, oneIn, queryOf, type Days, type ListKind, type Place } from '../../../../ui/list/list-view.ts'
import type { listDocuments } from '../../contract/endpoints.ts'
import { statuses, statusesOfCategory, type Category, type Status } from '../../domain/status.ts'

export const orderings = ['-created_at', 'created_at', 'document_name', '-document_name'] as const
export type Ordering = (typeof orderings)[number]
/** What a list shows: all of it stands in the address of the page. `search`: words, or the beginning of a fingerprint. */
export type Filters = Days & {
  readonly status: Status | null
  /** Id of who deposited it. */
  readonly by: string | null
}
export type ListView = Place<Ordering> & Filters
export const noFilters: Filters = { status: null, by: null, from: null, to: null }
/** Statuses that one can meet under a tab; of one alone there is nothing to choose. */
export const statusesIn: Readonly<Record<Category, readonly Status[]>> = {
  pending: statusesOfCategory.pending,
  completed: [],
  trash: ['final', 'draft', 'failed', 'expired'],
}

export const list: ListKind<ListView> = listKind<Ordering, Filters>({
  orderings,
  noFilters,
  ownFilters: (asked) => ({ status: oneIn(asked, 'status', statuses), by: idIn(asked, 'by') }),
})

/** As people copy them: in groups, with colons, in capitals. null: it is no fingerprint, nor the beginning of one. */
export function fingerprintIn(search: string): string | null {
  const digits = search.replace(/[\s:]/g, '').toLowerCase()
  return /^[0-9a-f]{8,128}$/.test(digits) ? digits : null
}

export function queryOfView(category: Category, view: ListView): QueryInputOf<typeof listDocuments> {
  const { search, status, by } = view
  const words = search.trim()
  const fingerprint = fingerprintIn(words)
  return {
    category,
    ...queryOf(view),
    ...(fingerprint !== null ? { fingerprint } : words === '' ? {} : { search: words }),
    ...(status === null ? {} : { status }),
    ...(by === null ? {} : { created_by: by }),
  }
}
