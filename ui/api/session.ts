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
  /** Id of the delegation by which he acts for somebody else, in this tab alone (decision H-22). */
  readonly delegation: string | null
}

const key = 'probant.session'
const actingKey = 'probant.acting'
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

/** @param acting whose user, and the delegation's id, with a blank between */
export function parseSession(stored: string | null, acting: string | null = null): Session | null {
  try {
    const { token, userId, brand } = JSON.parse(stored ?? '{}') as Readonly<Record<string, unknown>>
    if (typeof token !== 'string' || typeof userId !== 'string') return null
    const [user, delegation = null] = acting?.split(' ') ?? []
    return { token, userId, brand: brand === 'partner' ? brand : null, delegation: user === userId ? delegation : null }
  } catch {
    return null
  }
}

let snapshot: { of: string; session: Session | null } = { of: '', session: null }
let actingMemory: string | null = null
const listeners = new Set<() => void>()

export function currentSession(): Session | null {
  const stored = areas.reduce<string | null>((found, area) => found ?? inArea(area, (each) => each.getItem(key)), null) ?? memory
  const acting = inArea(areas[0], (each) => each.getItem(actingKey)) ?? actingMemory
  const of = `${stored ?? ''}\n${acting ?? ''}`
  if (of !== snapshot.of) snapshot = { of, session: parseSession(stored, acting) }
  return snapshot.session
}

function write(stored: string | null, kept: (() => Storage) | null): void {
  memory = stored
  for (const area of areas) inArea(area, (each) => each.removeItem(key))
  if (stored !== null && kept !== null && inArea(kept, (each) => (each.setItem(key, stored), true)) === true) memory = null
  for (const listener of listeners) listener()
}

/** For somebody else from now on, or (null) for himself again. */
export function actFor(delegation: string | null): void {
  const session = currentSession()
  actingMemory = session === null || delegation === null ? null : `${session.userId} ${delegation}`
  const acting = actingMemory
  inArea(areas[0], (each) => (acting === null ? each.removeItem(actingKey) : each.setItem(actingKey, acting)))
  for (const listener of listeners) listener()
}

export function beginSession(session: Omit<Session, 'delegation'>, remember: boolean): void {
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
