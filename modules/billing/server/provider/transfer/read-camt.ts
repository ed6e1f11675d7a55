import { createHash } from 'node:crypto'
import { elementsOf, readXml, type XmlElement } from '../../../../verification/server/index.ts'
import { readDecimal } from './read-amount.ts'
import { dayOf, mostLines, type StatementLine, tidy, UnreadableStatement } from './statement.ts'

/** `camt.053.001.02` to `.13`: what is read of them has the same names in all. */
const namespace = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.\d{2}$/

/** What is booked on our account, a line for each payment of each entry. */
export function readCamt(bytes: Uint8Array, iban: string): StatementLine[] {
  const root = parse(bytes)
  if (root.local !== 'Document' || !namespace.test(root.namespace)) throw new UnreadableStatement('not_a_statement')
  const statements = inside(root, 'BkToCstmrStmt').flatMap((one) => inside(one, 'Stmt'))
  if (statements.length === 0) throw new UnreadableStatement('not_a_statement')
  const lines: StatementLine[] = []
  for (const statement of statements) {
    if (textAt(statement, 'Acct', 'Id', 'IBAN') !== iban) throw new UnreadableStatement('other_account')
    for (const entry of inside(statement, 'Ntry')) {
      lines.push(...linesOf(entry))
      if (lines.length > mostLines) throw new UnreadableStatement('too_many_lines')
    }
  }
  return numbered(lines)
}

function parse(bytes: Uint8Array): XmlElement {
  try {
    return readXml(bytes)
  } catch {
    throw new UnreadableStatement('malformed')
  }
}

function linesOf(entry: XmlElement): StatementLine[] {
  // What is only announced may not come.
  const status = textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts')
  if (status !== 'BOOK') return []
  const sign = textAt(entry, 'CdtDbtInd') === 'CRDT' ? 1 : -1
  const reversal = textAt(entry, 'RvslInd') === 'true'
  const bookedOn = readDay(textAt(entry, 'BookgDt', 'Dt') || textAt(entry, 'BookgDt', 'DtTm'))
  const details = inside(entry, 'NtryDtls').flatMap((one) => inside(one, 'TxDtls'))
  const reference = textAt(entry, 'AcctSvcrRef')
  // An entry of several payments names the amount of each; one that does not is taken whole.
  const each = details.length > 1 && details.every((one) => amountOf(one) !== undefined) ? details : [undefined]
  return each.map((detail, at) => {
    const from = detail ?? entry
    const amount = amountOf(from) ?? inside(entry, 'Amt')[0]
    const cents = amount === undefined ? null : readDecimal(contentOf(amount))
    if (cents === null) throw new UnreadableStatement('amount')
    const own = detail === undefined ? '' : textAt(detail, 'Refs', 'AcctSvcrRef')
    const payer = [...elementsOf(from)].find(({ local, parent }) => local === 'Nm' && isPayer(parent))
    const id = own || (reference === '' ? '' : each.length === 1 ? reference : `${reference} ${at}`)
    return {
      id,
      bookedOn,
      cents: sign * cents,
      currency: amount?.attributes.find(({ local }) => local === 'Ccy')?.value ?? '',
      reversal,
      payer: payer === undefined ? null : tidy(contentOf(payer)),
      text: tidy(remittanceOf(from)),
    }
  })
}

/** `Dbtr/Nm` to version 7, `Dbtr/Pty/Nm` since. */
function isPayer(parent: XmlElement | undefined): boolean {
  return parent?.local === 'Dbtr' || (parent?.local === 'Pty' && parent.parent?.local === 'Dbtr')
}

const told = new Set(['Ustrd', 'Ref', 'EndToEndId', 'AddtlRmtInf', 'AddtlTxInf', 'AddtlNtryInf'])

function remittanceOf(element: XmlElement): string {
  return [...elementsOf(element)]
    .filter(({ local }) => told.has(local))
    .map(contentOf)
    .join(' | ')
}

function amountOf(detail: XmlElement): XmlElement | undefined {
  return (
    inside(detail, 'Amt')[0] ??
    inside(detail, 'AmtDtls').flatMap((one) => inside(one, 'TxAmt').flatMap((of) => inside(of, 'Amt')))[0]
  )
}

function readDay(text: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(text)
  const day = match === null ? null : dayOf(Number(match[1]), Number(match[2]), Number(match[3]))
  if (day === null) throw new UnreadableStatement('date')
  return day
}

function inside(element: XmlElement, local: string): XmlElement[] {
  return element.children.filter((one): one is XmlElement => typeof one !== 'string' && one.local === local)
}

function textAt(element: XmlElement, ...path: readonly string[]): string {
  let at: XmlElement | undefined = element
  for (const local of path) at = at === undefined ? undefined : inside(at, local)[0]
  return at === undefined ? '' : contentOf(at).trim()
}

function contentOf(element: XmlElement): string {
  return element.children.filter((one) => typeof one === 'string').join('')
}

/**
 * A line that the bank gave no name is known by all that it says, and by its number among those that say the same: two alike in one statement
 * are two payments, and the same statement again is the same two.
 */
export function numbered(lines: readonly StatementLine[]): StatementLine[] {
  const seen = new Map<string, number>()
  return lines.map((line) => {
    if (line.id !== '') return { ...line, id: `bank ${line.id}` }
    const { bookedOn, cents, currency, reversal, payer, text } = line
    const said = createHash('sha256')
      .update(JSON.stringify([bookedOn, cents, currency, reversal, payer, text]))
      .digest('hex')
    const number = (seen.get(said) ?? 0) + 1
    seen.set(said, number)
    return { ...line, id: `said ${said} ${number}` }
  })
}
