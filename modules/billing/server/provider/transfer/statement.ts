/** A line of a bank statement, as far as it tells of a payment. */
export type StatementLine = {
  /** The bank's own name of it, or what it says of itself: a line that is imported again is known by it. */
  readonly id: string
  readonly bookedOn: string
  /** What came in; below zero what went out. */
  readonly cents: number
  readonly currency: string
  /** A payment that the bank took back. */
  readonly reversal: boolean
  readonly payer: string | null
  /** Everything that may hold a reference. */
  readonly text: string
}

export type UnreadableReason =
  | 'too_large'
  | 'not_a_statement'
  | 'malformed'
  | 'too_many_lines'
  | 'no_columns'
  | 'date'
  | 'amount'
  | 'other_account'

/** All of a statement, or nothing of it: half an import would be believed whole. */
export type Statement =
  | { readonly state: 'read'; readonly format: 'camt' | 'csv'; readonly lines: readonly StatementLine[] }
  | { readonly state: 'unreadable'; readonly reason: UnreadableReason; readonly line: number | null }

export class UnreadableStatement extends Error {
  readonly reason: UnreadableReason
  readonly line: number | null

  constructor(reason: UnreadableReason, line: number | null = null) {
    super(reason)
    this.reason = reason
    this.line = line
  }
}

export const largestStatement = 10 << 20
export const mostLines = 100_000
const longestText = 2_000

/** Spaces and control characters become one space; no line of a bank is longer than this. */
export function tidy(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, longestText)
}

/** A day of the calendar, or it is none. */
export function dayOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  const real = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return real && year >= 1990 && year <= 2100 ? date.toISOString().slice(0, 10) : null
}
