import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { useServerTime } from '../../../../ui/api/use-server-time.ts'
import { listDocumentMakers, listDocuments, readDocumentStats } from '../../contract/endpoints.ts'
import type { Category } from '../../domain/status.ts'
import { queryOfView, type ListView } from './list-view.ts'

type Context = { readonly signal: AbortSignal }

/** What goes on by itself is looked at again while the page is. */
const lookAgainMs = 4_000

export function useDocumentList(category: Category, view: ListView) {
  const query = queryOfView(category, view)
  return useQuery({
    queryKey: ['documents', 'list', query] as const,
    queryFn: ({ signal }: Context) => call(listDocuments, { query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** As many as one remembers; and for how long what was dated is new. */
const lately = { most: 10, ms: 24 * 60 * 60 * 1000 }

/** What was deposited since yesterday and is dated. */
export function useDatedLately() {
  const since = new Date(useServerTime(null) - lately.ms).toISOString()
  const query = { category: 'completed', created_after: since, page_size: lately.most } as const
  return useQuery({
    queryKey: ['documents', 'list', query] as const,
    queryFn: ({ signal }: Context) => call(listDocuments, { query, signal }),
  })
}

/** Whatever is being dated is looked at until it is, whichever list is in view: then all of them are read anew, and the figures. */
export function useWhatIsStamped(): void {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['documents', 'stamping'] as const,
    queryFn: async ({ signal }: Context) =>
      (await call(listDocuments, { query: { category: 'pending', status: 'stamping', page_size: 1 }, signal })).count,
    refetchInterval: ({ state }) => ((state.data ?? 0) > 0 ? lookAgainMs : false),
  })
  const before = useRef(0)
  useEffect(() => {
    if (data === undefined) return
    if (data < before.current)
      for (const lists of ['list', 'stats']) void client.invalidateQueries({ queryKey: ['documents', lists] })
    before.current = data
  }, [client, data])
}

/** C-17: under the name of the lists, so that what changes them has it read anew too. */
export const statsQuery = {
  queryKey: ['documents', 'stats'] as const,
  queryFn: ({ signal }: Context) => call(readDocumentStats, { signal }),
}

export const makersQuery = {
  queryKey: ['documents', 'makers'] as const,
  queryFn: ({ signal }: Context) => call(listDocumentMakers, { signal }),
}
