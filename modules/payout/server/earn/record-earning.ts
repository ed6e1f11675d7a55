import type { Tx } from '../../../../platform/db/database.ts'
import { addDays, dayOf } from '../../../billing/server/index.ts'
import type { Source } from '../../domain/earning.ts'
import type { PayoutRules } from '../keep/deps.ts'
import { insertEarning } from '../keep/earning-store.ts'

export type Brought = {
  readonly userId: string
  readonly source: Source
  readonly subjectId: string
  readonly invoiceId: string
  readonly line: number
  readonly baseCents: number
  readonly rate: number
  readonly amountCents: number
}

/** In the transaction of whoever knows that it was earned; told again, it is the same. @returns whether it was news */
export async function recordEarning(
  tx: Tx,
  rules: Pick<PayoutRules, 'delayDays'>,
  brought: Brought,
  now: Date,
): Promise<boolean> {
  if (brought.amountCents === 0) return false
  const earnedOn = dayOf(now)
  return await insertEarning(tx, { ...brought, earnedOn, maturesOn: addDays(earnedOn, rules.delayDays) }, now)
}
