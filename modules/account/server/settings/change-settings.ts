import type { z } from 'zod'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { findServerState, mayBeAskedFor } from '../../../capture/server/index.ts'
import { listAuthorities } from '../../../sealing/server/index.ts'
import type { Settings as WireSettings, settingsChange } from '../../contract/settings.ts'
import { notificationKinds, type NotificationKind, type Settings, type SettingsFault } from '../../domain/settings.ts'
import { lockOwn } from '../profile/change-profile.ts'
import type { AccountDeps } from '../people/deps.ts'
import { findMembership } from '../sharing/group-store.ts'
import { findPerson, setLanguage, type Person } from '../people/person-store.ts'
import { findSettings, saveSettings } from '../people/profile-store.ts'

async function eidasOf({ db, timeAuthorities = 0 }: Pick<AccountDeps, 'db' | 'timeAuthorities'>): Promise<WireSettings['eidas']> {
  const known = timeAuthorities === 0 ? [] : await listAuthorities(db)
  const qualified = known.filter(({ state }) => state === 'qualified')
  if (qualified.length === 0) {
    const reason = timeAuthorities === 0 ? 'none_configured' : known.length === 0 ? 'not_checked' : 'none_qualified'
    return { offered: false, reason, authorities: [] }
  }
  const authorities = qualified.map(({ name, provider, territory, checkedAt }) => ({
    provider: provider ?? name,
    territory: territory ?? '',
    checked_at: checkedAt.toISOString(),
  }))
  return { offered: true, reason: null, authorities }
}

function present(person: Pick<Person, 'locale'>, settings: Settings, eidas: WireSettings['eidas']): WireSettings {
  return {
    eidas,
    server_location: settings.serverLocation,
    server_id: settings.serverId,
    close_cookies: settings.closeCookies,
    eidas_timestamping: settings.eidasTimestamping,
    language: person.locale,
    notifications: settings.notifications,
  }
}

export async function readSettings(deps: Pick<AccountDeps, 'db' | 'timeAuthorities'>, actor: Actor): Promise<WireSettings> {
  const person = await findPerson(deps.db, actor.accountId)
  if (person === null) throw new DomainError('not_found', 'account.profile_not_found')
  return present(person, await findSettings(deps.db, actor.accountId), await eidasOf(deps))
}

/** Servers of a group are its members' alone; to others they do not exist. */
async function serverFault(db: Db | Tx, userId: string, settings: Settings): Promise<SettingsFault | null> {
  const { serverId, serverLocation } = settings
  if (serverLocation === 'automatic') return serverId === null ? null : 'server_not_chosen'
  if (serverId === null) return 'server_required'
  const server = /^[a-z0-9-]+$/.test(serverId) ? await findServerState(db, serverId) : null
  if (server === null || server.kind !== serverLocation) return 'server_unknown'
  return mayBeAskedFor(server, (await findMembership(db, userId))?.groupId ?? null) ? null : 'server_unknown'
}

function withChanges(
  before: Settings['notifications'],
  sent: Partial<Record<NotificationKind, boolean | undefined>>,
): Settings['notifications'] {
  const kinds = notificationKinds.map((kind) => [kind, sent[kind] ?? before[kind]] as const)
  return Object.fromEntries(kinds) as Record<NotificationKind, boolean>
}

/** @throws DomainError `account.settings_invalid` with codes by field */
export async function changeSettings(
  deps: AccountDeps,
  actor: Actor,
  body: z.infer<typeof settingsChange>,
): Promise<WireSettings> {
  const now = deps.clock.now()
  const id = actor.accountId
  const eidas = await eidasOf(deps)
  return await deps.db.transaction().execute(async (tx) => {
    const person = await lockOwn(tx, actor, id)
    const before = await findSettings(tx, id)
    const serverLocation = body.server_location ?? before.serverLocation
    const after: Settings = {
      serverLocation,
      // What was chosen for one kind of place says nothing of another.
      serverId: body.server_id !== undefined ? body.server_id : serverLocation === before.serverLocation ? before.serverId : null,
      closeCookies: body.close_cookies ?? before.closeCookies,
      eidasTimestamping: body.eidas_timestamping ?? before.eidasTimestamping,
      notifications: withChanges(before.notifications, body.notifications ?? {}),
    }
    const chosen = body.server_location !== undefined || body.server_id !== undefined
    const fault = chosen ? await serverFault(tx, id, after) : null
    if (fault !== null) throw new DomainError('invalid', 'account.settings_invalid', {}, { fields: { server_id: [fault] } })
    await saveSettings(tx, id, after)
    const locale = body.language ?? person.locale
    if (locale !== person.locale) await setLanguage(tx, id, locale)
    const data = { fields: Object.keys(body).join(' ') }
    await recordAct(tx, now, { action: 'account.changed_settings', actor, subject: { type: 'user', id }, data })
    return present({ locale }, after, eidas)
  })
}
