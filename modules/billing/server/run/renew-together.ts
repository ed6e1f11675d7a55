import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { addDays, beginOf, dayOf, type Day } from '../../domain/calendar/calendar.ts'
import { daysToPay, seriesOf } from '../../domain/invoice/number.ts'
import { entryOfInvoice } from '../../domain/journal/entry.ts'
import { endPeriod } from '../../domain/subscription/machine.ts'
import { partsOfPeriod, type TermsOn } from '../../domain/subscription/quote.ts'
import type { Customer } from '../customer/customer-store.ts'
import { readBuyers, vatFor, type Buyer } from '../customer/read-buyer.ts'
import { composeContent } from '../invoice/compose-content.ts'
import { localeOf, wishDocuments } from '../invoice/document-store.ts'
import { insertInstalments, listOpenOf, type Instalment } from '../invoice/instalment-store.ts'
import type { InvoiceRow, NewInvoice } from '../invoice/invoice-store.ts'
import { holdNumbers, setLastHash, takeNumbers } from '../invoice/number-store.ts'
import { brokenRulesOf } from '../issue/assert-issuable.ts'
import { postInvoices } from '../journal/journal-store.ts'
import { listTerms, termsOf } from '../plan/plan-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { lineOfPart } from '../subscription/draft-parts.ts'
import { lookAhead } from '../subscription/set-alarm.ts'
import { listHeld, type Held } from '../subscription/subscription-store.ts'
import { claimAwake, insertDrafts, saveRenewed, setAllIssued, type Numbered, type Place } from './renewal-store.ts'

type Renewal = {
  readonly held: Held
  readonly wakeAt: Date | null
  readonly instalment: Instalment
  readonly draft: NewInvoice
}
type Subject = {
  readonly held: Held
  readonly open: readonly Instalment[]
  readonly customer: Customer
  readonly buyer: Buyer
}

/** What a renewal comes to; null: it is not one that goes by itself, and is looked at alone. */
function renewalOf({ held, open, customer, buyer }: Subject, deps: BillingDeps, terms: TermsOn, now: Date): Renewal | null {
  const { formula, pending, anchoredOn } = held.state
  const today = dayOf(now)
  const { event } = lookAhead(held, open, now)
  if (event?.kind !== 'term' || event.on > today || pending !== null || anchoredOn === null || formula.plan === 'unit')
    return null
  const vat = vatFor(customer, buyer, deps.vatRate)
  if (vat.kind === 'wait') return null
  const renewed: Held = { ...held, state: endPeriod(held.state) }
  const from = { anchoredOn, monthsBefore: renewed.state.monthsBefore }
  const [part, another] = partsOfPeriod(formula, terms, vat.rate, from)
  if (part === undefined || another !== undefined || part.amount.gross === 0) return null
  const { amount, span } = part
  const id = randomUUIDv7()
  const owner = { customerId: held.customerId, subscriptionId: held.id }
  const taxed = { vatTreatment: vat.treatment, vatRate: vat.rate }
  const instalment: Instalment = {
    ...owner,
    ...taxed,
    id: randomUUIDv7(),
    invoiceId: id,
    part: 1,
    parts: 1,
    plan: formula.plan,
    cycle: formula.cycle,
    span,
    periodFrom: span.from,
    amount,
    toPay: amount.gross,
    ofChange: false,
    status: 'due',
    dueOn: addDays(today, daysToPay),
    failures: 0,
    kept: 0,
  }
  const draft: NewInvoice = {
    ...owner,
    ...taxed,
    id,
    kind: 'invoice',
    category: 'subscription',
    credits: null,
    covers: span,
    amount,
    creditUsed: 0,
    createdAt: now,
    lines: [lineOfPart(instalment)],
    buyer,
    salt: randomBytes(16),
  }
  // More than one period behind: the days are done one after the other.
  const next = lookAhead(renewed, [...open, instalment], now).event
  if (next !== null && next.on <= today) return null
  return { held: renewed, wakeAt: next === null ? null : beginOf(next.on), instalment, draft }
}

