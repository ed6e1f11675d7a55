/** The SQL of plans and their prices. */
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Day } from '../../domain/calendar/calendar.ts'
import type { Plan, PlanTerms } from '../../domain/plan/plan.ts'

type Row = {
  plan?: string
  effective_from: string
  month_cents: number | null
  year_cents: number | null
  report_cents: number | null
  timestamp_cents: number | null
  reports_per_month: number | null
  timestamps_per_month: number | null
  drafts: number
  seats: number
}
const toTerms = (row: Row): PlanTerms => ({
  plan: (row.plan ?? 'custom') as Plan,
  effectiveFrom: row.effective_from,
  monthCents: row.month_cents,
  yearCents: row.year_cents,
  reportCents: row.report_cents,
  timestampCents: row.timestamp_cents,
  reportsPerMonth: row.reports_per_month,
  timestampsPerMonth: row.timestamps_per_month,
  drafts: row.drafts,
  seats: row.seats,
})

/** What was agreed with one customer alone, those that count first. */
export async function listCustomTerms(db: Db | Tx, customerId: string): Promise<(PlanTerms & { readonly addedAt: Date })[]> {
  const rows = await db
    .selectFrom('custom_plan')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('effective_from', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({ ...toTerms(row), addedAt: row.added_at }))
}

/**
 * All of them, those that count first: what was agreed with the customer, then of a plan the latest day, of a day the last line.
 * @param customerId null: as they are for everybody
 */
export async function listTerms(db: Db | Tx, customerId: string | null = null): Promise<PlanTerms[]> {
  const own = customerId === null ? [] : await listCustomTerms(db, customerId)
  const rows = await db.selectFrom('billing_plan').selectAll().orderBy('effective_from', 'desc').orderBy('id', 'desc').execute()
  return [...own, ...rows.map(toTerms)]
}

/** In force on that day, by a list that has those that count first; null: none yet. */
export const termsOf =
  (all: readonly PlanTerms[]) =>
  (plan: Plan, day: Day): PlanTerms | null =>
    all.find((each) => each.plan === plan && each.effectiveFrom <= day) ?? null

const rowOf = (terms: PlanTerms, now: Date) => ({
  effective_from: terms.effectiveFrom,
  month_cents: terms.monthCents,
  year_cents: terms.yearCents,
  report_cents: terms.reportCents,
  timestamp_cents: terms.timestampCents,
  reports_per_month: terms.reportsPerMonth,
  timestamps_per_month: terms.timestampsPerMonth,
  drafts: terms.drafts,
  seats: terms.seats,
  added_at: now,
})

/** Lines are only added: of one day the last counts. */
export async function insertTerms(tx: Tx, terms: PlanTerms, now: Date): Promise<void> {
  await tx
    .insertInto('billing_plan')
    .values({ plan: terms.plan, ...rowOf(terms, now) })
    .execute()
}

export async function insertCustomTerms(tx: Tx, customerId: string, terms: PlanTerms, now: Date): Promise<void> {
  await tx
    .insertInto('custom_plan')
    .values({ customer_id: customerId, ...rowOf(terms, now) })
    .execute()
}
