import { createHmac, timingSafeEqual } from 'node:crypto'
import { notificationKinds, type NotificationKind } from '../../domain/settings.ts'

const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const pattern = new RegExp(`^(${notificationKinds.join('|')})\\.(${id})\\.([A-Za-z0-9_-]{43})$`)

function signature(secret: string, userId: string, kind: NotificationKind): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['account', 'notification', userId, kind]))
    .digest('base64url')
}

/**
 * What the link of a mail carries: it turns one kind of mail of one account off and on, and opens nothing else. It never ends: a mail
 * that is read years later must still be stoppable (RFC 8058 §3.1).
 */
export function notificationKey(secret: string, userId: string, kind: NotificationKind): string {
  return `${kind}.${userId}.${signature(secret, userId, kind)}`
}

/** @returns null for a key that nobody was sent */
export function readNotificationKey(
  secret: string,
  key: string,
): { readonly userId: string; readonly kind: NotificationKind } | null {
  const [, kind, userId, given] = pattern.exec(key) ?? []
  const known = notificationKinds.find((each) => each === kind)
  if (known === undefined || userId === undefined || given === undefined) return null
  return timingSafeEqual(Buffer.from(given), Buffer.from(signature(secret, userId, known))) ? { userId, kind: known } : null
}
