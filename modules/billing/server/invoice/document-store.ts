/** The SQL of the files that invoices and credit notes are given out as. */
import { sql } from 'kysely'
import { defaultLocale, isLocale, type Locale } from '../../../../kernel/locale.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { numberIn } from '../../domain/invoice/number.ts'
import { findBuyer } from './invoice-store.ts'
import { makeDocumentsJob } from './jobs.ts'

export type MadeDocument = { readonly sha256: string; readonly bytes: number }
export type WishedDocument = { readonly invoiceId: string; readonly locale: Locale }

/** Of what is issued; a second time nothing happens. */
export async function wishDocument(tx: Tx, wished: WishedDocument, now: Date): Promise<void> {
  await wishDocuments(tx, [wished], now)
}

export async function wishDocuments(tx: Tx, wished: readonly WishedDocument[], now: Date): Promise<void> {
  await tx
    .insertInto('invoice_document')
    .values(wished.map(({ invoiceId, locale }) => ({ invoice_id: invoiceId, locale, wished_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await enqueue(tx, makeDocumentsJob, {}, { key: makeDocumentsJob.name })
}

/** The oldest that nobody else makes at this moment; they are held until the transaction ends. */
export async function holdWished(tx: Tx, limit: number): Promise<WishedDocument[]> {
  const { rows } = await sql<WishedDocument>`
    select invoice_id as "invoiceId", locale from invoice_document where made_at is null and fault is null
    order by wished_at, invoice_id limit ${limit} for update skip locked`.execute(tx)
  return rows
}

/** What the first file of an invoice says of its payment; null: none is made yet. */
export async function findSaid(db: Db | Tx, invoiceId: string): Promise<unknown> {
  const row = await db
    .selectFrom('invoice_document')
    .select('said')
    .where('invoice_id', '=', invoiceId)
    .where('said', 'is not', null)
    .executeTakeFirst()
  return row?.said ?? null
}

export async function setMade(
  tx: Tx,
  { invoiceId, locale }: WishedDocument,
  made: MadeDocument & { readonly said: unknown },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('invoice_document')
    .set({ bytes: made.bytes, sha256: made.sha256, said: JSON.stringify(made.said), made_at: now })
    .where('invoice_id', '=', invoiceId)
    .where('locale', '=', locale)
    .execute()
}

export async function setFault(tx: Tx, { invoiceId, locale }: WishedDocument, fault: string): Promise<void> {
  await tx
    .updateTable('invoice_document')
    .set({ fault: fault.slice(0, 4_000) })
    .where('invoice_id', '=', invoiceId)
    .where('locale', '=', locale)
    .execute()
}

/** `wished`: it will be made; `faulty`: it cannot be; null: nobody wished for it. */
export async function findDocument(
  db: Db | Tx,
  { invoiceId, locale }: WishedDocument,
): Promise<MadeDocument | 'wished' | 'faulty' | null> {
  const row = await db
    .selectFrom('invoice_document')
    .select(['sha256', 'bytes', 'fault'])
    .where('invoice_id', '=', invoiceId)
    .where('locale', '=', locale)
    .executeTakeFirst()
  if (row === undefined) return null
  if (row.sha256 !== null && row.bytes !== null) return { sha256: row.sha256, bytes: row.bytes }
  return row.fault === null ? 'wished' : 'faulty'
}

/** The language in which it was addressed to its customer. */
export async function findOwnLocale(db: Db | Tx, invoiceId: string): Promise<Locale> {
  const whose = await findBuyer(db, invoiceId)
  return localeOf(whose?.buyer)
}

export const localeOf = (buyer: { readonly locale: string } | undefined): Locale =>
  isLocale(buyer?.locale) ? buyer.locale : defaultLocale

export type KeptDocument = WishedDocument & { readonly number: string; readonly sha256: string }

const atATime = 500

/** All of a customer, by number. */
export async function* listMade(db: Db, customerId: string, limit = Infinity): AsyncGenerator<KeptDocument> {
  const size = Math.min(limit, atATime)
  for (let last = { series: '', number: 0, locale: '' }; ;) {
    const { rows } = await sql<WishedDocument & { series: string; number: number; sha256: string }>`
      select d.invoice_id as "invoiceId", d.locale, d.sha256, i.series, i.number
      from invoice i join invoice_document d on d.invoice_id = i.id and d.made_at is not null
      where i.customer_id = ${customerId}::uuid
        and (i.series, i.number, d.locale) > (${last.series}, ${last.number}::int, ${last.locale})
      order by i.series, i.number, d.locale limit ${size}`.execute(db)
    for (const { series, number, ...row } of rows) yield { ...row, number: numberIn(series, number) }
    const end = rows.at(-1)
    if (end === undefined || rows.length < size || size === limit) return
    last = end
  }
}
