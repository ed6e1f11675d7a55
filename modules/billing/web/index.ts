/** Public face of the billing module in the browser: what is paid, where it is asked for. Screens come when they are shown. */
export { PayInvoice } from './pay/lazy-pay-invoice.tsx'
