/** Time is injected everywhere; only composition roots use the system clock. */
export type Clock = {
  /** Wall-clock instant, UTC. */
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
