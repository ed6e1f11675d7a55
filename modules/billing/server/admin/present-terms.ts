import type { PlanTermsOnTheWire } from '../../contract/plans.ts'
import type { PlanTerms } from '../../domain/plan/plan.ts'

export const presentTerms = (terms: PlanTerms): PlanTermsOnTheWire => ({
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
})
