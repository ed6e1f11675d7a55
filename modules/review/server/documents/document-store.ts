/** The SQL of identity documents and of the pages that were made of them. */
import type { Selectable } from 'kysely'
import type { Database } from '../../../../db/schema.d.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { MediaType } from '../../domain/file-facts.ts'
import type { DocumentKind, RefusalReason } from '../../domain/identity-document.ts'

/** As it is kept; that a later version stands for it is not. */
export type KeptState = 'ready' | 'pending' | 'success' | 'failure'

export type KeptDocument = {
  readonly id: string
  readonly userId: string
  readonly kind: DocumentKind
  readonly version: number
  readonly state: KeptState
  readonly mediaType: MediaType
  readonly bytes: number
  /** Of the sealed original. */
  readonly blob: string
  readonly uploadedAt: Date
  readonly decidedAt: Date | null
  readonly reason: RefusalReason | null
  readonly note: string | null
  readonly expiresOn: string | null
  readonly erasedAt: Date | null
  /** Keyed hashes by field of what was typed when it was sent; null: it was not, or before that was kept. */
  readonly typed: Readonly<Record<string, string>> | null
  readonly pages: number
}

export type KeptPage = {
  readonly number: number
  readonly mediaType: 'image/jpeg' | 'image/png'
  readonly width: number
  readonly height: number
  readonly blob: string
}

function toDocument(row: Selectable<Database['identity_document']> & { pages: number }): KeptDocument {
  return {
    id: row.id,
    userId: row.user_id,
    kind: row.kind as DocumentKind,
    version: row.version,
    state: row.state as KeptState,
    mediaType: row.media_type as MediaType,
    bytes: row.bytes,
    blob: row.blob,
    uploadedAt: row.uploaded_at,
    decidedAt: row.decided_at,
    reason: row.reason as RefusalReason | null,
    note: row.note,
    expiresOn: row.expires_on,
    erasedAt: row.erased_at,
    typed: row.typed as Record<string, string> | null,
    pages: row.pages,
  }
}

const withPages = (db: Db | Tx) =>
  db
    .selectFrom('identity_document')
    .selectAll('identity_document')
    .select((eb) =>
      eb
        .selectFrom('identity_page')
        .select((page) => page.fn.countAll<number>().as('pages'))
        .whereRef('document_id', '=', 'identity_document.id')
        .as('pages'),
    )

/** Newest version of each kind first. */
export async function listDocuments(db: Db | Tx, userId: string): Promise<KeptDocument[]> {
  const rows = await withPages(db)
    .where('user_id', '=', userId)
    .orderBy('version', 'desc')
    .orderBy('uploaded_at', 'desc')
    .execute()
  return rows.map((row) => toDocument({ ...row, pages: row.pages ?? 0 }))
}

/** Of that person; anybody else's is as though it were not there. */
export async function findDocument(db: Db | Tx, userId: string, id: string): Promise<KeptDocument | null> {
  const row = await withPages(db).where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toDocument({ ...row, pages: row.pages ?? 0 })
}

export async function existsDocument(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('identity_document')
    .select('id')
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertDocument(
  tx: Tx,
  document: Pick<KeptDocument, 'id' | 'userId' | 'kind' | 'version' | 'mediaType' | 'bytes' | 'blob' | 'uploadedAt'>,
  pages: readonly KeptPage[],
): Promise<void> {
  await tx
    .insertInto('identity_document')
    .values({
      id: document.id,
      user_id: document.userId,
      kind: document.kind,
      version: document.version,
      media_type: document.mediaType,
      bytes: document.bytes,
      blob: document.blob,
      uploaded_at: document.uploadedAt,
    })
    .execute()
  await tx
    .insertInto('identity_page')
    .values(pages.map(({ mediaType, ...page }) => ({ document_id: document.id, media_type: mediaType, ...page })))
    .execute()
}

export async function deleteDocument(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('identity_document').where('id', '=', id).execute()
}

/** @param typed as keyed hashes, what it is compared with */
export async function sendReady(tx: Tx, userId: string, typed: Readonly<Record<string, string>>): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('identity_document')
    .set({ state: 'pending', typed: JSON.stringify(typed) })
    .where('user_id', '=', userId)
    .where('state', '=', 'ready')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function settleDocument(
  tx: Tx,
  id: string,
  verdict: {
    readonly state: 'success' | 'failure'
    readonly reason: RefusalReason | null
    readonly note: string | null
    readonly expiresOn: string | null
  },
  now: Date,
): Promise<void> {
  const { state, reason, note, expiresOn } = verdict
  await tx
    .updateTable('identity_document')
    .set({ state, reason, note, expires_on: expiresOn, decided_at: now })
    .where('id', '=', id)
    .execute()
}

export async function findPage(db: Db | Tx, documentId: string, number: number): Promise<KeptPage | null> {
  const row = await db
    .selectFrom('identity_page')
    .select(['number', 'media_type', 'width', 'height', 'blob'])
    .where('document_id', '=', documentId)
    .where('number', '=', number)
    .executeTakeFirst()
  if (row === undefined) return null
  const { media_type: mediaType, ...page } = row
  return { ...page, mediaType: mediaType as KeptPage['mediaType'] }
}

/** What was decided upon stays, without its pages. */
export async function markErased(tx: Tx, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await tx.deleteFrom('identity_page').where('document_id', 'in', ids).execute()
  await tx.deleteFrom('identity_document').where('id', 'in', ids).where('state', '=', 'ready').execute()
  await tx.updateTable('identity_document').set({ erased_at: now }).where('id', 'in', ids).execute()
}
