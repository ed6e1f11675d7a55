import { earnedOf, recordEarning } from '../../payout/server/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import { isSamePerson } from '../domain/same-person.ts'
import type { ReferralDeps } from './deps.ts'
import { findKnownPerson, listUnearned, type PaidLine } from './referee-store.ts'

const batch = 500

/** Whether both accounts are one person's: then nothing is earned. */
export async function refersHimself(db: Db, referrerId: string, refereeId: string): Promise<boolean> {
  const [referrer, referee] = [await findKnownPerson(db, referrerId), await findKnownPerson(db, refereeId)]
  return referrer !== null && referee !== null && isSamePerson(referrer, referee)
}

/**
 * H-48: of each line that was paid by somebody who was referred, its share; each once, whenever it is found. The journal of invoices is what
 * says that it is paid, so nothing of a payment that nobody told of is lost.
 * @returns how many were earned
 */
export async function accrueEarnings(deps: ReferralDeps, signal: AbortSignal): Promise<number> {
  const { db, clock, rule } = deps
  const himself = new Map<string, boolean>()
  let earned = 0
  for (let after: PaidLine | null = null; !signal.aborted;) {
    const lines: readonly PaidLine[] = await listUnearned(db, rule.months, { after, limit: batch })
    for (const line of lines) {
      const pair = `${line.referrerId} ${line.refereeId}`
      const isHimself = himself.get(pair) ?? (await refersHimself(db, line.referrerId, line.refereeId))
      himself.set(pair, isHimself)
      if (isHimself) continue
      const brought = {
        userId: line.referrerId,
        source: 'referral',
        subjectId: line.refereeId,
        invoiceId: line.invoiceId,
        line: line.line,
        baseCents: line.netCents,
        rate: rule.rate,
        amountCents: earnedOf(line.netCents, rule.rate),
      } as const
      const isNew = await db.transaction().execute(async (tx) => await recordEarning(tx, deps.payout, brought, clock.now()))
      if (isNew) earned += 1
    }
    after = lines.at(-1) ?? null
    if (lines.length < batch || after === null) break
  }
  return earned
}
