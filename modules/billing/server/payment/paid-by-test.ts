import type { Db, Tx } from '../../../../platform/db/database.ts'
import { isTestRealm } from '../provider/mangopay/mangopay-provider.ts'
import { findRealmOfPayment } from '../settlement/attempt-store.ts'

/** Whether an invoice was paid by a payment that moved no money: so it stays, whoever is the provider since. */
export async function paidByTest(db: Db | Tx, invoiceId: string | null): Promise<boolean> {
  const realm = invoiceId === null ? null : await findRealmOfPayment(db, invoiceId)
  return realm !== null && isTestRealm(realm)
}
