/** The SQL of letters that are printed. */
import type { Locale } from '../../../../kernel/locale.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type PrintRow = {
  readonly accountId: string
  readonly digest: string
  readonly day: string
  /** null: it is to be printed, or cannot be. */
  readonly pdf: Buffer | null
  readonly fault: boolean
}

type Of = { readonly evidenceId: string; readonly locale: Locale }

/** null: it was not asked for, or what it was of is gone. */
export async function findPrint(db: Db | Tx, { evidenceId, locale }: Of): Promise<PrintRow | null> {
  const row = await db
    .selectFrom('dispute_print')
    .innerJoin('dispute_pack', 'dispute_pack.evidence_id', 'dispute_print.evidence_id')
    .select(['account_id', 'digest', 'day', 'pdf', 'fault'])
    .where('dispute_print.evidence_id', '=', evidenceId)
    .where('locale', '=', locale)
    .executeTakeFirst()
  if (row === undefined) return null
  return { accountId: row.account_id, digest: row.digest, day: row.day, pdf: row.pdf, fault: row.fault }
}

/** In place of the one before. */
export async function wishPrint(tx: Tx, of: Of, wish: Pick<PrintRow, 'digest' | 'day'>, now: Date): Promise<void> {
  const wished = { ...wish, pdf: null, fault: false, asked_at: now }
  await tx
    .insertInto('dispute_print')
    .values({ evidence_id: of.evidenceId, locale: of.locale, ...wished })
    .onConflict((conflict) => conflict.columns(['evidence_id', 'locale']).doUpdateSet(wished))
    .execute()
}

/** It is as if nobody had asked for it, unless another was asked for meanwhile. */
export async function forgetWish(db: Db, of: Of, digest: string): Promise<void> {
  await db
    .deleteFrom('dispute_print')
    .where('evidence_id', '=', of.evidenceId)
    .where('locale', '=', of.locale)
    .where('digest', '=', digest)
    .where('pdf', 'is', null)
    .execute()
}

/** Unless another was asked for meanwhile. @param pdf null: it cannot be printed */
export async function setPrint(db: Db, of: Of, digest: string, pdf: Buffer | null): Promise<void> {
  await db
    .updateTable('dispute_print')
    .set({ pdf, fault: pdf === null })
    .where('evidence_id', '=', of.evidenceId)
    .where('locale', '=', of.locale)
    .where('digest', '=', digest)
    .where('pdf', 'is', null)
    .execute()
}
