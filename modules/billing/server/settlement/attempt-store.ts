/** The SQL of attempts at a payment. */
import { randomUUIDv7 } from 'node:crypto'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Day } from '../../domain/calendar/calendar.ts'
import { assertFollows, attemptTransitions, type AttemptStatus } from '../../domain/invoice/status.ts'
import type { Channel } from '../../domain/journal/entry.ts'
import type { Cents } from '../../domain/money/money.ts'
import type { Browser } from '../provider/port.ts'

/** What the customer's browser says of itself, and where he comes back to; kept until the outcome is known. */
export type Present = { readonly browser: Browser; readonly language: 'en' | 'fr'; readonly returnTo: string }

/** By what an attempt is made. Without: none of ours made it. */
export type Way = {
  /** Which provider knows of it. */
  readonly realm: string | null
  readonly means: 'card' | 'mandate' | 'transfer' | null
  readonly cardId: string | null
  readonly seriesId: string | null
  readonly mandateId: string | null
  /** null: the customer is not there. */
  readonly present: Present | null
  readonly referralManager: 'none' | 'referrer' | null
}

export type Attempt = Way & {
  readonly id: string
  readonly instalmentId: string
  readonly status: AttemptStatus
  readonly amount: Cents
  readonly channel: Channel
  /** The same in every call about it, however often it is made. */
  readonly idempotencyKey: string
  readonly reference: string | null
  readonly failure: string | null
  readonly redirectUrl: string | null
  readonly expectedOn: Day | null
  /** The bank took it back, or a part of it. */
  readonly reversedAt: Date | null
  /** So much of it. */
  readonly taken: Cents
  /** What the bank took besides. */
  readonly fee: Cents
  /** What of it was not owed, and went to the customer's credit. */
  readonly surplus: Cents
  /** How often the provider was asked after it. */
  readonly asked: number
  readonly askAt: Date | null
  readonly lastAskedAt: Date | null
  readonly createdAt: Date
}

export const isLive = ({ status }: Pick<Attempt, 'status'>): boolean =>
  status === 'started' || status === 'action_required' || status === 'unknown'

/** The database refuses a second live one. */
export async function insertAttempt(
  tx: Tx,
  attempt: Pick<Attempt, 'instalmentId' | 'amount' | 'channel' | 'idempotencyKey'> & Partial<Way>,
  now: Date,
  askAt: Date | null = null,
): Promise<string> {
  const id = randomUUIDv7()
  const { present = null } = attempt
  await tx
    .insertInto('payment_attempt')
    .values({
      id,
      instalment_id: attempt.instalmentId,
      status: 'started',
      amount_cents: attempt.amount,
      channel: attempt.channel,
      idempotency_key: attempt.idempotencyKey,
      realm: attempt.realm ?? null,
      means: attempt.means ?? null,
      card_id: attempt.cardId ?? null,
      series_id: attempt.seriesId ?? null,
      mandate_id: attempt.mandateId ?? null,
      present: present === null ? null : JSON.stringify(present),
      referral_manager: attempt.referralManager ?? null,
      ask_at: askAt,
      created_at: now,
    })
    .execute()
  return id
}

type Row = {
  id: string
  instalment_id: string
  status: string
  amount_cents: number
  channel: string
  idempotency_key: string
  reference: string | null
  failure: string | null
  realm: string | null
  means: string | null
  card_id: string | null
  series_id: string | null
  mandate_id: string | null
  present: unknown
  referral_manager: string | null
  redirect_url: string | null
  expected_on: string | null
  reversed_at: Date | null
  taken_cents: number
  fee_cents: number
  surplus_cents: number
  asked: number
  ask_at: Date | null
  last_asked_at: Date | null
  created_at: Date
}
const toAttempt = (row: Row): Attempt => ({
  id: row.id,
  instalmentId: row.instalment_id,
  status: row.status as AttemptStatus,
  amount: row.amount_cents,
  channel: row.channel as Channel,
  idempotencyKey: row.idempotency_key,
  reference: row.reference,
  failure: row.failure,
  realm: row.realm,
  means: row.means as Way['means'],
  cardId: row.card_id,
  seriesId: row.series_id,
  mandateId: row.mandate_id,
  present: row.present as Present | null,
  referralManager: row.referral_manager as Way['referralManager'],
  redirectUrl: row.redirect_url,
  expectedOn: row.expected_on,
  reversedAt: row.reversed_at,
  taken: row.taken_cents,
  fee: row.fee_cents,
  surplus: row.surplus_cents,
  asked: row.asked,
  askAt: row.ask_at,
  lastAskedAt: row.last_asked_at,
  createdAt: row.created_at,
})

