import { listKind, oneIn, queryOf, type Days, type Place } from '../../../../ui/list/list-view.ts'
import { categories } from '../../contract/invoices.ts'
import { publicStatuses } from '../../domain/invoice/status.ts'

export const invoiceOrderings = ['-created_at', 'created_at'] as const
type Ordering = (typeof invoiceOrderings)[number]
type Filters = Days & {
  readonly category: (typeof categories)[number] | null
  readonly status: (typeof publicStatuses)[number] | null
}
export type InvoiceView = Place<Ordering> & Filters

export const noFilters: Filters = { category: null, status: null, from: null, to: null }

/** R-12, C-39: what the list of invoices shows, as it stands in the address. */
export const invoiceList = listKind<Ordering, Filters>({
  orderings: invoiceOrderings,
  noFilters,
  ownFilters: (asked) => ({
    category: oneIn(asked, 'category', categories),
    status: oneIn(asked, 'status', publicStatuses),
  }),
})

export function toQuery({ category, status, search, ordering, ...place }: InvoiceView) {
  return {
    ...queryOf({ ...place, search, ordering, from: null, to: null }),
    ordering,
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(category === null ? {} : { category }),
    ...(status === null ? {} : { status }),
  }
}
