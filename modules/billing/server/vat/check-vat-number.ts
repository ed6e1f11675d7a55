import { readVatNumber } from '../../domain/vat/vat-number.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'
import { lockCustomer } from '../customer/customer-store.ts'
import { notify } from '../notice/notify.ts'
import type { BillingDeps } from '../seller/deps.ts'
import type { VatRegister } from './register.ts'
import { listUnchecked, saveAnswer, type Unchecked } from './vat-store.ts'

export type VatDeps = Pick<BillingDeps, 'db' | 'clock'> & { readonly vatRegister: VatRegister }

/**
 * Asks the register about a number, outside of any transaction, and keeps what it said; of news the customer is written to. Killed in between,
 * it is asked again.
 */
export async function checkVatNumber(deps: VatDeps, of: Unchecked): Promise<void> {
  const number = readVatNumber(of.vatNumber)
  if (number === null) return
  const said = await deps.vatRegister.ask(number)
  const now = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    await lockCustomer(tx, of.customerId)
    const kept = await saveAnswer(tx, of, said, now)
    if (kept?.news !== true || said.state === 'unreachable') return
    const { customerId, vatNumber } = of
    const told = { vat_number: vatNumber, state: said.state, on: dayOf(now), consultation: said.consultation }
    await notify(tx, { customerId, kind: 'vat_checked', occasion: `${vatNumber} ${said.state} ${dayOf(now)}`, told }, now)
  })
}

const atATime = 50
/** A number may end: an answer is asked for again before the renewal after the next. */
const holdsMs = 30 * 24 * 60 * 60 * 1000

/** All of which the register said nothing yet, and those that it was asked about long ago. */
export async function checkVatNumbers(deps: VatDeps, signal?: AbortSignal): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - holdsMs)
  for (let last = ''; ;) {
    const all = await listUnchecked(deps.db, before, last, atATime)
    for (const each of all) {
      signal?.throwIfAborted()
      await checkVatNumber(deps, each)
    }
    if (all.length < atATime) return
    last = all.at(-1)?.customerId ?? ''
  }
}
