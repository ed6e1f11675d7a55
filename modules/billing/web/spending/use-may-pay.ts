import { useQuery } from '@tanstack/react-query'
import { outlookQuery } from './outlook-query.ts'

/** Whether whoever is signed in pays himself what is agreed to; of a group its owner does. */
export function useMayPay(category: 'evidence' | 'document'): boolean {
  return useQuery(outlookQuery(category, 1)).data?.may_pay === true
}
