import type { Amount } from '../../domain/money/money.ts'
import type { Formula } from '../../domain/plan/plan.ts'
import { periodOf } from '../../domain/subscription/machine.ts'
import type { Quote } from '../../domain/subscription/quote.ts'
import type { QuoteOnTheWire, SubscriptionOnTheWire } from '../../contract/subscriptions.ts'
import type { Held } from '../subscription/subscription-store.ts'

const presentFormula = (formula: Formula) =>
  formula.plan === 'unit'
    ? ({ plan: 'unit', cycle: null, instalments: null } as const)
    : { plan: formula.plan, cycle: formula.cycle, instalments: formula.instalments }

/** @param upgradeRequired whether the reports of the month are used up */
export function presentSubscription({ id, state, createdAt }: Held, upgradeRequired: boolean): SubscriptionOnTheWire {
  const { pending } = state
  const period = periodOf(state)
  return {
    id,
    status: state.status,
    ...presentFormula(state.formula),
    period_from: period?.from ?? null,
    period_to: period?.to ?? null,
    pending:
      pending === null
        ? null
        : {
            ...presentFormula(pending.to),
            kind: pending.kind,
            on: pending.on,
            until: pending.kind === 'payment' ? pending.until.toISOString() : null,
          },
    suspended: state.status === 'suspended',
    upgrade_required: upgradeRequired,
    created_at: createdAt.toISOString(),
  }
}

const amounts = ({ net, vat, gross }: Amount) => ({ net_cents: net, vat_cents: vat, gross_cents: gross })

export function presentQuote(quote: Quote): QuoteOnTheWire {
  return {
    when: quote.when,
    on: quote.on,
    due_now_cents: quote.dueNow,
    credit_left_cents: quote.creditLeft,
    credits: quote.credits.map(({ invoiceId, span, amount }) => ({
      invoice_id: invoiceId,
      covers_from: span.from,
      covers_to: span.to,
      ...amounts(amount),
    })),
    invoices: quote.invoices.map(({ part, parts, issuedOn, dueOn, span, amount, toPay }) => ({
      part,
      parts,
      issued_on: issuedOn,
      due_on: dueOn,
      covers_from: span.from,
      covers_to: span.to,
      ...amounts(amount),
      to_pay_cents: toPay,
    })),
    renewal: quote.renewal === null ? null : { on: quote.renewal.on, ...amounts(quote.renewal.amount) },
  }
}
