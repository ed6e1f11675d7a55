import type { Actor } from '../../../../kernel/actor.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { EndingOnTheWire } from '../../contract/ending.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'
import { findCustomer, lockCustomer } from '../customer/customer-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { doOrShow, Shown } from '../seller/do-or-show.ts'
import { findCurrent } from '../subscription/subscription-store.ts'
import { settleEnd } from './end-customer.ts'
import { listIssuedSince, listRefundsSince, readStanding } from './ending-store.ts'

/** From closing to erasure (H-38). */
const hoursToErasure = 24

/**
 * What the end of the account would bring if it were closed now: all of it is done as of the day of its erasure, and rolled back. So it is what
 * will be done, to the cent.
 * @throws DomainError as the end itself would: `billing.profile_incomplete`
 */
export async function foreseeEnd(deps: BillingDeps, { userId }: Actor): Promise<EndingOnTheWire> {
  const now = new Date(deps.clock.now().getTime() + hoursToErasure * 3_600_000)
  const then = { ...deps, clock: { now: () => now } }
  return await doOrShow(deps, async (tx): Promise<EndingOnTheWire> => {
    throw new Shown(await foresee(tx, then, userId))
  })
}

async function foresee(tx: Tx, deps: BillingDeps, userId: string): Promise<EndingOnTheWire> {
  const on = dayOf(deps.clock.now())
  const nothing = { credit_cents: 0, invoices: [], set_off_cents: 0, refunds: [], waiting_cents: 0, owed_cents: 0 }
  const customer = await findCustomer(tx, userId)
  if (customer === null) return { on, plan: 'unit', ...nothing }
  const { id } = await lockCustomer(tx, customer.id)
  const plan = (await findCurrent(tx, id))?.state.formula.plan ?? 'unit'
  const before = await readStanding(tx, id)
  await settleEnd(tx, deps, deps, id)
  const after = await readStanding(tx, id)
  const invoices = await listIssuedSince(tx, id, before.invoices)
  const refunds = await listRefundsSince(tx, id, before.refunds)
  const sum = (all: readonly { readonly amount_cents: number }[]) => all.reduce((whole, each) => whole + each.amount_cents, 0)
  const credited = invoices.reduce((whole, each) => whole + (each.kind === 'credit_note' ? each.gross_cents : 0), 0)
  return {
    on,
    plan,
    credit_cents: before.credit,
    invoices,
    // Whatever is neither going back nor waiting has paid what was owed, that of this day too.
    set_off_cents: before.credit + credited - sum(refunds) - after.credit,
    refunds,
    waiting_cents: after.credit,
    owed_cents: after.owed,
  }
}
