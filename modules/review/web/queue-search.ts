import { useNavigate, useSearch } from '@tanstack/react-router'
import { useLocale } from '../../../ui/intl/text.tsx'
import { verificationStates } from '../domain/identity-document.ts'
import type { UsersAsked } from './queries.ts'

export const pageSize = 25
export const stateFilters = [...verificationStates, 'any'] as const
export const typeFilters = ['natural', 'legal'] as const
export const claimFilters = ['own', 'nobody', 'others'] as const
export const statusFilters = ['unconfirmed', 'active', 'suspended', 'closing'] as const
export const orderings = ['age', '-age', 'created_at', '-created_at', 'last_name', '-last_name'] as const

/** What of the queue is looked at: it stands in the address, so that it can be kept and passed on. */
export type QueueSearch = {
  readonly state: (typeof stateFilters)[number]
  readonly user_type: (typeof typeFilters)[number] | null
  readonly claimed: (typeof claimFilters)[number] | null
  readonly status: (typeof statusFilters)[number] | null
  readonly ordering: (typeof orderings)[number]
  readonly search: string
  readonly page: number
}

const oneOf = <T extends string>(value: unknown, of: readonly T[]): T | null => of.find((each) => each === value) ?? null

/** Whatever stands in the address: what it does not understand it leaves out. */
export function readQueueSearch(given: Readonly<Record<string, unknown>>): QueueSearch {
  const search = given['search']
  return {
    state: oneOf(given['state'], stateFilters) ?? 'pending',
    user_type: oneOf(given['user_type'], typeFilters),
    claimed: oneOf(given['claimed'], claimFilters),
    status: oneOf(given['status'], statusFilters),
    ordering: oneOf(given['ordering'], orderings) ?? 'age',
    search: typeof search === 'string' || typeof search === 'number' ? String(search).slice(0, 200) : '',
    page: Math.min(100_000, Math.max(1, Math.trunc(Number(given['page'] ?? 1)) || 1)),
  }
}

/** For the address: what is as usual does not stand there. */
export function writeQueueSearch({
  state,
  ordering,
  search,
  page,
  ...filters
}: QueueSearch): Readonly<Record<string, string | number>> {
  return {
    ...(state === 'pending' ? {} : { state }),
    ...Object.fromEntries(Object.entries(filters).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
    ...(ordering === 'age' ? {} : { ordering }),
    ...(search === '' ? {} : { search }),
    ...(page === 1 ? {} : { page }),
  }
}

export function askedOf({ user_type, claimed, status, search, ...rest }: QueueSearch): UsersAsked {
  return {
    ...rest,
    page_size: pageSize,
    ...(user_type === null ? {} : { user_type }),
    ...(claimed === null ? {} : { claimed }),
    ...(status === null ? {} : { status }),
    ...(search === '' ? {} : { search }),
  }
}

export function useQueueSearch(): QueueSearch {
  return readQueueSearch(useSearch({ strict: false }))
}

/** To the queue as it was filtered, or is to be. */
export function useGoToQueue(): (search: QueueSearch) => void {
  const navigate = useNavigate()
  const locale = useLocale()
  return (search) =>
    void navigate({
      to: '/$locale/admin/$/',
      params: { locale, _splat: 'users' },
      search: writeQueueSearch(search),
    })
}

export function useGoToFile(): (id: string, search: QueueSearch) => Promise<void> {
  const navigate = useNavigate()
  const locale = useLocale()
  return (id, search) =>
    navigate({ to: '/$locale/admin/$/', params: { locale, _splat: `users/${id}` }, search: writeQueueSearch(search) })
}
