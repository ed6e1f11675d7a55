import { useNavigate, useSearch } from '@tanstack/react-router'
import type { QueryInputOf } from '../../../kernel/endpoint.ts'
import { useLocale } from '../../../ui/intl/text.tsx'
import type { listAssignedServers } from '../contract/administration.ts'
import { captureServerKinds, captureServerStatuses } from '../contract/servers.ts'

export const pageSize = 25

/** Which servers are looked at: it stands in the address, so that it can be kept and passed on. */
export type ServersSearch = {
  readonly kind: (typeof captureServerKinds)[number] | null
  readonly status: (typeof captureServerStatuses)[number] | null
  readonly search: string
  readonly page: number
}

const oneOf = <T extends string>(value: unknown, of: readonly T[]): T | null => of.find((each) => each === value) ?? null

/** Whatever stands in the address: what it does not understand it leaves out. */
export function readServersSearch(given: Readonly<Record<string, unknown>>): ServersSearch {
  const search = given['search']
  return {
    kind: oneOf(given['kind'], captureServerKinds),
    status: oneOf(given['status'], captureServerStatuses),
    search: typeof search === 'string' || typeof search === 'number' ? String(search).slice(0, 200) : '',
    page: Math.min(100_000, Math.max(1, Math.trunc(Number(given['page'] ?? 1)) || 1)),
  }
}

/** For the address: what is as usual does not stand there. */
export function writeServersSearch({ kind, status, search, page }: ServersSearch): Readonly<Record<string, string | number>> {
  return {
    ...(kind === null ? {} : { kind }),
    ...(status === null ? {} : { status }),
    ...(search === '' ? {} : { search }),
    ...(page === 1 ? {} : { page }),
  }
}

export function askedOf(search: ServersSearch): NonNullable<QueryInputOf<typeof listAssignedServers>> {
  return { ...writeServersSearch(search), page_size: pageSize }
}

export function useServersSearch(): ServersSearch {
  return readServersSearch(useSearch({ strict: false }))
}

/**
 * Changes what is looked at from what the address says by now: two filters that are set shortly after each other are both set.
 * @param on whether it goes on from the search before, which then is no step to go back to
 */
export function useGoToServers(): (change: Partial<Record<keyof ServersSearch, string | number | null>>, on?: boolean) => void {
  const navigate = useNavigate()
  const locale = useLocale()
  return (change, on = false) =>
    void navigate({
      to: '/$locale/admin/$/',
      params: { locale, _splat: 'servers' },
      search: (before: Readonly<Record<string, unknown>>) => writeServersSearch(readServersSearch({ ...before, ...change })),
      replace: on,
      resetScroll: false,
    })
}