const asDraft = (draft: NewInvoice): InvoiceRow => ({
  ...draft,
  status: 'draft',
  settlement: 'pending',
  series: null,
  number: null,
  issuedOn: null,
  dueOn: null,
})

function tried(subject: Subject, deps: BillingDeps, terms: TermsOn, now: Date): Renewal | null {
  try {
    const renewal = renewalOf(subject, deps, terms, now)
    if (renewal === null) return null
    const { draft, instalment } = renewal
    const { buyer } = subject
    const issuing = { invoice: asDraft(draft), lines: draft.lines, seller: deps.seller, buyer, dueOn: instalment.dueOn }
    return brokenRulesOf(issuing, dayOf(now)).length === 0 ? renewal : null
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}

/** Numbers, bytes and chain of all of them, with what the journal has to say. */
async function issueAll(tx: Tx, { seller }: BillingDeps, renewals: readonly Renewal[], now: Date): Promise<void> {
  await holdNumbers(tx)
  const series = seriesOf('invoice', dayOf(now))
  const { number: first, on: issuedOn, lastSha256 } = await takeNumbers(tx, series, dayOf(now), renewals.length)
  const dueOn: Day = addDays(issuedOn, daysToPay)
  let previous = lastSha256
  const numbered = renewals.map(({ draft }, index): Numbered => {
    const named = { series, number: first + index, issuedOn, dueOn, previous, credits: null }
    const bytes = composeContent(asDraft(draft), draft.lines, { seller, buyer: draft.buyer, salt: draft.salt }, named)
    previous = bytes.sha256
    return { id: draft.id, number: named.number, ...bytes }
  })
  await setAllIssued(tx, numbered, { series, issuedOn, dueOn, issuedAt: now })
  if (previous !== null) await setLastHash(tx, series, previous)
  await insertInstalments(
    tx,
    renewals.map(({ instalment }) => ({ ...instalment, dueOn })),
    now,
  )
  const entries = renewals.map(({ draft: { id, customerId, amount } }) => ({
    entry: entryOfInvoice(amount),
    customerId,
    invoiceId: id,
  }))
  await postInvoices(tx, entries, now)
  const wished = renewals.map(({ draft }) => ({ invoiceId: draft.id, locale: localeOf(draft.buyer) }))
  await wishDocuments(tx, wished, now)
}

/**
 * Renews in one transaction, by statements that are of all of them, those whose period ends and for whom nothing else is to be decided: one
 * invoice each, nothing to their credit, nothing waiting. It does what `advanceSubscription` does for each; whoever it leaves is left to that.
 * @returns where the next look begins; null: there are no more
 */
export async function renewTogether(
  deps: BillingDeps,
  after: Place | null,
  limit: number,
): Promise<{ readonly renewed: number; readonly place: Place | null }> {
  return await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    const claimed = await claimAwake(tx, now, after, limit)
    const place = claimed.length < limit ? null : (claimed.at(-1) ?? null)
    if (claimed.length === 0) return { renewed: 0, place }
    const ids = claimed.map(({ id }) => id)
    const customers = new Map(claimed.map(({ customer }) => [customer.id, customer]))
    const held = new Map((await listHeld(tx, ids)).map((each) => [each.id, each]))
    const open = Map.groupBy(await listOpenOf(tx, ids), ({ subscriptionId }) => subscriptionId)
    const buyers = await readBuyers(tx, [...customers.values()])
    const terms = termsOf(await listTerms(tx))
    const renewals = ids.flatMap((id) => {
      const one = held.get(id)
      const [customer, buyer] = [customers.get(one?.customerId ?? ''), buyers.get(one?.customerId ?? '')]
      if (one?.state.status !== 'active' || customer === undefined || buyer === undefined) return []
      return tried({ held: one, open: open.get(id) ?? [], customer, buyer }, deps, terms, now) ?? []
    })
    if (renewals.length === 0) return { renewed: 0, place }
    await insertDrafts(
      tx,
      renewals.map(({ draft }) => draft),
    )
    await saveRenewed(tx, renewals, now)
    await issueAll(tx, deps, renewals, now)
    // Ended and begun anew, and its invoice issued: as many things as one by one.
    return { renewed: 2 * renewals.length, place }
  })
}
