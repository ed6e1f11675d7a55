import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../../../ui/api/session.ts'
import { prices } from '../../../../ui/shell/prices.ts'
import { outlookQuery } from './outlook-query.ts'

/** Whether the profile is to be completed before what is agreed to can be paid for: saving it is then what is put forward, not agreeing. */
export function useProfileFirst(category: 'evidence' | 'document', quantity = 1): boolean {
  const isAsked = useSession() !== null && prices !== null && quantity > 0
  const { data } = useQuery({ ...outlookQuery(category, quantity), enabled: isAsked })
  return isAsked && data !== undefined && data.quantity > 0 && data.missing.length > 0 && data.may_pay
}
