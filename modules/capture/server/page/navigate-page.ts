import { CdpTimeout } from '../../../../platform/browser/cdp-connection.ts'
import { CaptureFailure } from '../../domain/outcome/failures.ts'
import type { CaptureLimits } from '../../domain/outcome/limits.ts'
import { failureOfNetworkError } from '../../domain/outcome/name-failure.ts'
import type { ActionLog } from './action-log.ts'
import { evaluateApart } from './evaluate-apart.ts'
import type { ConnectionRecord } from '../network/index.ts'
import type { ObservedRequest } from './observe-browser.ts'
import type { PageState } from './open-page.ts'

/** The tunnel's latest refusal, as a failure of the capture. */
function failureOfRefusal(refused: ConnectionRecord, requests: readonly ObservedRequest[]): CaptureFailure {
  // Documents used up the connections that a capture may make: nothing is too large, the page never came to rest.
  if (refused.refusal?.reason === 'requests')
    return new CaptureFailure('too_many_redirects', { count: requests.filter(({ type }) => type === 'Document').length })
  const code = refused.refusal?.code ?? 'connection_failed'
  return new CaptureFailure(code, { host: refused.host, port: refused.port, reason: refused.refusal?.reason ?? '' })
}

/** Document requests of the main frame, oldest first: the redirects, then the document. */
export function mainDocuments(requests: readonly ObservedRequest[], frameId: string): readonly ObservedRequest[] {
  return requests.filter((request) => request.type === 'Document' && request.frameId === frameId)
}

const tooLate = (ms: number) => new CaptureFailure('timeout', { seconds: Math.round(ms / 1000), step: 'navigate' })

/** How often it is looked whether something has crossed the network. */
const lookedEveryMs = 250

/** What is waited for, as long as bytes come or go. Before the first one nobody is blamed: then it is the browser that has not begun. */
async function unlessSilent<T>(awaited: Promise<T>, crossed: () => number, silentMs: number): Promise<T> {
  const silent = Promise.withResolvers<never>()
  const before = crossed()
  let [seen, since] = [before, performance.now()]
  const timer = setInterval(() => {
    const [now, at] = [crossed(), performance.now()]
    if (now !== seen || now === before) [seen, since] = [now, at]
    else if (at - since >= silentMs) silent.reject(tooLate(silentMs))
  }, lookedEveryMs)
  try {
    return await Promise.race([awaited, silent.promise])
  } finally {
    clearInterval(timer)
    // Whoever is not waited for any more ends with the browser.
    awaited.catch(() => undefined)
  }
}

/**
 * Goes to the address. A certificate that does not hold is recorded before the page is shown (decision 0043). @throws CaptureFailure when there is no page to capture.
 */
export async function navigatePage(
  page: PageState,
  url: string,
  deps: {
    readonly limits: CaptureLimits
    readonly actions: ActionLog
    connections(): readonly ConnectionRecord[]
    requests(): readonly ObservedRequest[]
    /** Grows with whatever crosses the network. */
    crossed(): number
  },
): Promise<{ readonly frameId: string; readonly certificateError: string | null }> {
  const { actions, limits } = deps
  const go = async () => {
    actions.add('navigate', { url })
    const arrival = page.session.send('Page.navigate', { url }, { timeoutMs: limits.navigateMs }).catch((error: unknown) => {
      throw error instanceof CdpTimeout ? tooLate(limits.navigateMs) : error
    })
    return await unlessSilent(arrival, () => deps.crossed(), limits.silentMs)
  }
  const certificate = await watchCertificates(
    page,
    actions,
    () => deps.requests().findLast((request) => request.type === 'Document')?.url ?? url,
  )
  const result = await go()
  const documents = mainDocuments(deps.requests(), result.frameId)
  const last = documents.at(-1)
  const refused = deps
    .connections()
    .findLast((connection) => connection.refusal !== null && hostOf(last?.url ?? url) === connection.host)
  if (result.errorText !== undefined) {
    actions.add('navigation_failed', { error: result.errorText })
    if (page.download || result.isDownload === true)
      throw new CaptureFailure('download', { url: (last?.url ?? url).slice(0, 300) })
    // We ended the connection ourselves because its bytes could not be kept: the site is not to blame.
    if (deps.connections().some(({ cut }) => cut === 'record_failed'))
      throw new CaptureFailure('internal', { message: 'the record could not be written' })
    const code = failureOfNetworkError(result.errorText)
    if (refused !== undefined && (code === null || code === 'connection_failed' || code === 'empty_response'))
      throw failureOfRefusal(refused, deps.requests())
    if (result.errorText === 'net::ERR_ABORTED') throw new CaptureFailure('empty_response')
    throw new CaptureFailure(code ?? 'connection_failed', { error: result.errorText.replace(/^net::/, '') })
  }
  // Over plain HTTP the tunnel's refusal is an answer like another; its own field tells it apart from the origin's.
  if (last?.headers['probant-refused'] !== undefined && refused !== undefined) throw failureOfRefusal(refused, deps.requests())
  return { frameId: result.frameId, certificateError: certificate.error() }
}

