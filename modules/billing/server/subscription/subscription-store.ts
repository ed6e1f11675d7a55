/** The SQL of subscriptions. */
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { unit, type Choice, type Formula } from '../../domain/plan/plan.ts'
import {
  beginning,
  periodOf,
  type Pending,
  type Subscription,
  type SubscriptionStatus,
} from '../../domain/subscription/machine.ts'

export type Held = {
  readonly id: string
  readonly customerId: string
  readonly createdAt: Date
  readonly state: Subscription
}

const columns = [
  'id',
  'customer_id',
  'status',
  'plan',
  'cycle',
  'instalments',
  'anchored_on',
  'months_before',
  'pending_kind',
  'pending_plan',
  'pending_cycle',
  'pending_instalments',
  'pending_on',
  'pending_until',
  'past_due_since',
  'created_at',
] as const

type Row = {
  id: string
  customer_id: string
  status: string
  plan: string
  cycle: string | null
  instalments: number | null
  anchored_on: string | null
  months_before: number
  pending_kind: string | null
  pending_plan: string | null
  pending_cycle: string | null
  pending_instalments: number | null
  pending_on: string | null
  pending_until: Date | null
  past_due_since: string | null
  created_at: Date
}

/** Written by this file only. */
function toFormula(plan: string, cycle: string | null, instalments: number | null): Formula {
  return plan === 'unit' ? unit : ({ plan, cycle, instalments } as Choice)
}

function toPending(row: Row): Pending | null {
  if (row.pending_kind === null || row.pending_plan === null || row.pending_on === null) return null
  const to = toFormula(row.pending_plan, row.pending_cycle, row.pending_instalments)
  if (row.pending_kind === 'term') return { kind: 'term', to, on: row.pending_on }
  if (row.pending_until === null || to.plan === 'unit') throw new Error(`subscription ${row.id} waits for no payment`)
  return { kind: 'payment', to, on: row.pending_on, until: row.pending_until }
}

const toHeld = (row: Row): Held => ({
  id: row.id,
  customerId: row.customer_id,
  createdAt: row.created_at,
  state: {
    status: row.status as SubscriptionStatus,
    formula: toFormula(row.plan, row.cycle, row.instalments),
    anchoredOn: row.anchored_on,
    monthsBefore: row.months_before,
    pending: toPending(row),
    pastDueSince: row.past_due_since,
  },
})

/** The one that goes on; the customer is held by the caller where it is to be changed. */
export async function findCurrent(db: Db | Tx, customerId: string): Promise<Held | null> {
  const row = await db
    .selectFrom('subscription')
    .select(columns)
    .where('customer_id', '=', customerId)
    .where('status', '<>', 'cancelled')
    .executeTakeFirst()
  return row === undefined ? null : toHeld(row)
}

export async function findSubscription(db: Db | Tx, id: string): Promise<Held | null> {
  const row = await db.selectFrom('subscription').select(columns).where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toHeld(row)
}

export async function listHeld(tx: Tx, ids: readonly string[]): Promise<Held[]> {
  const rows = await tx.selectFrom('subscription').select(columns).where('id', 'in', ids).execute()
  return rows.map(toHeld)
}

/** All that a customer ever had, the newest first. */
export async function listSubscriptions(db: Db, customerId: string): Promise<Held[]> {
  const rows = await db
    .selectFrom('subscription')
    .select(columns)
    .where('customer_id', '=', customerId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toHeld)
}

export async function insertSubscription(tx: Tx, customerId: string, now: Date): Promise<Held> {
  const id = randomUUIDv7()
  await tx.insertInto('subscription').values({ id, customer_id: customerId, status: 'unit', created_at: now }).execute()
  return { id, customerId, createdAt: now, state: beginning }
}

export type ChangeKind =
  | 'asked'
  | 'undone'
  | 'lapsed'
  | 'activated'
  | 'renewed'
  | 'ended'
  | 'overdue'
  | 'suspended'
  | 'settled'
  | 'cancelled'

export function columnsOf(state: Subscription) {
  const { formula, pending } = state
  const period = periodOf(state)
  const [choice, wished] = [formula.plan === 'unit' ? null : formula, pending?.to.plan === 'unit' ? null : (pending?.to ?? null)]
  return {
    status: state.status,
    plan: formula.plan,
    cycle: choice?.cycle ?? null,
    instalments: choice?.instalments ?? null,
    anchored_on: state.anchoredOn,
    months_before: state.monthsBefore,
    period_from: period?.from ?? null,
    period_to: period?.to ?? null,
    pending_kind: pending?.kind ?? null,
    pending_plan: pending?.to.plan ?? null,
    pending_cycle: wished?.cycle ?? null,
    pending_instalments: wished?.instalments ?? null,
    pending_on: pending?.on ?? null,
    pending_until: pending?.kind === 'payment' ? pending.until : null,
    past_due_since: state.pastDueSince,
  }
}

/** Its new state, and a line of what became of it. */
export async function saveSubscription(tx: Tx, id: string, state: Subscription, kind: ChangeKind, now: Date): Promise<void> {
  const ended = state.status === 'cancelled' ? { wake_at: null } : {}
  await tx
    .updateTable('subscription')
    .set({ ...columnsOf(state), ...ended })
    .where('id', '=', id)
    .execute()
  await tx
    .insertInto('subscription_change')
    .values({ subscription_id: id, kind, at: now, state: JSON.stringify(state) })
    .execute()
}

export async function setWake(tx: Tx, id: string, wakeAt: Date | null): Promise<void> {
  await sql`update subscription set wake_at = ${wakeAt}::timestamptz where id = ${id}::uuid and wake_at is distinct from ${wakeAt}::timestamptz`.execute(
    tx,
  )
}

/** Whose time has come, in its order. */
export async function listAwake(db: Db, now: Date, limit: number): Promise<{ id: string; customerId: string }[]> {
  const rows = await db
    .selectFrom('subscription')
    .select(['id', 'customer_id'])
    .where('wake_at', '<=', now)
    .orderBy('wake_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ id: row.id, customerId: row.customer_id }))
}
