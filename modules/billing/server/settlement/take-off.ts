import type { Tx } from '../../../../platform/db/database.ts'
import type { Cents } from '../../domain/money/money.ts'
import { changeCredit } from '../customer/customer-store.ts'
import { setToPay, type Instalment } from '../invoice/instalment-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { settleInstalment } from './settle-instalment.ts'

/** What is to a customer's credit pays what he owes of an invoice. The caller holds him, and knows that no payment of it is under way. */
export async function takeOff(tx: Tx, deps: BillingDeps, due: Instalment, credit: Cents): Promise<Cents> {
  const taken = Math.min(credit, due.toPay)
  if (taken === 0) return 0
  await setToPay(tx, due.id, due.toPay - taken)
  await changeCredit(tx, due.customerId, -taken)
  if (taken === due.toPay) await settleInstalment(tx, deps, due.id, { channel: 'bank', attemptId: null })
  return taken
}
