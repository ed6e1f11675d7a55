import type { PayoutDeps } from '../keep/deps.ts'
import { holdPayee } from '../keep/earning-store.ts'
import { forgetPayee } from './ending-store.ts'

/**
 * An account ends: what the provider was told of it is forgotten here, once nothing is on its way there. What was earned and paid stays in the books for ten
 * years under an id that leads to nobody; what is still owed can be paid to nobody, and stays owed (decision 0417). May be repeated.
 */
export async function endPayee({ db }: Pick<PayoutDeps, 'db'>, accountId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await holdPayee(tx, accountId)
    await forgetPayee(tx, accountId)
  })
}
