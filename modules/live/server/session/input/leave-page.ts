/**
 * Has a page answer that would keep its visitor, by what is gentle first: its dialogs closed, its script ended, the graphics process
 * that it keeps busy begun anew, its own process ended. Each step is said in the timeline.
 */
import { CdpError, CdpTimeout } from '../../../../../platform/browser/cdp-connection.ts'
import type { Tab } from '../tabs/tab.ts'
import type { Timeline } from '../timeline/timeline.ts'

export type PageLeaving = {
  /** The visitor goes elsewhere: when it settles, nothing of the page holds what comes next. */
  leave(tab: Tab): Promise<void>
  /** The visit is over: the page is to be photographed and saved, as it is, if it can be had. Its process is not ended. */
  free(tab: Tab): Promise<void>
}

/** A page that answers nothing for so long is busy with itself. */
const busyMs = 1_500
/** The same where nobody waits: a machine that is busy is no reason to end a script. */
const patientMs = 3_000
/** Seconds of the processor within the patience that tell of a page that keeps drawing. */
const leastDrawing = 0.03
/** How long the end of a page's process is waited for. */
const endMs = 8_000

export function createPageLeaving(deps: {
  readonly timeline: Timeline
  /** Seconds of the processor that drawing, and all pages together, have used. */
  readonly used: () => Promise<{ readonly graphics: number; readonly pages: number }>
  /** Ends the process that draws for every page; the browser begins it anew. */
  readonly restartGraphics: () => Promise<unknown>
  /** Whether the browser itself answers: what a page sends may come first, without end. */
  readonly browserAnswers: () => Promise<boolean>
  /** Ends the process of the page that works most, without the browser's help. @returns whether there was one */
  readonly endBusiest: () => Promise<boolean>
  readonly quietly: (work: Promise<unknown>) => void
}): PageLeaving {
  const { timeline, quietly } = deps
  const unanswered = (error: unknown): undefined => {
    if (!(error instanceof CdpTimeout || error instanceof CdpError)) throw error
    return undefined
  }
  /** Whether the page's script yields. An error is an answer. */
  const answers = async (tab: Tab, timeoutMs: number): Promise<boolean> => {
    try {
      await tab.session.send('Runtime.evaluate', { expression: '1' }, { timeoutMs })
      return true
    } catch (error) {
      if (error instanceof CdpTimeout) return tab.crashed !== null
      throw error
    }
  }
  const loosen = async (tab: Tab, patienceMs: number): Promise<boolean> => {
    if (await answers(tab, patienceMs)) return true
    const before = await deps.used().catch(unanswered)
    tab.page.scriptsEnded += 1
    timeline.add('warning', { code: 'script_ended', tab: tab.number })
    quietly(tab.session.send('Runtime.terminateExecution', {}, { timeoutMs: patienceMs }).catch(unanswered))
    if (await answers(tab, patienceMs)) return true
    // Dialogs without end keep a script beyond that, or the machine is slow: then it is not drawing that works while the pages wait for it.
    const after = await deps.used().catch(unanswered)
    if (before === undefined || after === undefined) return false
    const [drawing, working] = [after.graphics - before.graphics, after.pages - before.pages]
    if (drawing < leastDrawing || drawing < 2 * working) return false
    timeline.add('warning', { code: 'graphics_restarted', tab: tab.number })
    quietly(deps.restartGraphics().catch(unanswered))
    return await answers(tab, patienceMs)
  }
  const endPage = async (tab: Tab): Promise<void> => {
    tab.endedToLeave = true
    timeline.add('warning', { code: 'page_ended', tab: tab.number })
    const late = Promise.withResolvers<void>()
    const ended = tab.untilCrashed()
    const answered = await deps.browserAnswers()
    // It went by itself meanwhile: whoever is ended now is another.
    if (tab.crashed !== null) return
    // An order that the browser comes to late would end the next page.
    const outside = !answered && (await deps.endBusiest())
    // It never answers: whoever would is gone.
    if (!outside) quietly(tab.session.send('Page.crash', {}, { timeoutMs: endMs }).catch(unanswered))
    const timer = setTimeout(late.resolve, endMs)
    await Promise.race([ended, late.promise])
    clearTimeout(timer)
  }
  return {
    leave: async (tab) => {
      if (tab.crashed !== null) return
      if (tab.dialog !== null) {
        tab.leaving = true
        quietly(tab.session.send('Page.handleJavaScriptDialog', { accept: tab.dialog.type === 'beforeunload' }))
      }
      // As a visitor's task manager would.
      if (!(await loosen(tab, busyMs))) await endPage(tab)
    },
    free: async (tab) => {
      if (tab.crashed === null && tab.dialog === null) await loosen(tab, patientMs)
    },
  }
}
