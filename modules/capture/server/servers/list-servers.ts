import type { z } from 'zod'
import { toPageObject, type Page } from '../../../../kernel/page.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { route, type Route } from '../../../../platform/http/route.ts'
import { listCaptureServers, type CaptureServer, type captureServerListQuery } from '../../contract/servers.ts'
import type { CaptureServerState } from '../../domain/servers/capture-server.ts'
import type { PreflightDifference } from '../../domain/servers/preflight.ts'
import { pageServers, type ServerListQuery } from './servers-store.ts'

/** C-59 E-60: the public servers, and those of the group of the account that asks (decisions H-17, 0338). */
async function listServers(
  deps: { readonly db: Db },
  query: z.infer<typeof captureServerListQuery>,
  accountId: string | null,
): Promise<Page<CaptureServerState>> {
  return await pageServers(deps.db, wantedBy(query), { accountId })
}

export const wantedBy = (query: z.infer<typeof captureServerListQuery>): ServerListQuery => ({
  kind: query.kind ?? null,
  status: query.status ?? null,
  country: query.country ?? null,
  search: query.search ?? null,
  ordering: {
    by: query.ordering.replace('-', '') as 'name' | 'country' | 'load',
    direction: query.ordering.startsWith('-') ? 'desc' : 'asc',
  },
  limit: query.page_size,
  offset: (query.page - 1) * query.page_size,
})

/** What differs, by name; the values, which say much of a machine, are the operator's. The hosts that its browser spoke to are not of the machine. */
const reasonOf = (differences: readonly PreflightDifference[]): CaptureServer['reason'] => ({
  differs: differences.map(({ item }) => item),
  heard: differences.flatMap(({ item, measured }) =>
    item === 'silence' && !measured.startsWith('not measured') ? measured.split(', ') : [],
  ),
})

export function presentServer(server: CaptureServerState): CaptureServer {
  return {
    id: server.id,
    name: server.name,
    country: server.country,
    city: server.city,
    kind: server.kind,
    status: server.status,
    reason: server.differences === null ? null : reasonOf(server.differences),
    load: { running: server.running, capacity: server.capacity },
    interactive: server.interactive,
    image_digest: server.imageDigest,
    browser: server.browser,
    public_address: server.publicAddress,
    network: server.network,
    last_preflight:
      server.preflight === null
        ? null
        : { at: server.preflight.at.toISOString(), result: server.preflight.matched ? 'matched' : 'differed' },
    manifest_sha256: server.manifestSha256,
    seen_at: server.seenAt?.toISOString() ?? null,
  }
}

export function captureServerRoutes(deps: { readonly db: Db }): Route[] {
  return [
    route(listCaptureServers, async ({ query, actor }) => {
      const page = await listServers(deps, query, actor?.accountId ?? null)
      return toPageObject(listCaptureServers.path, query, page, page.rows.map(presentServer))
    }),
  ]
}
