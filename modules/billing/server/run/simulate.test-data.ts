import { DomainError } from '../../../../kernel/errors.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { below } from '../../../../testing/sweep.ts'
import { addDays, dayOf } from '../../domain/calendar/calendar.ts'
import { unit } from '../../domain/plan/plan.ts'
import { comfort, comfortInFour, essential, essentialYear, openBooks } from '../billing.test-data.ts'
import { lockCustomer } from '../customer/customer-store.ts'
import { findBroken, type Broken } from '../invariants/invariant-store.ts'
import { failInstalment, reverseInstalment, settleInstalment } from '../settlement/settle-instalment.ts'
import { undoChange } from '../subscription/ask-for-change.ts'
import { findCurrent } from '../subscription/subscription-store.ts'

class Crash extends Error {}

/** What the rules refuse is refused; anything else is a defect. */
async function tried(run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof DomainError) && !(error instanceof Crash)) throw error
  }
}

export type Lived = { readonly steps: number; readonly invoices: number; readonly broken: readonly Broken[] }

/**
 * Customers of several countries over years: they subscribe, change, change their minds, pay, fail to, have it taken back; prices change by odd
 * cents; the clock goes on by a day or by weeks; transactions die at their end. All invariants are looked at after each step; it ends at the
 * first that does not hold.
 */
export async function simulate(
  database: { readonly db: Db },
  { customers, years, seed }: { readonly customers: number; readonly years: number; readonly seed: number },
): Promise<Lived> {
  const draw = below(seed)
  const pick = <T>(all: readonly T[]): T => all[draw(all.length)] ?? (all[0] as T)
  const books = openBooks(database, '2026-01-31T09:00:00Z')
  const people: string[] = []
  for (let index = 0; index < customers; index += 1)
    people.push(
      (await books.customer({ country: pick(['FR', 'FR', 'RE', 'US', 'DE']), userType: pick(['natural', 'legal']) })).customerId,
    )
  const formulas = [essential, comfort, comfortInFour, comfortInFour, essentialYear, unit]
  const paying = async (id: string) =>
    await books.within(async (tx) => {
      await settleInstalment(tx, books.deps(), id, { channel: pick(['bank', 'provider']), attemptId: null })
      if (draw(8) === 0) throw new Crash()
    })

  async function act(customerId: string): Promise<void> {
    const held = await findCurrent(database.db, customerId)
    if (held?.state.pending != null && draw(4) === 0)
      await tried(
        async () =>
          await books.within(async (tx) => {
            await lockCustomer(tx, customerId)
            const now = await findCurrent(tx, customerId)
            if (now !== null) await undoChange(tx, books.deps(), now)
          }),
      )
    else if (draw(held === null || held.state.status === 'unit' ? 2 : 9) === 0)
      await tried(async () => await books.ask(customerId, pick(formulas)))
    for (const id of await books.due(customerId)) {
      const fate = draw(20)
      if (fate < 16) await tried(async () => await paying(id))
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
    for (const customerId of people) if (draw(2) === 0) await act(customerId)
    if (draw(15) === 0)
      await books.setPlan(pick(['essential', 'comfort']), addDays(dayOf(books.now()), draw(30)), {
        yearCents: 300_000 + draw(200_000),
        monthCents: 30_000 + draw(20_000),
      })
    const broken = await findBroken(database.db)
    if (broken.length > 0 || dayOf(books.now()) > end) return { steps, invoices: await count(), broken }
    books.later(draw(3) === 0 ? 1 : 1 + draw(35))
  }
}
