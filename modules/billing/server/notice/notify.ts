import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'
import type { Cents } from '../../domain/money/money.ts'
import { sendBillingNoticeJob } from './jobs.ts'
import { insertNotice, isIssued, isIssuedHere, type BillingNotice, type NoticeKind } from './notice-store.ts'

/**
 * Writes down that a customer is to be written to, in the transaction of what it tells of (decision 0278): the mail exists exactly when that
 * does. Once for each occasion.
 */
export async function notify(
  tx: Tx,
  told: Pick<BillingNotice, 'customerId' | 'kind' | 'occasion' | 'told'>,
  now: Date,
): Promise<void> {
  const id = randomUUIDv7()
  if (await insertNotice(tx, { id, ...told, createdAt: now }))
    await enqueue(tx, sendBillingNoticeJob, { notice_id: id }, { key: `billing.notice:${id}` })
}

const kinds: Readonly<Partial<Record<string, NoticeKind>>> = {
  payment: 'payment_received',
  reversal: 'payment_reversed',
  refund: 'refunded',
}

/** Money that came or went, by its entry in the journal. What is paid as its invoice is issued, the invoice says. */
export async function notifyMoney(
  tx: Tx,
  entry: {
    readonly id: string
    readonly kind: string
    readonly customerId: string
    readonly invoiceId: string | null
    readonly cents: Cents
    readonly on: string
  },
  now: Date,
): Promise<void> {
  const kind = kinds[entry.kind]
  const { invoiceId, customerId, cents, on } = entry
  if (kind === undefined || invoiceId === null) return
  if (kind === 'payment_received' && (await isIssuedHere(tx, invoiceId))) return
  await notify(tx, { customerId, kind, occasion: entry.id, told: { invoice_id: invoiceId, cents, on } }, now)
}

/** A charge of an issued invoice failed. Of a draft nobody is written to: whoever pays for it is there, and is told at once. */
export async function notifyFailure(
  tx: Tx,
  instalment: {
    readonly id: string
    readonly customerId: string
    readonly invoiceId: string | null
    readonly toPay: Cents
    readonly failures: number
  },
  now: Date,
): Promise<void> {
  const { id, customerId, invoiceId, toPay: cents, failures } = instalment
  if (invoiceId === null || !(await isIssued(tx, invoiceId))) return
  const told = { invoice_id: invoiceId, cents, on: dayOf(now) }
  await notify(tx, { customerId, kind: 'payment_failed', occasion: `${id} ${String(failures + 1)}`, told }, now)
}
