/** The SQL of payouts. */
import { sql } from 'kysely'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Page } from '../../../../kernel/page.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { payoutTransitions, type PayoutFailure, type PayoutStatus } from '../../domain/status.ts'
import type { PayeeParty } from '../../../billing/server/index.ts'
import type { PayoutVat } from '../../domain/vat.ts'

export type Payout = {
  readonly id: string
  readonly userId: string
  /** First day of the month that it is of. */
  readonly month: string
  readonly status: PayoutStatus
  readonly netCents: number
  readonly vatTreatment: PayoutVat['treatment']
  readonly vatCents: number
  readonly grossCents: number
  readonly realm: string
  /** What the bank's statement says. */
  readonly referenceText: string
  readonly grantKey: string
  readonly payoutKey: string
  /** What was in the payee's purse before. */
  readonly heldCents: number
  readonly grantedCents: number
  readonly grantReference: string | null
  readonly reference: string | null
  readonly failure: PayoutFailure | null
  readonly asked: number
  readonly createdAt: Date
  readonly settledAt: Date | null
  readonly returnedAt: Date | null
  /** As he was when it was reserved; null: he is forgotten. */
  readonly payee: PayeeParty | null
}

const columns = sql`id, user_id as "userId", month, status, net_cents as "netCents", vat_treatment as "vatTreatment", vat_cents as "vatCents",
  gross_cents as "grossCents", realm, reference_text as "referenceText", grant_key as "grantKey", payout_key as "payoutKey",
  held_cents as "heldCents", granted_cents as "grantedCents", grant_reference as "grantReference", reference, failure, asked,
  created_at as "createdAt", settled_at as "settledAt",
  returned_at as "returnedAt", payee`

export type NewPayout = Pick<
  Payout,
  | 'id'
  | 'userId'
  | 'month'
  | 'netCents'
  | 'vatTreatment'
  | 'vatCents'
  | 'realm'
  | 'referenceText'
  | 'grantKey'
  | 'payoutKey'
  | 'heldCents'
> & { readonly payee: PayeeParty; readonly payeeSalt: Buffer }

/** With its lines: the database adds them up, and refuses more than has matured. */
export async function insertPayout(
  tx: Tx,
  payout: NewPayout,
  lines: readonly { readonly id: string; readonly cents: number }[],
  { now, askAt }: { readonly now: Date; readonly askAt: Date | null },
): Promise<void> {
  await tx
    .insertInto('payout')
    .values({
      id: payout.id,
      user_id: payout.userId,
      month: payout.month,
      status: 'pending',
      net_cents: payout.netCents,
      vat_treatment: payout.vatTreatment,
      vat_cents: payout.vatCents,
      gross_cents: payout.netCents + payout.vatCents,
      realm: payout.realm,
      reference_text: payout.referenceText,
      grant_key: payout.grantKey,
      payout_key: payout.payoutKey,
      held_cents: payout.heldCents,
      payee: JSON.stringify(payout.payee),
      payee_salt: payout.payeeSalt,
      ask_at: askAt,
      created_at: now,
    })
    .execute()
  await tx
    .insertInto('payout_line')
    .values(lines.map(({ id, cents }) => ({ payout_id: payout.id, earning_id: id, cents })))
    .execute()
}

export async function findPayout(db: Db | Tx, id: string): Promise<Payout | null> {
  const { rows } = await sql<Payout>`select ${columns} from payout where id = ${id}::uuid`.execute(db)
  return rows[0] ?? null
}

export async function findPayoutOfMonth(db: Db | Tx, userId: string, month: string): Promise<Payout | null> {
  const { rows } = await sql<Payout>`select ${columns} from payout
    where user_id = ${userId}::uuid and (month = ${month}::date or status = 'pending') limit 1`.execute(db)
  return rows[0] ?? null
}

/** What the provider keeps in the payee's purse: granted, and not left for his bank, or come back from it. */
export async function sumHeld(db: Db | Tx, userId: string, realm: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(granted_cents) - sum(gross_cents) filter (where status = 'success'), sum(granted_cents), 0)::integer as cents
    from payout where user_id = ${userId}::uuid and realm = ${realm}`.execute(db)
  return Math.max(0, rows[0]?.cents ?? 0)
}

/** Whom the provider is to be asked after by now, the longest waiting first. */
export async function listToAsk(db: Db, realm: string, now: Date, limit: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('payout')
    .select('id')
    .where('ask_at', '<=', now)
    .where('realm', '=', realm)
    .orderBy('ask_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export type PayoutNews = {
  readonly grantReference?: string | undefined
  readonly grantedCents?: number | undefined
  readonly reference?: string | undefined
  readonly failureCode?: string | null | undefined
  readonly askAt?: Date | null | undefined
}

const columnsOf = (told: PayoutNews) => {
  const set = (name: string, value: unknown) => (value === undefined ? {} : { [name]: value })
  return {
    ...set('grant_reference', told.grantReference),
    ...set('granted_cents', told.grantedCents),
    ...set('reference', told.reference),
    ...set('failure_code', told.failureCode),
    ...set('ask_at', told.askAt),
  }
}

/** What is known of it besides, its status as it was; asked once more. */
export async function notePayout(db: Db | Tx, id: string, told: PayoutNews): Promise<void> {
  await db
    .updateTable('payout')
    .set((eb) => ({ ...columnsOf(told), asked: eb('asked', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** @throws DomainError `payout.illegal_transition` */
export async function changePayout(
  tx: Tx,
  { id, status }: Pick<Payout, 'id' | 'status'>,
  to: PayoutStatus,
  told: PayoutNews & { readonly failure?: PayoutFailure },
  now: Date,
): Promise<void> {
  if (!payoutTransitions[status].includes(to)) throw new DomainError('conflict', 'payout.illegal_transition')
  await tx
    .updateTable('payout')
    .set({
      ...columnsOf(told),
      status: to,
      ...(to === 'returned' ? { returned_at: now, ask_at: null } : { settled_at: now }),
      ...(told.failure === undefined ? {} : { failure: told.failure }),
    })
    .where('id', '=', id)
    .execute()
}

export async function pagePayouts(
  db: Db,
  userId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Page<Payout>> {
  const { count } = await db
    .selectFrom('payout')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const { rows } = await sql<Payout>`select ${columns} from payout where user_id = ${userId}::uuid
    order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(db)
  return { count, rows }
}

/** Whether all payouts of a month were begun. */
export async function isRunOver(db: Db | Tx, month: string): Promise<boolean> {
  return (await db.selectFrom('payout_run').select('month').where('month', '=', month).executeTakeFirst()) !== undefined
}

export async function noteRun(db: Db | Tx, month: string, begun: number, now: Date): Promise<void> {
  await db
    .insertInto('payout_run')
    .values({ month, begun, ended_at: now })
    .onConflict((conflict) => conflict.column('month').doNothing())
    .execute()
}
