import { findCountry, findSettings } from '../../../account/server/index.ts'
import { findServerState, mayBeAskedFor } from '../../../capture/server/index.ts'
import type { Db } from '../../../../platform/db/database.ts'
import type { CaptureAction } from '../../domain/action.ts'
import { findStanding } from '../../../../platform/reach/reach-store.ts'
import type { Caller } from '../own/reach-store.ts'
import { refusedOption } from './refused-options.ts'

export type StartingOptions = {
  readonly closeCookies: boolean
  /** Undefined: chosen automatically. */
  readonly server: string | undefined
  /** Of the account that asks; null: in none. */
  readonly groupId: string | null
  /** That the account says; null: it says none. Nobody's is guessed from where he calls (decision 0101). */
  readonly country: string | null
  /** E-55. */
  readonly outsideStamps: boolean
}

/**
 * What a capture begins with: what was said, and of what was left unsaid what the settings of the account say (E-53…E-55); of whom
 * somebody acts for, the settings of that account. A server that the settings name and that is not there any more is an error, never
 * another server (decision H-17).
 * @throws DomainError `evidence.options` with the field `server`: `dedicated_gone`, `chosen_gone`
 */
export async function startingOptions(
  { db }: { readonly db: Db },
  { actor }: Pick<Caller, 'actor'>,
  asked: { readonly action: CaptureAction; readonly close_cookies?: boolean | undefined; readonly server?: string | undefined },
): Promise<StartingOptions> {
  if (actor == null)
    return { closeCookies: asked.close_cookies ?? false, server: asked.server, groupId: null, country: null, outsideStamps: true }
  const { accountId } = actor
  const settings = await findSettings(db, accountId)
  const groupId = (await findStanding(db, actor))?.groupId ?? null
  const options = {
    // A setting is about captures by the robot; a visitor's session has nobody else's hand in it.
    closeCookies: asked.close_cookies ?? (asked.action === 'static' && settings.closeCookies),
    groupId,
    country: await findCountry(db, accountId),
    outsideStamps: settings.eidasTimestamping,
  }
  if (asked.server !== undefined || settings.serverLocation === 'automatic') return { ...options, server: asked.server }
  const { serverId, serverLocation } = settings
  const server = serverId === null ? null : await findServerState(db, serverId)
  if (server === null || server.kind !== serverLocation || !mayBeAskedFor(server, groupId))
    throw refusedOption('server', serverLocation === 'dedicated' ? 'dedicated_gone' : 'chosen_gone')
  return { ...options, server: server.id }
}
