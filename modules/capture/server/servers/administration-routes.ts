import { toPageObject } from '../../../../kernel/page.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { route, signedIn, type Route } from '../../../../platform/http/route.ts'
import * as contract from '../../contract/administration.ts'
import type { CaptureServerState } from '../../domain/servers/capture-server.ts'
import { findServerState, pageServers } from './servers-store.ts'
import { assignServer, type AssignmentDeps } from './assign-server.ts'
import { drainServer, inviteServer, removeServer, type RemovalDeps } from './change-machine.ts'
import { pageRoleProcesses, type RoleProcess } from './machine-store.ts'
import { findAssigned, type Assigned } from './assignment-store.ts'
import { presentServer, wantedBy } from './list-servers.ts'

const nobodys: Assigned = { group: null, waiting: 0 }
const present = (server: CaptureServerState, { group, waiting }: Assigned = nobodys): contract.AssignedServer => ({
  ...presentServer(server),
  group,
  waiting,
  version: server.version,
  drained_at: server.drainedAt?.toISOString() ?? null,
  key_sha256: server.keySha256,
})

const presentProcess = (process: RoleProcess): contract.RoleProcess => ({
  id: process.id,
  roles: process.roles as contract.RoleProcess['roles'],
  host: process.host,
  version: process.version,
  server: process.serverId,
  load_per_core: process.loadPerCore,
  started_at: process.startedAt.toISOString(),
  seen_at: process.seenAt.toISOString(),
  alive: process.isAlive,
})

async function presentOne(db: Db, id: string): Promise<contract.AssignedServer> {
  const server = await findServerState(db, id)
  if (server === null) throw new DomainError('not_found', 'capture.server_unknown')
  return present(server, (await findAssigned(db, [id])).get(id))
}

/** What administrators do with capture servers (decisions 0338, 0470). */
export function serverAdministrationRoutes(deps: AssignmentDeps & RemovalDeps): Route[] {
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
      const ended = await assignServer(deps, signedIn(actor), params.id, change)
      return { ...(await presentOne(db, params.id)), ended }
    }),
    route(contract.unassignServer, async ({ actor, params, body }) => {
      const change = { from: body.group_id, to: null }
      const ended = await assignServer(deps, signedIn(actor), params.id, change)
      return { ...(await presentOne(db, params.id)), ended }
    }),
    route(contract.drainServer, async ({ actor, params }) => {
      await drainServer(deps, signedIn(actor), params.id, true)
      return await presentOne(db, params.id)
    }),
    route(contract.resumeServer, async ({ actor, params }) => {
      await drainServer(deps, signedIn(actor), params.id, false)
      return await presentOne(db, params.id)
    }),
    route(contract.removeServer, async ({ actor, params }) => await removeServer(deps, signedIn(actor), params.id)),
    route(contract.inviteServer, async ({ actor }) => {
      const { token, expiresAt } = await inviteServer(deps, signedIn(actor))
      return { token, expires_at: expiresAt.toISOString() }
    }),
    route(contract.listProcesses, async ({ query }) => {
      const page = await pageRoleProcesses(db, { limit: query.page_size, offset: (query.page - 1) * query.page_size })
      return toPageObject(contract.listProcesses.path, query, page, page.rows.map(presentProcess))
    }),
  ]
}
