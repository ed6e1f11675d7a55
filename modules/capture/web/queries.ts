import { listGroups } from '../../account/contract/administration.ts'
import { call } from '../../../ui/api/call.ts'
import { listAssignedServers, listProcesses } from '../contract/administration.ts'
import { askedOf, type ServersSearch } from './servers-search.ts'

type Context = { readonly signal: AbortSignal }

/** What the servers do changes by itself. */
export const serversQuery = (search: ServersSearch) => ({
  queryKey: ['admin-servers', search] as const,
  queryFn: ({ signal }: Context) => call(listAssignedServers, { query: askedOf(search), signal }),
  staleTime: 0,
  refetchInterval: 30_000,
})

/** As many as are shown to be chosen from: who looks for another one types more of it. */
export const groupsShown = 8

export const groupsQuery = (search: string) => ({
  queryKey: ['admin-groups', search] as const,
  queryFn: ({ signal }: Context) =>
    call(listGroups, { query: { page_size: groupsShown, ...(search === '' ? {} : { search }) }, signal }),
  staleTime: 10_000,
})

export const processesQuery = {
  queryKey: ['admin-processes'] as const,
  queryFn: ({ signal }: Context) => call(listProcesses, { query: { page_size: 100 }, signal }),
  staleTime: 0,
  refetchInterval: 30_000,
}
