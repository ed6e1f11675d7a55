import { call } from '../../../../ui/api/call.ts'
import { readInvoice } from '../../contract/invoices.ts'
import { listPaymentMethods, readMandate, readPayment } from '../../contract/payments.ts'
import { listSubscriptions } from '../../contract/subscriptions.ts'

type Context = { readonly signal: AbortSignal }

/** Everything that a payment or a change of plan may have changed. */
export const moneyKey = ['money'] as const

/** The present one: that which is not over; null: the account is on Unit, and always was. */
export const subscriptionQuery = {
  queryKey: [...moneyKey, 'subscription'] as const,
  queryFn: async ({ signal }: Context) => {
    const { results } = await call(listSubscriptions, { query: { page_size: 1 }, signal })
    const [newest] = results
    return newest === undefined || newest.status === 'cancelled' ? null : newest
  },
}

export const methodsQuery = {
  queryKey: [...moneyKey, 'methods'] as const,
  queryFn: async ({ signal }: Context) => {
    const methods = await call(listPaymentMethods, { signal })
    // Whoever comes back from signing is there before the provider has told that he did: it is asked.
    return methods.mandate?.status === 'action_required'
      ? { ...methods, mandate: (await call(readMandate, { signal })).mandate }
      : methods
  },
}

export const paymentQuery = (id: string) => ({
  queryKey: [...moneyKey, 'payment', id] as const,
  queryFn: ({ signal }: Context) => call(readPayment, { params: { id }, signal }),
})

export const invoiceQuery = (id: string) => ({
  queryKey: [...moneyKey, 'invoice', id] as const,
  queryFn: ({ signal }: Context) => call(readInvoice, { params: { id }, signal }),
})
