import { listKind, oneIn, queryOf, type Days, type Place } from '../../../../ui/list/list-view.ts'
import { licenseStatuses } from '../../domain/status.ts'

export const licenseOrderings = ['-created_at', 'created_at'] as const
type Ordering = (typeof licenseOrderings)[number]
type Filters = Days & {
  /** null: what was bought. */
  readonly side: 'sold' | null
  readonly status: (typeof licenseStatuses)[number] | null
}
export type LicenseView = Place<Ordering> & Filters

export const noFilters: Filters = { side: null, status: null, from: null, to: null }

/** C-44: what the list of licences shows, as it stands in the address. */
export const licenseList = listKind<Ordering, Filters>({
  orderings: licenseOrderings,
  noFilters,
  ownFilters: (asked) => ({
    side: oneIn(asked, 'side', ['sold'] as const),
    status: oneIn(asked, 'status', licenseStatuses),
  }),
})

export function toQuery({ side, status, search, ordering, ...place }: LicenseView) {
  return {
    ...queryOf({ ...place, search, ordering, from: null, to: null }),
    ordering,
    side: side ?? ('bought' as const),
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(status === null ? {} : { status }),
  }
}
