import type { Clock } from '../../../kernel/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { PayoutRules } from '../../payout/server/index.ts'

/** What every use case of the module needs. Composition roots make it; nothing here is global. */
export type ReferralDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Pick<Log, 'info'>
  /** H-48: so much of what they pay without VAT, for so many months. */
  readonly rule: { readonly rate: number; readonly months: number }
  readonly payout: Pick<PayoutRules, 'delayDays'>
}
