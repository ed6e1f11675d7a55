import { randomUUIDv7 } from 'node:crypto'
import type { Actor } from '../../../../kernel/actor.ts'
import type { BodyOf } from '../../../../kernel/endpoint.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { findSoldReport } from '../../../evidence/server/index.ts'
import type { changeOffer, createOffer } from '../../contract/offers.ts'
import { assertFollows, offerTransitions } from '../../domain/status.ts'
import { recordLicensingAct } from '../keep/acts.ts'
import type { LicensingDeps } from '../keep/deps.ts'
import { countPlaces } from '../keep/license-store.ts'
import { changeOfferRow, findOffer, insertOffer, lockOffer, type OfferRow } from '../keep/offer-store.ts'
import { refreshSale } from '../keep/refresh-sale.ts'
import { hashOfToken, newNonce, saleTokenOf } from '../keep/tokens.ts'
import { holdLacking } from './read-lacking.ts'
import { ownOffer } from './own-offer.ts'

type Deps = Pick<LicensingDeps, 'db' | 'clock' | 'secret'>

/** A draft. What keeps it back from being opened is told, and keeps back nothing yet. @throws DomainError `licensing.report_unknown` */
export async function prepareOffer(deps: Deps, actor: Actor, body: BodyOf<typeof createOffer>): Promise<OfferRow> {
  const [id, nonce, now] = [randomUUIDv7(), newNonce(), deps.clock.now()]
  return await deps.db.transaction().execute(async (tx) => {
    const reports = [...new Set(body.evidences.map((each) => each.toLowerCase()))]
    for (const report of reports) {
      // Of a group others manage it too; who sells is he whose it is, since his identity and bank account stand behind it.
      if ((await findSoldReport(tx, report))?.ownerId !== actor.accountId)
        throw new DomainError('not_found', 'licensing.report_unknown')
    }
    await insertOffer(tx, {
      id,
      sellerId: actor.accountId,
      createdBy: actor.userId,
      priceCents: body.price_cents,
      description: body.description,
      most: body.most,
      nonce,
      tokenHash: hashOfToken(saleTokenOf(deps.secret, { id, nonce })),
      personalDataReviewedAt: body.personal_data_reviewed ? now : null,
      createdAt: now,
      reports,
    })
    await recordLicensingAct(tx, now, 'offer_prepared', actor, id, { reports: reports.length })
    return ownOffer(await findOffer(tx, id), actor.accountId)
  })
}

/**
 * Changes what it says, then opens or stops it: all of it, or nothing.
 * @throws DomainError `licensing.offer_unknown`, `licensing.offer_not_ready`, `licensing.most_sold`, `licensing.illegal_transition`
 */
export async function amendOffer(
  deps: Deps,
  actor: Actor,
  id: string,
  { status, ...said }: BodyOf<typeof changeOffer>,
): Promise<OfferRow> {
  return await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    const before = ownOffer(await lockOffer(tx, id), actor.accountId)
    if (before.status === 'stopped') {
      if (status === 'stopped' && Object.keys(said).length === 0) return before
      throw new DomainError('conflict', 'licensing.offer_stopped')
    }
    if (said.most != null) await refuseFewer(tx, id, said.most)
    await changeOfferRow(tx, id, {
      ...(said.price_cents === undefined ? {} : { priceCents: said.price_cents }),
      ...(said.description === undefined ? {} : { description: said.description }),
      ...(said.most === undefined ? {} : { most: said.most }),
      ...reviewed(before, said.personal_data_reviewed, now),
    })
    const changed = ownOffer(await findOffer(tx, id), actor.accountId)
    if (status === undefined || status === before.status) {
      // Open, it goes on being what could be opened.
      if (changed.status === 'open') await refuseLacking(tx, deps, changed)
      await recordLicensingAct(tx, now, 'offer_changed', actor, id)
      return changed
    }
    assertFollows(offerTransitions, before.status, status)
    if (status === 'open') await refuseLacking(tx, deps, changed)
    await changeOfferRow(tx, id, { status, ...(status === 'open' ? { openedAt: now } : { stoppedAt: now }) })
    // A draft that is thrown away was nothing to its reports.
    if (before.status === 'open' || status === 'open') await refreshSale(tx, changed.reports)
    await recordLicensingAct(tx, now, status === 'open' ? 'offer_opened' : 'offer_stopped', actor, id)
    return ownOffer(await findOffer(tx, id), actor.accountId)
  })
}

function reviewed(before: OfferRow, said: boolean | undefined, now: Date): { personalDataReviewedAt?: Date | null } {
  if (said === undefined) return {}
  return { personalDataReviewedAt: said ? (before.personalDataReviewedAt ?? now) : null }
}

async function refuseFewer(tx: Parameters<typeof countPlaces>[0], id: string, most: number): Promise<void> {
  const { sold, kept } = await countPlaces(tx, id)
  if (most < sold + kept) throw new DomainError('conflict', 'licensing.most_sold', { count: sold + kept })
}

async function refuseLacking(
  tx: Parameters<typeof holdLacking>[0],
  deps: Parameters<typeof holdLacking>[1],
  offer: OfferRow,
): Promise<void> {
  const lacking = await holdLacking(tx, deps, offer)
  if (lacking.length > 0) throw new DomainError('conflict', 'licensing.offer_not_ready', { lacking: lacking.join(', ') })
}
