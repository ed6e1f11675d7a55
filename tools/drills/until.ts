import { setTimeout as wait } from 'node:timers/promises'

/** @returns after how many milliseconds it was so @throws Error when it did not come */
export async function until(what: string, isSo: () => Promise<boolean>, patienceMs = 300_000): Promise<number> {
  const began = performance.now()
  for (;;) {
    if (await isSo().catch(() => false)) return performance.now() - began
    if (performance.now() - began > patienceMs) throw new Error(`it did not come: ${what}`)
    await wait(100)
  }
}
