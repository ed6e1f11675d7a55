/** Earnings as those who have them read them, each with the line of the invoice that it comes from, as SQL. */
import { sql, type RawBuilder } from 'kysely'
import type { Page } from '../../../../kernel/page.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Source } from '../../domain/earning.ts'

export type ListedEarning = {
  readonly id: string
  readonly source: Source
  readonly earnedOn: string
  readonly maturesOn: string
  readonly maturedAt: Date | null
  readonly number: string | null
  readonly line: number
  readonly item: string
  readonly baseCents: number
  readonly rate: number
  readonly amountCents: number
  readonly standingCents: number
}

const select = sql`e.id, e.source, e.earned_on as "earnedOn", e.matures_on as "maturesOn", e.matured_at as "maturedAt",
  i.series || '-' || lpad(i.number::text, 6, '0') as number, e.line, l.item, e.base_cents as "baseCents", e.rate,
  e.amount_cents as "amountCents", e.standing_cents as "standingCents"`
const joined = (where: RawBuilder<unknown>) => sql`from earning e join invoice i on i.id = e.invoice_id
  join invoice_line l on l.invoice_id = e.invoice_id and l.position = e.line where ${where}`

export async function pageEarnings(
  db: Db,
  userId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Page<ListedEarning>> {
  const { count } = await db
    .selectFrom('earning')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const { rows } = await sql<ListedEarning>`select ${select} ${joined(sql`e.user_id = ${userId}::uuid`)}
    order by e.created_at desc, e.id desc limit ${limit} offset ${offset}`.execute(db)
  return { count, rows }
}

/** What a payout is made of, the oldest first. */
export async function listLines(db: Db | Tx, payoutId: string): Promise<readonly (ListedEarning & { readonly cents: number })[]> {
  const { rows } = await sql<ListedEarning & { cents: number }>`select p.cents, ${select} from payout_line p
    join earning e on e.id = p.earning_id join invoice i on i.id = e.invoice_id
    join invoice_line l on l.invoice_id = e.invoice_id and l.position = e.line
    where p.payout_id = ${payoutId}::uuid order by e.earned_on, e.id`.execute(db)
  return rows
}
