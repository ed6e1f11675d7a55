import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageSoftware as software } from '../../../../platform/config/software.ts'
import { attributeConnections, type AskedBy } from '../../domain/attribute-connections.ts'
import { assessQuality } from '../../domain/assess-quality.ts'
import { gradeQuality } from '../../domain/grade-quality.ts'
import type { CaptureLimits } from '../../domain/limits.ts'
import type { ExtensionFacts } from '../../domain/machine-facts.ts'
import type { InteractiveFacts } from '../../domain/interactive-facts.ts'
import type { CapturedFile, CaptureFacts, CaptureResult, SessionTimestamp } from '../../domain/outcome.ts'
import type { ActionLog } from '../page/action-log.ts'
import { assessRequests, countImages, type AssessedRequests } from './assess-requests.ts'
import type { CaptureDeps, CaptureInput } from '../course/capture-request.ts'
import { findOnTheWay, measureProxies, writeConditions, type SessionConditions } from '../conditions/index.ts'
import { describeEnvironment, fillChecklist, gatherClock, pathOf, pathOfVisit } from './describe-environment.ts'
import type { MachineFacts } from '../conditions/machine/measure-machine.ts'
import { mainDocuments } from '../page/navigate-page.ts'
import { writePcap } from '../network/index.ts'
import { maxConsoleText, type ObservedRequest } from '../page/observe-browser.ts'
import { measurePageInk } from '../page/measure-ink.ts'
import { viewport, type PageState } from '../page/open-page.ts'
import type { CaptureSession } from '../session/open-session.ts'
import { createMasking, type EnteredSecret, type Masking } from '../secrets/masking.ts'
import { maskResult, maskSaved } from '../secrets/mask-result.ts'
import { passedInClear } from '../secrets/passed-in-clear.ts'
import { readJailFile } from './read-jail-file.ts'
import { maxKeyLogBytes, readNetworkRecord, type NetworkRecord } from './read-network-record.ts'
import { warningsOfPreparation } from '../scenario/index.ts'
import type { ShowDeps, ShownPage } from '../course/show-page.ts'

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

