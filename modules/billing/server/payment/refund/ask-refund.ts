import type { RefundOutcome } from '../../provider/port.ts'
import { findAttempt } from '../../settlement/attempt-store.ts'
import { findRefund, isOpen, listRefundsToAsk, noteRefund, renewRefundKey, type Refund } from '../../settlement/refund-store.ts'
import { certainMs, ownTransfers, sendingMs } from '../attempt/ask-provider.ts'
import { findKnown } from '../means/customer-store.ts'
import { newKey, type PaymentDeps } from '../means/deps.ts'
import { noteRefundOutcome } from './note-refund.ts'

const tagOf = ({ id }: Pick<Refund, 'id'>): string => `refund ${id}`

/** Somebody is to transfer it from the seller's own account; whether he did, its statements tell. */
async function askByHand(deps: PaymentDeps, refund: Refund): Promise<RefundOutcome> {
  const { refunds } = ownTransfers(deps)
  if (refunds === undefined) return { state: 'unknown' }
  if (refund.reference !== null) return await refunds.readRefund(refund.reference)
  const attempt = { key: refund.key, tag: tagOf(refund), since: refund.keySince }
  const amount = { cents: refund.amount, currency: 'EUR' } as const
  return await refunds.refund({ customer: refund.customerId, payment: '', amount }, attempt)
}

/**
 * Asks for a refund, or what became of it: by the name that the provider gave it; then by its key, for as long as that is the same call; then by
 * its tag, among all that was given back of the payment. Where it is certain that nothing came of a key, it is asked for anew: what is owed to a
 * customer is not given up because somebody was down. What the provider that took the payment can no longer be asked for is made by hand.
 */
export async function askRefund(deps: PaymentDeps, refund: Refund): Promise<RefundOutcome> {
  const { provider, db, clock } = deps
  if (refund.channel === 'bank') return await askByHand(deps, refund)
  if (provider?.refunds === undefined || provider.realm !== refund.realm)
    // It may have been taken in by whom we cannot ask: nobody pays it a second time.
    return refund.asked === 0 ? await askByHand(deps, refund) : { state: 'unknown' }
  const { refunds, realm } = provider
  if (refund.reference !== null) return await refunds.readRefund(refund.reference)
  const paid = refund.attemptId === null ? null : await findAttempt(db, refund.attemptId)
  const known = await findKnown(db, refund.customerId, realm)
  const [payment, customer] = [paid?.reference ?? null, known?.reference ?? null]
  if (payment === null || customer === null) throw new Error(`refund ${refund.id} is of no payment that is known`)
  const amount = { cents: refund.amount, currency: 'EUR' } as const
  const send = async (key: string, since: Date) =>
    await refunds.refund({ customer, payment, amount }, { key, tag: tagOf(refund), since })
  const age = clock.now().getTime() - refund.keySince.getTime()
  if (age < sendingMs) {
    const outcome = await send(refund.key, refund.keySince)
    if (outcome.state !== 'unknown') return outcome
  }
  const attempt = { key: refund.key, tag: tagOf(refund), since: refund.keySince }
  const found = await refunds.findRefund({ customer, payment, attempt })
  if (found.state !== 'absent') return found
  if (age < certainMs) return { state: 'unknown' }
  const [key, now] = [newKey(), clock.now()]
  return (await renewRefundKey(db, refund, key, now)) ? await send(key, now) : { state: 'unknown' }
}

const atATime = 100
/** Where one does not hear anything of so many in a row, the provider is down: the rest is left for later. */
const patience = 5

/** Each that is to be asked for, or after, the longest waiting first. @returns how many were */
export async function askRefunds(deps: PaymentDeps, signal?: AbortSignal): Promise<number> {
  const { db, clock } = deps
  let [asked, silent] = [0, 0]
  for (const id of await listRefundsToAsk(db, clock.now(), atATime)) {
    if (signal?.aborted === true || silent >= patience) break
    const refund = await findRefund(db, id)
    if (refund === null || !isOpen(refund)) continue
    // Before he is: killed meanwhile, it is known that he may have heard it.
    if (refund.channel === 'provider') await noteRefund(db, id, { asked: 1 })
    const heard = await askRefund(deps, refund)
    await noteRefundOutcome(deps, id, heard)
    silent = heard.state === 'unsent' || heard.state === 'unknown' ? silent + 1 : 0
    asked += 1
  }
  return asked
}
