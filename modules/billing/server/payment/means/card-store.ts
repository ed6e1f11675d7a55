/** The SQL of cards: what the provider calls them, never what they are. */
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../../platform/db/database.ts'
import type { Day } from '../../../domain/calendar/calendar.ts'

/** What a browser is given to hand in a card. */
export type Handed = { readonly userId: string; readonly address: string; readonly accessKey: string; readonly data: string }

export type Begun = { readonly id: string; readonly registration: string; readonly handed: Handed }
export type Usable = { readonly id: string; readonly reference: string; readonly alias: string; readonly expiresOn: Day }

type Owner = { readonly customerId: string; readonly realm: string }

export async function insertBegun(db: Db, { customerId, realm }: Owner, begun: Omit<Begun, 'id'>, now: Date): Promise<string> {
  const id = randomUUIDv7()
  await db
    .insertInto('payment_card')
    .values({
      id,
      customer_id: customerId,
      realm,
      status: 'begun',
      registration: begun.registration,
      handed: JSON.stringify(begun.handed),
      created_at: now,
    })
    .execute()
  return id
}

function own(db: Db | Tx, { customerId, realm }: Owner) {
  return db.selectFrom('payment_card').selectAll().where('customer_id', '=', customerId).where('realm', '=', realm)
}

export async function findBegun(db: Db, owner: Owner, id: string): Promise<Begun | null> {
  const row = await own(db, owner).where('id', '=', id).where('status', '=', 'begun').executeTakeFirst()
  return row === undefined ? null : { id, registration: row.registration, handed: row.handed as Handed }
}

type Row = { id: string; reference: string | null; alias: string | null; expires_on: string | null }
const toUsable = (row: Row): Usable => ({
  id: row.id,
  reference: row.reference ?? '',
  alias: row.alias ?? '',
  expiresOn: row.expires_on ?? '',
})

export async function findUsable(db: Db | Tx, owner: Owner, id: string): Promise<Usable | null> {
  const row = await own(db, owner).where('id', '=', id).where('status', '=', 'usable').executeTakeFirst()
  return row === undefined ? null : toUsable(row)
}

/** As the provider names it, of use or not. */
export async function findCardReference(db: Db | Tx, id: string): Promise<string | null> {
  const row = await db.selectFrom('payment_card').select('reference').where('id', '=', id).executeTakeFirst()
  return row?.reference ?? null
}

/** The newest first. */
export async function listUsable(db: Db | Tx, owner: Owner): Promise<Usable[]> {
  const rows = await own(db, owner).where('status', '=', 'usable').orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
  return rows.map(toUsable)
}

/** Finished twice, the second time changes nothing. */
export async function setUsable(db: Db, id: string, card: Omit<Usable, 'id'>): Promise<void> {
  await db
    .updateTable('payment_card')
    .set({ status: 'usable', handed: null, reference: card.reference, alias: card.alias, expires_on: card.expiresOn })
    .where('id', '=', id)
    .where('status', '=', 'begun')
    .execute()
}

export async function setEnded(db: Db | Tx, id: string): Promise<void> {
  await db.updateTable('payment_card').set({ status: 'ended', handed: null }).where('id', '=', id).execute()
}

/** Every one of a customer, whichever provider keeps it; that they ended is told to those that have a name for them. @returns of how many */
export async function endCards(tx: Tx, customerId: string): Promise<number> {
  const ended = await tx
    .updateTable('payment_card')
    .set({ status: 'ended', handed: null, told_ended: sql<boolean>`reference is null` })
    .where('customer_id', '=', customerId)
    .where('status', 'in', ['begun', 'usable'])
    .returning('told_ended')
    .execute()
  return ended.filter((card) => !card.told_ended).length
}

/** Of which the provider has not been told, and by which no payment is under way. */
export async function listCardsToEnd(db: Db, realm: string, limit: number): Promise<{ id: string; reference: string }[]> {
  const { rows } = await sql<{ id: string; reference: string }>`
    select c.id, c.reference from payment_card c where not c.told_ended and c.realm = ${realm} and c.reference is not null
      and not exists (select from payment_attempt a where a.card_id = c.id and a.status in ('started', 'action_required', 'unknown'))
    order by c.created_at, c.id limit ${limit}`.execute(db)
  return rows
}

export async function setCardTold(db: Db, id: string): Promise<void> {
  await db.updateTable('payment_card').set({ told_ended: true }).where('id', '=', id).execute()
}

/** Whether a payment by it is under way. */
export async function isPaying(db: Db | Tx, cardId: string): Promise<boolean> {
  const row = await db
    .selectFrom('payment_attempt')
    .select('id')
    .where('card_id', '=', cardId)
    .where('status', 'in', ['started', 'action_required', 'unknown'])
    .executeTakeFirst()
  return row !== undefined
}