/** Once the browser is gone: the record read, everything compared, every piece written, every fact stated. */
export async function completeCapture(
  input: CaptureInput,
  deps: Pick<CaptureDeps, 'clock' | 'signal'> & {
    readonly actions: ActionLog
    readonly progress: ShowDeps['progress']
    readonly notary: CaptureDeps['notary'] | undefined
  },
  given: EndedSession,
): Promise<CaptureResult> {
  const secrets = given.visited?.secrets ?? []
  const masking = secrets.length === 0 ? null : createMasking(secrets)
  const saved = masking === null ? given.shown.saved : await maskSaved(given.shown.saved, masking)
  const ended: EndedSession = { ...given, shown: { ...given.shown, saved } }
  const { session, shown, arrival, visited } = ended
  const { browser, tunnel } = session
  const page = visited?.page ?? session.page
  const records = tunnel.connections()
  const path = visited?.path ?? mainDocuments(page.observation.requests, arrival.frameId)
  const document = visited === undefined ? path.at(-1) : visited.document

  const askedBy = attributeConnections(records, page.observation.requests, path[0] ?? null)

  deps.progress('completing', 'network_record')
  const network = await recordNetwork(input, { ...deps, masking, askedBy }, ended, document)

  deps.progress('completing', 'assess')
  const requests = assessRequests(
    page.observation.requests,
    visited?.documents ?? path,
    records,
    page.observation.requestsDropped,
    ...(visited === undefined ? [] : [visited.document ?? null]),
  )
  const losses = [
    ...network.losses,
    ...requests.cut.map((record) => ({ url: `${record.host}:${record.port}`, reason: record.cut as string })),
    ...shown.missing,
    ...(requests.overLimit > 0 ? [{ url: shown.finalUrl, reason: 'requests_limited' }] : []),
  ]
  const completeness: CaptureFacts['completeness'] = { state: losses.length === 0 ? 'complete' : 'incomplete', losses }
  const measured = await measureConditions(input, ended, [...shown.saved, ...network.files], path)
  const withheld = new Set(masking?.withheld().map(({ path }) => path))
  const lines = fillChecklist({
    ...ended,
    ...measured,
    browser,
    requests,
    records,
    askedBy,
    dnsAnswers: tunnel.dnsAnswers(),
    network,
    losses: losses.length,
    images:
      shown.shots.images.length +
      shown.prepared.shots.length +
      (visited?.facts.screenshots.flatMap((one) => (one.automatic ? [] : one.paths)).length ?? 0),
    imagesMissing: shown.missing.filter(({ url }) => url.endsWith('.png')).length,
  })
  const checklist = lines.map((line) =>
    line.evidence_path !== null && withheld.has(line.evidence_path) ? { ...line, evidence_path: null } : line,
  )
  const environment = describeEnvironment({
    machine: ended.machine,
    browser,
    tunnel,
    language: session.language,
    session: session.origin,
    operator: input.operator ?? null,
    limits: input.limits,
    allowAddresses: input.allowAddresses,
    allowedAddressesUsed: requests.allowedAddresses,
    counts: network.counts,
    extensions: ended.extensions,
    askedBy,
    ...measured,
  })
  const files = [
    ...shown.shots.files,
    ...shown.saved,
    ...shown.prepared.files,
    ...(visited?.files ?? []),
    ...network.files,
    ...measured.files,
    ...(await writeTexts(input.workDir, [
      [consolePath, 'console', 'application/x-ndjson', consoleText(ended, masking)],
      ['capture/actions.jsonl', 'action_log', 'application/x-ndjson', deps.actions.text()],
      ['environment/environment.json', 'environment', 'application/json', jsonText(environment)],
      ['environment/checklist.json', 'checklist', 'application/json', jsonText(checklist)],
    ])),
  ]
  const images = countImages(shown.seen, requests)
  const ink = visited?.seen === false ? null : await measurePageInk(shown.shots)
  const warnings = warningsOf(ended, { page, requests, document, images, ink }, input.limits)
  const serverHost =
    document !== undefined && URL.canParse(document.url) ? new URL(document.url).hostname.replace(/^\[|\]$/g, '') : null
  const result: CaptureResult = {
    files,
    facts: {
      requested_url: ended.requestedUrl,
      final_url: shown.finalUrl,
      title: shown.seen.title,
      http_status: document?.status ?? null,
      started_at: ended.startedAt,
      navigated_at: ended.navigatedAt,
      finished_at: ended.finishedAt,
      viewport: { width: viewport.width, height: viewport.height, device_scale_factor: viewport.deviceScaleFactor },
      page_height: shown.shots.pageHeight,
      captured_height: shown.shots.capturedHeight,
      images: [...shown.shots.images, ...shown.prepared.shots.map(({ image }) => image)],
      resources: {
        total: requests.all.length,
        failed: requests.failed.length,
        blocked: requests.blocked.length,
        bytes: tunnel.totals().bytes_received,
      },
      redirects: path
        .slice(0, -1)
        .flatMap((one) => (one.redirectedTo !== null && one.status !== null ? [{ url: one.url, status: one.status }] : [])),
      server_address:
        records.findLast((record) => record.host === serverHost && record.remote_address !== null)?.remote_address ?? null,
      certificate: network.certificate === null ? null : { ...network.certificate, error: arrival.certificateError },
      machine: {
        hostname: ended.machine.hostname,
        os: ended.machine.os,
        kernel: ended.machine.kernel,
        browser: browser.product,
        node: ended.machine.node,
        software,
        virtualisation: ended.machine.virtualisation,
      },
      operator: input.operator ?? null,
      allowed_addresses_used: requests.allowedAddresses,
      isolation: browser.isolation.kind,
      checklist,
      warnings,
      completeness,
      quality: gradeQuality(warnings, {
        pageHeight: shown.shots.pageHeight,
        capturedHeight: shown.shots.capturedHeight,
        stillGrowing: shown.stillGrowing,
        images,
        innerScroll: shown.seen.innerScroll,
        complete: losses.length === 0,
        cookieOptionUsed: shown.prepared.cookieBanner !== null,
        visited: visited !== undefined,
      }),
      timestamps: [],
      scenario: shown.prepared.scenario,
      cookie_banner: shown.prepared.cookieBanner,
      server: null,
      vantage: null,
      interactive: visited?.facts ?? null,
    },
  }
  const masked = masking === null ? result : await maskResult(result, { masking, workDir: input.workDir, saved })
  deps.progress('finished', 'captured')
  return masked
}

