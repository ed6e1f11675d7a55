import { chown, copyFile, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../kernel/clock.ts'
import type { Locale } from '../../../kernel/locale.ts'
import { parseWebAddress } from '../../../kernel/web-address.ts'
import { BrowserGone, CdpError, CdpTimeout } from '../../../platform/browser/cdp-connection.ts'
import {
  IsolationUnavailable,
  launchBrowser,
  LaunchFailed,
  type LaunchedBrowser,
} from '../../../platform/browser/launch-browser.ts'
import { processTree } from '../../../platform/browser/process-tree.ts'
import { createSessionFolder } from '../../../platform/browser/session-folder.ts'
import type { Log } from '../../../platform/log/log.ts'
import { packageSoftware as software } from '../../../platform/config/software.ts'
import { assessQuality } from '../domain/assess-quality.ts'
import { buildChecklist } from '../domain/build-checklist.ts'
import { CaptureFailure } from '../domain/failures.ts'
import type { CaptureLimits } from '../domain/limits.ts'
import type { CapturedFile, CaptureFacts, CaptureProgress } from '../domain/outcome.ts'
import { createActionLog } from './action-log.ts'
import { measureMachine } from './measure-machine.ts'
import { mainDocuments, navigatePage } from './navigate-page.ts'
import { defaultTunnelLimits, dnsResolver, startTunnel, writePcap, type NameResolver, type Tunnel } from './network/index.ts'
import { createObservation } from './observe-browser.ts'
import { isUniform, observePage } from './observe-page.ts'
import { openPage, viewport, type PageState } from './open-page.ts'
import { readNetworkRecord } from './read-network-record.ts'
import { saveDom, saveMhtml, savePdf } from './save-page.ts'
import { scrollPage, settlePage } from './settle-page.ts'
import { takeScreenshots, type Screenshots } from './take-screenshots.ts'

export type CaptureInput = {
  readonly evidenceId: string
  readonly url: string
  readonly locale: Locale
  /** Empty folder of this capture; the files handed over are in it. The caller removes it. */
  readonly workDir: string
  readonly limits: CaptureLimits
  /** `ip:port` exceptions of the operator (PROBANT_ALLOW_ADDRESSES). */
  readonly allowAddresses: readonly string[]
  /** Hand over the TLS session keys as a piece: whoever holds them can read the PCAP, cookies included. */
  readonly includeTlsKeys: boolean
  onProgress(progress: CaptureProgress): void
}

export type CaptureDeps = {
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  readonly resolver?: NameResolver
  readonly ownAddresses?: readonly string[]
  /** The operator's word that captures may run without namespaces (PROBANT_UNJAILED_BROWSER). */
  readonly isolationOverride: boolean
}

export type CaptureResult = { readonly files: readonly CapturedFile[]; readonly facts: CaptureFacts }

const timeZone = 'Europe/Paris'
/** A page that leaves while it is being captured is captured anew, this many times at most. */
const maxRounds = 3

class Deadline extends Error {}

/**
 * Captures one page: everything that crossed the network, what was shown, and the conditions. One browser, one tunnel, one
 * folder; nothing of them is left when it settles. @throws CaptureFailure, and nothing else.
 */
export async function captureStatic(input: CaptureInput, deps: CaptureDeps): Promise<CaptureResult> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new Deadline()), input.limits.totalMs)
  const signal = AbortSignal.any([deps.signal, deadline.signal])
  const session: { browser?: LaunchedBrowser; page?: PageState; tooLarge?: boolean } = {}
  try {
    return await runSession(input, { ...deps, signal }, session)
  } catch (error) {
    throw await nameFailure(error)
  } finally {
    clearTimeout(timer)
  }

  async function nameFailure(error: unknown): Promise<CaptureFailure> {
    if (deps.signal.aborted) return new CaptureFailure('cancelled', {}, error)
    if (error instanceof CaptureFailure) return error
    if (deadline.signal.aborted)
      return new CaptureFailure('timeout', { seconds: Math.round(input.limits.totalMs / 1000), step: 'total' }, error)
    if (error instanceof IsolationUnavailable)
      return new CaptureFailure('isolation_unavailable', { reason: error.message.slice(0, 200) }, error)
    if (session.tooLarge === true) return new CaptureFailure('too_large', { bytes: input.limits.documentBytes }, error)
    const memory =
      session.browser?.endReason() === 'out_of_memory' || session.page?.crash === 'oom' || session.page?.crash === 'killed'
    if (memory)
      return new CaptureFailure('out_of_memory', { megabytes: Math.round((session.browser?.peakBytes() ?? 0) / 1e6) }, error)
    if (error instanceof CdpTimeout)
      return new CaptureFailure('timeout', { seconds: Math.round(input.limits.totalMs / 1000), step: 'page' }, error)
    if (error instanceof BrowserGone || error instanceof LaunchFailed)
      return new CaptureFailure('browser_crashed', { status: session.page?.crash ?? '' }, error)
    deps.log.error({ err: error }, 'a capture failed unexpectedly')
    return new CaptureFailure('internal', error instanceof CdpError ? { message: error.message.slice(0, 200) } : {}, error)
  }
}

