import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { below, seed, whole } from '../../../../testing/sweep.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { entryOfPayment } from '../../domain/journal/entry.ts'
import type * as money from '../../domain/money/money.ts'
import { unit } from '../../domain/plan/plan.ts'
import { comfort, comfortInFour, emptyBooks, essential, essentialYear, openBooks } from '../billing.test-data.ts'
import type * as numbers from '../invoice/number-store.ts'
import { postEntry } from '../journal/journal-store.ts'
import type * as attempts from '../settlement/attempt-payment.ts'
import { simulate } from './simulate.test-data.ts'

const database = withDatabase()
beforeEach(async () => await emptyBooks(database))
afterEach(() => {
  vi.doUnmock('../../domain/money/money.ts')
  vi.doUnmock('../invoice/number-store.ts')
  vi.doUnmock('../settlement/attempt-payment.ts')
  vi.resetModules()
})

const size = whole ? { customers: 1000, years: 10 } : { customers: 20, years: 3 }

test(
  'H-35 H-36 H-37 customers live for years, and all that must hold of the books holds at each step',
  { timeout: 3 * 3_600_000 },
  async () => {
    const { steps, invoices, broken } = await simulate(database, { ...size, seed })
    process.stdout.write(
      `billing: ${size.customers} customers over ${size.years} years: ${steps} steps, ${invoices} invoices and credit notes; seed ${seed}\n`,
    )
    expect(broken).toEqual([])
    expect(invoices).toBeGreaterThan(size.customers * size.years)
  },
)

/** What a few customers break of the books in which something was planted. */
async function brokenBy(plant: () => void): Promise<readonly string[]> {
  vi.resetModules()
  plant()
  const planted = await import('./simulate.test-data.ts')
  const { broken } = await planted.simulate(database, { customers: 12, years: 3, seed: 20_261_123 })
  return broken.map(({ invariant }) => invariant)
}

test('… which VAT rounded in each instalment breaks', async () => {
  const broken = await brokenBy(() =>
    vi.doMock('../../domain/money/money.ts', async (original) => {
      const right = await original<typeof money>()
      return {
        ...right,
        splitAmount: (amount: Pick<money.Amount, 'net' | 'vat'>, parts: number) =>
          right
            .splitAmount(amount, parts)
            .map(({ net }) => right.priced(net, amount.net === 0 ? 0 : Math.round((amount.vat * 10_000) / amount.net))),
      }
    }),
  )
  expect(broken).toContain('instalments_sum')
})

test('… and numbers of a sequence too', async () => {
  await sql`create sequence planted`.execute(database.db)
  const broken = await brokenBy(() =>
    vi.doMock('../invoice/number-store.ts', async (original) => {
      const right = await original<typeof numbers>()
      const takeNumber: typeof right.takeNumber = async (tx, series, today) => {
        const taken = await right.takeNumber(tx, series, today)
        const { rows } = await sql<{ number: number }>`select nextval('planted')::integer as number`.execute(tx)
        return { ...taken, number: rows[0]?.number ?? 0 }
      }
      return { ...right, takeNumber }
    }),
  )
  expect(broken).toContain('numbers_without_gap')
})

async function bookAgain(tx: Tx, attemptId: string, now: Date): Promise<void> {
  const row = await tx
    .selectFrom('payment_attempt')
    .innerJoin('instalment', 'instalment.id', 'instalment_id')
    .select(['customer_id', 'invoice_id', 'amount_cents'])
    .where('payment_attempt.id', '=', attemptId)
    .executeTakeFirstOrThrow()
  const occasion = { kind: 'payment', customerId: row.customer_id, invoiceId: row.invoice_id, attemptId } as const
  await postEntry(tx, entryOfPayment(row.amount_cents, 'provider'), occasion, now)
}

test('… and a payment that is booked each time that a notice tells of it', async () => {
  const broken = await brokenBy(() =>
    vi.doMock('../settlement/attempt-payment.ts', async (original) => {
      const right = await original<typeof attempts>()
      const finishAttempt: typeof right.finishAttempt = async (tx, deps, id, outcome, told) => {
        const isNews = await right.finishAttempt(tx, deps, id, outcome, told)
        if (!isNews && outcome === 'succeeded') await bookAgain(tx, id, deps.clock.now())
        return isNews
      }
      return { ...right, finishAttempt }
    }),
  )
  expect(broken).toEqual(expect.arrayContaining(['paid_once', 'balances_fold']))
})

/** All that does not say on which day the program looked. */
async function books(): Promise<unknown> {
  const { rows } = await sql<{ row: unknown }>`
    select jsonb_build_array('subscription', row_number() over (order by s.id), s.status, s.plan, s.cycle, s.instalments, s.anchored_on,
      s.months_before, s.period_from, s.period_to, s.pending_plan, s.pending_on, c.credit_cents) as row
    from subscription s join billing_customer c on c.id = s.customer_id
    union all
    select jsonb_build_array('invoice', dense_rank() over (order by i.subscription_id), i.kind, i.status, i.settlement, i.covers_from, i.covers_to,
      i.net_cents, i.vat_cents, i.credit_used_cents, i.vat_rate) from invoice i order by row`.execute(database.db)
  return rows
}

test('a clock that jumps leaves the books as one that goes day by day, but for the day on which an invoice was written', async () => {
  const lived: unknown[] = []
  for (const jumps of [false, true]) {
    await emptyBooks(database)
    const draw = below()
    const world = openBooks(database, '2026-01-31T09:00:00Z')
    const people: string[] = []
    const formulas = [essential, comfort, comfortInFour, essentialYear, unit]
    for (let index = 0; index < 8; index += 1) people.push((await world.subscribed(formulas[index % 4] ?? essential)).customerId)
    for (let round = 0; round < 12; round += 1) {
      const days = 1 + draw(60)
      for (let day = 0; day < (jumps ? 1 : days); day += 1) {
        world.later(jumps ? days : 1)
        await world.run()
        expect(await world.run()).toBe(0)
        for (const customerId of people) await world.payAll(customerId)
      }
      const [who = '', to = unit] = [people[draw(people.length)], formulas[draw(formulas.length)]]
      const error = await world.ask(who, to).catch((reason: unknown) => reason)
      if (error instanceof Error) expect(error.message).toMatch(/billing\.(?:same_plan|change_pending)/)
      await world.payAll(who)
    }
    lived.push(await books())
  }
  expect(lived[0]).toHaveLength((lived[1] as unknown[]).length)
  expect(lived[1]).toEqual(lived[0])
})
