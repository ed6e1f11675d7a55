/** What stands in the address of a page that shows a list, so that it can be kept, sent, and gone back to. */

export const pageSizes = [20, 50, 100] as const
/** Further down the server does not go: dates and words do. */
const deepest = 10_000

/** What every list has; its filters, null where they are not set, stand beside. */
export type Place<Ordering extends string> = {
  readonly search: string
  readonly ordering: Ordering
  readonly page: number
  readonly size: (typeof pageSizes)[number]
}
/** Days, `2026-11-21`, as the visitor's own calendar has them; both are in. */
export type Days = { readonly from: string | null; readonly to: string | null }

type Asked = Readonly<Record<string, unknown>>

const day = /^\d{4}-\d{2}-\d{2}$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const isDay = (text: string): boolean => day.test(text) && !Number.isNaN(new Date(`${text}T00:00`).getTime())

export function textIn(asked: Asked, name: string): string | null {
  const value = asked[name]
  // The router reads a number where a number was typed.
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text.slice(0, 200) : null
}

export function idIn(asked: Asked, name: string): string | null {
  const text = textIn(asked, name)
  return text !== null && uuid.test(text) ? text : null
}

export function oneIn<T extends string>(asked: Asked, name: string, values: readonly T[]): T | null {
  const text = textIn(asked, name)
  return values.find((each) => each === text) ?? null
}

function dayIn(asked: Asked, name: string): string | null {
  const text = textIn(asked, name)
  return text !== null && isDay(text) ? text : null
}

/** Whatever stands in an address: what makes no sense is as if it did not. @param orderings the plain one first */
function placeIn<Ordering extends string>(asked: Asked, orderings: readonly [Ordering, ...Ordering[]]): Place<Ordering> & Days {
  const size = pageSizes.find((each) => each === Number(asked['size'])) ?? pageSizes[0]
  const page = Math.trunc(Number(asked['page'] ?? 1)) || 1
  return {
    search: textIn(asked, 'search') ?? '',
    ordering: oneIn(asked, 'order', orderings) ?? orderings[0],
    from: dayIn(asked, 'from'),
    to: dayIn(asked, 'to'),
    page: Math.min(Math.max(1, page), deepest / size),
    size,
  }
}

/** As it stands in the address: only what differs from the plain list. */
function addressOf<Ordering extends string>(view: Place<Ordering>, plainView: Place<Ordering>): Record<string, string | number> {
  const { ordering, ...others } = view
  const plain: Asked = { ...plainView, order: plainView.ordering }
  return Object.fromEntries(
    Object.entries({ ...others, order: ordering }).filter(([name, value]) => value !== null && value !== plain[name]),
  )
}

/** The first moment of a day, or of the one after, where the visitor is. */
function midnight(of: string, later: number): string {
  const at = new Date(`${of}T00:00`)
  at.setDate(at.getDate() + later)
  return at.toISOString()
}

/** As calls ask for it, without the words. */
export function queryOf<Ordering extends string>({ ordering, page, size, from, to }: Place<Ordering> & Days) {
  return {
    ordering,
    page,
    page_size: size,
    ...(from === null ? {} : { created_after: midnight(from, 0) }),
    ...(to === null ? {} : { created_before: midnight(to, 1) }),
  }
}

/** What a list of one kind shows: how its address is read, and what stands in it. */
export type ListKind<View extends Place<string>> = {
  /** As it is without any address: the first page of everything, the newest first. */
  readonly plainView: View
  /** Whatever stands in an address: what makes no sense is as if it did not. */
  readonly readView: (asked: Asked) => View
  readonly addressOfView: (view: View) => Record<string, string | number>
  /** Nothing of it stands in the address. */
  readonly isPlain: (view: View) => boolean
  /** By words or filters. */
  readonly isNarrowed: (view: View) => boolean
  /** What is listed, in whatever order and on whichever page. */
  readonly listedBy: (view: View) => string
}

/**
 * @param orderings the plain one first; `noFilters`: none is set
 * @param ownFilters those that it has beside the days
 */
export function listKind<Ordering extends string, Filters extends Days>(how: {
  readonly orderings: readonly [Ordering, ...Ordering[]]
  readonly noFilters: Filters
  readonly ownFilters: (asked: Asked) => Omit<Filters, keyof Days>
}): ListKind<Place<Ordering> & Filters> {
  type View = Place<Ordering> & Filters
  const [ordering] = how.orderings
  const plainView: View = { ...how.noFilters, search: '', ordering, page: 1, size: pageSizes[0] }
  const addressOfView = (view: View) => addressOf(view, plainView)
  return {
    plainView,
    readView: (asked) => ({ ...plainView, ...placeIn(asked, how.orderings), ...how.ownFilters(asked) }),
    addressOfView,
    isPlain: (view) => Object.keys(addressOfView(view)).length === 0,
    isNarrowed: (view) => view.search.trim() !== '' || setAmong<Filters>(view, how.noFilters).length > 0,
    listedBy: (view) => JSON.stringify(addressOfView({ ...view, page: 1, ordering, size: plainView.size })),
  }
}

/** Names of the filters that are set. */
export const setAmong = <Filters extends object>(view: Filters, none: Filters): readonly (keyof Filters)[] =>
  (Object.keys(none) as (keyof Filters)[]).filter((name) => view[name] !== null)
