import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { Clock } from '../../../../kernel/clock.ts'
import { defaultLocale } from '../../../../kernel/locale.ts'
import { browserFlags, browserPolicies, headfulPolicies } from '../../../../platform/browser/browser-flags.ts'
import { IsolationUnavailable } from '../../../../platform/browser/launch-browser.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { defaultCaptureLimits } from '../../domain/outcome/limits.ts'
import type { ServerItems } from '../../domain/servers/preflight.ts'
import { isSilent, type HeardHost, type ListenedSession, type Silence, type SilenceFound } from '../../domain/servers/silence.ts'
import { createActionLog } from '../page/action-log.ts'
import type { ConnectionRecord, NameResolver } from '../network/index.ts'
import { prepareSession } from '../session/prepare-session.ts'
import type { SessionKind } from '../session/session-kind.ts'

/** Listens to the browser of these items, or tells what was heard of that very one before. Never rejects but with the signal. */
export type MeasureSilence = (items: ServerItems, signal: AbortSignal) => Promise<SilenceFound>

/** What a browser has to say on its own it says within seconds: the latest that was met came 3.1 s after the start. */
const defaultWatch = { idleMs: 4_000, pageMs: 4_000 }

/** With what makes browsers speak: something to fill in, to look up, to remember. */
const ownPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Silence</title><link rel="icon" href="data:,">
<p lang="fr">Le silence est mesuré.</p><form><input name="email" type="email" autocomplete="email"><input type="password" autocomplete="current-password"><input type="search"></form></html>`

/** No name is ever asked of anyone: that it was asked for is what counts. */
const nobody: NameResolver = {
  resolve: () => Promise.reject(Object.assign(new Error('names are not resolved here'), { code: 'ENOTFOUND' })),
}

const heard = z.strictObject({ host: z.string(), port: z.int(), when: z.enum(['idle', 'page']) })
const silenceSchema: z.ZodType<Silence> = z.strictObject({
  format: z.literal('probant-silence/1'),
  key: z.string().regex(/^[0-9a-f]{64}$/),
  browser: z.string().max(200),
  measured_at: z.iso.datetime(),
  sessions: z.array(
    z.strictObject({
      kind: z.enum(['static', 'live']),
      idle_seconds: z.number(),
      page_seconds: z.number(),
      heard: z.array(heard).max(10_000),
    }),
  ),
})

/** Kept beside the manifests of an installation's servers: they are of one machine, and have one browser. */
const silenceFile = (folder: string): string => join(folder, 'silence.json')

/** What was measured last; null when nothing was, or the file cannot be read. @param folder `<data>/servers` */
export async function readSilence(folder: string): Promise<Silence | null> {
  const text = await readFile(silenceFile(folder), 'utf8').catch(() => null)
  try {
    return text === null ? null : silenceSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

async function writeSilence(folder: string, silence: Silence): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${silenceFile(folder)}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${JSON.stringify(silence, null, 1)}\n`, { mode: 0o600 })
  await rename(draft, silenceFile(folder))
}

/**
 * Runs the browser in its jail, with the very flags and policies of captures, behind a recording tunnel whose only open address is a page of
 * our own on loopback: at rest, then on that page, static and live at a time. Once for each browser; what was silent is not listened to again.
 */
export function createSilenceMeasurement(options: {
  readonly clock: Clock
  readonly log: Log
  /** `<data>/servers` */
  readonly folder: string
  readonly kinds: readonly SessionKind<unknown>[]
  readonly isolationOverride: boolean
  /** Another program than that of this process. */
  readonly program?: string
  /** How long it is listened to at rest, and on the page. */
  readonly watch?: typeof defaultWatch
}): MeasureSilence {
  const { clock, log, folder } = options
  let known: Silence | null = null
  return async (items, signal) => {
    const { browser, browser_sha256: sha256, isolation } = items
    if (browser === null || sha256 === null || isolation === 'unavailable') return null
    // No live session is made without namespaces.
    const kinds = options.kinds.filter(({ name }) => name === 'static' || isolation === 'namespaces')
    const key = keyOf(sha256, kinds)
    if (known?.key === key) return known
    const kept = await readSilence(folder)
    if (kept?.key === key && isSilent(kept)) return (known = kept)
    try {
      log.info({ browser }, 'listening whether the browser speaks by itself: once for each version')
      const sessions = await listen(kinds, options, signal)
      known = { format: 'probant-silence/1', key, browser, measured_at: clock.now().toISOString(), sessions }
      await writeSilence(folder, known).catch((error: unknown) => log.error({ err: error }, 'what was heard could not be kept'))
      return known
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof IsolationUnavailable) return null
      log.error({ err: error }, 'the browser could not be listened to')
      return { failed: error instanceof Error ? error.message.slice(0, 300) : 'unknown' }
    }
  }
}

