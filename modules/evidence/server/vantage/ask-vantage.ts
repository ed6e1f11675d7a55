import { listServerStates, mayBeAskedFor } from '../../../capture/server/index.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { EvidenceDeps } from '../record/deps.ts'

const refused = (code: string) => new DomainError('invalid', 'evidence.options', {}, { fields: { second_server: [code] } })

/** What a visitor may wish for beside a server's id: any public one but the first. */
export const automaticServer = 'automatic'

/**
 * The server of the second vantage as it is kept: an id, or null for any other public one; undefined when none is asked for.
 * @param first the server asked for the capture itself; null: chosen automatically
 * @param groupId of the account that asks; null: in none
 * @throws DomainError `evidence.options` with the field `second_server`: `unknown`, `same_server`, or `no_second_server` when
 * this installation has no other server that could make it
 */
export async function vantageAsked(
  deps: EvidenceDeps,
  wish: string | undefined,
  first: string | null,
  groupId: string | null,
): Promise<string | null | undefined> {
  if (wish === undefined) return undefined
  const servers = await listServerStates(deps.db)
  const gone = new Set(['lost', 'stopped'])
  const others = (id: string | null) =>
    servers.filter((server) => server.id !== id && server.kind === 'public' && !gone.has(server.status))
  if (wish === automaticServer) {
    // Without a wish for the first, that takes one of the public ones itself.
    if (others(first).length < (first === null ? 2 : 1)) throw refused('no_second_server')
    return null
  }
  const known = servers.find((server) => server.id === wish)
  if (known === undefined || !mayBeAskedFor(known, groupId)) throw refused('unknown')
  if (known.id === first) throw refused('same_server')
  if (gone.has(known.status) || (first === null && others(known.id).length === 0)) throw refused('no_second_server')
  return known.id
}
