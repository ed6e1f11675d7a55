/** The SQL of the files that invoices and credit notes are given out as. */
import { sql } from 'kysely'
import type { Locale } from '../../../../kernel/locale.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { makeDocumentsJob } from './jobs.ts'

export type MadeDocument = { readonly sha256: string; readonly bytes: number }
export type WishedDocument = { readonly invoiceId: string; readonly locale: Locale }

/** Of what is issued; a second time nothing happens. */
export async function wishDocument(tx: Tx, { invoiceId, locale }: WishedDocument, now: Date): Promise<void> {
  await tx
    .insertInto('invoice_document')
    .values({ invoice_id: invoiceId, locale, wished_at: now })
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

/** null: it is not made, or not yet. */
export async function findMade(db: Db | Tx, invoiceId: string, locale: Locale): Promise<MadeDocument | null> {
  const row = await db
    .selectFrom('invoice_document')
    .select(['sha256', 'bytes'])
    .where('invoice_id', '=', invoiceId)
    .where('locale', '=', locale)
    .executeTakeFirst()
  return row?.sha256 == null || row.bytes === null ? null : { sha256: row.sha256, bytes: row.bytes }
}
