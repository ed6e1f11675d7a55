/** When a part of the installation is said to work, from what was measured of it. */
import type { StatusPart } from '../../../kernel/page-status.ts'

export type PartState = 'works' | 'impaired' | 'fails' | 'off' | 'unmeasured'

export type StatusFacts = {
  readonly queue: { readonly waiting: number; readonly oldestSeconds: number | null }
  readonly capture: { readonly alive: number; readonly ready: number }
  /** Time authorities that are asked, how many answered, and when that was. */
  readonly authorities: { readonly known: number; readonly answered: number; readonly at: Date | null }
  readonly log: {
    readonly size: number
    readonly headAt: Date | null
    readonly uncovered: number
    readonly enteredAt: Date | null
  }
  readonly anchoring: {
    readonly on: boolean
    readonly waiting: number
    readonly oldestAt: Date | null
    readonly confirmedAt: Date | null
  }
  /** Mails that could not be sent yet, and since when the first. */
  readonly mail: { readonly failed: number; readonly oldestSeconds: number | null }
}

/** Work that waits longer is noticed; longer still, nobody does it. */
const lateSeconds = 120
const standsStillSeconds = 1_800
/** An entry of the log is covered by a signed head within seconds. */
const headLateMs = 600_000
/** Calendars gather some hours, then a block has to come and become deep. */
const anchorLateMs = 3 * 86_400_000
const mailLateSeconds = 3_600

const late = (seconds: number | null, impaired: number, fails: number): PartState =>
  seconds === null || seconds < impaired ? 'works' : seconds < fails ? 'impaired' : 'fails'

/** @param facts null: the database could not be asked */
export function stateOf(part: StatusPart, facts: StatusFacts | null, now: Date): PartState {
  if (part === 'web') return facts === null ? 'fails' : 'works'
  if (facts === null) return 'unmeasured'
  const since = (at: Date | null) => (at === null ? 0 : now.getTime() - at.getTime())
  switch (part) {
    case 'queue':
      return late(facts.queue.oldestSeconds, lateSeconds, standsStillSeconds)
    case 'capture':
      return facts.capture.ready === 0 ? 'fails' : facts.capture.ready < facts.capture.alive ? 'impaired' : 'works'
    case 'authorities': {
      const { known, answered } = facts.authorities
      if (known === 0) return 'unmeasured'
      return answered === known ? 'works' : answered === 0 ? 'fails' : 'impaired'
    }
    case 'log': {
      const { headAt, uncovered, enteredAt } = facts.log
      if (uncovered > 0 && since(enteredAt) > headLateMs) return 'fails'
      return headAt === null ? 'unmeasured' : 'works'
    }
    case 'anchoring': {
      const { on, waiting, oldestAt, confirmedAt } = facts.anchoring
      if (!on) return 'off'
      if (since(oldestAt) > anchorLateMs) return 'impaired'
      return waiting === 0 && confirmedAt === null ? 'unmeasured' : 'works'
    }
    // Of mail.
    default:
      return facts.mail.failed === 0 ? 'works' : late(facts.mail.oldestSeconds, 0, mailLateSeconds)
  }
}
