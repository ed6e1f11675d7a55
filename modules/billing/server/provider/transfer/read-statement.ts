import { readCamt } from './read-camt.ts'
import { readCsv } from './read-csv.ts'
import { largestStatement, type Statement, UnreadableStatement } from './statement.ts'

/** Whatever somebody hands in as the statement of this account, in XML (CAMT.053) or as a table (CSV). */
export function readStatement(bytes: Uint8Array, iban: string): Statement {
  try {
    if (bytes.length > largestStatement) throw new UnreadableStatement('too_large')
    const text = decode(bytes)
    return /^\s*</.test(text.slice(0, 200))
      ? { state: 'read', format: 'camt', lines: readCamt(bytes, iban) }
      : { state: 'read', format: 'csv', lines: readCsv(text) }
  } catch (error) {
    if (error instanceof UnreadableStatement) return { state: 'unreadable', reason: error.reason, line: error.line }
    throw error
  }
}

/** UTF-8, or what French banks still write where it is not. */
function decode(bytes: Uint8Array): string {
  if (bytes.includes(0)) throw new UnreadableStatement('not_a_statement')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
