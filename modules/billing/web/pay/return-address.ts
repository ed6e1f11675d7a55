import { isLocale, type Locale } from '../../../../kernel/locale.ts'

/** Where one comes back to from one's bank, and from there to where one was. */
export function returnAddress(locale: Locale, invoiceId: string, to: string): string {
  return `/${locale}/payment/return/?${new URLSearchParams({ invoice: invoiceId, to }).toString()}`
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What such an address says, whatever it was made to say: an invoice, and a page of this site. */
export function readReturn(search: Readonly<Record<string, unknown>>): {
  readonly invoice: string | null
  readonly to: string | null
} {
  const { invoice, to } = search
  return {
    invoice: typeof invoice === 'string' && uuid.test(invoice) ? invoice : null,
    to: typeof to === 'string' && /^\/[^/\\]/.test(to) && isLocale(to.split('/')[1] ?? '') && !/[\s\\]/.test(to) ? to : null,
  }
}
