import { call } from '../../../../ui/api/call.ts'
import { foreseeSpending } from '../../contract/spending.ts'
import { moneyKey } from '../components/queries.ts'

/** What so many would cost now; read anew whenever one comes back to the page, from his profile for instance. */
export const outlookQuery = (category: 'evidence' | 'document', quantity: number) => ({
  queryKey: [...moneyKey, 'outlook', category, quantity] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call(foreseeSpending, { query: { category, quantity: String(quantity) }, signal }),
  staleTime: 0,
  refetchOnWindowFocus: true,
})