async function runSession(
  input: CaptureInput,
  deps: CaptureDeps,
  held: { browser?: LaunchedBrowser; page?: PageState; tooLarge?: boolean },
): Promise<CaptureResult> {
  const { limits, workDir } = input
  const { clock, log, signal } = deps
  const address = parseWebAddress(input.url, input.allowAddresses)
  if (!address.ok) throw new CaptureFailure(address.code, address.data)
  const progress = (phase: CaptureProgress['phase'], step: string, data?: Record<string, string | number>) =>
    input.onProgress(data === undefined ? { phase, step } : { phase, step, data })
  const actions = createActionLog(clock)
  const startedAt = actions.add('session_started', { software, requested_url: address.url })
  progress('preparing', 'tunnel')
  const machine = measureMachine(software)
  const folder = await createSessionFolder()
  let tunnel: Tunnel | undefined
  let browser: LaunchedBrowser | undefined
  try {
    const socketPath = join(folder.path, 'egress.sock')
    const recordDir = join(workDir, 'record')
    await mkdir(recordDir, { recursive: true })
    tunnel = await startTunnel({
      socketPath,
      recordDir,
      resolver: deps.resolver ?? dnsResolver(),
      allowAddresses: input.allowAddresses,
      ownAddresses: deps.ownAddresses ?? [],
      limits: {
        ...defaultTunnelLimits,
        requests: limits.requests,
        // A body's connection also carries heads, framing and TLS records.
        bytesPerConnection: Math.min(limits.totalBytes, limits.bodyBytes + 16 * 1024 * 1024),
        bytesTotal: limits.totalBytes,
        idleTimeoutMs: limits.totalMs,
      },
      clock,
      log,
      signal,
    })
    if (process.getuid?.() === 0) await chown(socketPath, folder.uid, folder.uid)
    progress('preparing', 'browser')
    browser = await launchBrowser({
      folder,
      writeKeyLog: true,
      language: input.locale === 'fr' ? 'fr-FR' : 'en-US',
      timeZone,
      window: { width: viewport.width, height: viewport.height },
      memoryBytes: limits.memoryBytes,
      isolation: deps.isolationOverride ? 'override' : 'required',
      signal,
    })
    held.browser = browser
    actions.add('browser_started', {
      browser: browser.product,
      isolation: browser.isolation.kind,
      profile_entries: browser.profile.entries.length,
      profile_sha256: browser.profile.sha256,
    })

    const running = browser
    const observation = createObservation((bytes) => {
      if (bytes <= limits.documentBytes || held.tooLarge === true) return
      held.tooLarge = true
      void running.kill()
    })
    const page = await openPage(browser.cdp, observation, actions)
    held.page = page
    const shown = await Promise.race([
      showAndCapture(page),
      page.gone.then((how) => {
        throw new BrowserGone(`the page ended: ${how}`)
      }),
      browser.ended.then(() => {
        throw new BrowserGone('the browser ended')
      }),
    ])

    // Ending the browser first lets every connection close, so that the record has its ends.
    progress('completing', 'close_browser')
    await browser.kill()
    await tunnel.close()
    const left = (await processTree(browser.pid)).length
    const finishedAt = actions.add('session_finished', { processes_left: left, rolling_hash: tunnel.rollingHash() })
    return await complete(shown, left, finishedAt)

    async function showAndCapture(state: PageState) {
      progress('capturing', 'navigate')
      const arrival = await navigatePage(state, (address as { url: string }).url, {
        limits,
        actions,
        connections: () => (tunnel as Tunnel).connections(),
        requests: () => observation.requests,
      })
      const navigatedAt = clock.now().toISOString()
      for (let round = 1; ; round += 1) {
        progress('capturing', 'load')
        const { loadTimedOut } = await settlePage(state, observation, { limits, actions, signal })
        await state.holdNavigation()
        progress('capturing', 'scroll')
        const { stillGrowing } = await scrollPage(state, observation, { limits, actions, signal })
        const navigationsBefore = state.navigations
        progress('capturing', 'screenshot')
        const shots = await takeScreenshots(state.session, {
          folder: workDir,
          maxHeight: limits.maxHeight,
          actions,
          signal,
          onImage: (done, of) => progress('capturing', 'screenshot_full', { done, of }),
        })
        progress('capturing', 'observe')
        const seen = await observePage(state.session)
        progress('capturing', 'save')
        const missing: { url: string; reason: string }[] = []
        const saved: CapturedFile[] = []
        for (const [name, save] of [
          ['page.mhtml', saveMhtml],
          ['dom.html', saveDom],
          ['page.pdf', savePdf],
        ] as const) {
          signal.throwIfAborted()
          try {
            saved.push(await save(state.session, workDir))
            actions.add('saved', { path: `capture/${name}` })
          } catch (error) {
            if (error instanceof BrowserGone) throw error
            actions.add('not_saved', { path: `capture/${name}`, reason: String(error).slice(0, 200) })
            missing.push({ url: `capture/${name}`, reason: 'artefact_missing' })
          }
        }
        const { entries } = await state.session.send('Page.getNavigationHistory')
        const { frameTree } = await state.session.send('Page.getFrameTree')
        if (state.navigations === navigationsBefore) {
          return {
            arrival,
            navigatedAt,
            loadTimedOut,
            stillGrowing,
            shots,
            seen,
            saved,
            missing,
            finalUrl: frameTree.frame.url + (frameTree.frame.urlFragment ?? ''),
            historyLength: entries.length,
          }
        }
        if (round === maxRounds) throw new CaptureFailure('too_many_redirects', { count: state.navigations })
        actions.add('captured_anew', { round })
        await state.releaseNavigation()
      }
    }
  } finally {
    // Every step is tried: a failure of one leaves nothing of the others behind.
    const ends = [browser?.kill() ?? Promise.resolve(), tunnel?.close() ?? Promise.resolve()]
    const outcomes = await Promise.allSettled(ends)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') log.error({ err: outcome.reason as unknown }, 'the end of a session failed')
    await folder.remove()
  }

  async function complete(
    shown: {
      arrival: { frameId: string; certificateError: string | null }
      navigatedAt: string
      loadTimedOut: boolean
      stillGrowing: boolean
      shots: Screenshots
      seen: Awaited<ReturnType<typeof observePage>>
      saved: CapturedFile[]
      missing: { url: string; reason: string }[]
      finalUrl: string
    },
    processesLeft: number,
    finishedAt: string,
  ): Promise<CaptureResult> {
    const page = held.page as PageState
    const launched = browser as LaunchedBrowser
    const records = (tunnel as Tunnel).connections()
    const files: CapturedFile[] = [...shown.shots.files, ...shown.saved]
    const write = async (path: string, role: CapturedFile['role'], mediaType: string, text: string) => {
      const file = join(workDir, path.replace('/', '-'))
      await writeFile(file, text)
      files.push({ path, role, media_type: mediaType, file })
    }
    const observation = page.observation
    const documents = mainDocuments(observation.requests, shown.arrival.frameId)
    const document = documents.at(-1)

    progress('completing', 'network_record')
    const keyLogFile = join(workDir, 'tls-keys.log')
    await copyFile(launched.keyLogFile as string, keyLogFile).catch(() => writeFile(keyLogFile, ''))
    const network = await readNetworkRecord({
      records,
      keyLogFile,
      requests: observation.requests,
      document: document ?? null,
      page: { url: shown.finalUrl, title: shown.seen.title, loadedAfter: null },
      workDir,
      software,
      browser: launched.product,
      bodyBytes: limits.bodyBytes,
      clock,
      signal,
    })
    files.push(...network.files)
    const pcap = join(workDir, 'network.pcap')
    await writePcap({ records, outFile: pcap, signal })
    files.push({ path: 'capture/network.pcap', role: 'pcap', media_type: 'application/vnd.tcpdump.pcap', file: pcap })
    if (input.includeTlsKeys && (await stat(keyLogFile)).size > 0) {
      files.push({ path: 'capture/tls-keys.log', role: 'tls_keys', media_type: 'text/plain', file: keyLogFile })
    }
    await write(
      'capture/dns.json',
      'dns',
      'application/json',
      `${JSON.stringify({ note: 'Answers as the tunnel received them; addresses in `connections` are those dialled.', answers: (tunnel as Tunnel).dnsAnswers(), connections: records.map(({ file: _file, ...rest }) => rest) }, null, 1)}\n`,
    )

    progress('completing', 'assess')
    const requests = observation.requests.filter(
      (request) => !request.url.startsWith('blob:') && !request.url.startsWith('about:'),
    )
    const refusedHosts = new Set(records.filter((record) => record.refusal !== null).map((record) => record.host))
    const isBlocked = (request: (typeof requests)[number]) =>
      request.blocked !== null ||
      request.headers['probant-refused'] !== undefined ||
      (request.failure !== null && URL.canParse(request.url) && refusedHosts.has(new URL(request.url).hostname))
    const failed = requests.filter(
      (request) =>
        !documents.includes(request) &&
        // The browser asks for it by itself; no page shows that it is missing.
        !request.url.endsWith('/favicon.ico') &&
        !isBlocked(request) &&
        ((request.failure !== null && request.failure !== 'net::ERR_ABORTED') || (request.status ?? 0) >= 400),
    )
    const blocked = requests.filter(isBlocked)
    const cut = records.filter((record) => record.cut === 'bytes_per_connection' || record.cut === 'bytes_total')
    const allowed = [
      ...new Set(
        records.filter((record) => record.allowed_exception).map((record) => `${record.remote_address}:${record.remote_port}`),
      ),
    ]
    const facts = await machine
    const browserVersion = launched.product
    const mainHost =
      document !== undefined && URL.canParse(document.url) ? new URL(document.url).hostname.replace(/^\[|\]$/g, '') : null
    const serverAddress =
      records.findLast((record) => record.host === mainHost && record.remote_address !== null)?.remote_address ?? null
    const shortText = shown.seen.textLength < 400
    const warnings = [
      ...assessQuality({
        requestedUrl: (address as { url: string }).url,
        finalUrl: shown.finalUrl,
        status: document?.status ?? null,
        title: shown.seen.title,
        headers: document?.headers ?? {},
        page: shown.seen,
        uniformViewport: shortText ? isUniform(shown.shots.viewportPng) : null,
        pageHeight: shown.shots.pageHeight,
        capturedHeight: shown.shots.capturedHeight,
        stillGrowing: shown.stillGrowing,
        resources: {
          total: requests.length,
          failed: failed.length + blocked.length,
          failedUrls: [...failed, ...blocked].map((request) => request.url),
          cut: cut.map((record) => record.host),
        },
        certificateError: shown.arrival.certificateError,
        loadTimedOut: shown.loadTimedOut,
        dialogs: page.dialogs,
        popups: page.popups,
        navigationsPrevented: page.navigationsPrevented,
        allowedAddresses: allowed,
        isolation: launched.isolation.kind,
      }),
      ...shown.missing.map(({ url }) => ({ code: 'artefact_missing' as const, data: { path: url } })),
    ]
    const losses = [
      ...network.losses,
      ...cut.map((record) => ({ url: `${record.host}:${record.port}`, reason: record.cut as string })),
      ...shown.missing,
    ]
    const completeness: CaptureFacts['completeness'] = {
      state: losses.length === 0 ? 'complete' : 'incomplete',
      losses,
    }
    const date = document?.headers['date']
    const originDate = date === undefined || document === undefined ? null : Date.parse(date)
    const checklist = buildChecklist({
      machineModel: facts.model,
      machineSerial: facts.serial,
      virtualisation: facts.virtualisation,
      os: facts.os,
      kernel: facts.kernel,
      patchedAt: facts.patched_at,
      browser: browserVersion,
      extensions: launched.flags.includes('--disable-extensions') && launched.profile.entries.length === 0 ? 0 : null,
      localAddresses: facts.local_addresses,
      dnsServers: facts.dns_servers,
      systemProxies: facts.proxy_variables,
      clockSynchronised: facts.clock_synchronised,
      originClockOffset:
        originDate === null || Number.isNaN(originDate)
          ? null
          : Math.round((document as { startedAt: number }).startedAt / 1000 - originDate / 1000),
      profileEntries: launched.profile.entries.length,
      profileSha256: launched.profile.sha256,
      responses: requests.filter((request) => request.status !== null).length,
      responsesFromCache: requests.filter((request) => request.fromCache).length,
      startedAt,
      finishedAt,
      firstUrlVisited: documents[0]?.url ?? '',
      requestedUrl: (address as { url: string }).url,
      path: documents.map((one) => one.url.slice(0, 300)),
      images: shown.shots.images.length,
      connections: records.filter((record) => record.stream !== null).length,
      exchanges: network.counts.exchanges,
      complete: completeness.state === 'complete',
      processesLeft,
    })
    await write(
      'capture/console.jsonl',
      'console',
      'application/x-ndjson',
      observation.console.map((line) => `${line}\n`).join('') +
        (observation.consoleDropped > 0 ? `${JSON.stringify({ source: 'probant', dropped: observation.consoleDropped })}\n` : ''),
    )
    await write('capture/actions.jsonl', 'action_log', 'application/x-ndjson', actions.text())
    await write(
      'environment/environment.json',
      'environment',
      'application/json',
      `${JSON.stringify(
        {
          machine: facts,
          browser: {
            product: launched.product,
            user_agent: launched.userAgent,
            flags: launched.flags,
            policies: launched.policies,
            profile_before_start: launched.profile,
            language: input.locale === 'fr' ? 'fr-FR' : 'en-US',
            time_zone: timeZone,
            viewport,
            peak_memory_bytes: launched.peakBytes(),
          },
          isolation: launched.isolation,
          reconciliation: network.counts,
          tunnel: {
            alters: false,
            caches: false,
            decrypts: false,
            limits,
            allowed_addresses: input.allowAddresses,
            allowed_addresses_used: allowed,
            totals: (tunnel as Tunnel).totals(),
            rolling_hash: (tunnel as Tunnel).checkpoint(),
          },
        },
        null,
        1,
      )}\n`,
    )
    await write('environment/checklist.json', 'checklist', 'application/json', `${JSON.stringify(checklist, null, 1)}\n`)
    const captureFacts: CaptureFacts = {
      requested_url: (address as { url: string }).url,
      final_url: shown.finalUrl,
      title: shown.seen.title,
      http_status: document?.status ?? null,
      started_at: startedAt,
      navigated_at: shown.navigatedAt,
      finished_at: finishedAt,
      viewport: { width: viewport.width, height: viewport.height, device_scale_factor: viewport.deviceScaleFactor },
      page_height: shown.shots.pageHeight,
      captured_height: shown.shots.capturedHeight,
      images: shown.shots.images,
      resources: {
        total: requests.length,
        failed: failed.length,
        blocked: blocked.length,
        bytes: (tunnel as Tunnel).totals().bytes_received,
      },
      redirects: documents
        .slice(0, -1)
        .flatMap((one) => (one.redirectedTo !== null && one.status !== null ? [{ url: one.url, status: one.status }] : [])),
      server_address: serverAddress,
      certificate: network.certificate === null ? null : { ...network.certificate, error: shown.arrival.certificateError },
      machine: {
        hostname: facts.hostname,
        os: facts.os,
        kernel: facts.kernel,
        browser: browserVersion,
        node: facts.node,
        software,
        virtualisation: facts.virtualisation,
      },
      allowed_addresses_used: allowed,
      isolation: launched.isolation.kind,
      checklist,
      warnings,
      completeness,
    }
    progress('finished', 'captured')
    return { files, facts: captureFacts }
  }
}
