import type * as NoticesParts from '@mantine/notifications'
import { loadChunk } from './chunk-failure.ts'
import type { NoticeOffer } from './offer-in-notice.ts'

/** S-06, S-07: a message and a type; the type gives the colour. */
export type NoticeType = 'success' | 'info' | 'error' | 'error-force'

/** The same error is said once in this time (decision H-14). */
const quiet = 5_000
const lastShown = new Map<string, number>()

export function isRepeat(type: NoticeType, message: string, now: number, shown: Map<string, number> = lastShown): boolean {
  if (type !== 'error') return false
  const last = shown.get(message)
  for (const [text, at] of shown) if (now - at >= quiet) shown.delete(text)
  if (last !== undefined && now - last < quiet) return true
  shown.set(message, now)
  return false
}

let wanted = false
const listeners = new Set<() => void>()
export const noticesWanted = (): boolean => wanted
export function onNoticesWanted(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows a notice, in the place of the last one about the same thing when it is named. `error-force` is always shown and stays until it is closed; errors are announced at once, the rest politely. */
export function notify(type: NoticeType, message: string, closeLabel: string, about?: string, offer?: NoticeOffer): void {
  if (isRepeat(type, message, Date.now())) return
  wanted = true
  for (const listener of listeners) listener()
  void show(type, message, closeLabel, about, offer)
}

/** Asked for once: what has come is there without a network too. */
type NoticesPart = typeof NoticesParts
let coming: Promise<Pick<NoticesPart, 'notifications'>> | null = null
function loadNotices(): Promise<Pick<NoticesPart, 'notifications'>> {
  coming ??= loadChunk(() => import('@mantine/notifications')).catch((error: unknown) => {
    coming = null
    throw error
  })
  return coming
}

/** Loads what shows notices before the first of them, for a page that must work once the network is gone. */
export function prepareNotices(): void {
  wanted = true
  for (const listener of listeners) listener()
  loadNotices().catch(() => undefined)
}

async function show(type: NoticeType, message: string, closeLabel: string, about?: string, offer?: NoticeOffer): Promise<void> {
  const { notifications } = await loadNotices()
  const bad = type === 'error' || type === 'error-force'
  if (about !== undefined) notifications.hide(about)
  const id = about ?? (offer === undefined ? undefined : crypto.randomUUID())
  const said =
    offer === undefined || id === undefined
      ? message
      : (await loadChunk(() => import('./offer-in-notice.ts'))).offerInNotice(message, offer, () => notifications.hide(id))
  notifications.show({
    ...(id === undefined ? {} : { id }),
    message: said,
    // A colour of the page's own palette; the component knows no shade by the name of the first.
    color: bad ? 'var(--bad)' : 'accent',
    // What can be taken back stays long enough to be reached with the keyboard.
    autoClose: type === 'error-force' ? false : offer !== undefined ? 20_000 : bad ? 10_000 : 6_000,
    withBorder: true,
    role: bad ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': closeLabel, size: 44 },
  })
}
