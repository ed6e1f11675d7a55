import { DomainError } from '../../../../../kernel/errors.ts'
import type { Tx } from '../../../../../platform/db/database.ts'
import type { RefundOutcome } from '../../provider/port.ts'
import { finishRefund, holdRefund } from '../../settlement/finish-refund.ts'
import { changeRefund, isOpen, noteRefund, type RefundNews } from '../../settlement/refund-store.ts'
import type { PaymentDeps } from '../means/deps.ts'

type NotingDeps = Pick<PaymentDeps, 'db' | 'clock' | 'log'>

const minute = 60_000
const hour = 60 * minute

/** What was heard of a refund, from whomever, goes into the books, once. Heard again, late or in another order, it changes nothing. */
export async function noteRefundOutcome(deps: NotingDeps, refundId: string, heard: RefundOutcome): Promise<void> {
  try {
    await deps.db.transaction().execute(async (tx) => await note(tx, deps, refundId, heard))
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    deps.log.error({ refund_id: refundId, heard: heard.state, code: error.code }, 'a refund does not fit the books')
  }
}

async function note(tx: Tx, deps: NotingDeps, refundId: string, heard: RefundOutcome): Promise<void> {
  const refund = await holdRefund(tx, refundId)
  if (!isOpen(refund)) return
  const now = deps.clock.now()
  const doubling = Math.min(hour, minute * 2 ** Math.min(refund.asked, 10))
  const later = (milliseconds: number): RefundNews => ({ askAt: new Date(now.getTime() + milliseconds) })
  const reference = 'payment' in heard && heard.payment !== null ? heard.payment : undefined
  switch (heard.state) {
    case 'succeeded':
      if (heard.amount.cents !== refund.amount) return await mismatch(tx, deps, refund.id, heard.amount.cents)
      await noteRefund(tx, refund.id, { reference })
      return void (await finishRefund(tx, deps, refund, { succeeded: true }))
    case 'refused':
      await noteRefund(tx, refund.id, { reference })
      return void (await finishRefund(tx, deps, refund, { succeeded: false, failure: heard.reason }))
    case 'by_hand':
      return await noteRefund(tx, refund.id, { reference, askAt: null, by: { channel: 'bank', realm: 'transfer' } })
    case 'mismatched':
      return await mismatch(tx, deps, refund.id, heard.receivedCents)
    case 'processing':
      return await noteRefund(tx, refund.id, { reference, ...later(12 * hour) })
    // Nothing was sent: it is as though nobody had been asked.
    case 'unsent':
      return await noteRefund(tx, refund.id, { ...later(minute), asked: -1 })
    case 'unknown':
      if (refund.status === 'started') await changeRefund(tx, refund, 'unknown', now)
      return await noteRefund(tx, refund.id, later(doubling))
    default:
      return heard satisfies never
  }
}

/** Money went, but not what was to go: the books wait for somebody who looks. */
async function mismatch(tx: Tx, deps: NotingDeps, id: string, cents: number): Promise<void> {
  deps.log.error({ refund_id: id, moved_cents: cents }, 'another amount was given back than was to be')
  await noteRefund(tx, id, { failure: 'mismatched', askAt: null })
}
