/** Certificates as they were made, as SQL. */
import { sql } from 'kysely'
import { type Locale, locales } from '../../../../kernel/locale.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type KeptCertificate = {
  readonly locale: Locale
  /** From 1. */
  readonly edition: number
  /** Whether it says that the deposit is anchored. */
  readonly anchored: boolean
  /** SHA-256 of the facts that it states. */
  readonly says: string
  readonly bytes: number
  readonly sha256: string
  readonly madeAt: Date
}

/** Deposits of a batch that have certificates. */
export async function listCertified(db: Db | Tx, batchId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('document_certificate')
    .innerJoin('document', 'document.id', 'document_certificate.document_id')
    .select('document.id')
    .distinct()
    .where('document.batch_id', '=', batchId)
    .execute()
  return rows.map(({ id }) => id)
}

/** Of these, those that have certificates in every language. */
export async function haveCertificates(db: Db | Tx, documentIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (documentIds.length === 0) return new Set()
  const { rows } = await sql<{ document_id: string }>`
    select document_id from document_certificate where document_id = any(${[...documentIds]}::uuid[])
    group by document_id having count(distinct locale) = ${locales.length}`.execute(db)
  return new Set(rows.map((row) => row.document_id))
}

/** The newest of each language. */
export async function listCertificates(db: Db | Tx, documentId: string): Promise<KeptCertificate[]> {
  return (await listCertificatesOf(db, [documentId])).get(documentId) ?? []
}

/** The same of many; those without are absent. */
export async function listCertificatesOf(
  db: Db | Tx,
  documentIds: readonly string[],
): Promise<ReadonlyMap<string, KeptCertificate[]>> {
  if (documentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('document_certificate')
    .selectAll()
    .distinctOn(['document_id', 'locale'])
    .where(sql<boolean>`document_id = any(${[...documentIds]}::uuid[])`)
    .orderBy('document_id')
    .orderBy('locale')
    .orderBy('edition', 'desc')
    .execute()
  const found = new Map<string, KeptCertificate[]>()
  for (const row of rows) {
    const kept = found.get(row.document_id) ?? []
    found.set(row.document_id, kept)
    kept.push({
      locale: row.locale as Locale,
      edition: row.edition,
      anchored: row.anchored,
      says: row.says,
      bytes: row.bytes,
      sha256: row.sha256,
      madeAt: row.made_at,
    })
  }
  return found
}

export async function findCertificate(db: Db | Tx, documentId: string, locale: Locale): Promise<KeptCertificate | null> {
  return (await listCertificates(db, documentId)).find((kept) => kept.locale === locale) ?? null
}

/** Whether it may still have certificates; its row is held until the transaction ends, so that its words do not go meanwhile. */
export async function holdCertifiable(tx: Tx, documentId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('document')
    .select(['status', 'content_deleted_at'])
    .where('id', '=', documentId)
    .forUpdate()
    .executeTakeFirst()
  return row?.status === 'final' && row.content_deleted_at === null
}

/**
 * Lets go of editions between the first and the newest that say the same of the anchor: they differed in what passes, as an address at
 * which the deposit was shared. @returns SHA-256 of their bytes
 */
export async function dropSuperseded(tx: Tx, documentId: string, locale: Locale): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`
    delete from document_certificate c where document_id = ${documentId}::uuid and locale = ${locale}
      and exists (select from document_certificate o where o.document_id = c.document_id and o.locale = c.locale
        and o.anchored = c.anchored and o.edition < c.edition)
      and exists (select from document_certificate o where o.document_id = c.document_id and o.locale = c.locale
        and o.anchored = c.anchored and o.edition > c.edition)
    returning sha256`.execute(tx)
  return rows.map(({ sha256 }) => sha256)
}

/** @returns false when that edition is there already: somebody else made it meanwhile */
export async function insertCertificate(tx: Tx, documentId: string, kept: KeptCertificate): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('document_certificate')
    .values({
      document_id: documentId,
      locale: kept.locale,
      edition: kept.edition,
      anchored: kept.anchored,
      says: kept.says,
      bytes: kept.bytes,
      sha256: kept.sha256,
      made_at: kept.madeAt,
    })
    .onConflict((conflict) => conflict.columns(['document_id', 'locale', 'edition']).doNothing())
    .executeTakeFirstOrThrow()
  await sql`select pg_notify('document', ${documentId})`.execute(tx)
  return numInsertedOrUpdatedRows === 1n
}
