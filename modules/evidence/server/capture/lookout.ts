import { delayOfCare, delayOfLook, delayOfPoll, fewEnough, mostListeners } from '../../domain/pace.ts'
import { workPayload } from '../record/evidence-changes.ts'

type Listening = { close(): Promise<void> }

/**
 * When one process looks for work: at once when it has reason to, a little after the others when all have the same, by the clock
 * else (decision 0493).
 */
export type Lookout = {
  /** Looks at once: it has room again, became ready, or may have missed what was said. */
  look(): void
  /** A look begins: what is heard from now on calls for another. */
  begin(): void
  /** Whether it is time to count the fleet, and to release what is held by nobody. */
  isCareDue(): boolean
  /** So many processes take captures. Of few, each listens. */
  countIn(takers: number): Promise<void>
  /** Resolves when it is time to look. */
  wait(): Promise<void>
  /** Hears no more. */
  deafen(): Promise<void>
}

export function createLookout(
  listen: (hear: (payload: string) => void) => Promise<Listening>,
  chance: () => number = Math.random,
): Lookout {
  let takers = 1
  let careAt = 0
  let turn: NodeJS.Timeout | undefined
  let listening: Listening | undefined
  let deaf = false
  let reason = Promise.withResolvers<void>()
  const look = () => reason.resolve()

  function hear(payload: string): void {
    if (payload !== workPayload) return
    const delay = delayOfLook(takers, chance())
    if (delay === 0) look()
    else
      turn ??= setTimeout(() => {
        turn = undefined
        look()
      }, delay)
  }

  async function close(): Promise<void> {
    const was = listening
    listening = undefined
    await was?.close()
  }

  return {
    look,
    begin() {
      reason = Promise.withResolvers()
    },
    isCareDue: () => performance.now() >= careAt,
    async countIn(count) {
      takers = count
      careAt = performance.now() + delayOfCare(takers, chance())
      if (takers > mostListeners) await close()
      else if (takers <= fewEnough && listening === undefined && !deaf) {
        const opened = await listen(hear)
        // It may have been told to stop meanwhile.
        if (deaf) await opened.close()
        else listening = opened
        // What was said before it listened.
        look()
      }
    },
    async wait() {
      const timer = setTimeout(look, delayOfPoll(chance()))
      await reason.promise
      clearTimeout(timer)
    },
    async deafen() {
      deaf = true
      clearTimeout(turn)
      await close()
    },
  }
}
