import { ApiError } from '../../../ui/api/api-error.ts'
import { call } from '../../../ui/api/call.ts'
import type { QueryInputOf } from '../../../kernel/endpoint.ts'
import { listSupportQueue, listSupportRequests, readQueuedRequest, readSupportRequest } from '../contract/endpoints.ts'

type Context = { readonly signal: AbortSignal }
const minute = 60_000

export const boxQuery = (page: number) => ({
  queryKey: ['support-requests', page] as const,
  queryFn: ({ signal }: Context) => call(listSupportRequests, { query: { page }, signal }),
  staleTime: 0,
})

export const requestQuery = (id: string) => ({
  queryKey: ['support-request', id] as const,
  queryFn: ({ signal }: Context) => call(readSupportRequest, { params: { id }, signal }),
  staleTime: 0,
  // An answer may come while the page is open.
  refetchInterval: minute,
})

export type QueueAsked = NonNullable<QueryInputOf<typeof listSupportQueue>>

export const queueQuery = (query: QueueAsked) => ({
  queryKey: ['support-queue', query] as const,
  queryFn: ({ signal }: Context) => call(listSupportQueue, { query, signal }),
  staleTime: 0,
  refetchInterval: minute / 2,
})

export const queuedQuery = (id: string) => ({
  queryKey: ['support-queued', id] as const,
  queryFn: ({ signal }: Context) => call(readQueuedRequest, { params: { id }, signal }),
  staleTime: 0,
})

/** To whoever may not, there is no such thing. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404
