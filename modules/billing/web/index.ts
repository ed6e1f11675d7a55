/** Public face of the billing module in the browser. */
export { oneOf, useDeskSearch } from './admin/desk-search.ts'
export { readCents } from './components/read-cents.ts'
export { PayInvoice } from './pay/lazy-pay-invoice.tsx'
export { Cost } from './spending/Cost.tsx'
export { PaidByOwner } from './spending/PaidByOwner.tsx'
export { outlookQuery } from './spending/outlook-query.ts'
export { useMayPay } from './spending/use-may-pay.ts'
export { usePaymentState } from './spending/use-payment-state.ts'
