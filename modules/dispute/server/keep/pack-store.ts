/** The SQL of formal notices that are being prepared. */
import { sql } from 'kysely'
import type { Locale } from '../../../../kernel/locale.ts'
import type { Db } from '../../../../platform/db/database.ts'

export type KeptPack = {
  readonly recipient: string
  readonly delayDays: number | null
  readonly amountCents: number | null
  readonly claim: Readonly<Record<Locale, string>>
  /** null: that of the template. */
  readonly letter: Readonly<Record<Locale, string | null>>
  readonly keptAt: Date
}

type Of = { readonly evidenceId: string; readonly accountId: string }

export async function findPack(db: Db, { evidenceId, accountId }: Of): Promise<KeptPack | null> {
  const row = await db
    .selectFrom('dispute_pack')
    .selectAll()
    .where('evidence_id', '=', evidenceId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    recipient: row.recipient,
    delayDays: row.delay_days,
    amountCents: row.amount_cents,
    claim: { en: row.claim_en, fr: row.claim_fr },
    letter: { en: row.letter_en, fr: row.letter_fr },
    keptAt: row.kept_at,
  }
}

export type PackChange = {
  readonly recipient?: string
  readonly delay_days?: number | null
  readonly amount_cents?: number | null
  readonly claim?: string
  readonly letter?: string | null
}

/** What is not named stays as it is, or empty; of claim and letter, those of that language. */
export async function keepPack(db: Db, of: Of, locale: Locale, change: PackChange, now: Date): Promise<void> {
  const { claim, letter, ...shared } = change
  const said = {
    ...shared,
    ...(claim === undefined ? {} : { [`claim_${locale}`]: claim }),
    ...(letter === undefined ? {} : { [`letter_${locale}`]: letter }),
    kept_at: now,
  }
  await db
    .insertInto('dispute_pack')
    .values({ evidence_id: of.evidenceId, account_id: of.accountId, recipient: '', claim_en: '', claim_fr: '', ...said })
    .onConflict((conflict) => conflict.column('evidence_id').doUpdateSet(said))
    .execute()
}

/** All of an account, by report. */
export async function* exportDisputePacks(db: Db, accountId: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const rows = await db
    .selectFrom('dispute_pack')
    .select([
      'evidence_id',
      'recipient',
      'delay_days',
      'amount_cents',
      'claim_en',
      'claim_fr',
      'letter_en',
      'letter_fr',
      'kept_at',
    ])
    .where('account_id', '=', accountId)
    .orderBy('evidence_id')
    .execute()
  yield* rows
}

/** The account ends. May be repeated. */
export async function eraseDisputePacks(db: Db, accountId: string): Promise<void> {
  await sql`delete from dispute_pack where account_id = ${accountId}::uuid`.execute(db)
}
