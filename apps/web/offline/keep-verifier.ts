/** Its name never changes, so that the browser finds the next one. */
export const workerFile = 'service-worker.js'

/** From now on this browser verifies without a network too. One that runs no service worker verifies as before. */
export function keepVerifier(): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.register(`/${workerFile}`, { type: 'module', updateViaCache: 'none' }).catch(() => undefined)
}