/** What was asked beside the session, awaited now, and what the session's own record says of the conditions. */
async function measureConditions(
  { workDir }: CaptureInput,
  ended: EndedSession,
  saved: readonly CapturedFile[],
  documents: readonly ObservedRequest[],
) {
  const { browser, page, tunnel } = ended.session
  const { requests } = page.observation
  const scanned = ['capture/source.html', 'capture/first-source.html', 'capture/dom.html', 'capture/page.mhtml']
  const steps = ended.visited?.facts.navigations
  const [conditions, proxies, timestamps] = await Promise.all([
    ended.conditions.collect(saved.filter(({ path }) => scanned.includes(path))),
    measureProxies({
      environment: process.env,
      flags: browser.flags,
      policies: browser.policies,
      interfaces: ended.interfaces,
    }),
    ended.timestamps,
  ])
  const clock = gatherClock({ conditions, requests, timestamps, synchronised: ended.machine.clock_synchronised })
  return {
    conditions,
    clock,
    proxies,
    onTheWay: findOnTheWay(requests),
    path: steps === undefined ? pathOf(documents) : pathOfVisit(documents, steps),
    pathCut: ended.visited?.pathCut === true,
    arrivedUrl: documents.at(-1)?.url ?? null,
    files: await writeConditions(workDir, conditions, clock, tunnel.dnsAnswers()),
  }
}

/** Keys, HAR, WACZ, PCAP and DNS answers, and what of the traffic is missing. */
async function recordNetwork(
  input: CaptureInput,
  deps: Pick<CaptureDeps, 'clock' | 'signal'> & {
    readonly progress: ShowDeps['progress']
    readonly notary: CaptureDeps['notary'] | undefined
    readonly masking: Masking | null
    readonly askedBy: ReadonlyMap<string, AskedBy>
  },
  { session, shown, visited }: EndedSession,
  document: ObservedRequest | undefined,
): Promise<NetworkRecord> {
  const { workDir } = input
  const { browser, page, tunnel } = session
  const records = tunnel.connections()
  const keyLog = await readJailFile(browser.keyLogFile, maxKeyLogBytes)
  const network = await readNetworkRecord({
    records,
    keyLog: keyLog.toString('utf8'),
    requests: page.observation.requests,
    requestsDropped: page.observation.requestsDropped,
    document: document ?? null,
    page: { url: shown.finalUrl, title: shown.seen.title, loadedAfter: null },
    ...(visited === undefined
      ? {}
      : {
          visit: {
            pages: visited.facts.navigations.map(({ url, title, at }) => ({ url, title, at: Date.parse(at) })),
            first: visited.path.at(-1) ?? null,
          },
        }),
    masking: deps.masking,
    onStep: (step) => deps.progress('completing', step),
    workDir,
    software,
    browser: browser.product,
    bodyBytes: input.limits.bodyBytes,
    clock: deps.clock,
    signal: deps.signal,
    notary: deps.notary,
  })
  const pcap = join(workDir, 'network.pcap')
  await writePcap({ records, outFile: pcap, signal: deps.signal })
  const dns = {
    note: 'Answers as the tunnel received them; addresses in `connections` are those dialled. asked_by: page, a request that the browser reported of a page is for that place; browser, asked for before the page had answered, and not for it; unattributed, later, and reported by nobody.',
    answers: tunnel.dnsAnswers(),
    connections: records.map(({ file: _file, ...rest }) => ({ ...rest, asked_by: deps.askedBy.get(rest.id) })),
  }
  const recording: CapturedFile = {
    path: 'capture/network.pcap',
    role: 'pcap',
    media_type: 'application/vnd.tcpdump.pcap',
    file: pcap,
  }
  // What was recorded is dated octet for octet: a secret in it cannot be taken out, so the recording is.
  const { masking } = deps
  const clear = masking !== null && (network.secretInClear || (await passedInClear(records, masking.masker, deps.signal)))
  if (clear) await masking.withhold(recording)
  const files: CapturedFile[] = [
    ...network.files,
    ...(clear ? [] : [recording]),
    ...(await writeTexts(workDir, [['capture/dns.json', 'dns', 'application/json', jsonText(dns)]])),
  ]
  // Whoever holds the keys reads what was sent, secrets too.
  const { keys } = network
  const keyText = keys === null ? keyLog : clear ? '' : keys.text
  if (input.includeTlsKeys && keys !== null)
    masking?.keysLeftOut(clear ? { kept: [], leftOut: [...keys.kept, ...keys.leftOut] } : keys)
  if (input.includeTlsKeys && keyText.length > 0) {
    const keyLogFile = join(workDir, 'tls-keys.log')
    await writeFile(keyLogFile, keyText)
    files.push({ path: 'capture/tls-keys.log', role: 'tls_keys', media_type: 'text/plain', file: keyLogFile })
  }
  return { ...network, files }
}

