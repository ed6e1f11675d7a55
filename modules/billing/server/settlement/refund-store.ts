/** The SQL of refunds: money that is given back, and what of a payment may be. */
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { assertFollows, refundTransitions, type RefundStatus } from '../../domain/invoice/status.ts'
import type { Channel } from '../../domain/journal/entry.ts'
import type { Cents } from '../../domain/money/money.ts'

export type Refund = {
  readonly id: string
  readonly customerId: string
  /** null: it was settled without one. */
  readonly attemptId: string | null
  readonly invoiceId: string | null
  /** By which it came to the customer's credit; null: more came in than was owed. */
  readonly creditNoteId: string | null
  readonly status: RefundStatus
  readonly amount: Cents
  /** `bank`: somebody transfers it by hand. */
  readonly channel: Channel
  readonly realm: string | null
  readonly key: string
  readonly keySince: Date
  readonly reference: string | null
  readonly failure: string | null
  readonly asked: number
  readonly createdAt: Date
}

type Row = {
  id: string
  customer_id: string
  attempt_id: string | null
  invoice_id: string | null
  credit_note_id: string | null
  status: string
  amount_cents: number
  channel: string
  realm: string | null
  idempotency_key: string
  key_since: Date
  reference: string | null
  failure: string | null
  asked: number
  created_at: Date
}
const toRefund = (row: Row): Refund => ({
  id: row.id,
  customerId: row.customer_id,
  attemptId: row.attempt_id,
  invoiceId: row.invoice_id,
  creditNoteId: row.credit_note_id,
  status: row.status as RefundStatus,
  amount: row.amount_cents,
  channel: row.channel as Channel,
  realm: row.realm,
  key: row.idempotency_key,
  keySince: row.key_since,
  reference: row.reference,
  failure: row.failure,
  asked: row.asked,
  createdAt: row.created_at,
})

export const isOpen = ({ status }: Pick<Refund, 'status'>): boolean => status === 'started' || status === 'unknown'

/** The database refuses a second one under way of the same payment. */
export async function insertRefund(
  tx: Tx,
  refund: Pick<Refund, 'customerId' | 'attemptId' | 'invoiceId' | 'creditNoteId' | 'amount' | 'channel' | 'realm' | 'key'>,
  now: Date,
): Promise<string> {
  const id = randomUUIDv7()
  await tx
    .insertInto('refund')
    .values({
      id,
      customer_id: refund.customerId,
      attempt_id: refund.attemptId,
      invoice_id: refund.invoiceId,
      credit_note_id: refund.creditNoteId,
      status: 'started',
      amount_cents: refund.amount,
      channel: refund.channel,
      realm: refund.realm,
      idempotency_key: refund.key,
      key_since: now,
      ask_at: now,
      created_at: now,
    })
    .execute()
  return id
}

export async function findRefund(db: Db | Tx, id: string): Promise<Refund | null> {
  const row = await db.selectFrom('refund').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toRefund(row)
}

/** As whoever makes it names it. */
export async function findRefundNamed(db: Db | Tx, realm: string, reference: string): Promise<Refund | null> {
  const row = await db
    .selectFrom('refund')
    .selectAll()
    .where('realm', '=', realm)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return row === undefined ? null : toRefund(row)
}

