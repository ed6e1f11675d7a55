import type { z } from 'zod'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { mailedNotification } from '../../contract/settings.ts'
import type { NotificationKind } from '../../domain/settings.ts'
import type { AccountDeps } from '../people/deps.ts'
import { readNotificationKey } from './notification-key.ts'
import { findPerson, lockPerson, type Person } from '../people/person-store.ts'
import { findSettings, saveSettings } from '../people/profile-store.ts'

type Deps = Pick<AccountDeps, 'db' | 'clock' | 'secret'>
type MailedNotification = z.infer<typeof mailedNotification>

const invalid = () => new DomainError('gone', 'account.notification_link_invalid')
const isOpen = (person: Person | null): person is Person => person !== null && person.status !== 'erased'

function opened(secret: string, key: string): { readonly userId: string; readonly kind: NotificationKind } {
  const read = readNotificationKey(secret, key)
  if (read === null) throw invalid()
  return read
}

/** What the link of a mail is about. Changes nothing. @throws DomainError gone `account.notification_link_invalid` */
export async function readMailedNotification(deps: Deps, key: string): Promise<MailedNotification> {
  const { userId, kind } = opened(deps.secret, key)
  if (!isOpen(await findPerson(deps.db, userId))) throw invalid()
  return { kind, on: (await findSettings(deps.db, userId)).notifications[kind] }
}

/**
 * Turns the one kind of mail that the link is about off, or on again, without signing in. Again changes nothing.
 * @throws DomainError gone `account.notification_link_invalid`
 */
export async function changeMailedNotification(deps: Deps, key: string, on: boolean): Promise<MailedNotification> {
  const { userId, kind } = opened(deps.secret, key)
  await deps.db.transaction().execute(async (tx) => {
    if (!isOpen(await lockPerson(tx, userId))) throw invalid()
    const before = await findSettings(tx, userId)
    if (before.notifications[kind] === on) return
    await saveSettings(tx, userId, { ...before, notifications: { ...before.notifications, [kind]: on } })
    const data = { fields: `notifications.${kind}`, by: 'mail' }
    await recordAct(tx, deps.clock.now(), {
      action: 'account.changed_settings',
      actor: null,
      subject: { type: 'user', id: userId },
      data,
    })
  })
  return { kind, on }
}
