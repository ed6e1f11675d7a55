import { dayOf, InvoiceBreaksRules, takeSelfBill, type SelfBillKind } from '../../../billing/server/index.ts'
import type { PayoutDeps } from '../keep/deps.ts'
import { holdPayee } from '../keep/earning-store.ts'
import { wishPaper } from '../keep/paper-store.ts'
import { findPayout } from '../keep/payout-store.ts'
import { billOfPayout } from './bill-of-payout.ts'
import { findLocale, findSalt, insertBill, listBills, listUnbilled } from './bill-store.ts'

type Deps = Pick<PayoutDeps, 'db' | 'clock' | 'log' | 'seller' | 'provider'>

const batch = 100

/**
 * Makes out the invoice of each payout that reached its bank, and takes back that of each that came back. May be repeated, or run twice at a time: each is
 * made out once. What breaks a rule takes no number and holds up no other; it is tried again the next time.
 * @returns how many were made out
 */
export async function issueBills(deps: Deps, signal: AbortSignal): Promise<number> {
  let issued = 0
  for (const { id, userId, kind } of await listUnbilled(deps.db, batch)) {
    if (signal.aborted) break
    try {
      if (await issue(deps, id, userId, kind)) issued += 1
    } catch (error) {
      if (!(error instanceof InvoiceBreaksRules)) throw error
      deps.log.error({ payout_id: id, rules: error.rules }, 'the invoice of a payout cannot be made out')
    }
  }
  return issued
}

async function issue(deps: Deps, id: string, userId: string, kind: SelfBillKind): Promise<boolean> {
  return await deps.db.transaction().execute(async (tx) => {
    await holdPayee(tx, userId)
    const [payout, bills, salt] = [await findPayout(tx, id), await listBills(tx, id), await findSalt(tx, id)]
    if (payout === null || salt === null || bills.some((each) => each.kind === kind)) return false
    // What takes back follows what it takes back.
    if (kind === 'self_billed_credit' && bills.length === 0) return false
    const bill = await billOfPayout(tx, deps, payout, kind)
    if (bill === null) return false
    const now = deps.clock.now()
    await insertBill(tx, id, kind, await takeSelfBill(tx, bill, salt, dayOf(now)), now)
    await wishPaper(tx, { payoutId: id, kind, locale: await findLocale(tx, userId) }, now)
    return true
  })
}
