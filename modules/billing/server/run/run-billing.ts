import { DomainError } from '../../../../kernel/errors.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { addDays, beginOf, dayOf } from '../../domain/calendar/calendar.ts'
import { InvoiceBreaksRules } from '../issue/assert-issuable.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { listAwake, setWake } from '../subscription/subscription-store.ts'
import { advanceSubscription } from './advance-subscription.ts'
import type { Place } from './renewal-store.ts'
import { renewTogether } from './renew-together.ts'

const batch = 100

/**
 * What the calendar brings, for everybody: renewals, instalments, ends of what waited, suspensions. What is renewed as it was is so in batches,
 * each a transaction; all the rest in one of its own, and one that cannot go on holds up no other, and is tried again the next day. Run twice,
 * the second time does nothing.
 * @returns how many things were done
 */
export async function runBilling(
  deps: BillingDeps & { readonly log: Pick<Log, 'warn' | 'error'> },
  signal?: AbortSignal,
): Promise<number> {
  const isOver = () => signal?.aborted === true
  let done = 0
  for (let place: Place | null = null; ;) {
    if (isOver()) return done
    const together = await renewTogether(deps, place, batch)
    done += together.renewed
    place = together.place
    if (place === null) break
  }
  for (;;) {
    const now = deps.clock.now()
    const awake = await listAwake(deps.db, now, batch)
    for (const each of awake) {
      if (isOver()) return done
      try {
        done += await deps.db.transaction().execute(async (tx) => await advanceSubscription(tx, deps, each))
      } catch (error) {
        if (error instanceof InvoiceBreaksRules)
          deps.log.error(
            { subscription_id: each.id, rules: error.rules },
            'what is to be invoiced breaks rules: tried again tomorrow',
          )
        else if (error instanceof DomainError)
          deps.log.warn(
            { subscription_id: each.id, code: error.code },
            'a subscription could not be invoiced: tried again tomorrow',
          )
        else throw error
        await deps.db.transaction().execute(async (tx) => await setWake(tx, each.id, beginOf(addDays(dayOf(now), 1))))
      }
    }
    if (awake.length < batch) return done
  }
}
