import type { InvoiceDocument } from '../invoice-document.ts'

/** Its name in the list that it comes from, and whether a document keeps it. */
export type Rule = readonly [id: string, keeps: (document: InvoiceDocument) => boolean]

export const isSaid = (text: string): boolean => text.trim() !== ''

/** A day of the calendar, as the French rules take them: of 2000 to 2099 (BR-FR-03). */
export function isDay(day: string): boolean {
  const read = /^20\d\d-\d\d-\d\d$/.test(day) ? new Date(`${day}T00:00:00Z`) : null
  return read !== null && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(day)
}

/** Days from one to another. */
export const daysBetween = (from: string, to: string): number =>
  (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000
