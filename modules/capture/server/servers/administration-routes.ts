import { toPageObject } from '../../../../kernel/page.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { route, signedIn, type Route } from '../../../../platform/http/route.ts'
import * as contract from '../../contract/administration.ts'
import type { CaptureServerState } from '../../domain/servers/capture-server.ts'
import { findServerState, pageServers } from './servers-store.ts'
import { assignServer, type AssignmentDeps } from './assign-server.ts'
import { findAssigned, type Assigned } from './assignment-store.ts'
import { presentServer, wantedBy } from './list-servers.ts'

const nobodys: Assigned = { group: null, waiting: 0 }
const present = (server: CaptureServerState, { group, waiting }: Assigned = nobodys): contract.AssignedServer => ({
  ...presentServer(server),
  group,
  waiting,
})

async function presentAfter(db: Db, id: string, ended: number): Promise<contract.Assignment> {
  const server = await findServerState(db, id)
  if (server === null) throw new DomainError('not_found', 'capture.server_unknown')
  return { ...present(server, (await findAssigned(db, [id])).get(id)), ended }
}

/** What administrators do with capture servers (decision 0338). */
export function serverAdministrationRoutes(deps: AssignmentDeps): Route[] {
  const { db } = deps
  return [
    route(contract.listAssignedServers, async ({ query }) => {
      const page = await pageServers(db, wantedBy(query), 'all')
      const assigned = await findAssigned(
        db,
        page.rows.map(({ id }) => id),
      )
      const results = page.rows.map((server) => present(server, assigned.get(server.id)))
      return toPageObject(contract.listAssignedServers.path, query, page, results)
    }),
    route(contract.assignServer, async ({ actor, params, body }) => {
      const change = { from: body.instead_of, to: body.group_id }
      return await presentAfter(db, params.id, await assignServer(deps, signedIn(actor), params.id, change))
    }),
    route(contract.unassignServer, async ({ actor, params, body }) => {
      const change = { from: body.group_id, to: null }
      return await presentAfter(db, params.id, await assignServer(deps, signedIn(actor), params.id, change))
    }),
  ]
}
