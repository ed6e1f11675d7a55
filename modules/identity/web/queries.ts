import { listDelegations } from '../../account/contract/endpoints.ts'
import { call } from '../../../ui/api/call.ts'
import { listApiKeys } from '../contract/api-keys.ts'
import { listActs, listEmails, listOwnActs, listSessions, readSecondFactor } from '../contract/endpoints.ts'
import { actsPerPage, filtersOfActs, type ActsView } from './acts-view.ts'

type Context = { readonly signal: AbortSignal }

/** H-22: whose accounts were opened to the user. */
export const receivedQuery = {
  queryKey: ['delegations', 'received'] as const,
  queryFn: ({ signal }: Context) => call(listDelegations, { query: { direction: 'received', page_size: 100 }, signal }),
}

export const sessionsQuery = {
  queryKey: ['sessions'] as const,
  queryFn: ({ signal }: Context) => call(listSessions, { signal }),
}

export const apiKeysQuery = {
  queryKey: ['api-keys'] as const,
  queryFn: ({ signal }: Context) => call(listApiKeys, { signal }),
}

export const secondFactorQuery = {
  queryKey: ['second-factor'] as const,
  queryFn: ({ signal }: Context) => call(readSecondFactor, { signal }),
}

/** An account has ten at most: one page holds them all. */
export const emailsQuery = {
  queryKey: ['emails'] as const,
  queryFn: ({ signal }: Context) => call(listEmails, { query: { page_size: 100 }, signal }),
}

/** @param whole the whole record, for administrators; else one's own */
export const actsQuery = (whole: boolean, view: ActsView) => ({
  queryKey: ['acts', whole, view] as const,
  queryFn: ({ signal }: Context) => {
    const query = { ...filtersOfActs(view), page: view.page, page_size: actsPerPage }
    return whole ? call(listActs, { query, signal }) : call(listOwnActs, { query, signal })
  },
})
