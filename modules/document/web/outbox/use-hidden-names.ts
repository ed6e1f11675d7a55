import { useQuery } from '@tanstack/react-query'
import type { Document } from '../../contract/document.ts'
import { outboxStore } from './use-outbox.ts'

/** Names that were not sent, as this browser knows them. */
export function useHiddenNames(
  user: string,
  documents: readonly Pick<Document, 'id' | 'document_name'>[],
): ReadonlyMap<string, string> {
  const ids = documents.filter(({ document_name: name }) => name === null).map(({ id }) => id)
  const { data } = useQuery({
    queryKey: ['documents', 'hidden-names', user, ...ids] as const,
    queryFn: async () => await (await outboxStore()).nameOf(user, ids),
    enabled: ids.length > 0,
    networkMode: 'always',
  })
  return data ?? noNames
}
const noNames: ReadonlyMap<string, string> = new Map()
