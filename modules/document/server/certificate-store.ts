/** Certificates as they were made, as SQL. */
import type { Locale } from '../../../kernel/locale.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'

export type KeptCertificate = {
  readonly locale: Locale
  /** From 1. */
  readonly edition: number
  /** Whether it says that the deposit is anchored. */
  readonly anchored: boolean
  readonly bytes: number
  readonly sha256: string
  readonly madeAt: Date
}

/** The newest of each language. */
export async function listCertificates(db: Db | Tx, documentId: string): Promise<KeptCertificate[]> {
  const rows = await db
    .selectFrom('document_certificate')
    .selectAll()
    .distinctOn('locale')
    .where('document_id', '=', documentId)
    .orderBy('locale')
    .orderBy('edition', 'desc')
    .execute()
  return rows.map((row) => ({
    locale: row.locale as Locale,
    edition: row.edition,
    anchored: row.anchored,
    bytes: row.bytes,
    sha256: row.sha256,
    madeAt: row.made_at,
  }))
}

export async function findCertificate(db: Db | Tx, documentId: string, locale: Locale): Promise<KeptCertificate | null> {
  return (await listCertificates(db, documentId)).find((kept) => kept.locale === locale) ?? null
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
      bytes: kept.bytes,
      sha256: kept.sha256,
      made_at: kept.madeAt,
    })
    .onConflict((conflict) => conflict.columns(['document_id', 'locale', 'edition']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}
