import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { call } from '../../../../ui/api/call.ts'
import { follow } from '../../../../ui/api/follow.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { document as documentSchema, type Document } from '../../contract/document.ts'
import { followDocument, listDocuments, readDocument, readDocumentHealth, readSharedDocument } from '../../contract/endpoints.ts'

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

/** What goes on by itself is looked at again while the page is. */
const lookAgainMs = 4_000

/** Nothing more happens to it by itself. */
const isSettled = ({ status, anchor }: Document): boolean =>
  status !== 'stamping' &&
  status !== 'awaiting_payment' &&
  !(status === 'final' && anchor !== null && anchor.state !== 'anchored')

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
          keepAnswer(client, ['document', id], parsed.data)
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
