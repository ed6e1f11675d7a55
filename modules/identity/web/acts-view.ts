import type { QueryInputOf } from '../../../kernel/endpoint.ts'
import type { listActs } from '../contract/endpoints.ts'

/** What is shown of a record of acts: all of it stands in the address of the page, so that it can be kept, sent and gone back to. */
export type ActsView = {
  /** `module.verb_noun`, or a module. */
  readonly action: string | null
  readonly person: string | null
  readonly subject: string | null
  /** Days of the visitor's own calendar; both are in. */
  readonly from: string | null
  readonly to: string | null
  readonly page: number
}

export const plainActs: ActsView = { action: null, person: null, subject: null, from: null, to: null, page: 1 }
export const actsPerPage = 20

const shapes = {
  action: /^[a-z_]{1,40}(?:\.[a-z_]{1,60})?$/,
  person: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  subject: /^[\u0021-\u007E]{1,100}$/,
  from: /^\d{4}-\d{2}-\d{2}$/,
  to: /^\d{4}-\d{2}-\d{2}$/,
} as const
export type ActsFilter = keyof typeof shapes
export const actsFilters = Object.keys(shapes) as ActsFilter[]

const isDay = (text: string) => !Number.isNaN(new Date(`${text}T00:00`).getTime())

/** Whether it can be asked for at all. */
export function isActsFilter(name: ActsFilter, text: string): boolean {
  return shapes[name].test(text) && ((name !== 'from' && name !== 'to') || isDay(text))
}

/** Whatever stands in an address: what makes no sense is as if it did not. */
export function readActsView(asked: Readonly<Record<string, unknown>>): ActsView {
  const textOf = (name: ActsFilter) => {
    const value = asked[name]
    const text = typeof value === 'number' ? String(value) : value
    return typeof text === 'string' && isActsFilter(name, text) ? text : null
  }
  const page = Math.trunc(Number(asked['page'] ?? 1)) || 1
  return {
    action: textOf('action'),
    person: textOf('person'),
    subject: textOf('subject'),
    from: textOf('from'),
    to: textOf('to'),
    page: Math.min(Math.max(1, page), 100_000),
  }
}

/** Of one's own record: whose is no question. */
export function ownView(view: ActsView): ActsView {
  return { ...view, person: null, subject: null }
}

/** As it stands in the address: only what is asked for. */
export function addressOfActs(view: ActsView): Record<string, string | number> {
  const asked = Object.entries({ ...view, page: view.page === 1 ? null : view.page }).filter(([, value]) => value !== null)
  return Object.fromEntries(asked) as Record<string, string | number>
}

/** The first moment of a day, or of the one after, where the visitor is. */
function midnight(of: string, later: number): string {
  const at = new Date(`${of}T00:00`)
  at.setDate(at.getDate() + later)
  return at.toISOString()
}

export function filtersOfActs({ action, person, subject, from, to }: ActsView) {
  return {
    ...(action === null ? {} : { action }),
    ...(person === null ? {} : { person }),
    ...(subject === null ? {} : { subject }),
    ...(from === null ? {} : { from: midnight(from, 0) }),
    ...(to === null ? {} : { to: midnight(to, 1) }),
  } satisfies QueryInputOf<typeof listActs>
}

export const isNarrowed = (view: ActsView): boolean => actsFilters.some((name) => view[name] !== null)
