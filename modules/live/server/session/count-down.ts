/** The visitor's time, on a clock that nobody can set; and how long a session goes on without anybody at the wheel. */
export type CountDown = {
  /** The visitor's time begins. */
  begin(): void
  /** Whether somebody steers. Without, the session ends once the grace is over. */
  steered(steered: boolean): void
  remaining(): number | null
  stop(): void
}

export function createCountDown(deps: {
  readonly sessionMs: number
  readonly graceMs: number
  /** Of what is left, in milliseconds. */
  readonly warningsMs: readonly number[]
  readonly warn: (leftMs: number) => void
  readonly end: (why: 'time' | 'viewer_gone') => void
  readonly monotonicMs?: () => number
}): CountDown {
  const now = deps.monotonicMs ?? (() => performance.now())
  let began: number | null = null
  let timers: NodeJS.Timeout[] = []
  let grace: NodeJS.Timeout | undefined
  let stopped = false
  let steered = false
  const waitForSomebody = () => {
    clearTimeout(grace)
    if (!stopped && !steered && began !== null) grace = setTimeout(() => deps.end('viewer_gone'), deps.graceMs)
  }
  return {
    begin: () => {
      if (began !== null || stopped) return
      began = now()
      timers = [
        setTimeout(() => deps.end('time'), deps.sessionMs),
        ...deps.warningsMs
          .filter((left) => left < deps.sessionMs)
          .map((left) => setTimeout(() => deps.warn(left), deps.sessionMs - left)),
      ]
      waitForSomebody()
    },
    steered: (next) => {
      steered = next
      waitForSomebody()
    },
    remaining: () => (began === null ? null : Math.max(0, Math.round(deps.sessionMs - (now() - began)))),
    stop: () => {
      stopped = true
      for (const timer of [...timers, grace]) clearTimeout(timer)
    },
  }
}
