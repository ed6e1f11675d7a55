import type { Locale } from '../../../../kernel/locale.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { NotificationKind } from '../../domain/settings.ts'
import { hasAccess } from '../sharing/delegation-store.ts'
import { notificationKey } from './notification-key.ts'
import { findPerson, findProvenAddress, nameOf } from '../people/person-store.ts'
import { findSettings } from '../people/profile-store.ts'

export type Notified = {
  readonly address: string
  readonly locale: Locale
  readonly name: string
  /** Under whose sign the account was made. */
  readonly brand: string
}

/** Where somebody is written to about his reports; null: his account is not open, no address of his is proven, or he wants none of these mails. */
export async function findNotified(db: Db | Tx, userId: string, kind: NotificationKind): Promise<Notified | null> {
  const person = await findPerson(db, userId)
  if (person?.status !== 'active' || !(await findSettings(db, userId)).notifications[kind]) return null
  const address = await findProvenAddress(db, userId)
  return address === null ? null : { address, locale: person.locale, name: nameOf(person), brand: person.brand }
}

/** Where somebody is written to about what concerns his account whatever he wishes; null: his account is not open, or no address of his is proven. */
export async function findReachable(db: Db | Tx, userId: string): Promise<Notified | null> {
  const person = await findPerson(db, userId)
  const address = person?.status === 'active' ? await findProvenAddress(db, userId) : null
  return person === null || address === null
    ? null
    : { address, locale: person.locale, name: nameOf(person), brand: person.brand }
}

/** Whether somebody may act in the account of another now. */
export async function mayActFor(db: Db | Tx, delegateId: string, grantorId: string, now: Date): Promise<boolean> {
  return await hasAccess(db, delegateId, grantorId, now)
}

/** Where one kind of mail is ended: the page that a reader opens, and the address that his mail program calls (RFC 8058). */
export function endingLinks(
  { secret, publicUrl }: { readonly secret: string; readonly publicUrl: string },
  { userId, kind, locale }: { readonly userId: string; readonly kind: NotificationKind; readonly locale: Locale },
): { readonly page: string; readonly oneClick: string } {
  const key = notificationKey(secret, userId, kind)
  return {
    page: `${publicUrl}/${locale}/by-mail/notifications/?key=${key}`,
    oneClick: `${publicUrl}/settings/by_mail/one_click/?key=${key}`,
  }
}
