import { call } from '../../../ui/api/call.ts'
import { listEarnings, listPayouts, readPayout } from '../contract/payouts.ts'

type Context = { readonly signal: AbortSignal }

export const payoutsKey = ['payouts'] as const

export const payoutsQuery = (page: number) => ({
  queryKey: [...payoutsKey, 'list', page] as const,
  queryFn: ({ signal }: Context) => call(listPayouts, { query: { page, page_size: 12 }, signal }),
})

export const earningsQuery = (page: number) => ({
  queryKey: [...payoutsKey, 'earnings', page] as const,
  queryFn: ({ signal }: Context) => call(listEarnings, { query: { page, page_size: 12 }, signal }),
})

export const payoutQuery = (id: string) => ({
  queryKey: [...payoutsKey, 'one', id] as const,
  queryFn: ({ signal }: Context) => call(readPayout, { params: { id }, signal }),
})
