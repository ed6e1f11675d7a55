import type { Entity } from '../world/entities.ts'
import { Form } from '../world/form.ts'
import type { World } from '../world/world.ts'

/** A call that was let in. */
export type Call = {
  readonly world: World
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
}

export type Answer = { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

export type Route = { readonly method: string; readonly pattern: RegExp; readonly answer: (call: Call) => Answer }

/** `GET users/:id`, below the path of the client; slash at the end and case of the path make no difference, as with the provider. */
export function route(line: string, handle: (call: Call) => unknown): Route {
  const [method = '', path = ''] = line.split(' ')
  const pattern = path.replaceAll(/:([A-Za-z]+)/g, '(?<$1>[^/]+)')
  return {
    method,
    pattern: new RegExp(`^${pattern}/?$`, 'i'),
    answer: (call) => {
      const answered = handle(call)
      return answered instanceof List ? answered.page(call) : { status: 200, body: answered }
    },
  }
}

export function formOf(call: Call): Form {
  return new Form(call.body)
}

export function param(call: Call, name: string): string {
  return decodeURIComponent(call.params[name] ?? '')
}

/** A list, of which one page is answered: 10 at a time, 100 at most, by date of making. */
export class List<T extends Pick<Entity, 'CreationDate'> | { readonly Date: number }> {
  readonly #all: readonly T[]

  constructor(all: readonly T[]) {
    this.#all = all
  }

  page({ query }: Call): Answer {
    const asked = new Map([...query].map(([name, value]) => [name.toLowerCase(), value]))
    const dateOf = (one: T): number => ('Date' in one ? one.Date : one.CreationDate)
    const after = Number(asked.get('afterdate') ?? Number.NEGATIVE_INFINITY)
    const before = Number(asked.get('beforedate') ?? Number.POSITIVE_INFINITY)
    const kept = this.#all.filter((one) => dateOf(one) >= after && dateOf(one) <= before && this.#passes(one, query))
    const ordered = /:desc/i.test(asked.get('sort') ?? '') ? kept.toReversed() : kept
    const size = clamp(Number(asked.get('per_page') ?? 10), 1, 100)
    const page = Math.max(1, Number(asked.get('page') ?? 1))
    const pages = Math.ceil(ordered.length / size)
    return {
      status: 200,
      body: ordered.slice((page - 1) * size, page * size),
      headers: {
        'x-number-of-pages': String(pages),
        'x-number-of-items': String(ordered.length),
        link: links(page, pages, size),
      },
    }
  }

  /** `Status=SUCCEEDED&Status=FAILED&Type=PAYIN`: whatever is named twice is either. */
  #passes(one: T, query: URLSearchParams): boolean {
    return ['Status', 'Type', 'Nature', 'EventType', 'ResultCode', 'DisputeType'].every((field) => {
      const wanted = query.getAll(field).flatMap((value) => value.split(','))
      return (
        wanted.length === 0 || wanted.some((value) => value.toUpperCase() === String((one as Record<string, unknown>)[field]))
      )
    })
  }
}

function clamp(value: number, least: number, most: number): number {
  return Number.isFinite(value) ? Math.min(most, Math.max(least, Math.trunc(value))) : least
}

function links(page: number, pages: number, size: number): string {
  const to = (at: number, rel: string): string => `<?page=${at}&per_page=${size}>; rel="${rel}"`
  return [
    to(1, 'first'),
    ...(page > 1 ? [to(page - 1, 'prev')] : []),
    ...(page < pages ? [to(page + 1, 'next')] : []),
    to(Math.max(1, pages), 'last'),
  ].join(', ')
}
