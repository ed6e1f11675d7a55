import type { QueryInputOf } from '../../../../kernel/endpoint.ts'
import type { listDocuments } from '../../contract/endpoints.ts'
import { statuses, statusesOfCategory, type Category, type Status } from '../../domain/status.ts'

export const orderings = ['-created_at', 'created_at', 'document_name', '-document_name'] as const
export type Ordering = (typeof orderings)[number]
export const pageSizes = [20, 50, 100] as const
/** Further down the server does not go: dates and words do. */
const deepest = 10_000

/** What a list shows: all of it stands in the address of the page, so that it can be kept, sent, and gone back to. */
export type ListView = {
  /** Words; or the beginning of a fingerprint. */
  readonly search: string
  readonly ordering: Ordering
  readonly status: Status | null
  /** Days, `2026-11-21`, as the visitor's own calendar has them; both are in. */
  readonly from: string | null
  readonly to: string | null
  readonly page: number
  readonly size: (typeof pageSizes)[number]
}
export type Filters = Pick<ListView, 'status' | 'from' | 'to'>
export const noFilters: Filters = { status: null, from: null, to: null }
export const plainView: ListView = { ...noFilters, search: '', ordering: '-created_at', page: 1, size: 20 }

/** Statuses that one can meet under a tab; of one alone there is nothing to choose. */
export const statusesIn: Readonly<Record<Category, readonly Status[]>> = {
  pending: statusesOfCategory.pending,
  completed: [],
  trash: ['final', 'draft', 'failed', 'expired'],
}

const day = /^\d{4}-\d{2}-\d{2}$/
const isDay = (text: string | null): text is string =>
  text !== null && day.test(text) && !Number.isNaN(new Date(`${text}T00:00`).getTime())
const oneOf = <T extends string>(values: readonly T[], value: string | null): T | null =>
  values.find((each) => each === value) ?? null

/** Whatever stands in an address: what makes no sense is as if it did not. */
export function readView(asked: Readonly<Record<string, unknown>>): ListView {
  const textOf = (name: string): string | null => {
    const value = asked[name]
    const text = typeof value === 'number' ? String(value) : value
    return typeof text === 'string' && text !== '' ? text.slice(0, 200) : null
  }
  const dayOf = (name: string) => {
    const text = textOf(name)
    return isDay(text) ? text : null
  }
  const size = pageSizes.find((each) => each === Number(asked['size'])) ?? plainView.size
  const page = Math.trunc(Number(asked['page'] ?? 1)) || 1
  return {
    search: textOf('search') ?? '',
    ordering: oneOf(orderings, textOf('order')) ?? plainView.ordering,
    status: oneOf(statuses, textOf('status')),
    from: dayOf('from'),
    to: dayOf('to'),
    page: Math.min(Math.max(1, page), deepest / size),
    size,
  }
}

/** As it stands in the address: only what differs from the plain list. */
export function addressOfView(view: ListView): Record<string, string | number> {
  const { ordering, ...others } = view
  const plain: Readonly<Record<string, unknown>> = { ...plainView, order: plainView.ordering }
  return Object.fromEntries(
    Object.entries({ ...others, order: ordering }).filter(([name, value]) => value !== null && value !== plain[name]),
  ) as Record<string, string | number>
}

/** The first moment of a day, or of the one after, where the visitor is. */
function midnight(of: string, later: number): string {
  const at = new Date(`${of}T00:00`)
  at.setDate(at.getDate() + later)
  return at.toISOString()
}

/** As people copy them: in groups, with colons, in capitals. null: it is no fingerprint, nor the beginning of one. */
export function fingerprintIn(search: string): string | null {
  const digits = search.replace(/[\s:]/g, '').toLowerCase()
  return /^[0-9a-f]{8,128}$/.test(digits) ? digits : null
}

export function queryOfView(category: Category, view: ListView): QueryInputOf<typeof listDocuments> {
  const { search, ordering, status, from, to, page, size } = view
  const words = search.trim()
  const fingerprint = fingerprintIn(words)
  return {
    category,
    ordering,
    page,
    page_size: size,
    ...(fingerprint !== null ? { fingerprint } : words === '' ? {} : { search: words }),
    ...(status === null ? {} : { status }),
    ...(from === null ? {} : { created_after: midnight(from, 0) }),
    ...(to === null ? {} : { created_before: midnight(to, 1) }),
  }
}

export const filtersSet = (view: ListView): readonly (keyof Filters)[] =>
  (Object.keys(noFilters) as (keyof Filters)[]).filter((name) => view[name] !== null)
export const isNarrowed = (view: ListView): boolean => view.search.trim() !== '' || filtersSet(view).length > 0
