import type { Day } from '../calendar/calendar.ts'

/** Invoices and credit notes are each numbered from 1 every year (CGI annexe II, art. 242 nonies A, I, 7°). */
export type DocumentKind = 'invoice' | 'credit_note'

export function seriesOf(kind: DocumentKind, issuedOn: Day): string {
  return `${kind === 'invoice' ? 'F' : 'A'}${issuedOn.slice(0, 4)}`
}

export function numberIn(series: string, number: number): string {
  return `${series}-${String(number).padStart(6, '0')}`
}

/** K-13. */
export const daysToPay = 30
