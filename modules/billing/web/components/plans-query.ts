import { callLater } from '../../../../ui/shell/call-later.ts'

export const plansQuery = {
  queryKey: ['plans'] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    callLater(async () => (await import('../../contract/plans.ts')).listPlans, { signal }),
}
