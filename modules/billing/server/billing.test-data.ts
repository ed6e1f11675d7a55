import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { haveAccount } from '../../../testing/accounts.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { silentLog } from '../../../platform/log/log.ts'
import type { Day } from '../domain/calendar/calendar.ts'
import type { Formula, Plan } from '../domain/plan/plan.ts'
import { lockCustomer, lockCustomerOf } from './customer/customer-store.ts'
import { setPlan, type PlanChange } from './plan/set-plan.ts'
import { invoiceExtras } from './run/invoice-extras.ts'
import { runBilling } from './run/run-billing.ts'
import type { BillingDeps, Seller } from './seller/deps.ts'
import { settleInstalment } from './settlement/settle-instalment.ts'
import { askForChange } from './subscription/ask-for-change.ts'
import { findCurrent, insertSubscription, type Held } from './subscription/subscription-store.ts'

export const seller: Seller = {
  name: 'Example SARL',
  legalForm: 'SARL',
  capital: '10 000 EUR',
  siren: '123456782',
  vatId: 'FR11123456782',
  register: 'RCS Marseille',
  address: '1 rue du Port',
  zip: '13002',
  city: 'Marseille',
  country: 'FR',
  iban: 'FR7630006000011234567890189',
  bic: 'AGRIFRPP',
}

export const essential: Formula = { plan: 'essential', cycle: 'month', instalments: 1 }
export const comfort: Formula = { plan: 'comfort', cycle: 'month', instalments: 1 }
export const comfortInFour: Formula = { plan: 'comfort', cycle: 'year', instalments: 4 }
export const essentialYear: Formula = { plan: 'essential', cycle: 'year', instalments: 1 }

export async function emptyBooks({ db }: { readonly db: Db }): Promise<void> {
  await sql`truncate billing_customer, number_series, payout, payout_run, payout_payee cascade`.execute(db)
}

/** The books on a database, with a clock that moves when it is told to. */
export function openBooks(database: { readonly db: Db }, begin = '2026-11-23T09:00:00Z') {
  let now = new Date(begin)
  const deps = (): BillingDeps & { log: typeof silentLog } => ({
    db: database.db,
    clock: { now: () => now },
    seller,
    log: silentLog,
  })
  const within = async <T>(run: (tx: Tx) => Promise<T>): Promise<T> => await deps().db.transaction().execute(run)
  const books = {
    deps,
    within,
    now: () => now,
    later(days: number) {
      now = new Date(now.getTime() + days * 86_400_000)
    },
    at(instant: string) {
      now = new Date(instant)
    },
    /** An account whose profile is complete. */
    async customer(
      profile: { country?: string; userType?: 'natural' | 'legal' } = {},
    ): Promise<{ userId: string; customerId: string }> {
      const { db } = deps()
      const userId = await haveAccount(db)
      const legal = profile.userType === 'legal'
      const address = `${randomUUID()}@example.org`
      await db
        .insertInto('profile')
        .values({
          user_id: userId,
          user_type: profile.userType ?? 'natural',
          address: '2 place du Marché',
          zip: '69001',
          city: 'Lyon',
          country: profile.country ?? 'FR',
          ...(legal ? { company_name: 'Client SAS', company_number: '552100554', company_email: 'client@example.org' } : {}),
          updated_at: now,
        })
        .execute()
      await db
        .insertInto('email_address')
        .values({
          id: randomUUID(),
          user_id: userId,
          address,
          address_key: address,
          is_primary: true,
          verified_at: now,
          created_at: now,
        })
        .execute()
      const customer = await within(async (tx) => await lockCustomerOf(tx, userId, now))
      return { userId, customerId: customer.id }
    },
    async ask(customerId: string, to: Formula): Promise<Held> {
      return await within(async (tx) => {
        const customer = await lockCustomer(tx, customerId)
        const held = (await findCurrent(tx, customerId)) ?? (await insertSubscription(tx, customerId, now))
        return await askForChange(tx, deps(), customer, held, to)
      })
    },
    async due(customerId: string): Promise<string[]> {
      const rows = await deps()
        .db.selectFrom('instalment')
        .select('id')
        .where('customer_id', '=', customerId)
        .where('status', 'in', ['due', 'failed'])
        .orderBy('covers_from')
        .execute()
      return rows.map(({ id }) => id)
    },
    async pay(instalmentId: string): Promise<boolean> {
      return await within(async (tx) => await settleInstalment(tx, deps(), instalmentId, { channel: 'bank', attemptId: null }))
    },
    /** Pays whatever is due. @returns how many */
    async payAll(customerId: string): Promise<number> {
      const due = await books.due(customerId)
      for (const id of due) await books.pay(id)
      return due.length
    },
    /** Subscribed, paid and active. */
    async subscribed(to: Formula): Promise<{ userId: string; customerId: string; id: string }> {
      const who = await books.customer()
      const { id } = await books.ask(who.customerId, to)
      await books.payAll(who.customerId)
      return { ...who, id }
    },
    async setPlan(plan: Plan, from: Day, change: PlanChange) {
      return await within(async (tx) => await setPlan(tx, deps(), { plan, from, change, actor: null }))
    },
    async run(): Promise<number> {
      return (await runBilling(deps())) + (await invoiceExtras(deps()))
    },
    async state(customerId: string) {
      return (await findCurrent(deps().db, customerId))?.state ?? null
    },
    async invoices(customerId: string) {
      return await deps()
        .db.selectFrom('invoice')
        .select([
          'id',
          'kind',
          'status',
          'settlement',
          'series',
          'number',
          'issued_on',
          'due_on',
          'net_cents',
          'vat_cents',
          'gross_cents',
          'credit_used_cents',
          'covers_from',
          'covers_to',
        ])
        .where('customer_id', '=', customerId)
        .orderBy('issued_at')
        .orderBy('series')
        .orderBy('number')
        .execute()
    },
  }
  return books
}