function keyOf(browserSha256: string, kinds: readonly SessionKind<unknown>[]): string {
  const settings = kinds.map(({ name }) => {
    const headless = name === 'static'
    const flags = browserFlags({
      headless,
      proxyPort: 0,
      profile: '',
      keyLogFile: '',
      locale: defaultLocale,
      window: { width: 0, height: 0 },
      userAgent: '',
      ownSandbox: true,
    })
    return [name, flags, headless ? browserPolicies : headfulPolicies]
  })
  return createHash('sha256')
    .update(JSON.stringify([browserSha256, settings]))
    .digest('hex')
}

async function listen(
  kinds: readonly SessionKind<unknown>[],
  options: Parameters<typeof createSilenceMeasurement>[0],
  signal: AbortSignal,
): Promise<readonly ListenedSession[]> {
  const recordDir = await mkdtemp(join(tmpdir(), 'probant-silence-'))
  const page = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(ownPage))
  const ending = new AbortController()
  try {
    await new Promise<void>((resolve, reject) => void page.once('error', reject).listen(0, '127.0.0.1', resolve))
    const both = AbortSignal.any([signal, ending.signal])
    const listening = kinds.map(async (kind) => await listenTo(kind, page, join(recordDir, kind.name), options, both))
    try {
      return await Promise.all(listening)
    } finally {
      // One that failed does not leave the other behind.
      ending.abort(new Error('the other browser could not be listened to'))
      await Promise.allSettled(listening)
    }
  } finally {
    page.closeAllConnections()
    page.close()
    await rm(recordDir, { recursive: true, force: true })
  }
}

async function listenTo(
  kind: SessionKind<unknown>,
  page: Server,
  recordDir: string,
  {
    clock,
    log,
    isolationOverride,
    program,
    watch: { idleMs, pageMs } = defaultWatch,
  }: Parameters<typeof createSilenceMeasurement>[0],
  signal: AbortSignal,
): Promise<ListenedSession> {
  const address = `127.0.0.1:${String((page.address() as AddressInfo).port)}`
  const session = await prepareSession(
    {
      kind,
      locale: defaultLocale,
      recordDir,
      limits: defaultCaptureLimits,
      allowAddresses: [address],
    },
    { clock, signal, resolver: nobody, isolationOverride, ...(program === undefined ? {} : { program }) },
    { state: { browser: null, page: null, tooLarge: false }, actions: createActionLog(clock), log },
  )
  try {
    const watch = async (ms: number) => await Promise.race([wait(ms, undefined, { signal }), session.lost])
    await watch(idleMs)
    const atRest = session.tunnel.connections().length
    const { errorText } = await session.page.session.send('Page.navigate', { url: `http://${address}/` })
    // Without the page nothing is known of what the browser says on one.
    if (errorText !== undefined) throw new Error(`our own page could not be shown: ${errorText}`)
    await watch(pageMs)
    await session.finish()
    const foreign = (record: ConnectionRecord, i: number): HeardHost[] =>
      `${record.host}:${String(record.port)}` === address
        ? []
        : [{ host: record.host.slice(0, 255), port: record.port, when: i < atRest ? 'idle' : 'page' }]
    const connections = session.tunnel.connections()
    return { kind: kind.name, idle_seconds: idleMs / 1000, page_seconds: pageMs / 1000, heard: connections.flatMap(foreign) }
  } finally {
    await session.release()
  }
}
