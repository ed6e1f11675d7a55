import { useSyncExternalStore } from 'react'

/**
 * Who is signed in, in this browser (S-01…S-03, decision H-08): with remember-me kept in local storage, where every tab finds it,
 * else in session storage, which ends with the browser's session. Never a cookie: a forged request carries nothing.
 */
export type Session = {
  readonly token: string
  readonly userId: string
  /** By which door he came (decision H-07). */
  readonly brand: 'partner' | null
}

const key = 'probant.session'
/** Told to the other tabs when a session ends: one that was duplicated holds the same token. */
const channel = 'probant.session-ended'

/** A browser that refuses storage throws already where it is named. */
const areas = [() => sessionStorage, () => localStorage] as const

/** Where the browser refuses storage (some private windows): the session then lives as long as the page. */
let memory: string | null = null

function inArea<T>(area: () => Storage, act: (storage: Storage) => T): T | null {
  try {
    return act(area())
  } catch {
    return null
  }
}

export function parseSession(stored: string | null): Session | null {
  try {
    const { token, userId, brand } = JSON.parse(stored ?? '{}') as Readonly<Record<string, unknown>>
    return typeof token === 'string' && typeof userId === 'string'
      ? { token, userId, brand: brand === 'partner' ? brand : null }
      : null
  } catch {
    return null
  }
}

let snapshot: { stored: string | null; session: Session | null } = { stored: null, session: null }
const listeners = new Set<() => void>()

export function currentSession(): Session | null {
  const stored = areas.reduce<string | null>((found, area) => found ?? inArea(area, (each) => each.getItem(key)), null) ?? memory
  if (stored !== snapshot.stored) snapshot = { stored, session: parseSession(stored) }
  return snapshot.session
}

function write(stored: string | null, kept: (() => Storage) | null): void {
  memory = stored
  for (const area of areas) inArea(area, (each) => each.removeItem(key))
  if (stored !== null && kept !== null && inArea(kept, (each) => (each.setItem(key, stored), true)) === true) memory = null
  for (const listener of listeners) listener()
}

export function beginSession(session: Session, remember: boolean): void {
  write(JSON.stringify(session), areas[remember ? 1 : 0])
}

/** Only that session, should another have begun meanwhile. */
export function endSession(token: string): void {
  if (currentSession()?.token !== token) return
  write(null, null)
  const others = new BroadcastChannel(channel)
  // A channel has one origin, its own: the rule is about windows.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  others.postMessage(token)
  others.close()
}

/** Hears of sessions that begin and end, here and in other tabs. */
export function onSession(listener: () => void): () => void {
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key === key || event.key === null) listener()
  }
  const ended = new BroadcastChannel(channel)
  ended.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (currentSession()?.token === data) write(null, null)
  })
  listeners.add(listener)
  window.addEventListener('storage', fromOtherTab)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', fromOtherTab)
    ended.close()
  }
}

export function useSession(): Session | null {
  return useSyncExternalStore(onSession, currentSession, () => null)
}
