/** What tells that somebody is there: a pointer, a finger, a key, a file that is dragged over the page, or one that is pasted. */
const signs = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'keydown', 'dragenter', 'paste'] as const
const quietMs = 3000

let rest: Promise<void> | undefined

/**
 * Resolves when what a page may need later can be fetched without standing in the way of what it shows: at the first sign of somebody, else
 * some seconds after the document was loaded, in a moment in which the browser has nothing to do. Once for each document; afterwards at once.
 */
export function atRest(): Promise<void> {
  // While the build draws a page there is nobody.
  if (typeof document === 'undefined') return new Promise(() => undefined)
  rest ??= new Promise((resolve) => {
    const done = () => {
      for (const sign of signs) removeEventListener(sign, done, true)
      resolve()
    }
    for (const sign of signs) addEventListener(sign, done, { capture: true, passive: true })
    const wait = () =>
      setTimeout(() => ('requestIdleCallback' in globalThis ? requestIdleCallback(done, { timeout: quietMs }) : done()), quietMs)
    if (document.readyState === 'complete') wait()
    else addEventListener('load', wait, { once: true })
  })
  return rest
}
