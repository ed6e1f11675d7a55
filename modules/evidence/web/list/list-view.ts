import type { QueryInputOf } from '../../../../kernel/endpoint.ts'
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

export const pageSizes = [20, 50, 100] as const
/** Further down the server does not go: dates and words do. */
const deepest = 10_000

/** What a list shows: all of it stands in the address of the page, so that it can be kept, sent, and gone back to. */
export type ListView = {
  readonly search: string
  readonly ordering: Ordering
  readonly status: EvidenceStatus | null
  readonly action: CaptureAction | null
  readonly scenario: string | null
  /** Id of who asked for it. */
  readonly by: string | null
  /** Days, `2026-11-21`, as the visitor's own calendar has them; both are in. */
  readonly from: string | null
  readonly to: string | null
  readonly page: number
  readonly size: (typeof pageSizes)[number]
}
export type Filters = Pick<ListView, 'status' | 'action' | 'scenario' | 'by' | 'from' | 'to'>
export const noFilters: Filters = { status: null, action: null, scenario: null, by: null, from: null, to: null }
export const plainView: ListView = { ...noFilters, search: '', ordering: '-created_at', page: 1, size: 20 }

/** Statuses that one can meet in a category; of one alone there is nothing to choose. */
export const statusesIn: Readonly<Record<Category, readonly EvidenceStatus[]>> = {
  draft: ['queued', 'preparing', 'capturing', 'completing', 'to_validate', 'finalizing', 'failed'],
  completed: [],
  trash: ['final', 'rejected', 'expired'],
}

const day = /^\d{4}-\d{2}-\d{2}$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const oneOf = <T extends string>(values: readonly T[], value: string | null): T | null =>
  values.find((each) => each === value) ?? null
const isDay = (text: string | null): text is string =>
  text !== null && day.test(text) && !Number.isNaN(new Date(`${text}T00:00`).getTime())

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
  const by = textOf('by')
  const size = pageSizes.find((each) => each === Number(asked['size'])) ?? plainView.size
  const page = Math.trunc(Number(asked['page'] ?? 1)) || 1
  return {
    search: textOf('search') ?? '',
    ordering: oneOf(orderings, textOf('order')) ?? plainView.ordering,
    status: oneOf(evidenceStatuses, textOf('status')),
    action: oneOf(captureActions, textOf('action')),
    scenario: textOf('scenario')?.slice(0, 100) ?? null,
    by: by !== null && uuid.test(by) ? by : null,
    from: dayOf('from'),
    to: dayOf('to'),
    page: Math.min(Math.max(1, page), deepest / size),
    size,
  }
}

/** As it stands in the address: only what differs from the plain list. */
export function addressOfView(view: ListView): Record<string, string | number> {
  const { ordering, ...others } = view
  const all = { ...others, order: ordering }
  const plain: Readonly<Record<string, unknown>> = { ...plainView, order: plainView.ordering }
  return Object.fromEntries(Object.entries(all).filter(([name, value]) => value !== null && value !== plain[name])) as Record<
    string,
    string | number
  >
}

/** The first moment of a day, or of the one after, where the visitor is. */
function midnight(of: string, later: number): string {
  const at = new Date(`${of}T00:00`)
  at.setDate(at.getDate() + later)
  return at.toISOString()
}

export function queryOfView(category: Category, view: ListView): QueryInputOf<typeof listEvidences> {
  const { search, ordering, status, action, scenario, by, from, to, page, size } = view
  return {
    category,
    ordering,
    page,
    page_size: size,
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(status === null ? {} : { status }),
    ...(action === null ? {} : { action }),
    ...(scenario === null ? {} : { scenario }),
    ...(by === null ? {} : { created_by: by }),
    ...(from === null ? {} : { created_after: midnight(from, 0) }),
    ...(to === null ? {} : { created_before: midnight(to, 1) }),
  }
}

export const filtersSet = (view: ListView): readonly (keyof Filters)[] =>
  (Object.keys(noFilters) as (keyof Filters)[]).filter((name) => view[name] !== null)

export const isPlain = (view: ListView): boolean => Object.keys(addressOfView(view)).length === 0
export const isNarrowed = (view: ListView): boolean => view.search.trim() !== '' || filtersSet(view).length > 0
