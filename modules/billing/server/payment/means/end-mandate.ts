import type { Tx } from '../../../../../platform/db/database.ts'
import { enqueue } from '../../../../../platform/jobs/jobs.ts'
import { recordAct } from '../../../../../platform/acts/record-act.ts'
import { findCustomer, lockCustomer } from '../../customer/customer-store.ts'
import type { PaymentDeps } from './deps.ts'
import { endMandatesJob } from './jobs.ts'
import { endMandates, listToEnd, setTold } from './mandate-store.ts'

/**
 * S-46: a mandate is on a bank account, and ends with it, in the transaction of whoever changes that. The provider is told by a job; what he
 * debits meanwhile is of before.
 */
export async function endMandateOf(tx: Tx, accountId: string, now: Date): Promise<void> {
  const customer = await findCustomer(tx, accountId)
  if (customer === null) return
  await lockCustomer(tx, customer.id)
  if ((await endMandates(tx, customer.id)) === 0) return
  await enqueue(tx, endMandatesJob, {}, { key: endMandatesJob.name })
  await recordAct(tx, now, { action: 'billing.ended_mandate', actor: null, subject: { type: 'customer', id: customer.id } })
}

const atATime = 100

/** @throws Error where the provider does not answer: the job is tried again */
export async function tellEnded(deps: Pick<PaymentDeps, 'db' | 'provider'>): Promise<number> {
  const { db, provider } = deps
  if (provider === null) return 0
  let told = 0
  for (const mandate of await listToEnd(db, provider.realm, atATime)) {
    if (mandate.reference !== null) {
      const ended = await provider.debits?.cancelMandate(mandate.reference)
      if (ended?.state === 'unsent' || ended?.state === 'unknown') throw new Error('the provider does not answer')
    }
    await setTold(db, mandate.id)
    told += 1
  }
  return told
}
