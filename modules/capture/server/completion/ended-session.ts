/** What is known of a session when its browser is gone: what its completion begins with. */
import type { InteractiveFacts } from '../../domain/outcome/interactive-facts.ts'
import type { ExtensionFacts } from '../../domain/conditions/machine-facts.ts'
import type { CapturedFile, CaptureFacts, SessionTimestamp } from '../../domain/outcome/outcome.ts'
import type { SessionConditions } from '../conditions/index.ts'
import type { MachineFacts } from '../conditions/machine/measure-machine.ts'
import type { ShownPage } from '../course/show-page.ts'
import type { ObservedRequest } from '../page/observe-browser.ts'
import type { PageState } from '../page/open-page.ts'
import type { EnteredSecret } from '../secrets/masking.ts'
import type { CaptureSession } from '../session/open-session.ts'

/** What a visitor did with the session, for its completion. Absent: a robot captured one page. */
export type VisitedPages = {
  /** The tab that was in front at the end. */
  readonly page: PageState
  /** False: that tab could no longer be read, and nothing is said of how it looked. */
  readonly seen: boolean
  /** Requests that led to the first page: the address that was asked for, its redirects, the document. */
  readonly path: readonly ObservedRequest[]
  /** Document requests of every tab. */
  readonly documents: readonly ObservedRequest[]
  /** What the page in front came from. */
  readonly document: ObservedRequest | undefined
  readonly files: readonly CapturedFile[]
  readonly facts: InteractiveFacts
  /** Not every page that was gone to is among the facts' navigations. */
  readonly pathCut: boolean
  /** What anyone should know of the visit before agreeing to it. */
  readonly warnings: CaptureFacts['warnings']
  /** Kept in memory alone: taken out of every piece. With any, the TLS keys are no piece. */
  readonly secrets: readonly EnteredSecret[]
}

export type EndedSession = {
  readonly session: CaptureSession<unknown>
  readonly shown: ShownPage
  readonly arrival: { readonly frameId: string; readonly certificateError: string | null }
  readonly machine: MachineFacts
  readonly conditions: SessionConditions
  /** Of the browser's own network namespace; null when it could not be read. */
  readonly interfaces: readonly string[] | null
  readonly extensions: readonly ExtensionFacts[] | null
  readonly timestamps: Promise<readonly SessionTimestamp[]>
  readonly requestedUrl: string
  readonly startedAt: string
  readonly navigatedAt: string
  readonly finishedAt: string
  readonly processesLeft: number
  readonly visited?: VisitedPages
}
