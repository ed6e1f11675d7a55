/** The SQL of invoices that are made out for payees. */
import { sql } from 'kysely'
import { defaultLocale, isLocale, type Locale } from '../../../../kernel/locale.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { SelfBill, SelfBillKind, TakenBill } from '../../../billing/server/index.ts'

/** Payouts that reached a bank, or came back from it, of which no invoice, or nothing that takes it back, was made out yet. The oldest first. */
export async function listUnbilled(
  db: Db,
  limit: number,
): Promise<readonly { readonly id: string; readonly userId: string; readonly kind: SelfBillKind }[]> {
  const { rows } = await sql<{ id: string; userId: string; kind: SelfBillKind }>`
    select p.id, p.user_id as "userId", k.kind from payout p cross join (values ('self_billed'), ('self_billed_credit')) k (kind)
    where p.vat_treatment <> 'none' and p.payee is not null
      and (p.status = 'returned' or p.status = 'success' and k.kind = 'self_billed')
      and not exists (select from payout_invoice i where i.payout_id = p.id and i.kind = k.kind)
    order by p.settled_at, p.id, k.kind limit ${limit}`.execute(db)
  return rows
}

/** What was earned of it, by what, and between which days. */
export async function sumEarned(tx: Db | Tx, payoutId: string): Promise<Pick<SelfBill, 'earned' | 'period'>> {
  const { rows } = await sql<{ source: 'referral' | 'license'; cents: number; from: string; to: string }>`
    select e.source, sum(l.cents)::integer as cents, min(e.earned_on) as "from", max(e.earned_on) as "to"
    from payout_line l join earning e on e.id = l.earning_id where l.payout_id = ${payoutId}::uuid group by e.source order by e.source desc`.execute(
    tx,
  )
  const days = rows.flatMap(({ from, to }) => [from, to]).toSorted((a, b) => (a < b ? -1 : 1))
  return { earned: rows.map(({ source, cents }) => ({ source, cents })), period: { from: days[0] ?? '', to: days.at(-1) ?? '' } }
}

export async function findSalt(tx: Tx, payoutId: string): Promise<Buffer | null> {
  const row = await tx.selectFrom('payout').select('payee_salt').where('id', '=', payoutId).executeTakeFirst()
  return row?.payee_salt ?? null
}

export type KeptBill = { readonly kind: SelfBillKind; readonly number: string; readonly issuedOn: string }

export async function listBills(db: Db | Tx, payoutId: string): Promise<readonly KeptBill[]> {
  const { rows } = await sql<KeptBill>`select kind, series || '-' || lpad(number::text, 6, '0') as number, issued_on as "issuedOn"
    from payout_invoice where payout_id = ${payoutId}::uuid order by kind`.execute(db)
  return rows
}

export async function insertBill(tx: Tx, payoutId: string, kind: SelfBillKind, taken: TakenBill, now: Date): Promise<void> {
  await tx
    .insertInto('payout_invoice')
    .values({
      payout_id: payoutId,
      kind,
      series: taken.series,
      number: taken.place,
      issued_on: taken.issuedOn,
      issued_at: now,
      content: taken.content,
      sha256: taken.sha256,
    })
    .execute()
}

/** Who made it out, as he was then. */
export async function findOperator(db: Db | Tx, payoutId: string, kind: SelfBillKind): Promise<SelfBill['operator'] | null> {
  const row = await db
    .selectFrom('payout_invoice')
    .select('content')
    .where('payout_id', '=', payoutId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  // Written by takeSelfBill alone.
  return row === undefined ? null : (JSON.parse(row.content.toString()) as { readonly operator: SelfBill['operator'] }).operator
}

/** The language in which somebody is written to. */
export async function findLocale(db: Db | Tx, userId: string): Promise<Locale> {
  const row = await db.selectFrom('account_user').select('locale').where('id', '=', userId).executeTakeFirst()
  return isLocale(row?.locale) ? row.locale : defaultLocale
}
