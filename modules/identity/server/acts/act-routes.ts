import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { toPageObject } from '../../../../kernel/page.ts'
import { contentDisposition } from '../../../../platform/http/answer/content-disposition.ts'
import { route, signedIn, type Route } from '../../../../platform/http/route.ts'
import * as contract from '../../contract/endpoints.ts'
import type { IdentityDeps } from '../people/deps.ts'
import { exportActs } from './export-acts.ts'
import { listAllActs, listOwnActs, verifyActsFrom, wantedOf } from './list-acts.ts'

/** The record of acts: to each his own, to administrators the whole. */
export function actRoutes(deps: IdentityDeps): Route[] {
  const sendFile = async (reply: FastifyReply, stream: Readable, name: string) =>
    await reply
      .type('text/csv; charset=utf-8; header=present')
      .header(
        'content-disposition',
        contentDisposition('attachment', `${name}-${deps.clock.now().toISOString().slice(0, 10)}.csv`),
      )
      .send(stream)
  return [
    route(contract.listOwnActs, async ({ actor, query }) => {
      const page = await listOwnActs(deps, signedIn(actor), query)
      return toPageObject(contract.listOwnActs.path, query, page, page.rows)
    }),
    route(contract.exportOwnActs, async ({ actor, query, reply }) => {
      const caller = signedIn(actor)
      const { language, ...filters } = query
      const how = { own: true, locale: language ?? caller.locale }
      const stream = await exportActs(deps, caller, { ...wantedOf(filters), accountId: caller.userId }, how)
      return await sendFile(reply, stream, 'activity')
    }),
    route(contract.listActs, async ({ query }) => {
      const page = await listAllActs(deps, query)
      return toPageObject(contract.listActs.path, query, page, page.rows)
    }),
    route(contract.exportActs, async ({ actor, query, reply }) => {
      const caller = signedIn(actor)
      const { language, ...filters } = query
      const stream = await exportActs(deps, caller, wantedOf(filters), { own: false, locale: language ?? caller.locale })
      return await sendFile(reply, stream, 'acts')
    }),
    route(contract.verifyActs, async ({ body }) => await verifyActsFrom(deps, body.from)),
  ]
}
