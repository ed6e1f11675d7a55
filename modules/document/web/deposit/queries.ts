import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { call } from '../../../../ui/api/call.ts'
import { follow } from '../../../../ui/api/follow.ts'
import { useSession } from '../../../../ui/api/session.ts'
import { readCurrentProfile } from '../../../account/contract/endpoints.ts'
import { readCopyLimits } from '../../contract/copy.ts'
import { document as documentSchema, type Document } from '../../contract/document.ts'
import {
  followDocument,
  listDocumentMakers,
  listDocuments,
  readDocument,
  readDocumentHealth,
  readDocumentStats,
  readSharedDocument,
} from '../../contract/endpoints.ts'
import type { Category } from '../../domain/status.ts'
import { queryOfView, type ListView } from '../list/list-view.ts'
import { outboxStore } from '../outbox/use-outbox.ts'

type Context = { readonly signal: AbortSignal }

export const documentQuery = (id: string) => ({
  queryKey: ['document', id] as const,
  queryFn: ({ signal }: Context) => call(readDocument, { params: { id }, signal }),
})

/** Measured anew when what it was measured on is another. */
export const healthQuery = ({ id, anchor, seal, health }: Document) => ({
  queryKey: ['document', id, 'health', anchor?.state, seal?.timestamps.length, health?.stamped_until] as const,
  queryFn: ({ signal }: Context) => call(readDocumentHealth, { params: { id }, signal }),
})

export const sharedQuery = (token: string) => ({
  queryKey: ['document', 'shared', token] as const,
  queryFn: ({ signal }: Context) => call(readSharedDocument, { params: { token }, signal }),
})

/** C-17: under the name of the lists, so that what changes them has it read anew too. */
export const statsQuery = {
  queryKey: ['documents', 'stats'] as const,
  queryFn: ({ signal }: Context) => call(readDocumentStats, { signal }),
}

export const makersQuery = {
  queryKey: ['documents', 'makers'] as const,
  queryFn: ({ signal }: Context) => call(listDocumentMakers, { signal }),
}

/** The earliest deposit of each fingerprint, where there is one. */
export const earlierQuery = (fingerprints: readonly string[]) => ({
  queryKey: ['documents', 'earlier', ...fingerprints] as const,
  queryFn: async ({ signal }: Context): Promise<ReadonlyMap<string, Document>> => {
    const found = new Map<string, Document>()
    for (const fingerprint of fingerprints) {
      const { results } = await call(listDocuments, {
        query: { fingerprint, ordering: 'created_at', page_size: 1 },
        signal,
      })
      const [first] = results
      if (first !== undefined) found.set(fingerprint, first)
    }
    return found
  },
})

export const copyLimitsQuery = {
  queryKey: ['documents', 'copies'] as const,
  queryFn: ({ signal }: Context) => call(readCopyLimits, { signal }),
}

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

/** In somebody else’s account what one may do is what one was let in for (decision H-22). */
function useScope(): 'read' | 'create' | 'manage' | null {
  const acting = (useSession()?.delegation ?? null) !== null
  const { data: user } = useQuery({
    queryKey: ['current-user'] as const,
    queryFn: ({ signal }: Context) => call(readCurrentProfile, { signal }),
    enabled: acting,
  })
  return acting ? (user?.acting?.scope ?? null) : 'manage'
}

export const useMayManage = (): boolean => useScope() === 'manage'
export function useMayDeposit(): boolean {
  const scope = useScope()
  return scope === 'manage' || scope === 'create'
}

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

/** Nothing more happens to it by itself. */
const isSettled = ({ status, anchor }: Document): boolean =>
  status !== 'stamping' && !(status === 'final' && anchor !== null && anchor.state !== 'anchored')

export const lacksCertificate = ({ status, certificates, content_deleted_at: deleted }: Document): boolean =>
  status === 'final' && certificates === null && deleted === null
/** In a batch of many a certificate is made when somebody asks for it. */
export const comesByItself = ({ seal }: Document): boolean => seal?.batch.size === 1

/** One deposit, read once, then kept current by its event stream. @param certificateAsked it is on its way, if it is not there */
export function useDocument(id: string, certificateAsked: boolean) {
  const client = useQueryClient()
  const query = useQuery({
    ...documentQuery(id),
    // Its certificate is printed once it is final: its own states are over then.
    refetchInterval: ({ state: { data: known } }) =>
      known !== undefined && lacksCertificate(known) && (certificateAsked || comesByItself(known)) ? lookAgainMs : false,
  })
  const [connected, setConnected] = useState(true)
  const { data } = query
  const over = data === undefined || isSettled(data)
  useEffect(() => {
    if (over) return undefined
    const controller = new AbortController()
    follow(
      followDocument,
      { params: { id }, signal: controller.signal },
      {
        connected: setConnected,
        event: ({ event, data: told }) => {
          if (event !== 'document') return true
          const parsed = documentSchema.safeParse(JSON.parse(told))
          if (!parsed.success) return true
          client.setQueryData(['document', id], parsed.data)
          void client.invalidateQueries({ queryKey: ['documents'] })
          return !isSettled(parsed.data)
        },
      },
    ).catch((error: unknown) => {
      // The stream was refused: what became of it is then read the ordinary way.
      if (error instanceof ApiError) void client.invalidateQueries({ queryKey: ['document', id] })
    })
    return () => controller.abort()
  }, [client, id, over])
  return { ...query, connected }
}
