import type { Clock } from '../../../../kernel/clock.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { isActive } from '../../../../platform/reach/people-store.ts'
import { hasBankAccount, namingOf, readPayer } from '../../../account/server/index.ts'
import { findSoldReport, lockSoldReport, type SoldReport } from '../../../evidence/server/index.ts'
import { changedSinceSent, hasEnded, identityStatusOf } from '../../../review/server/index.ts'
import { lackingOf, type Lack, type SellerFacts } from '../../domain/readiness.ts'
import type { OfferRow } from '../keep/offer-store.ts'

type Deps = { readonly db: Db | Tx; readonly secret: string; readonly clock: Clock }

/** Nobody sells under another name than that which he has proven. */
async function isRenamed(deps: Omit<Deps, 'clock'>, sellerId: string): Promise<boolean> {
  const payer = await readPayer(deps.db, sellerId)
  return payer !== null && (await changedSinceSent(deps, sellerId, namingOf(payer.values))).length > 0
}

/** Whether somebody may buy of him now: he may sign in, and is called as he has proven to be. */
export async function maySell(deps: Omit<Deps, 'clock'>, sellerId: string): Promise<boolean> {
  return (await isActive(deps.db, sellerId)) && !(await isRenamed(deps, sellerId))
}

async function sellerFactsOf(deps: Deps, sellerId: string): Promise<SellerFacts> {
  const { db, clock } = deps
  const { state, expiresOn } = await identityStatusOf(db, sellerId)
  const expired = hasEnded(expiresOn, clock.now().toISOString().slice(0, 10))
  const proven = expired ? 'expired' : (await isRenamed(deps, sellerId)) ? 'changed' : 'verified'
  return {
    identity: state === 'success' ? proven : 'not_verified',
    hasBankAccount: await hasBankAccount(db, sellerId),
  }
}

function judged(
  offer: Pick<OfferRow, 'sellerId' | 'personalDataReviewedAt'>,
  facts: SellerFacts,
  reports: readonly (SoldReport | null)[],
) {
  return lackingOf(
    facts,
    reports.map((report) => ({
      own: report?.ownerId === offer.sellerId,
      final: report?.final === true && report.seal !== null,
      trashed: report?.trashed === true,
      stored: report?.stored === true,
    })),
    offer.personalDataReviewedAt !== null,
  )
}

type Judged = Pick<OfferRow, 'sellerId' | 'personalDataReviewedAt' | 'reports'>

/** What keeps it back from being opened, as things stand. */
export async function readLacking(deps: Deps, offer: Judged): Promise<readonly Lack[]> {
  const reports = []
  for (const id of offer.reports) reports.push(await findSoldReport(deps.db, id))
  return judged(offer, await sellerFactsOf(deps, offer.sellerId), reports)
}

/** The same, with its reports held until the transaction ends. */
export async function holdLacking(tx: Tx, deps: Omit<Deps, 'db'>, offer: Judged): Promise<readonly Lack[]> {
  const reports = []
  for (const id of offer.reports.toSorted()) reports.push(await lockSoldReport(tx, id))
  return judged(offer, await sellerFactsOf({ ...deps, db: tx }, offer.sellerId), reports)
}
