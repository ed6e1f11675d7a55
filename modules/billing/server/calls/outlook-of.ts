import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { dayOf, monthsAfter, monthsUntil, type Span } from '../../domain/calendar/calendar.ts'
import { publicStatusOf, settlementOf } from '../../domain/invoice/status.ts'
import type { Cents } from '../../domain/money/money.ts'
import { periodOf } from '../../domain/subscription/machine.ts'
import { nextInvoiceOf, type Foretold } from '../../domain/subscription/next-invoice.ts'
import { creditLeft, readCustomer, type Customer } from '../customer/customer-store.ts'
import { readBuyer, vatFor } from '../customer/read-buyer.ts'
import { findAccrued, type Accrued } from '../extras/extra-store.ts'
import { listOpen, type Instalment } from '../invoice/instalment-store.ts'
import { listTerms, termsOf } from '../plan/plan-store.ts'
import { findUsed } from '../quota/quota-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import type { Held } from '../subscription/subscription-store.ts'

type Counted = { readonly used: number; readonly included: number | null }

/** What lies before a subscription: what is left of this month, what is to be paid, and what is invoiced next. */
export type Outlook = {
  readonly quota: { readonly month: Span; readonly evidences: Counted; readonly documents: Counted } | null
  readonly next: (Foretold & { readonly toPay: Cents }) | null
  readonly extras: Accrued | null
  readonly toPay: readonly {
    readonly invoiceId: string
    readonly toPay: Cents
    readonly dueOn: string | null
    readonly status: ReturnType<typeof publicStatusOf>
    readonly ofChange: boolean
  }[]
}

const nothing: Outlook = { quota: null, next: null, extras: null, toPay: [] }

export async function outlookOf(deps: BillingDeps, held: Held): Promise<Outlook> {
  if (held.state.status === 'cancelled') return nothing
  return await deps.db.transaction().execute(async (tx) => {
    const open = await listOpen(tx, held.id)
    return {
      quota: await quotaOf(tx, deps, held),
      next: await nextOf(tx, deps, held, open),
      extras: await findAccrued(tx, held.customerId),
      toPay: open.flatMap(({ invoiceId, toPay, dueOn, status, ofChange }) =>
        invoiceId === null ? [] : [{ invoiceId, toPay, dueOn, status: publicStatusOf(settlementOf[status]), ofChange }],
      ),
    }
  })
}

/** Prices and quotas of a period are those of its first day; months are counted from the anchor. */
async function quotaOf(tx: Tx, { clock }: BillingDeps, { id, customerId, state }: Held): Promise<Outlook['quota']> {
  const { anchoredOn, formula } = state
  const period = periodOf(state)
  if (anchoredOn === null || period === null) return null
  const terms = termsOf(await listTerms(tx, customerId))(formula.plan, period.from)
  if (terms === null) return null
  const before = monthsUntil(anchoredOn, dayOf(clock.now()))
  const month = { from: monthsAfter(anchoredOn, before), to: monthsAfter(anchoredOn, before + 1) }
  const used = async (kind: 'evidence' | 'document') => await findUsed(tx, id, kind, month.from)
  return {
    month,
    evidences: { used: await used('evidence'), included: terms.reportsPerMonth },
    documents: { used: await used('document'), included: terms.timestampsPerMonth },
  }
}

async function nextOf(tx: Tx, deps: BillingDeps, held: Held, open: readonly Instalment[]): Promise<Outlook['next']> {
  const customer = await readCustomer(tx, held.customerId)
  const rate = await rateFor(tx, deps, customer)
  const [part] = open.filter(({ ofChange, status, span }) => !ofChange && status === 'scheduled' && span !== null)
  const scheduled = part?.span == null ? null : { on: part.span.from, amount: part.amount }
  if (rate === null && scheduled === null) return null
  const next = nextInvoiceOf(held.state, scheduled, termsOf(await listTerms(tx, held.customerId)), rate ?? 0)
  const credit = await creditLeft(tx, customer.id)
  return next === null ? null : { ...next, toPay: next.amount.gross - Math.min(credit, next.amount.gross) }
}

/** null: it cannot be told today, of a number that is not checked yet or a profile that is not complete. */
async function rateFor(tx: Tx, deps: BillingDeps, customer: Customer): Promise<number | null> {
  try {
    const vat = vatFor(customer, await readBuyer(tx, customer), deps.vatRate)
    return vat.kind === 'wait' ? null : vat.rate
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}
