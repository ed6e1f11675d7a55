import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { SpendingLimitOnTheWire } from '../../contract/spending.ts'
import type { Cents } from '../../domain/money/money.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { monthNow } from './spend.ts'
import { listHolders, readCeiling, setCeiling, type Holder } from './spending-store.ts'

export async function listLimits(deps: BillingDeps, { accountId }: Actor): Promise<SpendingLimitOnTheWire[]> {
  const limits = []
  for (const holder of await listHolders(deps.db, accountId, deps.clock.now())) {
    const { ceiling, spent } = await readCeiling(deps.db, holder, monthNow(deps))
    limits.push({ ...holder, ceiling_cents: ceiling, spent_cents: spent })
  }
  return limits
}

/** What was spent stays spent: a lower ceiling holds what comes. @throws DomainError `billing.spender_unknown` */
export async function setLimit(deps: BillingDeps, actor: Actor, holder: Holder, ceiling: Cents): Promise<SpendingLimitOnTheWire> {
  return await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    const known = (await listHolders(tx, actor.accountId, now)).find(({ kind, id }) => kind === holder.kind && id === holder.id)
    if (known === undefined) throw new DomainError('not_found', 'billing.spender_unknown')
    await setCeiling(tx, holder, ceiling, now)
    await recordAct(tx, now, {
      action: 'billing.set_spending',
      actor,
      subject: { type: 'account', id: actor.accountId },
      data: { kind: holder.kind, ceiling_cents: ceiling },
    })
    const { spent } = await readCeiling(tx, holder, monthNow(deps))
    return { ...known, ceiling_cents: ceiling, spent_cents: spent }
  })
}
