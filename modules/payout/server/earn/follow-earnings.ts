import type { Tx } from '../../../../platform/db/database.ts'
import { dayOf, findSettled, monthsAfter, postPayeeEntry, type Settled } from '../../../billing/server/index.ts'
import { standingOf } from '../../domain/earning.ts'
import type { PayoutDeps } from '../keep/deps.ts'
import { changeEarning, findEarning, holdPayee, listFollowed, listRipe, type EarningRow } from '../keep/earning-store.ts'

type Deps = Pick<PayoutDeps, 'db' | 'clock'>

const batch = 500
/** A direct debit that nobody had agreed to may be taken back for thirteen months (directive 2015/2366, art. 71). */
const followedMonths = 14

/**
 * What stands of an earning, and what has matured of it, into the journal: what is booked is what has matured and stands. Run twice, it says the
 * same once.
 */
async function settle(
  tx: Tx,
  deps: Deps,
  { id, userId }: Pick<EarningRow, 'id' | 'userId'>,
  stands: Settled | undefined,
): Promise<boolean> {
  await holdPayee(tx, userId)
  const earning = await findEarning(tx, id)
  const now = deps.clock.now()
  const standingCents = stands === undefined ? 0 : standingOf(earning.amountCents, stands)
  const maturedAt = earning.maturedAt ?? (earning.maturesOn <= dayOf(now) ? now : null)
  const bookedCents = maturedAt === null ? 0 : standingCents
  const isSame = standingCents === earning.standingCents && maturedAt === earning.maturedAt && bookedCents === earning.bookedCents
  if (isSame) return false
  await changeEarning(tx, id, { standingCents, bookedCents, maturedAt })
  const cents = bookedCents - earning.bookedCents
  const { source, invoiceId } = earning
  if (cents !== 0)
    await postPayeeEntry(tx, { kind: cents > 0 ? 'earning' : 'clawback', source, cents: Math.abs(cents), invoiceId }, now)
  return true
}

async function settleAll(deps: Deps, earnings: readonly EarningRow[], signal: AbortSignal): Promise<number> {
  const settled = await findSettled(
    deps.db,
    earnings.map(({ invoiceId }) => invoiceId),
  )
  const stands = new Map(settled.map((each) => [each.invoiceId, each]))
  let changed = 0
  for (const each of earnings) {
    if (signal.aborted) break
    if (await deps.db.transaction().execute(async (tx) => await settle(tx, deps, each, stands.get(each.invoiceId)))) changed += 1
  }
  return changed
}

/** Earnings whose delay is over can be paid from now on: what stands of them. @returns how many */
export async function matureEarnings(deps: Deps, signal: AbortSignal): Promise<number> {
  for (let matured = 0; ;) {
    const ripe = await listRipe(deps.db, dayOf(deps.clock.now()), batch)
    matured += await settleAll(deps, ripe, signal)
    if (ripe.length < batch || signal.aborted) return matured
  }
}

/** What was taken back or credited is taken back of what was earned by it, and given again where it is paid again. @returns how many changed */
export async function followEarnings(deps: Deps, signal: AbortSignal): Promise<number> {
  const since = monthsAfter(dayOf(deps.clock.now()), -followedMonths)
  let changed = 0
  for (let after: string | null = null; !signal.aborted;) {
    const followed = await listFollowed(deps.db, since, { after, limit: batch })
    changed += await settleAll(deps, followed, signal)
    after = followed.at(-1)?.id ?? null
    if (followed.length < batch || after === null) break
  }
  return changed
}
