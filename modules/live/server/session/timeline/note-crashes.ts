/** What ended by itself during a visit, and whether it came back: in the timeline at once, and for the report. */
import type { InteractiveFacts } from '../../../../capture/server/index.ts'
import type { Timeline } from './timeline.ts'

type Crash = InteractiveFacts['crashes'][number]

export type CrashNotes = {
  happened(what: Crash['what'], data: Readonly<Record<string, unknown>>): void
  recovered(what: Crash['what']): void
  /** Of that kind the last has not come back. */
  isOpen(what: Crash['what']): boolean
  facts(): readonly Crash[]
}

/** More are in the timeline. */
const mostCrashes = 200

export function noteCrashes(timeline: Timeline): CrashNotes {
  const crashes: { -readonly [M in keyof Crash]: Crash[M] }[] = []
  return {
    happened: (what, data) => {
      timeline.add('crash', { what, ...data })
      if (crashes.length < mostCrashes) crashes.push({ ms: timeline.ms(), what, recovered: false })
    },
    recovered: (what) => {
      const last = crashes.findLast((one) => one.what === what)
      if (last !== undefined) last.recovered = true
      timeline.add('crash', { what, recovered: true })
    },
    isOpen: (what) => crashes.findLast((one) => one.what === what)?.recovered === false,
    facts: () => crashes,
  }
}
