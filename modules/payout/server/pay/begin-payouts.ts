import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../../../../platform/db/database.ts'
import { dayOf, vatOf } from '../../../billing/server/index.ts'
import { readParty, readVat } from '../bill/read-party.ts'
import { byHand, payingRealm, type PayoutDeps } from '../keep/deps.ts'
import { holdPayee, listOwed, listPayable } from '../keep/earning-store.ts'
import { findPayoutOfMonth, insertPayout, isRunOver, noteRun, sumHeld } from '../keep/payout-store.ts'
import { readLacking } from '../payee/read-lacking.ts'

const batch = 200
/** Whoever begins it asks at once: this is for one who is killed meanwhile. */
const firstAskMs = 60_000
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** `PBT-7K2M94QX3B`: without letters that are taken for each other. */
const drawReference = (): string => `PBT-${[...randomBytes(10)].map((byte) => letters[byte % 32]).join('')}`

export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`

/**
 * Reserves what somebody is owed, with the keys under which it will be asked for, before anybody is: killed afterwards, it is found and gone on with;
 * run twice, the second finds it there.
 * @returns its id; null: there is nothing to pay, or something keeps it back
 */
export async function beginPayout(tx: Tx, deps: PayoutDeps, userId: string, month: string): Promise<string | null> {
  await holdPayee(tx, userId)
  if ((await findPayoutOfMonth(tx, userId, month)) !== null) return null
  const owed = await listOwed(tx, userId, month)
  const netCents = owed.reduce((sum, { cents }) => sum + cents, 0)
  const lacks = await readLacking(tx, deps, userId, netCents)
  if (lacks.length > 0) return null
  const payee = await readParty(tx, userId)
  if (payee === null) return null
  const vat = await readVat(tx, userId, payee)
  const vatCents = vatOf(netCents, vat.rate)
  const realm = payingRealm(deps)
  const now = deps.clock.now()
  const id = randomUUIDv7()
  const heldCents = realm === byHand ? 0 : Math.min(netCents + vatCents, await sumHeld(tx, userId, realm))
  const payout = {
    id,
    userId,
    month,
    netCents,
    vatTreatment: vat.treatment,
    vatCents,
    realm,
    referenceText: drawReference(),
    grantKey: randomUUID(),
    payoutKey: randomUUID(),
    heldCents,
    payee,
    payeeSalt: randomBytes(32),
  }
  await insertPayout(tx, payout, owed, { now, askAt: realm === byHand ? null : new Date(now.getTime() + firstAskMs) })
  return id
}

/**
 * K-17: on the first of each month in Paris, all that matured by then. What a worker that was down missed is made up for, until all of that month's are
 * begun; whoever becomes payable later waits for the next.
 * @returns those that were begun now
 */
export async function beginPayouts(deps: PayoutDeps, signal: AbortSignal): Promise<readonly string[]> {
  const { db, clock } = deps
  const month = monthOf(dayOf(clock.now()))
  const begun: string[] = []
  if (await isRunOver(db, month)) return begun
  for (let after: string | null = null; ;) {
    if (signal.aborted) return begun
    const payable = await listPayable(db, month, { after, limit: batch })
    for (const userId of payable) {
      const id = await db.transaction().execute(async (tx) => await beginPayout(tx, deps, userId, month))
      if (id !== null) begun.push(id)
    }
    after = payable.at(-1) ?? null
    if (payable.length < batch || after === null) break
  }
  await noteRun(db, month, begun.length, clock.now())
  return begun
}
