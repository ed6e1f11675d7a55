import type { Tx } from '../../../../platform/db/database.ts'
import { addDays, dayOf, type Day } from '../../domain/calendar/calendar.ts'
import {
  cancel,
  daysToEnd,
  daysToSuspension,
  endPeriod,
  fallDue,
  suspend,
  type Event,
} from '../../domain/subscription/machine.ts'
import { lockCustomer } from '../customer/customer-store.ts'
import { listOpen, type Instalment } from '../invoice/instalment-store.ts'
import type { NoticeKind } from '../notice/notice-store.ts'
import { notify } from '../notice/notify.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { undoChange } from '../subscription/ask-for-change.ts'
import { beginPeriod } from '../subscription/begin-period.ts'
import { issuePart } from '../subscription/draft-parts.ts'
import { dropOpen } from '../subscription/drop-open.ts'
import { lookAhead, setAlarm } from '../subscription/set-alarm.ts'
import { findSubscription, saveSubscription, type ChangeKind, type Held } from '../subscription/subscription-store.ts'

/** What waits for something else: the day has come, and it cannot be done yet. */
const waits = Symbol('waits')

async function carryOut(
  tx: Tx,
  deps: BillingDeps,
  held: Held,
  event: Event,
  open: readonly Instalment[],
): Promise<Held | typeof waits> {
  const now = deps.clock.now()
  const save = async (state: Held['state'], kind: ChangeKind): Promise<Held> => {
    await saveSubscription(tx, held.id, state, kind, now)
    return { ...held, state }
  }
  const { customerId } = held
  const tell = async (kind: NoticeKind, on: Day) =>
    await notify(tx, { customerId, kind, occasion: `${held.id} ${event.on}`, told: { on } }, now)
  switch (event.kind) {
    case 'lapse':
      return await undoChange(tx, deps, held, 'lapsed')
    case 'term': {
      const state = endPeriod(held.state)
      if (!(await beginPeriod(tx, deps, { ...held, state }, now))) return waits
      return await save(state, state.formula.plan === 'unit' ? 'ended' : 'renewed')
    }
    case 'issue': {
      const next = open.find(({ status, span }) => status === 'scheduled' && span?.from === event.on)
      if (next === undefined) throw new Error(`subscription ${held.id} has nothing to be issued on ${event.on}`)
      await issuePart(tx, deps, next, now)
      return held
    }
    case 'overdue':
      await tell('overdue', addDays(event.on, daysToSuspension))
      return await save(fallDue(held.state, event.on), 'overdue')
    case 'suspend':
      await tell('suspended', addDays(held.state.pastDueSince ?? event.on, daysToEnd))
      return await save(suspend(held.state), 'suspended')
    case 'end':
      await dropOpen(tx, held.id, now)
      await tell('cancelled', event.on)
      return await save(cancel(held.state), 'cancelled')
    default:
      return event.kind satisfies never
  }
}

/**
 * Does with a subscription all that the calendar has for it up to today, one thing after the other, as though each day had been looked at: a
 * clock that jumps, or a program that stood still, leaves nothing out and does nothing twice.
 * @returns how many things were done
 */
export async function advanceSubscription(
  tx: Tx,
  deps: BillingDeps,
  of: { readonly id: string; readonly customerId: string },
): Promise<number> {
  await lockCustomer(tx, of.customerId)
  let held = await findSubscription(tx, of.id)
  if (held === null || held.state.status === 'cancelled') return 0
  const now = deps.clock.now()
  const today = dayOf(now)
  let [done, isStuck] = [0, false]
  for (;;) {
    const { event, open } = lookAhead(held, await listOpen(tx, held.id), now)
    if (event === null || event.on > today) break
    const after = await carryOut(tx, deps, held, event, open)
    isStuck = after === waits
    if (after === waits) break
    held = after
    done += 1
  }
  await setAlarm(tx, held, now, isStuck)
  return done
}
