import { DomainError } from '../../../../kernel/errors.ts'
import { addDays, daysIn, partsOf, spanAfter, type Day, type Span } from '../calendar/calendar.ts'
import { daysToPay } from '../invoice/number.ts'
import { priced, prorate, splitAmount, sumOf, type Amount, type BasisPoints, type Cents } from '../money/money.ts'
import { monthsOf, priceOf, type Choice, type Formula, type PlanTerms } from '../plan/plan.ts'
import { periodOf, type Subscription } from './machine.ts'

/** One payment of a period, with the invoice that it is of. */
export type Part = {
  readonly part: number
  readonly parts: number
  /** What it is for: its invoice is issued as that begins. */
  readonly span: Span
  readonly amount: Amount
}

/** The prices in force on a day. */
export type TermsOn = (plan: Formula['plan'], day: Day) => PlanTerms | null

/**
 * What a period costs, in one part or in four, one invoice each (C. com., art. L441-10: nobody is given longer than sixty days to pay one).
 * @throws DomainError `billing.custom_by_quote`: there is no such price
 */
export function partsOfPeriod(
  choice: Choice,
  terms: TermsOn,
  rate: BasisPoints,
  from: { readonly anchoredOn: Day; readonly monthsBefore: number },
): readonly Part[] {
  const months = monthsOf[choice.cycle]
  const parts = choice.cycle === 'year' ? choice.instalments : 1
  const spans = partsOf(from.anchoredOn, from.monthsBefore, months, parts)
  const begins = spans[0]?.from ?? from.anchoredOn
  const inForce = terms(choice.plan, begins)
  const net = inForce === null ? null : priceOf(inForce, choice.cycle)
  if (net === null) throw new DomainError('conflict', 'billing.custom_by_quote')
  const amounts = splitAmount(priced(net, rate), parts)
  return spans.flatMap((span, index) => {
    const amount = amounts[index]
    return amount === undefined ? [] : [{ part: index + 1, parts, span, amount }]
  })
}

/** An invoice that was issued of the present period. */
export type Invoiced = {
  readonly id: string
  readonly span: Span
  readonly amount: Amount
  /** What earlier credit notes took of it. */
  readonly credited: Amount
}
export type Credit = { readonly invoiceId: string; readonly span: Span; readonly amount: Amount }

/** What is given back of each invoice for the days from then on; nothing of what was given back before. */
export function creditsFor(invoices: readonly Invoiced[], on: Day): readonly Credit[] {
  return invoices.flatMap(({ id, span, amount, credited }) => {
    if (span.to <= on) return []
    const unused = { from: span.from > on ? span.from : on, to: span.to }
    const whole = prorate(amount, daysIn(unused), daysIn(span))
    const left = { net: amount.net - credited.net, vat: amount.vat - credited.vat }
    const given = sumOf([{ net: Math.min(whole.net, left.net), vat: Math.min(whole.vat, left.vat) }])
    return given.gross === 0 ? [] : [{ invoiceId: id, span: unused, amount: given }]
  })
}

export type Foreseen = Part & { readonly issuedOn: Day; readonly dueOn: Day; readonly toPay: Cents }

/** All that a change brings: what is given back, and each invoice with its day and what is to be paid of it. */
export type Quote = {
  readonly when: 'once_paid' | 'at_term'
  readonly on: Day
  readonly credits: readonly Credit[]
  readonly invoices: readonly Foreseen[]
  /** To be paid before it binds. */
  readonly dueNow: Cents
  /** Kept for later invoices when more is given back than the first one costs. */
  readonly creditLeft: Cents
  /** The first invoice after that, at the prices that are known today; null: there is none. */
  readonly renewal: { readonly on: Day; readonly amount: Amount } | null
}

/** Takes what the customer has to his credit off one invoice after the other. */
function payable(parts: readonly Part[], credit: Cents): { readonly invoices: Foreseen[]; readonly left: Cents } {
  let left = credit
  const invoices = parts.map((part) => {
    const taken = Math.min(left, part.amount.gross)
    left -= taken
    const issuedOn = part.span.from
    return { ...part, issuedOn, dueOn: addDays(issuedOn, daysToPay), toPay: part.amount.gross - taken }
  })
  return { invoices, left }
}

/**
 * What follows from a change that `ask` put before (design: shown before it binds, and carried out from the very same figures).
 * @param credit what the customer has to his credit already, gross
 */
export function quoteOf(
  subscription: Subscription,
  terms: TermsOn,
  rate: BasisPoints,
  held: { readonly invoices: readonly Invoiced[]; readonly credit: Cents },
): Quote {
  const { pending } = subscription
  if (pending === null) throw new DomainError('conflict', 'billing.nothing_pending')
  const { to, on } = pending
  if (to.plan === 'unit')
    return { when: 'at_term', on, credits: [], invoices: [], dueNow: 0, creditLeft: held.credit, renewal: null }
  const isNow = pending.kind === 'payment'
  const period = periodOf(subscription)
  const kept =
    isNow || subscription.anchoredOn === null || subscription.formula.plan === 'unit' || period === null
      ? { anchoredOn: on, monthsBefore: 0 }
      : {
          anchoredOn: subscription.anchoredOn,
          monthsBefore: subscription.monthsBefore + monthsOf[subscription.formula.cycle],
        }
  const credits = isNow ? creditsFor(held.invoices, on) : []
  const given = sumOf(credits.map(({ amount }) => amount)).gross
  const { invoices, left } = payable(partsOfPeriod(to, terms, rate, kept), held.credit + given)
  const after = { anchoredOn: kept.anchoredOn, monthsBefore: kept.monthsBefore + monthsOf[to.cycle] }
  const [next] = partsOfPeriod(to, terms, rate, after)
  return {
    when: isNow ? 'once_paid' : 'at_term',
    on,
    credits,
    invoices,
    dueNow: isNow ? (invoices[0]?.toPay ?? 0) : 0,
    creditLeft: left,
    renewal: next === undefined ? null : { on: spanAfter(after.anchoredOn, after.monthsBefore, 1).from, amount: next.amount },
  }
}
