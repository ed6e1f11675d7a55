import type { Db, Tx } from '../../../../platform/db/database.ts'
import { findCustomer } from '../customer/customer-store.ts'

/** Whether somebody whom we pay has a VAT number that the register of the union knows. */
export async function payeeVatFacts(
  db: Db | Tx,
  userId: string,
): Promise<{ readonly vatNumber: string | null; readonly valid: boolean }> {
  const customer = await findCustomer(db, userId)
  return { vatNumber: customer?.vatNumber ?? null, valid: customer?.vatCheck === 'valid' }
}
