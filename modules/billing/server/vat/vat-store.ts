/** The SQL of VAT numbers, and of what was answered about them. */
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { VatCheck } from '../../domain/invoice/vat.ts'
import type { RegisterAnswer } from './register.ts'

export type KeptNumber = {
  readonly vatNumber: string | null
  readonly check: VatCheck | null
  readonly checkedAt: Date | null
  readonly consultation: string | null
}

export async function findVatNumber(db: Db | Tx, customerId: string): Promise<KeptNumber> {
  const row = await db
    .selectFrom('billing_customer')
    .select(['vat_number', 'vat_check', 'vat_checked_at', 'vat_answer'])
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  // Written by saveAnswer alone.
  const answer = row.vat_answer as { readonly consultation: string | null } | null
  return {
    vatNumber: row.vat_number,
    check: row.vat_check as VatCheck | null,
    checkedAt: row.vat_checked_at,
    consultation: answer?.consultation ?? null,
  }
}

/** What was known of another number is forgotten. */
export async function saveVatNumber(tx: Tx, customerId: string, vatNumber: string | null): Promise<void> {
  await tx
    .updateTable('billing_customer')
    .set({ vat_number: vatNumber, vat_check: null, vat_checked_at: null, vat_answer: null })
    .where('id', '=', customerId)
    .execute()
}

/**
 * Of a number that was asked about; each answer is kept. Silence takes nothing back of what the register said of this number before.
 * @returns whether it is other than what was known; null: the customer has another number by now
 */
export async function saveAnswer(
  tx: Tx,
  of: { readonly customerId: string; readonly vatNumber: string; readonly checkedAt: Date | null },
  said: RegisterAnswer,
  now: Date,
): Promise<{ readonly news: boolean } | null> {
  const before = await findVatNumber(tx, of.customerId)
  if (before.vatNumber !== of.vatNumber) return null
  const { state } = said
  const consultation = said.state === 'unreachable' ? null : said.consultation
  const answer = JSON.stringify(said.state === 'unreachable' ? { reason: said.reason } : said.answer)
  await tx
    .insertInto('vat_consultation')
    .values({
      id: randomUUIDv7(),
      customer_id: of.customerId,
      vat_number: of.vatNumber,
      state,
      asked_at: now,
      consultation,
      answer,
    })
    .execute()
  const isKept = state === 'unreachable' && (before.check === 'valid' || before.check === 'invalid')
  if (isKept) return { news: false }
  await tx
    .updateTable('billing_customer')
    .set({ vat_check: state, vat_checked_at: now, vat_answer: JSON.stringify({ consultation }) })
    .where('id', '=', of.customerId)
    .execute()
  return { news: state !== before.check }
}

export type Unchecked = { readonly customerId: string; readonly vatNumber: string; readonly checkedAt: Date | null }

/** Numbers of which nothing is known, or not since then; after an id. */
export async function listUnchecked(db: Db, before: Date, after: string, limit: number): Promise<Unchecked[]> {
  const { rows } = await sql<Unchecked>`
    select id as "customerId", vat_number as "vatNumber", vat_checked_at as "checkedAt" from billing_customer
    where vat_number is not null and user_id is not null
      and (vat_check is null or vat_check = 'unreachable' or vat_checked_at < ${before}::timestamptz)
      and (${after} = '' or id > nullif(${after}, '')::uuid) order by id limit ${limit}`.execute(db)
  return rows
}
