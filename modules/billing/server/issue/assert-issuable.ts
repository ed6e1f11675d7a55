import type { Tx } from '../../../../platform/db/database.ts'
import { addDays, dayOf, type Day } from '../../domain/calendar/calendar.ts'
import type { Schedule } from '../../domain/document/invoice-document.ts'
import { brokenRules } from '../../domain/document/rules/broken-rules.ts'
import { daysToPay, numberIn, seriesOf } from '../../domain/invoice/number.ts'
import type { Buyer } from '../customer/read-buyer.ts'
import { factsOfInvoice } from '../document/issued/facts-of-invoice.ts'
import { findSchedule } from '../document/issued/issued-store.ts'
import { writeDocument } from '../document/write/write-document.ts'
import { localeOf } from '../invoice/document-store.ts'
import { findBuyer, listLines, lockInvoice, type InvoiceRow, type Line } from '../invoice/invoice-store.ts'
import type { BillingDeps, Seller } from '../seller/deps.ts'

/** It may not be issued: which rules it breaks is for those who run the place, not for the customer. */
export class InvoiceBreaksRules extends Error {
  override readonly name = 'InvoiceBreaksRules'
  readonly rules: readonly string[]

  constructor(number: string, rules: readonly string[]) {
    super(`${number} breaks ${rules.join(', ')}`)
    this.rules = rules
  }
}

export type Issuing = {
  readonly invoice: InvoiceRow
  readonly lines: readonly Line[]
  readonly seller: Seller
  readonly buyer: Buyer
  readonly number: string
  readonly issuedOn: Day
  readonly dueOn: Day | null
  readonly credits: { readonly number: string; readonly issuedOn: Day } | null
}

/**
 * Before it is issued: a number that was given out stays, so what breaks a rule must never take one. How it is paid is said in its document
 * later, and held to the rules again there.
 * @throws InvoiceBreaksRules
 */
export async function assertIssuable(tx: Tx, issuing: Issuing): Promise<void> {
  const { number, dueOn, invoice } = issuing
  const broken = rulesBrokenBy(issuing, await findSchedule(tx, { invoice }, dueOn))
  if (broken.length > 0) throw new InvoiceBreaksRules(number, broken)
}

function rulesBrokenBy(issuing: Issuing, schedule: Schedule | null): readonly string[] {
  const locale = localeOf(issuing.buyer)
  const facts = factsOfInvoice({ ...issuing, schedule, paid: null, means: null, test: false }, locale)
  return brokenRules(writeDocument(facts, locale))
}

/** Of what is paid at once, before it has a number, as it would be issued that day. */
export function brokenRulesOf(
  issuing: Pick<Issuing, 'invoice' | 'lines' | 'seller' | 'buyer' | 'dueOn'>,
  issuedOn: Day,
): readonly string[] {
  const number = numberIn(seriesOf(issuing.invoice.kind, issuedOn), 0)
  return rulesBrokenBy({ ...issuing, number, issuedOn, credits: null }, null)
}

/** A draft as it would be issued today: nobody is asked to pay for what could not be invoiced. @throws InvoiceBreaksRules */
export async function assertDraftIssuable(tx: Tx, deps: Pick<BillingDeps, 'clock' | 'seller'>, id: string): Promise<void> {
  const issuedOn = dayOf(deps.clock.now())
  const invoice = await lockInvoice(tx, id)
  const [lines, whose] = [await listLines(tx, id), await findBuyer(tx, id)]
  if (whose === null) throw new Error(`invoice ${id} is addressed to nobody`)
  const number = numberIn(seriesOf(invoice.kind, issuedOn), 0)
  const dueOn = addDays(issuedOn, daysToPay)
  await assertIssuable(tx, { invoice, lines, ...whose, seller: deps.seller, number, issuedOn, dueOn, credits: null })
}
