/**
 * Buttons go by the display and keys by the browser's protocol, and neither waits for the other: a key could be there before the click
 * that came first. Keys wait until the page has seen the button (decision 0207); whoever points waits for nothing.
 */
import { CdpTimeout, isGone, type CdpSession } from '../../../../../platform/browser/cdp-connection.ts'
import type { Tab } from '../tabs/tab.ts'
import type { ButtonEvent } from '../tabs/watch-page.ts'

/** The clock that it goes by; tests play it. */
export type WaitingTime = {
  /** Milliseconds, monotonic. */
  now(): number
  /** Returns a function that calls it off. */
  later(ms: number, run: () => void): () => void
}

export const realTime: WaitingTime = {
  now: () => performance.now(),
  later: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

export type PointerWait = {
  /** The display is given a button, over this tab. */
  given(tab: Tab, event: ButtonEvent): void
  /** A page of the tab has seen one; null: of what it was given it will see nothing more. */
  seen(tab: Tab, event: ButtonEvent | null): void
  /** Settles when all that was given has been seen, or nobody will see it. @returns whether there was anything to wait for */
  settled(): Promise<boolean>
}

/**
 * A page whose turn has come so often since has not got the button: an open list of the browser's own took it, a menu, a drag. The display
 * and the protocol meet in the browser's main thread, which serves both in turn: each answer is a turn.
 */
const enoughAnswers = 12
/** Between two questions. */
const askEveryMs = 8
/** By how much slower than the slowest of late a button may be. */
const slower = 2
const remembered = 16
/** A page that answers nothing for so long has the button in its queue, and the key after it. */
const mostMs = 2_000
/** The same of a page that owes an answer since before. */
const mostBusyMs = 300
/** Frames that are asked beside the page. */
const mostFrames = 30

type Waiting = { readonly tab: Tab; readonly event: ButtonEvent; readonly at: number }

export function awaitPointer(time: WaitingTime): PointerWait {
  let waiting: Waiting[] = []
  let wake = Promise.withResolvers<void>()
  let delays: number[] = []
  /** Sessions that owe an answer. */
  const owing = new Map<CdpSession, Promise<void>>()

  const ask = (session: CdpSession): Promise<void> => {
    const known = owing.get(session)
    if (known !== undefined) return known
    const answer = session.send('Runtime.evaluate', { expression: '1' }, { timeoutMs: 30_000 }).then(
      () => undefined,
      // Being refused is an answer; one that is never given is none.
      (error: unknown) => (error instanceof CdpTimeout ? Promise.reject(error) : undefined),
    )
    const done = answer.finally(() => owing.delete(session))
    done.catch(() => undefined)
    owing.set(session, done)
    return done
  }
  /** Settles when the page, and each of its frames that owes nothing, has answered. */
  const round = async (tab: Tab): Promise<void> => {
    const frames = [...tab.frames.values()].slice(0, mostFrames).filter(({ session }) => !owing.has(session) && !isGone(session))
    await Promise.all([tab.session, ...frames.map(({ session }) => session)].map(ask))
  }
  const isOver = ({ tab }: Waiting): boolean => tab.crashed !== null || tab.dialog !== null || isGone(tab.session)

  return {
    given: (tab, event) => {
      waiting.push({ tab, event, at: time.now() })
    },
    seen: (tab, event) => {
      if (event === null) waiting = waiting.filter((one) => one.tab !== tab)
      else {
        // This one alone: of two processes, the later may tell first.
        const found = waiting.find((one) => one.tab === tab && one.event.kind === event.kind && one.event.button === event.button)
        if (found === undefined) return
        delays = [...delays, time.now() - found.at].slice(-remembered)
        waiting = waiting.filter((one) => one !== found)
      }
      wake.resolve()
      wake = Promise.withResolvers()
    },
    settled: async () => {
      if (waiting.length === 0) return false
      const began = time.now()
      const last = waiting.at(-1) as Waiting
      const leastMs = slower * Math.max(0, ...delays)
      const most = owing.has(last.tab.session) ? mostBusyMs : mostMs
      const patience = { isOver: false }
      const over = Promise.withResolvers<void>()
      const callOff = time.later(most, () => {
        patience.isOver = true
        over.resolve()
      })
      for (let answers = 0; waiting.length > 0 && !waiting.some(isOver) && !patience.isOver; answers += 1) {
        if (answers >= enoughAnswers && time.now() - began >= leastMs) break
        const spaced = Promise.withResolvers<void>()
        const callSpacingOff = time.later(askEveryMs, spaced.resolve)
        const answered = Promise.all([round(last.tab), spaced.promise])
        answered.catch(() => undefined)
        await Promise.race([answered.catch(() => over.promise), wake.promise, over.promise])
        callSpacingOff()
      }
      callOff()
      waiting = []
      return true
    },
  }
}