/** Which are to be asked for, or after, by now, the longest waiting first. */
export async function listRefundsToAsk(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('refund')
    .select('id')
    .where('ask_at', '<=', now)
    .where('status', 'in', ['started', 'unknown'])
    .orderBy('ask_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether one of that payment is under way. */
export async function isRefunding(db: Db | Tx, attemptId: string): Promise<boolean> {
  const row = await db
    .selectFrom('refund')
    .select('id')
    .where('attempt_id', '=', attemptId)
    .where('status', 'in', ['started', 'unknown'])
    .executeTakeFirst()
  return row !== undefined
}

export type RefundNews = {
  readonly reference?: string | undefined
  readonly failure?: string | null | undefined
  readonly askAt?: Date | null
  /** Asked once more, or not after all. */
  readonly asked?: 1 | -1
  /** It is made in another way than was thought. */
  readonly by?: { readonly channel: Channel; readonly realm: string }
}

export async function noteRefund(db: Db | Tx, id: string, { reference, failure, askAt, asked, by }: RefundNews): Promise<void> {
  await db
    .updateTable('refund')
    .set((eb) => ({
      ...(reference === undefined ? {} : { reference }),
      ...(failure === undefined ? {} : { failure }),
      ...(askAt === undefined ? {} : { ask_at: askAt }),
      ...(by === undefined ? {} : { channel: by.channel, realm: by.realm }),
      asked: eb('asked', '+', asked ?? 0),
    }))
    .where('id', '=', id)
    .execute()
}

/** @throws DomainError `billing.illegal_transition` */
export async function changeRefund(
  tx: Tx,
  { id, status }: Pick<Refund, 'id' | 'status'>,
  to: RefundStatus,
  now: Date,
  failure: string | null = null,
): Promise<void> {
  assertFollows(refundTransitions, status, to)
  const isOver = to === 'succeeded' || to === 'failed'
  await tx
    .updateTable('refund')
    .set({ status: to, failure, ...(isOver ? { settled_at: now, ask_at: null } : {}) })
    .where('id', '=', id)
    .execute()
}

/** It is certain that nothing came of the key before. @returns false: somebody else has changed it */
export async function renewRefundKey(db: Db, { id, key }: Pick<Refund, 'id' | 'key'>, next: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('refund')
    .set({ idempotency_key: next, key_since: now })
    .where('id', '=', id)
    .where('idempotency_key', '=', key)
    .where('reference', 'is', null)
    .where('status', 'in', ['started', 'unknown'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A payment of which something may be given back. */
export type Refundable = {
  readonly invoiceId: string
  readonly customerId: string
  readonly attemptId: string | null
  readonly channel: Channel
  readonly realm: string | null
  /** The newest credit note of the invoice. */
  readonly creditNoteId: string | null
  /** At most. */
  readonly cents: Cents
  /** One is under way. */
  readonly busy: boolean
}

/**
 * Of each invoice the payment of which most may be given back: what came in and was neither taken nor given back, as far as credit notes of that
 * invoice have put it to the customer's credit, or it was more than was owed, and it still is, promised to no draft.
 */
export async function listRefundable(db: Db | Tx, invoiceIds: readonly string[]): Promise<Refundable[]> {
  if (invoiceIds.length === 0) return []
  const { rows } = await sql<Refundable>`
    select distinct on (i.id) i.id as "invoiceId", i.customer_id as "customerId", paid.attempt_id as "attemptId", paid.channel, paid.realm,
      why.note as "creditNoteId", paid.busy,
      least(paid.cents, why.cents, c.credit_cents - coalesce((select sum(d.credit_used_cents) from invoice d
        where d.customer_id = c.id and d.status = 'draft'), 0))::integer as cents
    from invoice i join billing_customer c on c.id = i.customer_id,
    lateral (
      select a.id as attempt_id, a.channel, a.realm, a.amount_cents - a.taken_cents - coalesce(given.cents, 0) as cents,
        a.surplus_cents - coalesce(given.surplus, 0) as surplus, coalesce(given.busy, false) as busy
      from instalment p join payment_attempt a on a.instalment_id = p.id,
      lateral (select sum(r.amount_cents) as cents, sum(r.amount_cents) filter (where r.credit_note_id is null) as surplus,
          bool_or(r.status in ('started', 'unknown')) as busy
        from refund r where r.attempt_id = a.id and r.status <> 'failed') given
      where p.invoice_id = i.id and a.status = 'succeeded'
      union all
      select null, 'bank', null, booked.cents - coalesce(given.cents, 0), 0, coalesce(given.busy, false)
      from (select sum(q.credit_cents - q.debit_cents) as cents from journal_entry e join journal_posting q on q.entry_id = e.id
          where e.invoice_id = i.id and e.attempt_id is null and e.kind in ('payment', 'reversal') and q.customer_id is not null) booked,
        (select sum(r.amount_cents) as cents, bool_or(r.status in ('started', 'unknown')) as busy from refund r
          where r.invoice_id = i.id and r.attempt_id is null and r.status <> 'failed') given
    ) paid,
    lateral (
      select (array_agg(n.id order by n.issued_at desc, n.id desc))[1] as note, sum(n.gross_cents) - coalesce((select sum(r.amount_cents)
        from refund r where r.invoice_id = i.id and r.status <> 'failed' and r.credit_note_id is not null), 0) as cents
      from invoice n where n.credits = i.id and n.status = 'issued'
      union all select null, paid.surplus
    ) why
    where i.id = any(${[...invoiceIds]}::uuid[]) and i.kind = 'invoice' and i.status = 'issued' and why.cents > 0 and paid.cents > 0
    order by i.id, cents desc, paid.attempt_id`.execute(db)
  return rows.filter(({ cents }) => cents > 0)
}
