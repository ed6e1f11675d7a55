/**
 * Whether this page still reaches its server. Measured, not believed: `navigator.onLine` knows of cables, not of servers. Whatever fails
 * without an answer says so here; the server is then asked, and asked again until it answers.
 */
export type Connection = {
  /** True from the moment that the server did not answer until it does. */
  isLost: () => boolean
  onChange: (listener: () => void) => () => void
  /** Asks the server now; true when anything came back. While it does not, it is asked again by itself. */
  check: () => Promise<boolean>
  /** Resolves once the server answers; at once when nothing is known to be lost. */
  isBack: () => Promise<void>
}

/** Milliseconds between two questions: 1, 2, 4 … 30 s. */
export const pauseAfter = (failures: number): number => Math.min(30_000, 1000 * 2 ** failures)

/**
 * @param ask whether the server answers at all; never throws
 * @param pause resolves after so many milliseconds, or sooner when the browser says that the network is back
 */
export function watchConnection(ask: () => Promise<boolean>, pause: (milliseconds: number) => Promise<void>): Connection {
  const listeners = new Set<() => void>()
  let lost: { back: Promise<void> } | null = null
  let asking: Promise<boolean> | null = null
  const change = (to: { back: Promise<void> } | null): void => {
    lost = to
    for (const listener of listeners) listener()
  }
  const askUntilItAnswers = async (): Promise<void> => {
    for (let failures = 0; ; failures += 1) {
      await pause(pauseAfter(failures))
      if (await ask()) break
    }
    change(null)
  }
  return {
    isLost: () => lost !== null,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    check() {
      if (lost !== null) return Promise.resolve(false)
      // Many calls fail at once where one network goes: they have one question.
      asking ??= ask().then((answered) => {
        asking = null
        if (!answered && lost === null) change({ back: askUntilItAnswers() })
        return answered
      })
      return asking
    },
    isBack: () => lost?.back ?? Promise.resolve(),
  }
}

/** Any answer will do, an error too: it is there. Asked where the browser takes itself for offline, too: in virtual machines and jails many do. */
const answers = async (): Promise<boolean> => {
  try {
    await fetch('/robots.txt', { method: 'HEAD', cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(10_000) })
    return true
  } catch {
    return false
  }
}

const orOnline = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    window.addEventListener('online', done)
  })

/** That of this page. */
export const connection = watchConnection(answers, orOnline)
