/** The SQL of what was handed to the provider to prove who somebody is. */
import { randomUUIDv7 } from 'node:crypto'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type HandedState = 'begun' | 'submitted' | 'validated' | 'refused'
export type Handed = {
  readonly id: string
  /** The first of our documents that it is of; null: it is proven on a page of the provider's own. */
  readonly documentId: string | null
  readonly kind: string
  readonly key: string
  readonly reference: string | null
  readonly state: HandedState
  readonly createdAt: Date
}
type Whose = { readonly userId: string; readonly realm: string }

export async function listHanded(db: Db | Tx, { userId, realm }: Whose): Promise<readonly Handed[]> {
  const rows = await db
    .selectFrom('payout_document')
    .selectAll()
    .where('user_id', '=', userId)
    .where('realm', '=', realm)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    documentId: row.document_id,
    kind: row.kind,
    key: row.idempotency_key,
    reference: row.reference,
    state: row.state as HandedState,
    createdAt: row.created_at,
  }))
}

/** Noted, with its key, before the provider is asked. */
export async function insertHanded(
  db: Db | Tx,
  { userId, realm }: Whose,
  handed: Pick<Handed, 'documentId' | 'kind' | 'key'>,
  now: Date,
): Promise<Handed> {
  const id = randomUUIDv7()
  await db
    .insertInto('payout_document')
    .values({
      id,
      user_id: userId,
      realm,
      document_id: handed.documentId,
      kind: handed.kind,
      idempotency_key: handed.key,
      state: 'begun',
      created_at: now,
    })
    .execute()
  return { id, ...handed, reference: null, state: 'begun', createdAt: now }
}

export async function changeHanded(
  db: Db | Tx,
  id: string,
  told: { readonly reference?: string; readonly state: HandedState; readonly refusal?: string },
): Promise<void> {
  await db
    .updateTable('payout_document')
    .set({
      state: told.state,
      ...(told.reference === undefined ? {} : { reference: told.reference }),
      ...(told.refusal === undefined ? {} : { refusal: told.refusal }),
    })
    .where('id', '=', id)
    .execute()
}
