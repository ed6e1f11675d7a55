/**
 * X-03, K-32: after a deployment, a page opened before it asks for chunks that no longer exist. Reloading the page gets the new
 * ones; at most once a minute, so that a server that is really broken shows its error instead of a reload loop.
 */
const key = 'probant.chunk-reload'
const guard = 60_000

export function mayReload(last: string | null, now: number): boolean {
  const at = last === null ? Number.NaN : Number(last)
  return !(now - at < guard && now - at >= 0)
}

function reloadOnce(): boolean {
  try {
    const now = Date.now()
    if (!mayReload(sessionStorage.getItem(key), now)) return false
    sessionStorage.setItem(key, String(now))
  } catch {
    // Without storage there is no guard, so no reload either.
    return false
  }
  location.reload()
  return true
}

/** Loads a chunk; on failure reloads the page (and never settles) or, within the guard, lets the error show. */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if (reloadOnce()) return new Promise(() => undefined)
    throw new Error('a part of the application could not be loaded', { cause })
  }
}
