import { call } from '../../../../ui/api/call.ts'
import { listAllPayouts, readAnyPayout, readPayTo } from '../../contract/administration.ts'

type Context = { readonly signal: AbortSignal }
type Status = '' | 'pending' | 'success' | 'failed' | 'returned'
export const pageSize = 25

/** All that an act may change is asked for again after it. */
export const administered = ['admin-payouts'] as const

export const allPayoutsQuery = ({ status, page }: { status: Status; page: number }) => ({
  queryKey: [...administered, status, page] as const,
  queryFn: ({ signal }: Context) =>
    call(listAllPayouts, { query: { page, page_size: pageSize, ...(status === '' ? {} : { status }) }, signal }),
  staleTime: 0,
  retry: false,
})

export const onePayoutQuery = (id: string) => ({
  queryKey: [...administered, 'one', id] as const,
  queryFn: ({ signal }: Context) => call(readAnyPayout, { params: { id }, signal }),
  staleTime: 0,
  retry: false,
})

/** Each look is in the record of acts: it is not kept. */
export const payToQuery = (id: string) => ({
  queryKey: ['admin-pay-to', id] as const,
  queryFn: ({ signal }: Context) => call(readPayTo, { params: { id }, signal }),
  staleTime: Infinity,
  gcTime: 0,
  retry: false,
})
