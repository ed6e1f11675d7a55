import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../../../ui/api/call.ts'
import { listMakers, readEvidenceStats } from '../../contract/account-endpoints.ts'
import { listEvidences } from '../../contract/endpoints.ts'
import type { EvidenceStatus } from '../../contract/evidence.ts'
import { queryOfView, type Category, type ListView } from './list-view.ts'

type Context = { readonly signal: AbortSignal }

/** What goes on by itself is looked at again while the page is. */
const underWay: ReadonlySet<EvidenceStatus> = new Set(['queued', 'preparing', 'capturing', 'completing', 'finalizing'])
const lookAgainMs = 10_000

export function useEvidenceList(category: Category, view: ListView) {
  const query = queryOfView(category, view)
  return useQuery({
    queryKey: ['evidences', null, query] as const,
    queryFn: ({ signal }: Context) => call(listEvidences, { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.results.some(({ status }) => underWay.has(status)) === true ? lookAgainMs : false,
  })
}

/** C-33: under the name of the lists, so that what changes them has it read anew too. */
export const statsQuery = {
  queryKey: ['evidences', 'stats'] as const,
  queryFn: ({ signal }: Context) => call(readEvidenceStats, { signal }),
}

export const makersQuery = {
  queryKey: ['evidences', 'makers'] as const,
  queryFn: ({ signal }: Context) => call(listMakers, { signal }),
}
