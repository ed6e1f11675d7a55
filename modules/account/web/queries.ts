import { call } from '../../../ui/api/call.ts'
import { readEvidenceStats } from '../../evidence/contract/account-endpoints.ts'
import { listCaptureServers } from '../../capture/contract/servers.ts'
import { listDelegations, listInvitations, listMembers, readGroup, readSettings } from '../contract/endpoints.ts'

type Context = { readonly signal: AbortSignal }

export const groupQuery = {
  queryKey: ['group'] as const,
  queryFn: ({ signal }: Context) => call(readGroup, { signal }),
}

/** Most groups stand on one page of it, where a browser finds a name too. */
export const membersPage = 50
export const usualPage = 20

export const membersQuery = (page: number) => ({
  queryKey: ['group-members', page] as const,
  queryFn: ({ signal }: Context) => call(listMembers, { query: { page, page_size: membersPage }, signal }),
})

export const invitationsQuery = (page: number) => ({
  queryKey: ['group-invitations', page] as const,
  queryFn: ({ signal }: Context) => call(listInvitations, { query: { page, page_size: usualPage }, signal }),
})

export const delegationsQuery = (direction: 'granted' | 'received', page: number) => ({
  queryKey: ['delegations', direction, page] as const,
  queryFn: ({ signal }: Context) => call(listDelegations, { query: { direction, page, page_size: usualPage }, signal }),
})

/** C-33: under the name that the lists of evidences have for it. */
export const groupStatsQuery = {
  queryKey: ['evidences', 'stats'] as const,
  queryFn: ({ signal }: Context) => call(readEvidenceStats, { signal }),
}

export const settingsQuery = {
  queryKey: ['settings'] as const,
  queryFn: ({ signal }: Context) => call(readSettings, { signal }),
}

export const serversQuery = {
  queryKey: ['servers', 'of-settings'] as const,
  queryFn: ({ signal }: Context) => call(listCaptureServers, { query: { page_size: 100 }, signal }),
}
