import { DomainError } from '../../../kernel/errors.ts'
import { toPageObject } from '../../../kernel/page.ts'
import { route, signedIn, type Route } from '../../../platform/http/route.ts'
import { addDays } from '../../billing/server/index.ts'
import { listReferees, readReferee, type RefereeOnTheWire } from '../contract/referees.ts'
import { maskAddress } from '../domain/mask-address.ts'
import { refersHimself } from './accrue-earnings.ts'
import type { ReferralDeps } from './deps.ts'
import { findReferee, pageReferees, sumEarned, type RefereeRow } from './referee-store.ts'

async function present({ db }: ReferralDeps, referrerId: string, row: RefereeRow): Promise<RefereeOnTheWire> {
  return {
    id: row.id,
    email: row.email === null ? null : maskAddress(row.email),
    registered_at: row.registeredAt.toISOString(),
    evidences: row.evidences,
    documents: row.documents,
    subscribed_on: row.subscribedOn,
    plan: row.plan as RefereeOnTheWire['plan'],
    earned_cents: row.earned,
    earns_until: row.until === null ? null : addDays(row.until, -1),
    refused: (await refersHimself(db, referrerId, row.id)) ? 'same_person' : null,
  }
}

/** C-56, C-57. */
export function referralRoutes(deps: ReferralDeps): Route[] {
  const { db, rule } = deps
  return [
    route(listReferees, async ({ query, actor }) => {
      const { accountId } = signedIn(actor)
      const place = { limit: query.page_size, offset: (query.page - 1) * query.page_size }
      const page = await pageReferees(db, accountId, rule.months, place)
      const results: RefereeOnTheWire[] = []
      for (const each of page.rows) results.push(await present(deps, accountId, each))
      return { ...toPageObject(listReferees.path, query, page, results), rule, earned_cents: await sumEarned(db, accountId) }
    }),
    route(readReferee, async ({ params, actor }) => {
      const { accountId } = signedIn(actor)
      const row = await findReferee(db, accountId, rule.months, params.id)
      if (row === null) throw new DomainError('not_found', 'referral.unknown')
      return { ...(await present(deps, accountId, row)), rule }
    }),
  ]
}
