import type { Amount } from '../../domain/money/money.ts'
import type { Formula } from '../../domain/plan/plan.ts'
import { periodOf } from '../../domain/subscription/machine.ts'
import type { Quote } from '../../domain/subscription/quote.ts'
import type { QuoteOnTheWire, SubscriptionOnTheWire } from '../../contract/subscriptions.ts'
import type { Accrued } from '../extras/extra-store.ts'
import type { Held } from '../subscription/subscription-store.ts'
import type { Outlook } from './outlook-of.ts'

const presentFormula = (formula: Formula) =>
  formula.plan === 'unit'
    ? ({ plan: 'unit', cycle: null, instalments: null } as const)
    : { plan: formula.plan, cycle: formula.cycle, instalments: formula.instalments }

const amounts = ({ net, vat, gross }: Amount) => ({ net_cents: net, vat_cents: vat, gross_cents: gross })

const isUsedUp = ({ used, included }: { used: number; included: number | null }): boolean => included !== null && used >= included

export function presentSubscription(
  { id, state, createdAt }: Held,
  { quota, next, extras, toPay }: Outlook,
): SubscriptionOnTheWire {
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
    upgrade_required: quota !== null && isUsedUp(quota.evidences),
    quota: quota === null ? null : { ...quota.month, evidences: quota.evidences, documents: quota.documents },
    next_invoice: next === null ? null : { on: next.on, ...amounts(next.amount), to_pay_cents: next.toPay },
    extras: presentExtras(extras),
    to_pay: toPay.map((each) => ({
      invoice_id: each.invoiceId,
      to_pay_cents: each.toPay,
      due_on: each.dueOn,
      status: each.status,
      of_change: each.ofChange,
    })),
    created_at: createdAt.toISOString(),
  }
}

const presentExtras = (extras: Accrued | null) =>
  extras === null ? null : { on: extras.on, count: extras.count, ...amounts(extras.amount) }

export function presentQuote(quote: Quote, extras: Accrued | null): QuoteOnTheWire {
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
    extras: presentExtras(extras),
    renewal: quote.renewal === null ? null : { on: quote.renewal.on, ...amounts(quote.renewal.amount) },
  }
}
