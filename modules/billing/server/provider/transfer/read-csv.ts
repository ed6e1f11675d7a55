import { readWritten } from './read-amount.ts'
import { numbered } from './read-camt.ts'
import { dayOf, mostLines, type StatementLine, tidy, UnreadableStatement } from './statement.ts'

const mostColumns = 60
/** A head may be preceded by lines that say whose account it is. */
const deepestHead = 20

type Column = 'date' | 'amount' | 'credit' | 'debit' | 'currency' | 'payer' | 'reference'

/** What banks call their columns, without accents and in small letters. Columns of no name here hold text. */
const names: readonly (readonly [Column, RegExp])[] = [
  [
    'date',
    /^(?:date|date (?:operation|de l'operation|comptable|de comptabilisation)|booking date|posting date|transaction date)$/,
  ],
  ['amount', /^(?:montant|amount|montant(?: de l'operation)?(?: \(?(?:eur|en euros)\)?)?|amount \(?eur\)?)$/],
  ['credit', /^(?:credit|credit (?:euros|eur)|montant credit|paid in|money in)$/],
  ['debit', /^(?:debit|debit (?:euros|eur)|montant debit|paid out|money out)$/],
  ['currency', /^(?:devise|currency|monnaie)$/],
  ['payer', /^(?:contrepartie|nom de la contrepartie|emetteur|donneur d'ordre|counterparty|payer|payer name|from)$/],
  ['reference', /^(?:reference bancaire|id operation|identifiant|transaction id|bank reference|numero d'operation)$/],
]

export function readCsv(text: string): StatementLine[] {
  const rows = readRows(text)
  const head = rows.slice(0, deepestHead).findIndex((cells) => isHead(columnsOf(cells)))
  if (head === -1) throw new UnreadableStatement('no_columns')
  const columns = columnsOf(rows[head] ?? [])
  const lines = rows.slice(head + 1).flatMap((cells, at) => {
    if (cells.every((cell) => cell.trim() === '')) return []
    return [lineOf(cells, columns, head + at + 2)]
  })
  return numbered(lines)
}

function columnsOf(cells: readonly string[]): (Column | null)[] {
  const seen = new Set<Column>()
  return cells.map((cell) => {
    const name = tidy(cell).normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase()
    const column = names.find(([, pattern]) => pattern.test(name))?.[0] ?? null
    // The first of a name counts: a second date is that of value.
    if (column === null || seen.has(column)) return null
    seen.add(column)
    return column
  })
}

function isHead(columns: readonly (Column | null)[]): boolean {
  return columns.includes('date') && (columns.includes('amount') || columns.includes('credit'))
}

function lineOf(cells: readonly string[], columns: readonly (Column | null)[], line: number): StatementLine {
  const at = (column: Column): string => tidy(cells[columns.indexOf(column)] ?? '')
  const bookedOn = readDay(at('date'))
  if (bookedOn === null) throw new UnreadableStatement('date', line)
  const cents = columns.includes('amount') ? readWritten(at('amount')) : readSides(at('credit'), at('debit'))
  if (cents === null) throw new UnreadableStatement('amount', line)
  return {
    id: at('reference'),
    bookedOn,
    cents,
    currency: at('currency') || 'EUR',
    reversal: false,
    payer: at('payer') || null,
    text: tidy(cells.filter((_, index) => columns[index] === null || columns[index] === 'payer').join(' | ')),
  }
}

/** Of two columns one is filled; what went out may be written with a sign or without. */
function readSides(credit: string, debit: string): number | null {
  if (credit !== '' && debit !== '') return null
  if (credit !== '') return readWritten(credit)
  const out = readWritten(debit)
  return out === null ? null : -Math.abs(out)
}

/** Day before month, as everywhere in Europe; or the year first. */
function readDay(text: string): string | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/.exec(text)
  if (iso !== null) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const match = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})$/.exec(text)
  if (match === null) return null
  const year = Number(match[3])
  return dayOf(year < 100 ? 2000 + year : year, Number(match[2]), Number(match[1]))
}

/** RFC 4180, with the separator that the first lines use most outside quotes. */
function readRows(text: string): string[][] {
  const separator = separatorOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (quoted) {
      if (character !== '"') cell += character
      else if (text.charAt(at + 1) === '"') {
        cell += '"'
        at += 1
      } else quoted = false
    } else if (character === '"' && cell === '') quoted = true
    else if (character === separator || character === '\n') {
      row.push(cell)
      cell = ''
      if (row.length > mostColumns) throw new UnreadableStatement('malformed', rows.length + 1)
      if (character === '\n') {
        rows.push(row)
        row = []
        if (rows.length > mostLines) throw new UnreadableStatement('too_many_lines')
      }
    } else if (character !== '\r') cell += character
  }
  if (quoted) throw new UnreadableStatement('malformed', rows.length + 1)
  if (cell !== '' || row.length > 0) rows.push([...row, cell])
  return rows
}

function separatorOf(text: string): string {
  const start = text.slice(0, 5_000).replaceAll(/"[^"]*"/g, '')
  const counted = [';', '\t', ','].map((one) => ({ one, count: start.split(one).length }))
  return counted.toSorted((a, b) => b.count - a.count)[0]?.one ?? ';'
}
