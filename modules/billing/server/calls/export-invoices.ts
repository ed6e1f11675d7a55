import { Readable } from 'node:stream'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { zipStream, type ZipFile } from '../../../../platform/zip/stream-zip.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'
import { accounts } from '../../domain/journal/entry.ts'
import { decimal } from '../accounting/decimal.ts'
import { listJournal } from '../accounting/journal-lines.ts'
import { fecName, writeFec } from '../accounting/write-fec.ts'
import { findCustomer } from '../customer/customer-store.ts'
import { listMade, type KeptDocument } from '../invoice/document-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { listInvoicesOf } from './invoice-list-store.ts'
import { presentInvoice } from './present-invoice.ts'

const atATime = 500

const columns =
  'number,kind,date,due_on,category,covers_from,covers_to,customer_account,revenue_account,vat_account,vat_rate,net,vat,gross,to_pay,status'

/** RFC 4180. Every value is of our own making: none begins with a sign that a spreadsheet would carry out. */
async function* writeCsv(db: Db, customerId: string): AsyncGenerator<string> {
  yield `${columns}\r\n`
  for await (const row of listInvoicesOf(db, customerId, atATime)) {
    const shown = presentInvoice(row)
    // A draft is no invoice yet.
    if (shown.number === null) continue
    const money = [row.amount.net, row.amount.vat, row.amount.gross, shown.to_pay_cents].map((cents) => decimal(cents, '.'))
    const books = [accounts.customers, accounts.services, accounts.vatCollected, decimal(row.vatRate, '.')]
    const said = [shown.number, row.kind, shown.date, shown.due_on, row.category, shown.covers_from, shown.covers_to]
    yield `${[...said, ...books, ...money, shown.status].map((value) => value ?? '').join(',')}\r\n`
  }
}

/** Of a PDF; those of ours are some tens of thousands. */
const largestBytes = 16 * 1024 * 1024

/** One file at a time is in memory. */
async function* filesOf(blobs: BlobStore, made: AsyncIterable<KeptDocument>): AsyncGenerator<ZipFile> {
  for await (const { invoiceId, number, locale, sha256 } of made)
    yield {
      path: `${number}.${locale}.pdf`,
      data: await blobs.scope(invoiceId).read(sha256, { maxBytes: largestBytes }),
    }
}

const stalledMs = 2 * 60 * 1000
const longestMs = 60 * 60 * 1000
/** Nobody is without a customer's number of none. */
const nobody = '00000000-0000-0000-0000-000000000000'

export type ExportFormat = 'csv' | 'zip' | 'fec'
type Exported = { readonly bytes: Readable; readonly mediaType: string; readonly fileName: string }

/** C-43. Written as it is read. @throws DomainError `billing.nothing_to_export`: there is no document yet */
export async function exportInvoices(
  deps: BillingDeps & { readonly blobs: BlobStore },
  actor: Actor,
  format: ExportFormat,
): Promise<Exported> {
  const { db, blobs, seller } = deps
  const now = deps.clock.now()
  const customerId = (await findCustomer(db, actor.accountId))?.id ?? nobody
  const today = dayOf(now)
  const named = (ending: string) => `invoices-${today.replaceAll('-', '')}.${ending}`
  const exported = async (): Promise<Exported> => {
    if (format === 'csv')
      return { bytes: Readable.from(writeCsv(db, customerId)), mediaType: 'text/csv; charset=utf-8', fileName: named('csv') }
    if (format === 'fec')
      return {
        bytes: Readable.from(writeFec(listJournal(db, { customerId }))),
        mediaType: 'text/plain; charset=utf-8',
        fileName: fecName(seller.siren, today),
      }
    const [first] = await Array.fromAsync(listMade(db, customerId, 1))
    if (first === undefined) throw new DomainError('conflict', 'billing.nothing_to_export')
    const bytes = zipStream(filesOf(blobs, listMade(db, customerId)), { stalledMs, longestMs })
    return { bytes, mediaType: 'application/zip', fileName: named('zip') }
  }
  const file = await exported()
  await db.transaction().execute(async (tx) => {
    await recordAct(tx, now, {
      action: 'billing.exported_invoices',
      actor,
      subject: { type: 'user', id: actor.accountId },
      data: { format },
    })
  })
  return file
}

/** For the export of an account: what was invoiced to it. */
export async function* exportOwnedInvoices(db: Db, accountId: string): AsyncGenerator<unknown> {
  const customer = await findCustomer(db, accountId)
  if (customer === null) return
  for await (const row of listInvoicesOf(db, customer.id, atATime)) yield presentInvoice(row)
}
