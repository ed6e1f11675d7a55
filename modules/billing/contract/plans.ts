import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { plans } from '../domain/plan/plan.ts'

/** Amounts are whole cents of euros, without VAT; null: it is not to be had so. */
const cents = z.int().nonnegative().nullable()

export const planTerms = z.object({
  plan: z.enum(plans),
  effective_from: z.iso.date().describe('Day from which these prices are in force.'),
  month_cents: cents.describe('A month of it, without VAT, in cents.'),
  year_cents: cents.describe('A year of it, without VAT, in cents.'),
  report_cents: cents.describe('A report beyond those that are included, without VAT, in cents.'),
  timestamp_cents: cents.describe('A time stamp beyond those that are included, without VAT, in cents.'),
  reports_per_month: z.int().nonnegative().nullable().describe('Reports that are included each month; null: any number.'),
  timestamps_per_month: z.int().nonnegative().nullable().describe('Time stamps that are included each month; null: any number.'),
  drafts: z.int().positive().describe('Drafts that one may have at a time.'),
  seats: z.int().positive().describe('People who may work in it.'),
})
export type PlanTermsOnTheWire = z.infer<typeof planTerms>

/** C-64, E-47: what can be had today, whether or not it is to be paid here; Custom as it was quoted to the caller, where it was. */
export const listPlans = endpoint({
  method: 'GET',
  path: '/subscriptions/plans/',
  summary: 'List the plans and their prices',
  access: ['open'],
  delegable: 'read',
  response: z.object({
    currency: z.literal('EUR'),
    vat_basis_points: z.int().nonnegative().describe('Rate of VAT in France: 2000 is 20 %.'),
    plans: z.array(planTerms),
    test: z.boolean().describe('Whether what is paid here is paid in test payments: no money moves.'),
  }),
})
