import type { Db } from '../../../../../platform/db/database.ts'
import type { BillingDeps } from '../../seller/deps.ts'
import { importStatement, type Imported } from '../../provider/transfer/import-statement.ts'
import type { Statement } from '../../provider/transfer/statement.ts'
import { findNamed } from '../../settlement/attempt-store.ts'
import { ownTransfers } from '../attempt/ask-provider.ts'
import { noteOutcome } from '../attempt/note-outcome.ts'
import type { PaymentDeps } from '../means/deps.ts'
import { listReceived, transferBook } from '../transfer/transfer-book-store.ts'

export type ImportedTransfers = Imported & {
  /** Invoices that are paid by it, and those that are owed again. */
  readonly settled: number
}

type Deps = BillingDeps & Pick<PaymentDeps, 'log'> & { readonly db: Db }

/**
 * Takes in a statement of the seller's account and settles what its references name. A second time, or after it was cut short, it does what is
 * left to be done: every transfer of which something was received is looked at again.
 */
export async function importTransfers(
  deps: Deps,
  bytes: Uint8Array,
): Promise<ImportedTransfers | Extract<Statement, { state: 'unreadable' }>> {
  const { db, clock, seller } = deps
  const imported = await importStatement(transferBook(db, clock.now), bytes, seller.iban)
  if (imported.state === 'unreadable') return imported
  let settled = 0
  const transfers = ownTransfers(deps)
  for (const payment of new Set([...imported.payments, ...(await listReceived(db))])) {
    const before = await findNamed(db, transfers.realm, payment)
    if (before === null) continue
    await noteOutcome(deps, before.id, await transfers.readPayment(payment))
    const after = await findNamed(db, transfers.realm, payment)
    if (after?.status !== before.status || after.reversedAt?.getTime() !== before.reversedAt?.getTime()) settled += 1
  }
  return { ...imported, settled }
}
