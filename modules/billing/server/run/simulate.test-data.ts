import { randomUUID } from 'node:crypto'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { below } from '../../../../testing/sweep.ts'
import { addDays, dayOf } from '../../domain/calendar/calendar.ts'
import { unit } from '../../domain/plan/plan.ts'
import { comfort, comfortInFour, essential, essentialYear, openBooks } from '../billing.test-data.ts'
import { lockCustomer } from '../customer/customer-store.ts'
import { findBroken, type Broken } from '../invariants/invariant-store.ts'
import { finishAttempt, startAttempt } from '../settlement/attempt-payment.ts'
import { failInstalment, reverseInstalment, settleInstalment } from '../settlement/settle-instalment.ts'
import { undoChange } from '../subscription/ask-for-change.ts'
import { findCurrent } from '../subscription/subscription-store.ts'

class Crash extends Error {}

type Draw = ReturnType<typeof below>
type Person = { readonly customerId: string; readonly draw: Draw }
const pick = <T>(draw: Draw, all: readonly T[]): T => all[draw(all.length)] ?? (all[0] as T)

/** At once, but for four at a time, as the database has connections. */
async function together<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const left = all.values()
  const lane = async () => {
    for (const one of left) await act(one)
  }
  await Promise.all([lane(), lane(), lane(), lane()])
}

/** What the rules refuse is refused; anything else is a defect. @returns whether it was done */
async function tried(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run()
    return true
  } catch (error) {
    if (!(error instanceof DomainError) && !(error instanceof Crash)) throw error
    return false
  }
}

export type Lived = { readonly steps: number; readonly invoices: number; readonly broken: readonly Broken[] }

/**
 * Customers of several countries over years: they subscribe, change, change their minds, pay, fail to, have it taken back; what came of a payment
 * is told once or several times; prices change by odd cents; the clock goes on by a day or by weeks; transactions die at their end. All invariants
 * are looked at after each step; it ends at the first that does not hold. Several act at once, each by a draw of his own, so that a seed gives
 * the same lives in whatever order they come to the database.
 */
export async function simulate(
  database: { readonly db: Db },
  { customers, years, seed }: { readonly customers: number; readonly years: number; readonly seed: number },
): Promise<Lived> {
  const draw = below(seed)
  const books = openBooks(database, '2026-01-31T09:00:00Z')
  const people: Person[] = []
  for (let index = 0; index < customers; index += 1) {
    const own = below(seed * customers + index)
    const country = pick(own, ['FR', 'FR', 'RE', 'US', 'DE'])
    people.push({ ...(await books.customer({ country, userType: pick(own, ['natural', 'legal']) })), draw: own })
  }
  const formulas = [essential, comfort, comfortInFour, comfortInFour, essentialYear, unit]
  const crashing = (draw: Draw) => {
    if (draw(8) === 0) throw new Crash()
  }
  const paying = async (draw: Draw, id: string) => {
    if (draw(3) === 0)
      return await books.within(async (tx) => {
        await settleInstalment(tx, books.deps(), id, { channel: 'bank', attemptId: null })
        crashing(draw)
      })
    const by = { channel: 'provider', idempotencyKey: randomUUID() } as const
    const attempt = await books.within(async (tx) => await startAttempt(tx, books.deps(), id, by))
    const outcome = draw(10) === 0 ? 'failed' : 'succeeded'
    // Whoever dies as he hears it hears it again: that is why what came of it is told until it is kept.
    for (let times = draw(3); ; times -= 1) {
      const kept = await tried(
        async () =>
          await books.within(async (tx) => {
            await finishAttempt(tx, books.deps(), attempt.id, outcome)
            crashing(draw)
          }),
      )
      if (kept && times <= 0) return
    }
  }

  /** How everybody stands as a step begins, read at once. */
  async function standing() {
    const current = await database.db
      .selectFrom('subscription')
      .select(['customer_id', 'status', 'pending_kind'])
      .where('status', '<>', 'cancelled')
      .execute()
    const owing = await database.db
      .selectFrom('instalment')
      .select('customer_id')
      .where('status', 'in', ['due', 'failed'])
      .execute()
    return {
      current: new Map(current.map((each) => [each.customer_id, each])),
      owing: new Set(owing.map((each) => each.customer_id)),
    }
  }

  async function act({ customerId, draw }: Person, { current, owing }: Awaited<ReturnType<typeof standing>>): Promise<void> {
    const held = current.get(customerId)
    let owes = owing.has(customerId)
    if (held?.pending_kind != null && draw(4) === 0)
      await tried(
        async () =>
          await books.within(async (tx) => {
            await lockCustomer(tx, customerId)
            const now = await findCurrent(tx, customerId)
            if (now !== null) await undoChange(tx, books.deps(), now)
          }),
      )
    else if (draw(held === undefined || held.status === 'unit' ? 2 : 9) === 0) {
      await tried(async () => await books.ask(customerId, pick(draw, formulas)))
      owes = true
    }
    for (const id of owes ? await books.due(customerId) : []) {
      const fate = draw(20)
      if (fate < 16) await tried(async () => await paying(draw, id))
      else if (fate < 18) await tried(async () => await books.within(async (tx) => await failInstalment(tx, books.deps(), id)))
    }
    if (draw(40) !== 0) return
    const paid = await database.db
      .selectFrom('instalment')
      .select('id')
      .where('customer_id', '=', customerId)
      .where('status', '=', 'paid')
      .where('to_pay_cents', '>', 0)
      .executeTakeFirst()
    if (paid !== undefined)
      await tried(
        async () =>
          await books.within(
            async (tx) => await reverseInstalment(tx, books.deps(), paid.id, { channel: 'bank', attemptId: null }),
          ),
      )
  }

  const end = addDays(dayOf(books.now()), years * 365)
  const count = async () =>
    (
      await database.db
        .selectFrom('invoice')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count
  for (let steps = 1; ; steps += 1) {
    await books.run()
    const stands = await standing()
    const acting = people.filter((each) => each.draw(2) === 0)
    await together(acting, async (each) => await act(each, stands))
    if (draw(15) === 0)
      await books.setPlan(pick(draw, ['essential', 'comfort']), addDays(dayOf(books.now()), draw(30)), {
        yearCents: 300_000 + draw(200_000),
        monthCents: 30_000 + draw(20_000),
      })
    const broken = await findBroken(database.db)
    if (broken.length > 0 || dayOf(books.now()) > end) return { steps, invoices: await count(), broken }
    books.later(draw(3) === 0 ? 1 : 1 + draw(35))
  }
}
