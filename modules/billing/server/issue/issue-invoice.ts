import type { Tx } from '../../../../platform/db/database.ts'
import { addDays, dayOf } from '../../domain/calendar/calendar.ts'
import { daysToPay, numberIn, seriesOf } from '../../domain/invoice/number.ts'
import { assertFollows, documentTransitions } from '../../domain/invoice/status.ts'
import { entryOfCredit, entryOfInvoice } from '../../domain/journal/entry.ts'
import { changeCredit } from '../customer/customer-store.ts'
import { postEntry } from '../journal/journal-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { composeContent } from '../invoice/compose-content.ts'
import { localeOf, wishDocument } from '../invoice/document-store.ts'
import { namedBy } from '../document/issued/issued-store.ts'
import { setDueOn } from '../invoice/instalment-store.ts'
import { findBuyer, listLines, lockInvoice, setIssued, setSettlement } from '../invoice/invoice-store.ts'
import { assertIssuable } from './assert-issuable.ts'
import { holdNumbers, setLastHash, takeNumber } from '../invoice/number-store.ts'

/**
 * Issues a draft: its number, its bytes, its place in the chain, its line in the journal and what it does to the customer's credit, all in the
 * transaction of whoever asks for it; with them goes the job that makes its document. The day is that of the clock, whenever it was to be
 * issued: no document says that it was issued on another. The caller holds the customer.
 * @throws InvoiceBreaksRules: then nothing of it happened
 */
export async function issueInvoice(tx: Tx, deps: Pick<BillingDeps, 'clock' | 'seller'>, id: string): Promise<void> {
  await holdNumbers(tx)
  const now = deps.clock.now()
  const invoice = await lockInvoice(tx, id)
  assertFollows(documentTransitions, invoice.status, 'issued')
  const [lines, whose] = [await listLines(tx, id), await findBuyer(tx, id)]
  if (whose === null) throw new Error(`invoice ${id} is addressed to nobody`)
  const credited = invoice.credits === null ? null : await lockInvoice(tx, invoice.credits)
  const creditedAs = credited === null ? null : namedBy(credited)
  const isCredit = invoice.kind === 'credit_note'
  const series = seriesOf(invoice.kind, dayOf(now))
  const { number, on: issuedOn, lastSha256 } = await takeNumber(tx, series, dayOf(now))
  const dueOn = isCredit ? null : addDays(issuedOn, daysToPay)
  const { content, sha256 } = composeContent(
    invoice,
    lines,
    { seller: deps.seller, ...whose },
    {
      series,
      number,
      issuedOn,
      dueOn,
      previous: lastSha256,
      credits: creditedAs?.number ?? null,
    },
  )
  const names = { number: numberIn(series, number), issuedOn, dueOn, credits: creditedAs }
  await assertIssuable(tx, { invoice, lines, seller: deps.seller, buyer: whose.buyer, ...names })
  await setIssued(tx, id, { series, number, issuedOn, dueOn, issuedAt: now, content, sha256 })
  await setLastHash(tx, series, sha256)
  await wishDocument(tx, { invoiceId: id, locale: localeOf(whose.buyer) }, now)
  const occasion = { kind: invoice.kind, customerId: invoice.customerId, invoiceId: id, attemptId: null }
  await postEntry(tx, isCredit ? entryOfCredit(invoice.amount) : entryOfInvoice(invoice.amount), occasion, now)
  await changeCredit(tx, invoice.customerId, isCredit ? invoice.amount.gross : -invoice.creditUsed)
  if (dueOn === null) await setSettlement(tx, id, 'success')
  else await setDueOn(tx, id, dueOn)
}
