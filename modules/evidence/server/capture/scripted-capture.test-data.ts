/** A capture process whose browser is scripted: the loop, the leases, the door and the database are the real ones. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../../../../platform/db/database.ts'
import { createAdmissions } from '../../../../platform/admission/admissions.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { silentLog, type Log } from '../../../../platform/log/log.ts'
import { CaptureFailure, serverFolder, startCaptureServer, type CaptureServerProcess } from '../../../capture/server/index.ts'
import { startCaptureLoop, type CaptureLoop } from './capture-loop.ts'
import type { Capture, InteractiveCapture } from './capture-loop-deps.ts'
import { sampleFacts } from '../sample-facts.test-data.ts'
import { scriptedSession, type ScriptedSession } from '../../../live/server/doors/scripted-session.test-data.ts'
import { askForViewer } from '../live-calls/ask-for-viewer.ts'
import type { ViewerRights } from '../../../live/server/index.ts'
import { openSessionsDoor, type SessionsDoor } from '../../../live/server/doors/sessions-door.ts'

const items = {
  software: 'probant/1.0.0',
  program_sha256: 'a'.repeat(64),
  node: '26.9.0',
  operating_system: 'Debian GNU/Linux 12, 6.1.0',
  machine_sha256: null,
  browser: 'Chromium 156.0.8078.79',
  browser_sha256: 'c'.repeat(64),
  packages: null,
  image_digest: 'd'.repeat(64),
  dns_servers: '192.0.2.53',
  proxy: 'none',
  public_address: null,
  isolation: 'namespaces',
} as const

export type ScriptedProcess = {
  readonly server: CaptureServerProcess
  readonly door: SessionsDoor
  readonly loop: CaptureLoop
  readonly sessions: Map<string, ScriptedSession>
  /** Errors that it has logged. */
  failures(): number
  stop(graceMs: number, completeMs: number): Promise<void>
}

/**
 * The visitor's session: joined while it is prepared, his until somebody quits or it is told to end, then completed.
 * @param hooks what a test wants to hold up or break; each is awaited
 */
export function scriptedInteractive(
  sessions: Map<string, ScriptedSession>,
  hooks: { readonly prepared?: () => Promise<void>; readonly heedsEnding?: boolean; readonly outcome?: () => Promise<void> } = {},
): InteractiveCapture {
  return async ({ evidenceId, workDir, signal, ending, sessions: known, ...request }) => {
    const over = Promise.withResolvers<void>()
    const session = scriptedSession(evidenceId, over.resolve)
    request.onProgress({ phase: 'preparing', step: 'browser' })
    sessions.set(evidenceId, session)
    known.add(session)
    const cancelled = new Promise<never>((_resolve, reject) => {
      const cancel = () => reject(new CaptureFailure('cancelled'))
      if (signal.aborted) cancel()
      else signal.addEventListener('abort', cancel, { once: true })
    })
    cancelled.catch(() => undefined)
    await Promise.race([hooks.prepared?.(), cancelled])
    request.onProgress({ phase: 'capturing', step: 'session' })
    if (hooks.heedsEnding !== false) ending.addEventListener('abort', () => session.end(), { once: true })
    await Promise.race([over.promise, cancelled])
    request.onProgress({ phase: 'completing', step: 'archive' })
    await hooks.outcome?.()
    const file = join(workDir, 'dom.html')
    writeFileSync(file, '<p>')
    return { files: [{ path: 'capture/dom.html', role: 'dom', media_type: 'text/html', file }], facts: sampleFacts }
  }
}

export async function startScriptedProcess(options: {
  readonly db: Db
  readonly databaseUrl: string
  readonly folder: string
  readonly serverId: string
  readonly leaseSeconds: number
  readonly capacity: number
  readonly interactive?: InteractiveCapture
  readonly capture?: Capture
  readonly sessions?: Map<string, ScriptedSession>
  readonly admits?: (running: number) => boolean
}): Promise<ScriptedProcess> {
  const { db, folder, serverId, capacity, leaseSeconds } = options
  let failures = 0
  const log: Log = { ...silentLog, error: () => void (failures += 1), child: () => log }
  const common = { db, clock: { now: () => new Date() }, log }
  const sessions = options.sessions ?? new Map<string, ScriptedSession>()
  const rights: ViewerRights = {
    ...common,
    admissions: createAdmissions({ ...common, log: silentLog }),
    ask: async (id, ground) => await askForViewer(common, id, ground),
  }
  const door = await openSessionsDoor({ rights, log: silentLog, listen: { host: '127.0.0.1', port: 0 } })
  let loop: CaptureLoop | undefined
  const server = await startCaptureServer({
    ...common,
    server: { id: serverId, name: serverId, country: null, city: null, kind: 'public' },
    folder: serverFolder(folder, `${serverId}-${randomBytes(4).toString('hex')}`),
    measure: () =>
      Promise.resolve({
        items,
        clock_offset: null,
        clock_step: null,
        image: null,
        measured_at: new Date().toISOString(),
        clock_measured_at: null,
        public_address_measured_at: null,
        isolation_measured_at: new Date().toISOString(),
        network: null,
      }),
    measureSilence: () => Promise.resolve(null),
    capacity: 1,
    interactiveCapacity: capacity,
    aliveSeconds: leaseSeconds,
    pin: 'by-command',
    onReady: () => loop?.wake(),
  })
  const started = await startCaptureLoop({
    ...common,
    blobs: createFolderBlobStore(join(folder, 'blobs')),
    databaseUrl: options.databaseUrl,
    capture: options.capture ?? (() => Promise.reject(new CaptureFailure('unknown_host'))),
    interactive: {
      capture: options.interactive ?? scriptedInteractive(sessions),
      door,
      capacity,
      admits: options.admits ?? (() => true),
      sessionMs: 600_000,
      graceMs: 60_000,
    },
    server,
    concurrency: 1,
    workFolder: join(folder, `work-${serverId}-${randomBytes(4).toString('hex')}`),
    leaseSeconds,
  })
  loop = started
  return {
    server,
    door,
    loop: started,
    sessions,
    failures: () => failures,
    async stop(graceMs, completeMs) {
      await started.stop(graceMs, completeMs)
      await door.stop()
      await server.stop()
    },
  }
}
