import type { z } from 'zod'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { changeSubscription as changing, createSubscription as creating } from '../../contract/subscriptions.ts'
import { unit, type Formula, type Plan } from '../../domain/plan/plan.ts'
import type { Quote } from '../../domain/subscription/quote.ts'
import { beginning } from '../../domain/subscription/machine.ts'
import { findCustomer, lockCustomerOf } from '../customer/customer-store.ts'
import { findAccrued, type Accrued } from '../extras/extra-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { askForChange, foresee, undoChange } from '../subscription/ask-for-change.ts'
import { findCurrent, findSubscription, insertSubscription, type Held } from '../subscription/subscription-store.ts'

type Wish = { readonly plan: Plan; readonly cycle: 'month' | 'year'; readonly instalments: 1 | 4 }

function formulaOf({ plan, cycle, instalments }: Wish): Formula {
  return plan === 'unit' ? unit : { plan, cycle, instalments }
}

async function recordChange(
  tx: Tx,
  deps: BillingDeps,
  actor: Actor,
  held: Held,
  action: 'billing.asked_for_plan' | 'billing.cancelled_change',
) {
  const subject = { type: 'subscription', id: held.id }
  await recordAct(tx, deps.clock.now(), {
    action,
    actor,
    subject,
    data: { plan: held.state.pending?.to.plan ?? held.state.formula.plan },
  })
}

/** C-61. */
export async function subscribe(
  deps: BillingDeps,
  actor: Actor,
  body: z.infer<NonNullable<typeof creating.body>>,
): Promise<Held> {
  const to = formulaOf(body)
  return await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    const customer = await lockCustomerOf(tx, actor.accountId, now)
    const current = (await findCurrent(tx, customer.id)) ?? (await insertSubscription(tx, customer.id, now))
    const asked = await askForChange(tx, deps, customer, current, to, body.accepted_cents)
    await recordChange(tx, deps, actor, asked, 'billing.asked_for_plan')
    return asked
  })
}

/** Of the account that the caller acts in; to anybody else it is not there (P-16). @throws DomainError `billing.subscription_unknown` */
export async function findOwn(db: BillingDeps['db'] | Tx, actor: Pick<Actor, 'accountId'>, id: string): Promise<Held> {
  const customer = await findCustomer(db, actor.accountId)
  const held = await findSubscription(db, id)
  if (held === null || held.customerId !== customer?.id) throw new DomainError('not_found', 'billing.subscription_unknown')
  return held
}

/** C-63, S-13. */
export async function changeOwn(
  deps: BillingDeps,
  actor: Actor,
  id: string,
  body: z.infer<NonNullable<typeof changing.body>>,
): Promise<Held> {
  const { plan } = body
  return await deps.db.transaction().execute(async (tx) => {
    await findOwn(tx, actor, id)
    const customer = await lockCustomerOf(tx, actor.accountId, deps.clock.now())
    const held = await findOwn(tx, actor, id)
    if (plan === undefined) {
      const undone = await undoChange(tx, deps, held)
      await recordChange(tx, deps, actor, undone, 'billing.cancelled_change')
      return undone
    }
    const asked = await askForChange(tx, deps, customer, held, formulaOf({ ...body, plan }), body.accepted_cents)
    await recordChange(tx, deps, actor, asked, 'billing.asked_for_plan')
    return asked
  })
}

/** With what was had beyond the plan so far: it is invoiced beside. */
type Previewed = { readonly quote: Quote; readonly extras: Accrued | null }

class Enough extends Error {
  readonly previewed: Previewed
  constructor(previewed: Previewed) {
    super('what was to be seen is seen')
    this.previewed = previewed
  }
}

/** By the same rules, on the same rows; whatever had to be made for it is rolled back. */
export async function previewChange(deps: BillingDeps, actor: Actor, wish: Wish): Promise<Previewed> {
  const to = formulaOf(wish)
  try {
    return await deps.db.transaction().execute(async (tx) => {
      const customer = await lockCustomerOf(tx, actor.accountId, deps.clock.now())
      const held = (await findCurrent(tx, customer.id)) ?? { id: null, state: beginning }
      const { quote } = await foresee(tx, deps, customer, held, to)
      throw new Enough({ quote, extras: await findAccrued(tx, customer.id) })
    })
  } catch (error) {
    if (error instanceof Enough) return error.previewed
    throw error
  }
}
