import type { Tx } from '../../../../platform/db/database.ts'
import { addDays, dayOf, type Day } from '../../domain/calendar/calendar.ts'
import { partsOfPeriod } from '../../domain/subscription/quote.ts'
import { remindersOn, type Reminder } from '../../domain/subscription/reminders.ts'
import { monthsOf } from '../../domain/plan/plan.ts'
import { notify } from '../notice/notify.ts'
import type { Told } from '../notice/notice-store.ts'
import { listTerms, termsOf } from '../plan/plan-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import type { Held } from '../subscription/subscription-store.ts'
import { listDue, listReminded } from './remind-store.ts'

const atATime = 200
/** Before the day until which an invoice is to be paid. */
const daysBeforeDue = 7

/** What customers are told ahead: each once, however often it is looked for. */
export async function remindCustomers(deps: Pick<BillingDeps, 'db' | 'clock'>, signal?: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  const today = dayOf(now)
  for (let last = ''; ;) {
    signal?.throwIfAborted()
    const all = await listReminded(deps.db, last, atATime)
    for (const held of all)
      for (const reminder of remindersOn(held.state, today))
        await deps.db.transaction().execute(async (tx) => await remind(tx, held, reminder, now))
    if (all.length < atATime) break
    last = all.at(-1)?.id ?? ''
  }
  for (let last = ''; ;) {
    signal?.throwIfAborted()
    const due = await listDue(deps.db, { from: today, to: addDays(today, daysBeforeDue) }, last, atATime)
    await deps.db.transaction().execute(async (tx) => {
      for (const { customerId, ...told } of due)
        await notify(tx, { customerId, kind: 'payment_due', occasion: told.invoice_id, told }, now)
    })
    if (due.length < atATime) return
    last = due.at(-1)?.invoice_id ?? ''
  }
}

async function remind(tx: Tx, held: Held, { kind, on, occasion }: Reminder, now: Date): Promise<void> {
  const told: Told = kind === 'renewal_near' ? await renewalOf(tx, held, on) : { on }
  await notify(tx, { customerId: held.customerId, kind, occasion, told }, now)
}

/** At the prices that are known today for the day of the renewal. */
async function renewalOf(tx: Tx, { customerId, state }: Held, on: Day): Promise<Told> {
  const next = state.pending?.kind === 'term' ? state.pending.to : state.formula
  const { formula, anchoredOn, monthsBefore } = state
  if (next.plan === 'unit' || formula.plan === 'unit' || anchoredOn === null) throw new Error('what is on Unit is not renewed')
  const from = { anchoredOn, monthsBefore: monthsBefore + monthsOf[formula.cycle] }
  const parts = partsOfPeriod(next, termsOf(await listTerms(tx, customerId)), 0, from)
  const net_cents = parts.reduce((sum, { amount }) => sum + amount.net, 0)
  return { on, plan: next.plan, cycle: next.cycle, parts: parts.length, net_cents }
}
