import { connection } from '../api/connection.ts'

/**
 * X-03, K-32: after a deployment, a page opened before it asks for chunks that no longer exist. Reloading the page gets the new
 * ones; at most once a minute, so that a server that is really broken shows its error instead of a reload loop. Without a network
 * nothing is reloaded: the page would be the browser's own, and what was typed gone. It waits, and goes on by itself.
 */
const key = 'probant.chunk-reload'
const guard = 60_000

export function mayReload(last: string | null, now: number): boolean {
  const at = last === null ? Number.NaN : Number(last)
  return !(now - at < guard && now - at >= 0)
}

/** @returns what reloads, and says whether it does: several parts that are gone at once have one reload */
export function makeReload(storage: () => Pick<Storage, 'getItem' | 'setItem'>, reload: () => void): () => boolean {
  let going = false
  return () => {
    if (going) return true
    try {
      const now = Date.now()
      if (!mayReload(storage().getItem(key), now)) return false
      storage().setItem(key, String(now))
    } catch {
      // Without storage there is no guard, so no reload either.
      return false
    }
    going = true
    reload()
    return true
  }
}

/** When the page was last about to be left, and for how long that may have been why something did not come: a server may be slow. */
let leftAt = Number.NEGATIVE_INFINITY
const leaving = 60_000

/** On which page something was typed that is kept nowhere else. Fields whose text outlives the page say so: `data-kept`. */
let typedAt: string | null = null
let stale = false
const listeners = new Set<() => void>()

/** From now on the page knows whether a reload would lose what was typed (another page begins empty), and when it is left. */
export function watchPage(): void {
  addEventListener('beforeunload', () => (leftAt = performance.now()))
  document.addEventListener(
    'input',
    ({ target }) => {
      if (!(target instanceof HTMLElement) || target.dataset['kept'] === undefined) typedAt = location.pathname
    },
    { capture: true },
  )
}

/** A part of the page is gone from the server, and reloading would lose what was typed: the visitor chooses when. */
export const isStale = (): boolean => stale
export function onStale(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What a page does about a chunk that did not come. Each returns whether it did it. */
export type Remedies = {
  /** Where the network is known to be gone, waits for it. */
  whenThere(): Promise<void>
  reachable(): Promise<boolean>
  isBack(): Promise<void>
  /** Whether the page is being left, or loaded anew. */
  isLeaving(): boolean
  /** Once it turns out that it was not. */
  stays(): Promise<void>
  isTyped(): boolean
  ask(): void
  reload(): boolean
}

const ofThisPage: Remedies = {
  async whenThere() {
    // Outside a browser nobody knows.
    if (!((navigator.onLine as boolean | undefined) ?? true)) await connection.check()
    await connection.isBack()
  },
  reachable: () => connection.check(),
  isBack: () => connection.isBack(),
  isLeaving: () => performance.now() - leftAt < leaving,
  stays: () => new Promise((resolve) => void setTimeout(resolve, leaving)),
  isTyped: () => typedAt === location.pathname,
  ask() {
    stale = true
    for (const listener of listeners) listener()
  },
  reload: makeReload(
    () => sessionStorage,
    () => location.reload(),
  ),
}

/**
 * Loads a chunk. Without a network it waits for it, then loads again; what failed just as the network came
 * back is asked for once more. Firefox gives up what a page still loads as soon as it is left or loaded anew, while the page
 * lives on to see it: that is no failure. Called once for each chunk: what has come already would wait for the network too. Where the
 * chunk is gone it reloads the page (and never settles), or asks to when something was typed, or, within the guard, lets the error show.
 */
export async function loadChunk<T>(load: () => Promise<T>, remedies: Remedies = ofThisPage): Promise<T> {
  for (let isAgain = false; ;) {
    // Some browsers remember that a module did not come, and never ask for it again (Chromium 150; not 156).
    await remedies.whenThere()
    try {
      return await load()
    } catch (cause) {
      if (remedies.isLeaving()) {
        await remedies.stays()
        continue
      }
      if (!(await remedies.reachable())) {
        await remedies.isBack()
        continue
      }
      if (!isAgain) {
        isAgain = true
        continue
      }
      if (remedies.isTyped()) {
        remedies.ask()
        return new Promise(() => undefined)
      }
      if (remedies.reload()) return new Promise(() => undefined)
      throw new Error('a part of the application could not be loaded', { cause })
    }
  }
}
