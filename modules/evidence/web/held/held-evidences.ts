import { useSyncExternalStore } from 'react'
import { useSession } from '../../../../ui/api/session.ts'

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

/** By what right an evidence is opened: the key that this browser holds, or null: the account that is signed in. */
export type EvidenceToken = string | null

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
/** Kept in memory where the browser refuses storage (some private windows), or has no room left: the key then lives as long as the page. */
let fallback: string | null = null
let isRefused = false
const listeners = new Set<() => void>()

function read(): readonly HeldEvidence[] {
  let stored = fallback
  try {
    // What is there where no room was left is older.
    if (!isRefused) stored = localStorage.getItem(key) ?? fallback
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
    isRefused = false
  } catch {
    isRefused = true
  }
  for (const listener of listeners) listener()
}

/** Newest first; the same evidence once. What an account owns has no key to hold. */
export function hold({ token, ...added }: Omit<HeldEvidence, 'token'> & { token: EvidenceToken }): void {
  if (token !== null) write([{ ...added, token }, ...read().filter((held) => held.id !== added.id)])
}

/** Those that the server knows under a held key and this browser did not: a retry made elsewhere. What was removed stays removed. */
export function holdFound(found: readonly HeldEvidence[]): void {
  const known = new Set(read().map(({ id }) => id))
  const added = found.filter(({ id }) => !known.has(id))
  if (added.length > 0) write([...read(), ...added])
}

export const heldEvidences = read

/** The account opens from now on what this key opened. */
export function letGoKey(token: string): void {
  write(read().filter((held) => held.token !== token))
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

/** Where pages are written ahead. */
const noneHeld: readonly HeldEvidence[] = []

/** In the order they came, newest first, without those that were removed. */
export function useHeldEvidences(): readonly HeldEvidence[] {
  return useSyncExternalStore(subscribe, read, () => noneHeld).filter((held) => held.removed !== true)
}

/** Whether the browser keeps them, or the page alone knows. */
export function useIsKept(): boolean {
  return useSyncExternalStore(subscribe, () => !isRefused)
}

/** Held or signed in; undefined: neither, and nothing can be asked of this evidence (H-01). */
export function useEvidenceToken(id: string): EvidenceToken | undefined {
  const held = useHeldEvidences().find((each) => each.id === id)?.token
  return useSession() === null ? held : (held ?? null)
}
