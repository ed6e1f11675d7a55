import { ApiError } from '../../../ui/api/api-error.ts'
import { call, request } from '../../../ui/api/call.ts'
import type { QueryInputOf } from '../../../kernel/endpoint.ts'
import {
  listUsers,
  readIdentityDocumentPage,
  readIdentityVerification,
  readUser,
  readUserDocumentPage,
} from '../contract/endpoints.ts'

type Context = { readonly signal: AbortSignal }
const minute = 60_000
const images = 'image/png, image/jpeg'

/** While reviewers have it, it is asked for again now and then, and whenever one comes back to the page. */
export const verificationQuery = {
  queryKey: ['identity-verification'] as const,
  queryFn: ({ signal }: Context) => call(readIdentityVerification, { signal }),
  staleTime: 0,
  refetchInterval: (query: { readonly state: { readonly data?: { readonly state: string } | undefined } }) =>
    query.state.data?.state === 'pending' ? minute / 4 : false,
}

export const ownPageQuery = (id: string, page: number) => ({
  queryKey: ['identity-document-page', id, page] as const,
  queryFn: async ({ signal }: Context) =>
    await (await request(readIdentityDocumentPage, { params: { id, page }, signal }, images)).blob(),
  staleTime: Infinity,
  gcTime: minute,
})

export type UsersAsked = NonNullable<QueryInputOf<typeof listUsers>>

export const usersQuery = (query: UsersAsked) => ({
  queryKey: ['admin-users', query] as const,
  queryFn: ({ signal }: Context) => call(listUsers, { query, signal }),
  staleTime: 0,
  refetchInterval: minute / 2,
})

export const userQuery = (id: string) => ({
  queryKey: ['admin-user', id] as const,
  queryFn: ({ signal }: Context) => call(readUser, { params: { id }, signal }),
  staleTime: 0,
  // What was typed about a file must not be lost because a window was left: it changes when the reviewer acts.
  refetchOnWindowFocus: false,
})

/** Each is a look that the record of acts holds: kept while the file is open, never asked for in advance. */
export const userPageQuery = (id: string, document: string, page: number) => ({
  queryKey: ['admin-user-page', id, document, page] as const,
  queryFn: async ({ signal }: Context) =>
    await (await request(readUserDocumentPage, { params: { id, document, page }, signal }, images)).blob(),
  staleTime: Infinity,
  gcTime: 0,
})

/** To whoever may not, the call does not exist (decision H-20). */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404
