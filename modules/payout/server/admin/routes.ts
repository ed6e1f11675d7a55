import type { z } from 'zod'
import { DomainError } from '../../../../kernel/errors.ts'
import { toPageObject } from '../../../../kernel/page.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { proven, route, signedIn, type Route } from '../../../../platform/http/route.ts'
import { readDebitedAccount } from '../../../account/server/index.ts'
import { dayOf } from '../../../billing/server/index.ts'
import {
  listAllPayouts,
  readAnyPaper,
  readAnyPayout,
  readPayTo,
  settlePayout,
  type adminPayout,
} from '../../contract/administration.ts'
import { byHand, type PayoutDeps } from '../keep/deps.ts'
import { findPayout, type Payout } from '../keep/payout-store.ts'
import { partsOf } from '../paper/parts-of.ts'
import { sendPaper } from '../paper/send-paper.ts'
import { settleByHand } from '../pay/settle-by-hand.ts'
import { presentPayout } from '../present/present-payout.ts'
import { findName, pageAllPayouts } from './admin-store.ts'

async function present({ db }: Pick<PayoutDeps, 'db'>, payout: Payout): Promise<z.input<typeof adminPayout>> {
  const { userId, realm } = payout
  return { ...presentPayout(payout), user_id: userId, name: await findName(db, userId), by_hand: realm === byHand }
}

async function read({ db }: Pick<PayoutDeps, 'db'>, id: string): Promise<Payout> {
  const payout = await findPayout(db, id)
  if (payout === null) throw new DomainError('not_found', 'payout.unknown')
  return payout
}

/** What is paid by hand is seen and settled by administrators; each account that is shown, and each word of theirs, is in the record of acts. */
export function payoutAdministrationRoutes(deps: PayoutDeps): Route[] {
  const { db, clock } = deps
  return [
    route(listAllPayouts, async ({ query }) => {
      const place = { limit: query.page_size, offset: (query.page - 1) * query.page_size }
      const page = await pageAllPayouts(db, { status: query.status ?? null, ...place })
      const results = []
      for (const id of page.rows) results.push(await present(deps, await read(deps, id)))
      return toPageObject(listAllPayouts.path, query, page, results)
    }),
    route(readAnyPayout, async ({ params }) => {
      const payout = await read(deps, params.id)
      const { returnedAt } = payout
      const returned = returnedAt === null ? null : dayOf(returnedAt)
      return { ...(await present(deps, payout)), ...(await partsOf(db, payout)), returned_on: returned }
    }),
    route(readAnyPaper, async ({ params, query, request, reply }) => {
      const asked = { id: params.id, kind: query.document, language: query.language ?? null }
      return await sendPaper(deps, null, asked, { request, reply })
    }),
    route(readPayTo, async ({ params, actor }) => {
      const payout = await read(deps, params.id)
      const account = await readDebitedAccount(deps, payout.userId)
      if (account?.type !== 'IBAN') throw new DomainError('conflict', 'payout.account_gone')
      const subject = { type: 'payout', id: payout.id }
      await db.transaction().execute(async (tx) => {
        await recordAct(tx, clock.now(), { action: 'payout.account_seen', actor: signedIn(actor), subject })
      })
      return {
        owner_name: account.owner_name ?? '',
        iban: account.iban ?? '',
        bic: account.bic ?? null,
        amount_cents: payout.grossCents,
        reference: payout.referenceText,
      }
    }),
    route(settlePayout, async ({ params, body, actor }) => {
      const by = proven(actor)
      return await settleByHand(deps, by, params.id, body)
    }),
  ]
}