export async function findAttempt(db: Db | Tx, id: string): Promise<Attempt | null> {
  const row = await db.selectFrom('payment_attempt').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toAttempt(row)
}

/** As the provider names it. */
/** By which provider an invoice was paid; null: by none, or it is not paid. */
export async function findRealmOfPayment(db: Db | Tx, invoiceId: string): Promise<string | null> {
  const row = await db
    .selectFrom('payment_attempt')
    .innerJoin('instalment', 'instalment.id', 'payment_attempt.instalment_id')
    .select('payment_attempt.realm')
    .where('instalment.invoice_id', '=', invoiceId)
    .where('payment_attempt.status', '=', 'succeeded')
    .orderBy('payment_attempt.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.realm ?? null
}

export async function findNamed(db: Db | Tx, realm: string, reference: string): Promise<Attempt | null> {
  const row = await db
    .selectFrom('payment_attempt')
    .selectAll()
    .where('realm', '=', realm)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return row === undefined ? null : toAttempt(row)
}

/** The last of an instalment. */
export async function findLast(db: Db | Tx, instalmentId: string): Promise<Attempt | null> {
  const row = await db
    .selectFrom('payment_attempt')
    .selectAll()
    .where('instalment_id', '=', instalmentId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toAttempt(row)
}

/** Which the provider is to be asked after by now, the longest waiting first. */
export async function listToAsk(db: Db, realm: string, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_attempt')
    .select('id')
    .where('ask_at', '<=', now)
    .where('realm', '=', realm)
    .where('status', 'in', ['started', 'action_required', 'unknown'])
    .orderBy('ask_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export type AttemptNews = {
  readonly reference?: string | undefined
  readonly failure?: string | undefined
  readonly failureCode?: string | null | undefined
  readonly redirectUrl?: string | null | undefined
  readonly expectedOn?: Day | null | undefined
  readonly reversedAt?: Date | null | undefined
  readonly taken?: Cents | undefined
  readonly fee?: Cents | undefined
  readonly surplus?: Cents | undefined
  readonly askAt?: Date | null | undefined
  /** Asked once more, at this instant. */
  readonly askedAt?: Date | undefined
}

function columnsOf(told: AttemptNews) {
  const set = (name: string, value: unknown) => (value === undefined ? {} : { [name]: value })
  return {
    ...set('reference', told.reference),
    ...set('failure', told.failure),
    ...set('failure_code', told.failureCode),
    ...set('redirect_url', told.redirectUrl),
    ...set('expected_on', told.expectedOn),
    ...set('reversed_at', told.reversedAt),
    ...set('taken_cents', told.taken),
    ...set('fee_cents', told.fee),
    ...set('surplus_cents', told.surplus),
    ...set('ask_at', told.askAt),
    ...set('last_asked_at', told.askedAt),
  }
}

/** What is known of it besides, its status as it was. */
export async function noteAttempt(db: Db | Tx, id: string, told: AttemptNews): Promise<void> {
  await db
    .updateTable('payment_attempt')
    .set((eb) => ({ ...columnsOf(told), ...(told.askedAt === undefined ? {} : { asked: eb('asked', '+', 1) }) }))
    .where('id', '=', id)
    .execute()
}

/** @throws DomainError `billing.illegal_transition` */
export async function changeAttempt(
  tx: Tx,
  { id, status }: Pick<Attempt, 'id' | 'status'>,
  to: AttemptStatus,
  told: AttemptNews,
  now: Date,
): Promise<void> {
  assertFollows(attemptTransitions, status, to)
  const isOver = to === 'succeeded' || to === 'failed'
  await tx
    .updateTable('payment_attempt')
    .set({
      ...columnsOf(told),
      status: to,
      settled_at: isOver ? now : null,
      // Nobody is asked after it any more, and nothing need be said of the browser.
      ...(isOver ? { present: null, redirect_url: null, ask_at: null } : {}),
    })
    .where('id', '=', id)
    .execute()
}
