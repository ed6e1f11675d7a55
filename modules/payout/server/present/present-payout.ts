import { dayOf, monthsAfter } from '../../../billing/server/index.ts'
import type { ComingPayout, EarningOnTheWire, PayoutOnTheWire } from '../../contract/payouts.ts'
import type { PayoutDeps } from '../keep/deps.ts'
import { byHand, payingRealm } from '../keep/deps.ts'
import type { ListedEarning } from '../keep/earning-list-store.ts'
import { sumEarnings } from '../keep/earning-store.ts'
import { findKnownPayee } from '../keep/payee-store.ts'
import type { Payout } from '../keep/payout-store.ts'
import { monthOf } from '../pay/begin-payouts.ts'
import { presentPayee } from '../payee/prepare-payee.ts'
import { readLacking } from '../payee/read-lacking.ts'

/** What the pages say of the rules beside the module's own. */
export type ToldRules = {
  readonly referralRate: number
  readonly referralMonths: number
  readonly licenseFeeRate: number
}

export function presentPayout(payout: Payout): PayoutOnTheWire {
  return {
    id: payout.id,
    month: payout.month,
    date: dayOf(payout.createdAt),
    status: payout.status,
    net_cents: payout.netCents,
    vat_cents: payout.vatCents,
    gross_cents: payout.grossCents,
    failure: payout.failure,
    settled_on: payout.settledAt === null ? null : dayOf(payout.settledAt),
    reference: payout.referenceText,
  }
}

export function presentEarning(earning: ListedEarning): EarningOnTheWire {
  const { standingCents, maturedAt } = earning
  return {
    id: earning.id,
    source: earning.source,
    date: earning.earnedOn,
    matures_on: earning.maturesOn,
    status: standingCents === 0 ? 'clawed_back' : maturedAt === null ? 'accrued' : 'matured',
    invoice: earning.number,
    line: earning.line,
    item: earning.item as EarningOnTheWire['item'],
    base_cents: earning.baseCents,
    rate: earning.rate,
    amount_cents: earning.amountCents,
    standing_cents: standingCents,
  }
}

/** S-18: what waits for the next first of a month, and what keeps it back. */
export async function presentComing(deps: PayoutDeps, told: ToldRules, userId: string): Promise<ComingPayout> {
  const { db, clock, rules, provider } = deps
  const sums = await sumEarnings(db, userId)
  const known = await findKnownPayee(db, userId, payingRealm(deps))
  return {
    on: monthsAfter(monthOf(dayOf(clock.now())), 1),
    status: 'none',
    amount_cents: sums.owed,
    accrued_cents: sums.accrued,
    reserved_cents: sums.reserved,
    paid_cents: sums.paid,
    clawed_back_cents: sums.clawedBack,
    lacks: [...(await readLacking(db, deps, userId, sums.owed))],
    payee: payingRealm(deps) === byHand ? null : presentPayee(known),
    rules: {
      minimum_cents: rules.minimumCents,
      delay_days: rules.delayDays,
      referral_rate: told.referralRate,
      referral_months: told.referralMonths,
      license_fee_rate: told.licenseFeeRate,
    },
    test: provider?.isTest ?? false,
  }
}
