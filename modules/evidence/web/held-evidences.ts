import { useSyncExternalStore } from 'react'

/**
 * The drafts and reports that this browser holds the keys of. Without an account the key is the only link between a visitor and
 * what he asked for, so it is kept in local storage; a page open in another tab hears of changes.
 */
export type HeldEvidence = {
  readonly id: string
  readonly token: string
  readonly page_url: string
  readonly created_at: string
  /** Removed by the visitor; kept while the same key still opens another evidence (decision 0001), so that it does not come back. */
  readonly removed?: boolean
}

const key = 'probant.held'
const most = 200

function isHeld(value: unknown): value is HeldEvidence {
  if (typeof value !== 'object' || value === null) return false
  const fields = value as Readonly<Record<string, unknown>>
  return ['id', 'token', 'page_url', 'created_at'].every((name) => typeof fields[name] === 'string')
}

export function parseHeld(stored: string | null): readonly HeldEvidence[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(value) ? value.filter(isHeld) : []
  } catch {
    return []
  }
}

let snapshot: { stored: string | null; held: readonly HeldEvidence[] } = { stored: null, held: [] }
/** Kept in memory where the browser refuses storage (some private windows): the key then lives as long as the page. */
let fallback: string | null = null
const listeners = new Set<() => void>()

function read(): readonly HeldEvidence[] {
  let stored = fallback
  try {
    stored = localStorage.getItem(key) ?? fallback
  } catch {
    // Storage refused: the fallback speaks.
  }
  if (stored !== snapshot.stored) snapshot = { stored, held: parseHeld(stored) }
  return snapshot.held
}

function write(held: readonly HeldEvidence[]): void {
  const stored = JSON.stringify(held.slice(0, most))
  fallback = stored
  try {
    localStorage.setItem(key, stored)
  } catch {
    // As above.
  }
  for (const listener of listeners) listener()
}

/** Newest first; the same evidence once. */
export function hold(added: HeldEvidence): void {
  write([added, ...read().filter((held) => held.id !== added.id)])
}

/** Those that the server knows under a held key and this browser did not: a retry made elsewhere. What was removed stays removed. */
export function holdFound(found: readonly HeldEvidence[]): void {
  const known = new Set(read().map(({ id }) => id))
  const added = found.filter(({ id }) => !known.has(id))
  if (added.length > 0) write([...read(), ...added])
}

export function letGo(id: string): void {
  const removed = read().map((held) => (held.id === id ? { ...held, removed: true } : held))
  const keys = new Set(removed.filter((held) => held.removed !== true).map(({ token }) => token))
  write(removed.filter((held) => held.removed !== true || keys.has(held.token)))
}

function subscribe(listener: () => void): () => void {
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key === key || event.key === null) listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', fromOtherTab)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', fromOtherTab)
  }
}

/** In the order they came, newest first, without those that were removed. */
export function useHeldEvidences(): readonly HeldEvidence[] {
  return useSyncExternalStore(subscribe, read).filter((held) => held.removed !== true)
}

/** The key of one evidence, or null when this browser does not hold it. */
export function useEvidenceToken(id: string): string | null {
  return useHeldEvidences().find((held) => held.id === id)?.token ?? null
}
