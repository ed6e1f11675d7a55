import type { Tx } from '../../../../platform/db/database.ts'
import { addDays, beginOf, dayOf, type Day } from '../../domain/calendar/calendar.ts'
import { nextEvent, type Event } from '../../domain/subscription/machine.ts'
import { listOpen, type Instalment } from '../invoice/instalment-store.ts'
import { setWake, type Held } from './subscription-store.ts'

const live: ReadonlySet<string> = new Set(['collecting', 'action_required', 'unknown'])
const later = 60 * 60 * 1000

const earliest = (days: readonly (Day | null | undefined)[]): Day | null =>
  days.reduce<Day | null>((first, day) => (day == null || (first !== null && first <= day) ? first : day), null)

export type Outlook = {
  /** null: the calendar has nothing to do with it. */
  readonly event: Event | null
  /** Of the present period and those before. */
  readonly open: readonly Instalment[]
}

/** What comes next, by what is open. A payment that is under way is awaited, whatever the hour. */
export function lookAhead({ state }: Held, open: readonly Instalment[], now: Date): Outlook {
  const { pending } = state
  const isOver =
    pending?.kind === 'payment' && pending.until <= now && !open.some(({ ofChange, status }) => ofChange && live.has(status))
  const own = open.filter(({ ofChange }) => !ofChange)
  const unpaid = own.filter(({ status }) => status === 'due' || status === 'failed')
  const event = nextEvent(state, {
    issueOn: earliest(own.filter(({ status }) => status === 'scheduled').map(({ span }) => span?.from)),
    unpaidDueOn: earliest(unpaid.map(({ dueOn }) => dueOn)),
    lapsesOn: isOver && pending.kind === 'payment' ? dayOf(pending.until) : null,
  })
  return { event, open: own }
}

/**
 * When the calendar is to look at it again.
 * @param isStuck what is to be done today cannot be, as long as a VAT number could not be checked: it is tried again tomorrow
 */
export async function setAlarm(tx: Tx, held: Held, now: Date, isStuck = false): Promise<void> {
  const { event } = lookAhead(held, await listOpen(tx, held.id), now)
  const { pending, status } = held.state
  const waits = pending?.kind === 'payment' ? [pending.until > now ? pending.until : new Date(now.getTime() + later)] : []
  const comes = event === null ? [] : [isStuck ? beginOf(addDays(dayOf(now), 1)) : beginOf(event.on)]
  const next = [...waits, ...comes].reduce<Date | null>((first, at) => (first === null || at < first ? at : first), null)
  await setWake(tx, held.id, status === 'cancelled' ? null : next)
}
