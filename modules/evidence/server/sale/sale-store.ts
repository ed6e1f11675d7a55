/** Which reports are for sale or licensed, as SQL. */
import type { Tx } from '../../../../platform/db/database.ts'
import type { Sale } from '../../domain/sale.ts'

/** The database refuses it of what is not final, or in the trash. */
export async function setSale(tx: Tx, id: string, sale: Sale): Promise<void> {
  await tx.updateTable('evidence').set({ sale }).where('id', '=', id).where('sale', '<>', sale).execute()
}
