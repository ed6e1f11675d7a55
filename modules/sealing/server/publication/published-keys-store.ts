import type { Db } from '../../../../platform/db/database.ts'

export type SignedKeys = {
  /** The document as it was signed. */
  readonly document: string
  /** CMS SignedData, DER. */
  readonly signature: Uint8Array
  readonly issuedAt: Date
}

export async function findPublishedKeys(db: Db): Promise<SignedKeys | null> {
  const row = await db.selectFrom('published_keys').select(['document', 'signature', 'issued_at']).executeTakeFirst()
  return row === undefined ? null : { document: row.document, signature: new Uint8Array(row.signature), issuedAt: row.issued_at }
}

/** The newest stands, whichever process comes last. */
export async function savePublishedKeys(db: Db, keys: SignedKeys): Promise<void> {
  const values = { document: keys.document, signature: Buffer.from(keys.signature), issued_at: keys.issuedAt }
  await db
    .insertInto('published_keys')
    .values(values)
    .onConflict((conflict) => conflict.column('one').doUpdateSet(values).where('published_keys.issued_at', '<', keys.issuedAt))
    .execute()
}

/** Identity of the log, fixed by its first leaf; null until then. */
export async function findLogOrigin(db: Db): Promise<string | null> {
  const head = await db.selectFrom('log_head').select('origin').executeTakeFirst()
  return head?.origin ?? null
}
