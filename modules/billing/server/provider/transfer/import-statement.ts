import type { Announced, TransferBook } from './book.ts'
import { readStatement } from './read-statement.ts'
import { findReferences } from './reference.ts'
import type { Statement, StatementLine } from './statement.ts'

export type Imported = {
  readonly state: 'imported'
  /** Payments of which something came in, or went back. */
  readonly payments: readonly string[]
  /** Money that came in with no reference of ours, or with several. */
  readonly unmatched: readonly StatementLine[]
  /** Lines that an earlier statement had. */
  readonly known: number
}

/** The same statement twice, or two that overlap, count each line once. */
export async function importStatement(
  book: TransferBook,
  bytes: Uint8Array,
  iban: string,
): Promise<Imported | Extract<Statement, { state: 'unreadable' }>> {
  const statement = readStatement(bytes, iban)
  if (statement.state === 'unreadable') return statement
  const payments = new Set<string>()
  const unmatched: StatementLine[] = []
  let known = 0
  for (const line of statement.lines) {
    if (line.cents === 0) continue
    const sent = line.cents < 0 && !line.reversal
    const payment = await paymentOf(book, line, sent ? 'out' : 'in')
    // What we pay ourselves is none of this, but for what we were to give back; what the bank took back is.
    if (sent && payment === null) continue
    if (!(await book.keep({ line, payment }))) known += 1
    else if (payment === null) unmatched.push(line)
    else payments.add(payment)
  }
  return { state: 'imported', payments: [...payments], unmatched, known }
}

/** By reference alone: names and amounts are alike too often. */
async function paymentOf(book: TransferBook, line: StatementLine, direction: Announced['direction']): Promise<string | null> {
  const found = new Set<string>()
  for (const reference of findReferences(line.text)) {
    const announced = await book.byReference(reference)
    if (announced?.direction === direction) found.add(announced.payment)
  }
  const [payment] = found
  return found.size === 1 && payment !== undefined ? payment : null
}
