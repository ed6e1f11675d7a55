import { useQuery } from '@tanstack/react-query'
import { callLater } from '../../../ui/shell/call-later.ts'
import { useSession } from '../../../ui/api/session.ts'

/** L-14, C-10: kept under the one name that the whole page has for it. */
export const currentUserQuery = {
  queryKey: ['current-user'] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    callLater(async () => (await import('../contract/endpoints.ts')).readCurrentProfile, { signal }),
}

/** In somebody else’s account what one may do is what one was let in for (decision H-22). */
function useScope(): 'read' | 'create' | 'manage' | null {
  const acting = (useSession()?.delegation ?? null) !== null
  const { data: user } = useQuery({ ...currentUserQuery, enabled: acting })
  return acting ? (user?.acting?.scope ?? null) : 'manage'
}

export const useMayManage = (): boolean => useScope() === 'manage'
export function useMayDeposit(): boolean {
  const scope = useScope()
  return scope === 'manage' || scope === 'create'
}
