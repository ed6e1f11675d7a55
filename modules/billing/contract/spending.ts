import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { plans } from '../domain/plan/plan.ts'

const cents = z.int().nonnegative()

export const ceiling = z.object({
  ceiling_cents: cents.describe('What may be spent in a month of the calendar beyond what the plan includes, VAT included.'),
  spent_cents: cents.describe('What was spent of it this month.'),
})

export const outlook = z.object({
  plan: z.enum(plans),
  quota: z
    .object({
      used: cents,
      included: cents.nullable().describe('null: any number.'),
      renewed_on: z.iso.date().describe('Day on which it begins anew.'),
    })
    .nullable()
    .describe('null: the plan includes none.'),
  covered: cents.describe('How many of them the plan includes.'),
  quantity: cents.describe('How many are to be paid.'),
  unit_cents: cents.describe('What one of these costs, without VAT.'),
  net_cents: cents,
  vat_cents: cents,
  gross_cents: cents,
  vat_known: z.boolean().describe('Whether the rate is that of this customer; until his profile tells it, it is the French one.'),
  missing: z.array(z.string()).describe('Fields of the profile that an invoice needs and that are not filled in (H-33).'),
  paid_by: z
    .enum(['account', 'owner', 'group'])
    .describe('Who is invoiced: the caller, the owner of the account that he acts in, or that of the group.'),
  owner: z.string().nullable().describe('Name of who is invoiced, where it is not the caller.'),
  may_pay: z.boolean().describe('Whether the caller may pay it himself; otherwise the owner does.'),
  ceiling: ceiling.nullable().describe('What holds the caller; null: nothing does.'),
  extras: z
    .object({
      on: z.iso.date().describe('Day of the invoice of this month.'),
      owed_cents: cents
        .nullable()
        .describe('What is owed of such invoices so far, VAT included; null: it is another account that is invoiced.'),
      limit_cents: cents.nullable(),
      within: z.boolean().describe('Whether this would be on that invoice; otherwise it is paid at once.'),
    })
    .nullable()
    .describe('What a subscriber with a mandate has beyond his plan is invoiced once a month (H-36); null: it is paid at once.'),
})
export type SpendingOutlook = z.infer<typeof outlook>

/** What so many reports or deposits would cost if one agreed now, and what is left of the plan; nothing is changed. @throws `billing.custom_by_quote`, `billing.invoice_unpaid` */
export const foreseeSpending = endpoint({
  method: 'GET',
  path: '/purchases/outlook/',
  summary: 'See what a report or deposits would cost',
  access: ['user'],
  delegable: 'create',
  query: z.object({
    category: z.enum(['evidence', 'document']),
    quantity: z.coerce.number().int().min(1).max(10_000).default(1),
  }),
  response: outlook,
})

const holderKind = z.enum(['delegate', 'member', 'key'])
export const spendingLimit = z.object({ kind: holderKind, id: z.uuid(), name: z.string(), ...ceiling.shape })
export type SpendingLimitOnTheWire = z.infer<typeof spendingLimit>

/** Whoever may spend what is the caller's: of what he opened to others, his group, his keys. */
export const listSpendingLimits = endpoint({
  method: 'GET',
  path: '/purchases/limits/',
  summary: 'List what others may spend',
  access: ['user'],
  response: z.object({ limits: z.array(spendingLimit) }),
})

/** @throws `billing.spender_unknown` */
export const setSpendingLimit = endpoint({
  method: 'PATCH',
  path: '/purchases/limits/:kind/:id/',
  summary: 'Set what another may spend in a month',
  access: ['user'],
  params: z.object({ kind: holderKind, id: z.uuid() }),
  body: z.object({ ceiling_cents: z.int().min(0).max(100_000_000) }),
  response: spendingLimit,
})
