import { call } from '../../../../ui/api/call.ts'
import { listInvoices } from '../../contract/invoices.ts'
import { moneyKey } from '../components/queries.ts'
import { toQuery, type InvoiceView } from './list-view.ts'

export const invoicesQuery = (view: InvoiceView) => ({
  queryKey: [...moneyKey, 'invoices', view] as const,
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => ({
    ...(await call(listInvoices, { query: toQuery(view), signal })),
    // Of invoices all are counted.
    count_capped: false,
  }),
})
