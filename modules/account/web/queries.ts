import { call } from '../../../ui/api/call.ts'
import { readCurrentProfile } from '../contract/endpoints.ts'

type Context = { readonly signal: AbortSignal }

/** L-14, C-10: kept under the one name that the whole page has for it. */
export const currentUserQuery = {
  queryKey: ['current-user'] as const,
  queryFn: ({ signal }: Context) => call(readCurrentProfile, { signal }),
}
