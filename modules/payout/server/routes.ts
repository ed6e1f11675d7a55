import { DomainError } from '../../../kernel/errors.ts'
import { toPageObject } from '../../../kernel/page.ts'
import { route, signedIn, type Route } from '../../../platform/http/route.ts'
import { listEarnings, listPayouts, preparePayee as preparing, readPaper, readPayout } from '../contract/payouts.ts'
import { payoutAdministrationRoutes } from './admin/routes.ts'
import type { PayoutDeps } from './keep/deps.ts'
import { pageEarnings } from './keep/earning-list-store.ts'
import { findPayout, pagePayouts } from './keep/payout-store.ts'
import { partsOf } from './paper/parts-of.ts'
import { sendPaper } from './paper/send-paper.ts'
import { preparePayee } from './payee/prepare-payee.ts'
import { presentComing, presentEarning, presentPayout, type ToldRules } from './present/present-payout.ts'

const paged = (query: { readonly page: number; readonly page_size: number }) => ({
  limit: query.page_size,
  offset: (query.page - 1) * query.page_size,
})

/** C-54, C-55. */
export function payoutRoutes(deps: PayoutDeps & { readonly told: ToldRules }): Route[] {
  const { db, told } = deps
  return [
    route(listPayouts, async ({ query, actor }) => {
      const { accountId } = signedIn(actor)
      const page = await pagePayouts(db, accountId, paged(query))
      const coming = await presentComing(deps, told, accountId)
      return { ...toPageObject(listPayouts.path, query, page, page.rows.map(presentPayout)), coming }
    }),
    route(readPayout, async ({ params, actor }) => {
      const payout = await findPayout(db, params.id)
      if (payout === null || payout.userId !== signedIn(actor).accountId) throw new DomainError('not_found', 'payout.unknown')
      return { ...presentPayout(payout), ...(await partsOf(db, payout)) }
    }),
    route(readPaper, async ({ params, query, actor, request, reply }) => {
      const asked = { id: params.id, kind: query.document, language: query.language ?? null }
      return await sendPaper(deps, signedIn(actor).accountId, asked, { request, reply })
    }),
    route(preparing, async ({ body, actor }) => await preparePayee(deps, signedIn(actor), body.return_to)),
    ...payoutAdministrationRoutes(deps),
    route(listEarnings, async ({ query, actor }) => {
      const page = await pageEarnings(db, signedIn(actor).accountId, paged(query))
      return toPageObject(listEarnings.path, query, page, page.rows.map(presentEarning))
    }),
  ]
}
