import type { Db } from '../../../../platform/db/database.ts'
import { addDays, dayOf } from '../../domain/calendar/calendar.ts'
import { daysToSuspension, periodOf } from '../../domain/subscription/machine.ts'
import type { DocumentWords } from '../document/words/document-words.ts'
import { readIssued } from '../document/issued/read-issued.ts'
import type { BillingNotice } from '../notice/notice-store.ts'
import { findCurrent } from '../subscription/subscription-store.ts'
import { findVatNumber } from '../vat/vat-store.ts'
import { findNumber, sumOwed } from './mail-store.ts'

/** Arguments of the messages of a kind, ready to be read. */
export type Saying = Readonly<Record<string, string>>

type Deps = { readonly db: Db; readonly now: Date; readonly testPayments: boolean }

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const cents = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** What is true now of what a line was written for; null: it is true no more, and nobody is written to. */
export async function sayNotice(deps: Deps, notice: BillingNotice, words: DocumentWords): Promise<Saying | null> {
  const { kind, told } = notice
  switch (kind) {
    case 'invoice_issued':
      return await sayInvoice(deps, text(told['invoice_id']), words)
    case 'payment_received':
    case 'payment_reversed':
    case 'refunded':
    case 'payment_due':
    case 'payment_failed':
      return await sayMoney(deps, notice, words)
    case 'overdue':
    case 'suspension_near':
    case 'suspended':
    case 'cancellation_near':
      return await sayLate(deps, notice, words)
    case 'cancelled':
      return {}
    case 'vat_checked':
      return await sayVat(deps, notice, words)
    case 'renewal_near':
      return await sayRenewal(deps, notice, words)
    default:
      return kind satisfies never
  }
}

async function sayInvoice({ db, testPayments }: Deps, invoiceId: string, { money, day }: DocumentWords): Promise<Saying | null> {
  const found = await readIssued(db, invoiceId, testPayments)
  if (found === null) return null
  const { issued, said } = found
  const { amount, creditUsed, kind } = issued.invoice
  const state = kind === 'credit_note' ? 'credit' : said.paid === null ? 'due' : 'paid'
  return {
    state,
    number: issued.number,
    amount: money(amount.gross),
    to_pay: money(amount.gross - creditUsed),
    due: issued.dueOn === null ? '' : day(issued.dueOn),
  }
}

async function sayMoney(
  { db }: Deps,
  { kind, told, customerId }: BillingNotice,
  { money, day }: DocumentWords,
): Promise<Saying | null> {
  const invoice = await findNumber(db, text(told['invoice_id']))
  if (invoice === null) return null
  // Whoever paid meanwhile is not asked to.
  if (invoice.paid && (kind === 'payment_due' || kind === 'payment_failed')) return null
  const late = kind === 'payment_failed' ? (await findCurrent(db, customerId))?.state.pastDueSince : null
  return {
    number: invoice.number,
    amount: money(cents(told['cents'])),
    on: told['on'] == null ? '' : day(text(told['on'])),
    suspension: late == null ? 'none' : day(addDays(late, daysToSuspension)),
  }
}

const statusOf = {
  overdue: 'past_due',
  suspension_near: 'past_due',
  suspended: 'suspended',
  cancellation_near: 'suspended',
} as const

async function sayLate(
  { db, now }: Deps,
  { kind, told, customerId }: BillingNotice,
  { money, day }: DocumentWords,
): Promise<Saying | null> {
  const state = (await findCurrent(db, customerId))?.state
  if (state?.status !== statusOf[kind as keyof typeof statusOf] || text(told['on']) <= dayOf(now)) return null
  return { amount: money(await sumOwed(db, customerId)), on: day(text(told['on'])) }
}

async function sayRenewal(
  { db }: Deps,
  { told, customerId }: BillingNotice,
  { money, day }: DocumentWords,
): Promise<Saying | null> {
  const state = (await findCurrent(db, customerId))?.state
  if (state?.status !== 'active' || state.pending?.to.plan === 'unit' || periodOf(state)?.to !== told['on']) return null
  return {
    plan: text(told['plan']),
    cycle: text(told['cycle']),
    parts: cents(told['parts']) > 1 ? 'several' : 'one',
    net: money(cents(told['net_cents'])),
    on: day(text(told['on'])),
    last: day(addDays(text(told['on']), -1)),
  }
}

async function sayVat({ db }: Deps, { told, customerId }: BillingNotice, { day }: DocumentWords): Promise<Saying | null> {
  const kept = await findVatNumber(db, customerId)
  if (kept.vatNumber !== told['vat_number'] || kept.check !== told['state']) return null
  return {
    number: text(told['vat_number']),
    state: text(told['state']),
    on: day(text(told['on'])),
    consultation: told['consultation'] == null ? 'none' : text(told['consultation']),
    // Northern Ireland is in the union for goods alone, and France invoices its own.
    where: text(told['vat_number']).startsWith('XI') ? 'outside' : text(told['vat_number']).startsWith('FR') ? 'france' : 'union',
  }
}
