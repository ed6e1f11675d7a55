import { ApiError } from '../../../../ui/api/api-error.ts'
import { call } from '../../../../ui/api/call.ts'
import * as contract from '../../contract/administration.ts'

type Context = { readonly signal: AbortSignal }
export const pageSize = 25

/** All that an act may change is asked for again after it. */
export const administered = ['admin-billing'] as const

export const customersQuery = (query: {
  search: string
  standing: '' | 'past_due' | 'suspended' | 'credit_left'
  page: number
}) => ({
  queryKey: [...administered, 'customers', query] as const,
  queryFn: ({ signal }: Context) =>
    call(contract.listCustomers, {
      query: {
        page: query.page,
        page_size: pageSize,
        ...(query.search === '' ? {} : { search: query.search }),
        ...(query.standing === '' ? {} : { standing: query.standing }),
      },
      signal,
    }),
  staleTime: 0,
})

/** A refund that was asked for and of which the worker has not said yet by which reference it goes. */
const isAwaited = (customer: contract.CustomerOnTheWire | undefined): boolean =>
  customer?.refunds.some(({ status, reference }) => status === 'started' && reference === null) ?? false

/** Looked at again, less and less often, until what is under way is known. */
export const customerQuery = (id: string) => ({
  queryKey: [...administered, 'customer', id] as const,
  queryFn: ({ signal }: Context) => call(contract.readCustomer, { params: { id }, signal }),
  staleTime: 0,
  refetchInterval: ({ state }: { state: { data: contract.CustomerOnTheWire | undefined; dataUpdateCount: number } }) =>
    isAwaited(state.data) ? Math.min(10_000, 1000 * 1.5 ** state.dataUpdateCount) : false,
})

export const allInvoicesQuery = (query: { search: string; status: '' | 'success' | 'pending' | 'failed'; page: number }) => ({
  queryKey: [...administered, 'invoices', query] as const,
  queryFn: ({ signal }: Context) =>
    call(contract.listAllInvoices, {
      query: {
        page: query.page,
        page_size: pageSize,
        ...(query.search === '' ? {} : { search: query.search }),
        ...(query.status === '' ? {} : { status: query.status }),
      },
      signal,
    }),
  staleTime: 0,
})

export const failedQuery = (query: { status: 'failed' | 'unknown' | 'action_required'; page: number }) => ({
  queryKey: [...administered, 'failed', query] as const,
  queryFn: ({ signal }: Context) => call(contract.listFailedPayments, { query: { ...query, page_size: pageSize }, signal }),
  staleTime: 0,
})

/** Also whether anything is paid for here: elsewhere there is no such call. */
export const planLinesQuery = {
  queryKey: [...administered, 'plans'] as const,
  queryFn: ({ signal }: Context) => call(contract.listPlanLines, { signal }),
  staleTime: 0,
  retry: false,
}

export const invariantsQuery = {
  queryKey: [...administered, 'invariants'] as const,
  queryFn: ({ signal }: Context) => call(contract.readInvariants, { signal }),
  staleTime: Infinity,
}

/** To whoever may not, and where nothing is paid for, the call does not exist (decision H-20). */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404
