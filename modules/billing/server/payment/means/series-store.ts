/** The SQL of series: what was agreed once with the customer and is charged without him. */
import { randomUUIDv7 } from 'node:crypto'
import type { Db, Tx } from '../../../../../platform/db/database.ts'

export type Series = {
  readonly id: string
  readonly cardId: string
  readonly key: string
  readonly amount: number
  readonly reference: string | null
  readonly createdAt: Date
}

type Row = {
  id: string
  card_id: string
  idempotency_key: string
  amount_cents: number
  reference: string | null
  created_at: Date
}
const toSeries = (row: Row): Series => ({
  id: row.id,
  cardId: row.card_id,
  key: row.idempotency_key,
  amount: row.amount_cents,
  reference: row.reference,
  createdAt: row.created_at,
})

export async function insertSeries(
  db: Db,
  owner: { readonly customerId: string; readonly realm: string },
  series: Pick<Series, 'cardId' | 'key' | 'amount'>,
  now: Date,
): Promise<Series> {
  const row = await db
    .insertInto('payment_series')
    .values({
      id: randomUUIDv7(),
      customer_id: owner.customerId,
      realm: owner.realm,
      card_id: series.cardId,
      idempotency_key: series.key,
      amount_cents: series.amount,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toSeries(row)
}

export async function findSeries(db: Db | Tx, id: string): Promise<Series | null> {
  const row = await db.selectFrom('payment_series').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toSeries(row)
}

/** The newest of a card that the provider has a name for. */
export async function findSeriesOf(db: Db | Tx, cardId: string): Promise<Series | null> {
  const row = await db
    .selectFrom('payment_series')
    .selectAll()
    .where('card_id', '=', cardId)
    .where('reference', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toSeries(row)
}

export async function listSeriesOf(db: Db | Tx, cardId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_series')
    .select('reference')
    .where('card_id', '=', cardId)
    .where('reference', 'is not', null)
    .execute()
  return rows.flatMap(({ reference }) => (reference === null ? [] : [reference]))
}

export async function setSeriesReference(db: Db, id: string, reference: string): Promise<void> {
  await db.updateTable('payment_series').set({ reference }).where('id', '=', id).execute()
}