/**
 * Why what is shown is no page: it went by itself where the tunnel refuses to go, or where nobody answers, and the browser shows
 * words that no origin served. Null when an origin served it.
 */
export function failureOfShown(
  page: PageState,
  deps: { connections(): readonly ConnectionRecord[]; requests(): readonly ObservedRequest[] },
): CaptureFailure | null {
  const { unreachable } = page
  if (unreachable === null) return null
  const bare = (url: string) => url.replace(/#.*$/s, '')
  const asked = deps.requests().findLast((request) => request.type === 'Document' && bare(request.url) === bare(unreachable))
  const refused = deps
    .connections()
    .findLast((connection) => connection.refusal !== null && connection.host === hostOf(unreachable))
  const error = asked?.failure ?? ''
  const code = failureOfNetworkError(error)
  // An origin's own answer of an error without words is shown as the browser's page too; that is what visitors see.
  if (asked?.status != null && asked.headers['probant-refused'] === undefined) return null
  if (refused !== undefined && (code === null || code === 'connection_failed' || code === 'empty_response'))
    return failureOfRefusal(refused, deps.requests())
  return new CaptureFailure(code ?? 'connection_failed', { error: error.replace(/^net::/, '') })
}

/** The document broke off before anything of it could be shown: there is no page. Null while there is something. */
export async function failureOfNothing(page: PageState): Promise<CaptureFailure | null> {
  const error = page.documentFailed()
  if (error === null) return null
  // What came before the end may still wait to be read.
  const something = await evaluateApart<boolean>(
    page.session,
    `async () => {
      for (let i = 0; i < 60 && document.documentElement === null; i += 1) await new Promise((done) => setTimeout(done, 50))
      return document.documentElement !== null
    }`,
    [],
    20_000,
  )
  if (something) return null
  return new CaptureFailure('empty_response', { error: error.replace(/^net::/, '') })
}

/**
 * The browser stops at a certificate that does not hold and asks. The error is recorded first; then it goes on for the origin of
 * the page itself, as a visitor who clicks through the warning, and for no other origin.
 */
async function watchCertificates(
  page: PageState,
  actions: ActionLog,
  documentUrl: () => string,
): Promise<{ error(): string | null }> {
  let error: string | null = null
  page.session.on('Security.certificateError', ({ eventId, errorType, requestURL }) => {
    const name = errorType.replace(/^net::/, '')
    // A WebSocket of the page's own host and port is of its origin too (RFC 6455 §4.1 asks over the same TLS).
    const [asked, shown] = [requestURL.replace(/^ws(s?:)/i, 'http$1'), documentUrl()]
    const own = URL.canParse(asked) && URL.canParse(shown) && new URL(asked).origin === new URL(shown).origin
    actions.add('certificate_error', { error: name, url: requestURL.slice(0, 500), page_itself: own })
    if (own) error ??= name
    page.session.send('Security.handleCertificateError', { eventId, action: own ? 'continue' : 'cancel' }).catch(() => {
      // A frame that arrives makes the browser drop the questions it has asked: the request is given up, and not by the page.
      if (!own) return
      actions.add('certificate_answer_too_late', { url: requestURL.slice(0, 500) })
      page.observation.givenUpByCapture(requestURL)
    })
  })
  await page.session.send('Security.enable')
  await page.session.send('Security.setOverrideCertificateErrors', { override: true })
  return { error: () => error }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') : ''
}
