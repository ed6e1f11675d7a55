import { packageSoftware as software } from '../../../../platform/config/software.ts'
import { attributeConnections } from '../../domain/attribute-connections.ts'
import { gradeQuality } from '../../domain/quality/grade-quality.ts'
import type { CapturedFile, CaptureFacts, CaptureResult } from '../../domain/outcome/outcome.ts'
import type { ActionLog } from '../page/action-log.ts'
import { assessRequests, countImages } from './assess-requests.ts'
import type { CaptureDeps, CaptureInput } from '../course/capture-request.ts'
import { findOnTheWay, measureProxies, writeConditions } from '../conditions/index.ts'
import { describeEnvironment, fillChecklist, gatherClock, pathOf, pathOfVisit } from './describe-environment.ts'
import { mainDocuments } from '../page/navigate-page.ts'
import { maxConsoleText, type ObservedRequest } from '../page/observe-browser.ts'
import { measurePageInk } from '../page/measure-ink.ts'
import { viewport } from '../page/open-page.ts'
import { createMasking, type Masking } from '../secrets/masking.ts'
import type { EndedSession } from './ended-session.ts'
import { recordNetwork } from './record-network.ts'
import { warningsOf } from './warn-of-capture.ts'
import { jsonText, writeTexts } from './write-texts.ts'
import { maskResult, maskSaved } from '../secrets/mask-result.ts'
import type { ShowDeps } from '../course/show-page.ts'

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

const consolePath = 'capture/console.jsonl'

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
