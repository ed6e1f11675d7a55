import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

export type TestServer = {
  readonly owner: string
  readonly server: { readonly id: string; readonly kind: 'public' | 'dedicated' }
}

/** A registered capture server with one living process, as migration 0002 keeps it; called again, as it is told now. */
export async function haveServer(
  db: Db,
  id: string,
  options: {
    readonly kind?: 'public' | 'dedicated'
    readonly status?: 'starting' | 'ready' | 'set_aside' | 'stopped'
    readonly capacity?: number
    /** What its operator says. */
    readonly country?: string | null
    /** Of a dedicated one: the group that it is assigned to. */
    readonly group?: string | null
    /** Seconds until it counts as lost; negative: lost since. */
    readonly aliveSeconds?: number
  } = {},
): Promise<TestServer> {
  const { kind = 'public', status = 'ready', capacity = 1, aliveSeconds = 600, country = 'FR', group = null } = options
  const owner = `process of ${id}`
  await db
    .insertInto('capture_server')
    .values({ id, name: `Server ${id}`, kind, country, city: 'Lyon', owner_group: group })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ kind, country, owner_group: group }))
    .execute()
  const state = {
    status,
    capacity,
    differences: status === 'set_aside' ? JSON.stringify([]) : null,
    status_changed_at: sql<Date>`clock_timestamp() + make_interval(secs => least(${aliveSeconds}::double precision, 0))`,
    alive_until: sql<Date>`clock_timestamp() + make_interval(secs => ${aliveSeconds})`,
  }
  await db
    .insertInto('capture_process')
    .values({ owner, server_id: id, ...state })
    .onConflict((conflict) => conflict.column('owner').doUpdateSet(state))
    .execute()
  return { owner, server: { id, kind } }
}
