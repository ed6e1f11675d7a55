import type { Tx } from '../../../../platform/db/database.ts'
import { lockSoldReport, setSale } from '../../../evidence/server/index.ts'
import { readSales } from './offer-store.ts'

/** E-29: says of each report whether it is for sale or licensed, as offers and licences stand in this transaction. Held in one order. */
export async function refreshSale(tx: Tx, evidenceIds: readonly string[]): Promise<void> {
  for (const id of evidenceIds.toSorted()) await lockSoldReport(tx, id)
  for (const { id, licensed, offered } of await readSales(tx, evidenceIds))
    await setSale(tx, id, licensed ? 'licensed' : offered ? 'offered' : 'none')
}