function warningsOf(
  { session, shown, arrival, requestedUrl, visited }: EndedSession,
  seen: {
    readonly page: PageState
    readonly requests: AssessedRequests
    readonly document: ObservedRequest | undefined
    readonly images: { readonly total: number; readonly missing: readonly string[] }
    readonly ink: number | null
  },
  { busyMs }: CaptureLimits,
): CaptureFacts['warnings'] {
  const { browser } = session
  const { shots } = shown
  const { page, requests, document } = seen
  const assessed = () =>
    assessQuality({
      // Where a visitor went is no detour of the site's.
      requestedUrl: visited === undefined ? requestedUrl : shown.finalUrl,
      finalUrl: shown.finalUrl,
      status: document?.status ?? null,
      title: shown.seen.title,
      headers: document?.headers ?? {},
      mediaType: document?.mediaType ?? '',
      page: { ...shown.seen, images: seen.images },
      requested: requests.all.map(({ url }) => url),
      ink: seen.ink,
      capturedWidth: viewport.width,
      pageHeight: shots.pageHeight,
      capturedHeight: shots.capturedHeight,
      stillGrowing: shown.stillGrowing,
      resources: {
        total: requests.all.length,
        failed: requests.failed.length + requests.blocked.length,
        failedUrls: [...requests.failed, ...requests.blocked].map((request) => request.url),
        failedVisible: requests.failedVisible,
        overLimit: requests.overLimit,
        cut: requests.cut.map((record) => record.host),
      },
      // Of every page of a visit, not the last alone (`session_certificates`).
      certificateError: visited === undefined ? arrival.certificateError : null,
      documentError: page.documentFailed()?.replace(/^net::/, '') ?? null,
      loadTimedOut: shown.loadTimedOut,
      scriptsEnded: { count: page.scriptsEnded, seconds: Math.round(busyMs / 1000) },
      // A visitor answers the dialogs, and the timeline has the windows that were blocked.
      dialogs: visited === undefined ? page.dialogs : 0,
      popups: visited === undefined ? page.popups : 0,
      navigationsPrevented: page.navigationsPrevented,
      allowedAddresses: requests.allowedAddresses,
      isolation: browser.isolation.kind,
    })
  return [
    ...(visited?.seen === false ? [] : assessed()),
    ...(visited?.warnings ?? []),
    ...shown.missing.map(({ url }) => ({ code: 'artefact_missing' as const, data: { path: url } })),
    ...(visited?.facts.video != null && visited.facts.key_frames.length === 0
      ? [{ code: 'artefact_missing' as const, data: { path: 'capture/key-frames/001.jpg' } }]
      : []),
    ...warningsOfPreparation(shown.prepared),
  ]
}

const consolePath = 'capture/console.jsonl'

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`

/** Masked before it is cut: half a secret would not be found. */
function consoleText({ session }: EndedSession, masking: Masking | null): string {
  const { console: lines, consoleDropped } = session.page.observation
  const short = (text: string): string =>
    masking === null ? text.slice(0, maxConsoleText) : masking.cut(text, maxConsoleText, consolePath)
  const dropped = consoleDropped > 0 ? [{ source: 'probant', dropped: consoleDropped }] : []
  return [
    ...lines.map((line) => ({ ...line, text: short(line.text), url: line.url === null ? null : short(line.url) })),
    ...dropped,
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}

async function writeTexts(
  workDir: string,
  texts: readonly (readonly [path: string, role: CapturedFile['role'], mediaType: string, text: string])[],
): Promise<readonly CapturedFile[]> {
  return Promise.all(
    texts.map(async ([path, role, media_type, text]) => {
      const file = join(workDir, path.replace('/', '-'))
      await writeFile(file, text)
      return { path, role, media_type, file }
    }),
  )
}
