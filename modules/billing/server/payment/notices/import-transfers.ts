import { enqueue } from '../../../../../platform/jobs/jobs.ts'
import { importStatement, type Imported } from '../../provider/transfer/import-statement.ts'
import type { Statement } from '../../provider/transfer/statement.ts'
import { findNamed } from '../../settlement/attempt-store.ts'
import { findRefundNamed } from '../../settlement/refund-store.ts'
import { ownTransfers } from '../attempt/ask-provider.ts'
import { noteOutcome } from '../attempt/note-outcome.ts'
import type { PaymentDeps } from '../means/deps.ts'
import { settleTransfersJob } from '../means/jobs.ts'
import { noteRefundOutcome } from '../refund/note-refund.ts'
import { listReceived, setNoted, transferBook } from '../transfer/transfer-book-store.ts'

/** Takes in a statement of the seller's account; what its references name is settled by a job, which knows what follows a payment. */
export async function importTransfers(
  { db, clock, seller }: Pick<PaymentDeps, 'db' | 'clock' | 'seller'>,
  bytes: Uint8Array,
): Promise<Imported | Extract<Statement, { state: 'unreadable' }>> {
  const imported = await importStatement(
    transferBook(db, () => clock.now()),
    bytes,
    seller.iban,
  )
  if (imported.state === 'imported') await enqueue(db, settleTransfersJob, {}, { key: settleTransfersJob.name })
  return imported
}

/** What came in, or went back, is taken into the books: cut short, the rest is done the next time. @returns how many transfers were looked at */
export async function settleTransfers(deps: PaymentDeps): Promise<number> {
  const { db, clock } = deps
  const transfers = ownTransfers(deps)
  const received = await listReceived(db)
  for (const payment of received) {
    const now = clock.now()
    const attempt = await findNamed(db, transfers.realm, payment)
    if (attempt !== null) await noteOutcome(deps, attempt.id, await transfers.readPayment(payment))
    const refund = await findRefundNamed(db, transfers.realm, payment)
    if (refund !== null && transfers.refunds !== undefined)
      await noteRefundOutcome(deps, refund.id, await transfers.refunds.readRefund(payment))
    await setNoted(db, payment, now)
  }
  return received.length
}
