/** The SQL of attempts at a payment. */
import { randomUUIDv7 } from 'node:crypto'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { assertFollows, attemptTransitions, type AttemptStatus } from '../../domain/invoice/status.ts'
import type { Channel } from '../../domain/journal/entry.ts'
import type { Cents } from '../../domain/money/money.ts'

export type Attempt = {
  readonly id: string
  readonly instalmentId: string
  readonly status: AttemptStatus
  readonly amount: Cents
  readonly channel: Channel
  /** The same in every call about it, however often it is made. */
  readonly idempotencyKey: string
  readonly reference: string | null
  readonly failure: string | null
}

/** The database refuses a second live one. */
export async function insertAttempt(
  tx: Tx,
  attempt: Pick<Attempt, 'instalmentId' | 'amount' | 'channel' | 'idempotencyKey'>,
  now: Date,
): Promise<string> {
  const id = randomUUIDv7()
  await tx
    .insertInto('payment_attempt')
    .values({
      id,
      instalment_id: attempt.instalmentId,
      status: 'started',
      amount_cents: attempt.amount,
      channel: attempt.channel,
      idempotency_key: attempt.idempotencyKey,
      created_at: now,
    })
    .execute()
  return id
}

export async function findAttempt(db: Db | Tx, id: string): Promise<Attempt | null> {
  const row = await db.selectFrom('payment_attempt').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id,
    instalmentId: row.instalment_id,
    status: row.status as AttemptStatus,
    amount: row.amount_cents,
    channel: row.channel as Channel,
    idempotencyKey: row.idempotency_key,
    reference: row.reference,
    failure: row.failure,
  }
}

/** @throws DomainError `billing.illegal_transition` */
export async function changeAttempt(
  tx: Tx,
  { id, status }: Pick<Attempt, 'id' | 'status'>,
  to: AttemptStatus,
  told: { readonly reference?: string | undefined; readonly failure?: string | undefined },
  now: Date,
): Promise<void> {
  assertFollows(attemptTransitions, status, to)
  await tx
    .updateTable('payment_attempt')
    .set({
      status: to,
      ...(told.reference === undefined ? {} : { reference: told.reference }),
      ...(told.failure === undefined ? {} : { failure: told.failure }),
      settled_at: to === 'succeeded' || to === 'failed' ? now : null,
    })
    .where('id', '=', id)
    .execute()
}
