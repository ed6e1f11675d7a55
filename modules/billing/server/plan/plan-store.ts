/** The SQL of plans and their prices. */
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Day } from '../../domain/calendar/calendar.ts'
import type { Plan, PlanTerms } from '../../domain/plan/plan.ts'

/** All of them, those that count first: of a plan the latest day, of a day the last line. */
export async function listTerms(db: Db | Tx): Promise<PlanTerms[]> {
  const rows = await db.selectFrom('billing_plan').selectAll().orderBy('effective_from', 'desc').orderBy('id', 'desc').execute()
  return rows.map((row) => ({
    plan: row.plan as Plan,
    effectiveFrom: row.effective_from,
    monthCents: row.month_cents,
    yearCents: row.year_cents,
    reportCents: row.report_cents,
    timestampCents: row.timestamp_cents,
    reportsPerMonth: row.reports_per_month,
    timestampsPerMonth: row.timestamps_per_month,
    drafts: row.drafts,
    seats: row.seats,
  }))
}

/** In force on that day, by a list that has those that count first; null: none yet. */
export const termsOf =
  (all: readonly PlanTerms[]) =>
  (plan: Plan, day: Day): PlanTerms | null =>
    all.find((each) => each.plan === plan && each.effectiveFrom <= day) ?? null

/** Lines are only added: of one day the last counts. */
export async function insertTerms(tx: Tx, terms: PlanTerms, now: Date): Promise<void> {
  await tx
    .insertInto('billing_plan')
    .values({
      plan: terms.plan,
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
    .execute()
}
