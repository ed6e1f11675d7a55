import { Readable } from 'node:stream'
import type { Actor } from '../../../../kernel/actor.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'
import { accounts } from '../../domain/journal/entry.ts'
import type { Cents } from '../../domain/money/money.ts'
import { findCustomer } from '../customer/customer-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { listJournal, pageInvoices, type Listed } from './invoice-list-store.ts'
import { presentInvoice } from './present-invoice.ts'

const atATime = 500

/** All of a customer, the oldest first, a page at a time. */
async function* listAll(db: Db, customerId: string): AsyncGenerator<Listed> {
  for (let offset = 0; ; offset += atATime) {
    const wanted = { customerId, category: null, status: null, search: null, descending: false, limit: atATime, offset }
    const { rows } = await pageInvoices(db, wanted)
    yield* rows
    if (rows.length < atATime) return
  }
}

/** `1234` is `12.34`: cents are never seen as a fraction by a program. */
function decimal(cents: Cents, point: '.' | ','): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}${point}${digits.slice(-2)}`
}

const columns =
  'number,kind,date,due_on,category,covers_from,covers_to,customer_account,revenue_account,vat_account,vat_rate,net,vat,gross,to_pay,status'

/** RFC 4180. Every value is of our own making: none begins with a sign that a spreadsheet would carry out. */
async function* csv(db: Db, customerId: string | null): AsyncGenerator<string> {
  yield `${columns}\r\n`
  if (customerId === null) return
  for await (const row of listAll(db, customerId)) {
    const shown = presentInvoice(row)
    // A draft is no invoice yet.
    if (shown.number === null) continue
    const money = [row.amount.net, row.amount.vat, row.amount.gross, shown.to_pay_cents].map((cents) => decimal(cents, '.'))
    const books = [accounts.customers, accounts.services, accounts.vatCollected, decimal(row.vatRate, '.')]
    const said = [shown.number, row.kind, shown.date, shown.due_on, row.category, shown.covers_from, shown.covers_to]
    yield `${[...said, ...books, ...money, shown.status].map((value) => value ?? '').join(',')}\r\n`
  }
}

const labels: Readonly<Record<string, string>> = {
  [accounts.customers]: 'Clients',
  [accounts.services]: 'Prestations de services',
  [accounts.vatCollected]: 'TVA collectée',
  [accounts.provider]: 'Prestataire de paiement',
  [accounts.bank]: 'Banque',
}
const journals: Readonly<Record<string, string>> = { VE: 'Ventes', BQ: 'Banque' }
const occasions: Readonly<Record<string, string>> = {
  invoice: 'Facture',
  credit_note: 'Avoir',
  payment: 'Règlement',
  reversal: 'Règlement repris',
}
const fecColumns =
  'JournalCode|JournalLib|EcritureNum|EcritureDate|CompteNum|CompteLib|CompAuxNum|CompAuxLib|PieceRef|PieceDate|EcritureLib|Debit|Credit|EcritureLet|DateLet|ValidDate|Montantdevise|Idevise'

/** The eighteen columns of article A47 A-1 of the LPF, VII, 1°, in their order; days without signs, amounts with a comma. */
async function* fec(db: Db, customerId: string | null): AsyncGenerator<string> {
  yield `${fecColumns}\r\n`
  if (customerId === null) return
  const day = (text: string) => text.replaceAll('-', '')
  for await (const line of listJournal(db, customerId)) {
    const piece = line.piece === '' ? `${line.year}-${line.number}` : line.piece
    yield `${[
      line.journal,
      journals[line.journal],
      `${line.year}-${line.number}`,
      day(line.on),
      line.account,
      labels[line.account],
      line.isCustomers ? customerId : '',
      line.isCustomers ? `Client ${customerId}` : '',
      piece,
      day(line.pieceOn),
      `${occasions[line.kind] ?? line.kind} ${piece}`,
      decimal(line.debit, ','),
      decimal(line.credit, ','),
      '',
      '',
      day(line.on),
      '',
      '',
    ].join('|')}\r\n`
  }
}

/** C-43. Written as it is read. */
export async function exportInvoices(
  deps: BillingDeps,
  actor: Actor,
  format: 'csv' | 'fec',
): Promise<{ readonly bytes: Readable; readonly mediaType: string; readonly fileName: string }> {
  const now = deps.clock.now()
  const customer = await findCustomer(deps.db, actor.accountId)
  await deps.db.transaction().execute(async (tx) => {
    await recordAct(tx, now, {
      action: 'billing.exported_invoices',
      actor,
      subject: { type: 'user', id: actor.accountId },
      data: { format },
    })
  })
  const day = dayOf(now).replaceAll('-', '')
  return format === 'csv'
    ? {
        bytes: Readable.from(csv(deps.db, customer?.id ?? null)),
        mediaType: 'text/csv; charset=utf-8',
        fileName: `invoices-${day}.csv`,
      }
    : {
        bytes: Readable.from(fec(deps.db, customer?.id ?? null)),
        mediaType: 'text/plain; charset=utf-8',
        fileName: `${deps.seller.siren}FEC${day}.txt`,
      }
}

/** For the export of an account: what was invoiced to it. */
export async function* exportOwnedInvoices(db: Db, accountId: string): AsyncGenerator<unknown> {
  const customer = await findCustomer(db, accountId)
  if (customer === null) return
  for await (const row of listAll(db, customer.id)) yield presentInvoice(row)
}
