import { useQuery } from '@tanstack/react-query'
import { paymentQuery } from '../components/queries.ts'

type Waiting = { readonly invoice_id: string; readonly state: 'due' | 'processing' | 'failed' }

/** How the payment of something stands: what is sold does not change when a card is refused, so its own page is not told. */
export function usePaymentState(payment: Waiting | null, mayPay: boolean): Waiting['state'] | null {
  const { data } = useQuery({ ...paymentQuery(payment?.invoice_id ?? ''), enabled: payment !== null && mayPay })
  if (payment === null || data === undefined) return payment?.state ?? null
  if (data.status === 'none') return 'due'
  return data.status === 'failed' ? 'failed' : 'processing'
}
