/** The end of a visit: the page in front photographed and saved once more, without anybody asking. */
import { BrowserGone, CdpError, CdpTimeout } from '../../../../platform/browser/cdp-connection.ts'
import {
  CaptureFailure,
  type CapturedFile,
  type PageObservation,
  type ActionLog,
  type ObservedRequest,
  observePage,
  type CaptureSession,
  type PageState,
  mostSheets,
  saveDom,
  saveMhtml,
  savePdf,
  untouched,
  type ShowDeps,
  type ShownPage,
} from '../../../capture/server/index.ts'
import type { InteractiveInput } from './visit-input.ts'
import type { SteeredBrowser } from '../session/tabs/steered-browser.ts'
import type { Tab } from '../session/tabs/tab.ts'
import type { Timeline } from '../session/timeline/timeline.ts'
import type { Visit } from './visit-pages.ts'

export type FinishedPages = {
  readonly shown: ShownPage
  readonly page: PageState
  /** False: nothing could be read of the page in front. */
  readonly seen: boolean
  readonly document: ObservedRequest | undefined
  /** ERR_… of the certificate of the page in front. */
  readonly certificateError: string | null
}

const nothingSeen: PageObservation & { readonly title: string } = {
  title: '',
  language: '',
  heading: '',
  textLength: 0,
  textStart: '',
  mediaCount: 0,
  images: { total: 0, missing: [] },
  backgrounds: [],
  passwordFields: 0,
  identifierFields: 0,
  otherFields: 0,
  asksToLogIn: false,
  links: 0,
  frames: [],
  challengeMarks: [],
  consentShare: 0,
  consentText: '',
  consentButtons: false,
  loginShare: 0,
  paywall: { share: 0, text: '', declared: false, words: false },
  loading: { skeletonShare: 0, spinners: 0 },
  innerScroll: { visible: 0, height: 0 },
  pageWidth: 0,
  allSeen: false,
}

export async function finishPages(
  visit: Visit,
  deps: {
    readonly input: InteractiveInput
    readonly session: CaptureSession<SteeredBrowser>
    readonly signal: AbortSignal
    readonly progress: ShowDeps['progress']
    readonly actions: ActionLog
    readonly timeline: Timeline
  },
): Promise<FinishedPages> {
  const { input, actions, signal } = deps
  const { tabs } = deps.session.stage
  const { limits, workDir } = input
  const tab = visit.endedBy === 'browser_gone' ? null : tabs.active()
  const missing: { url: string; reason: string }[] = []
  const lack = (path: string, reason: unknown) => {
    actions.add('not_saved', { path, reason: String(reason).slice(0, 200) })
    missing.push({ url: path, reason: 'artefact_missing' })
  }
  if (tab?.dialog != null) await dismissDialog(tab, deps.timeline)

  const viewport = await visit.shots.take(tab, 'viewport', true)
  if (typeof viewport !== 'object') lack('capture/viewport.png', viewport)
  else visit.running.send({ type: 'screenshot', id: null, screenshot: viewport.screenshot })
  signal.throwIfAborted()
  const whole = await visit.shots.take(tab, 'full_page', true)
  if (typeof whole !== 'object') lack('capture/full-page-001.png', whole)
  else visit.running.send({ type: 'screenshot', id: null, screenshot: whole.screenshot })
  const [window, full] = [typeof viewport === 'object' ? viewport.shots : null, typeof whole === 'object' ? whole.shots : null]

  deps.progress('completing', 'save')
  const seen = tab === null ? null : await readSafely(() => observePage(tab.session))
  const saved: CapturedFile[] = []
  const bounds = {
    sheets: mostSheets(limits.maxHeight, (full?.capturedHeight ?? 0) < (full?.pageHeight ?? 0)),
    timeoutMs: Math.min(60_000, limits.totalMs / 4),
  }
  for (const [name, save] of [
    ['page.mhtml', saveMhtml],
    ['dom.html', saveDom],
    ['page.pdf', savePdf],
  ] as const) {
    signal.throwIfAborted()
    const path = `capture/${name}`
    const file = tab === null ? null : await readSafely(() => save(tab.session, workDir, bounds))
    if (file === null) lack(path, tab === null ? visit.endedBy : 'no_answer')
    else {
      saved.push(file)
      actions.add('saved', { path })
    }
  }
  const last = tab ?? tabs.active() ?? tabs.everyone().at(-1) ?? tabs.first
  return {
    page: last.page,
    seen: seen !== null,
    certificateError: last.certificateError,
    document: deps.session.page.observation.requests.findLast(({ requestId }) => requestId === last.loader),
    shown: {
      loadTimedOut: false,
      stillGrowing: false,
      shots: {
        // Those that stand for the session's end; the visitor's own are pieces of their own.
        files: [],
        images: [...(window?.images ?? []), ...(full?.images ?? [])],
        viewportPng: window?.png ?? Buffer.alloc(0),
        pageHeight: full?.pageHeight ?? 0,
        capturedHeight: full?.capturedHeight ?? 0,
      },
      seen: seen ?? { ...nothingSeen, title: last.title },
      saved,
      missing,
      finalUrl: visit.secrets.mask(last.url),
      prepared: untouched,
    },
  }
}

/** A page that is gone, busy or broken gives nothing; the rest of the capture is not lost by it. */
async function readSafely<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (
      error instanceof BrowserGone ||
      error instanceof CdpTimeout ||
      error instanceof CdpError ||
      error instanceof CaptureFailure
    )
      return null
    throw error
  }
}

/** A dialog that nobody answered holds what the page draws: it is answered as by closing it, and that is written down. */
async function dismissDialog(tab: Tab, timeline: Timeline): Promise<void> {
  timeline.add('dialog', { act: 'dismissed', type: tab.dialog?.type ?? '', tab: tab.number })
  await readSafely(() => tab.session.send('Page.handleJavaScriptDialog', { accept: false }, { timeoutMs: 5_000 }))
  tab.dialog = null
}
