/** Two capture processes' doors and two web servers, real sockets and real PostgreSQL between them; the sessions are scripted. */
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest'
import { openAdmissions, type Admissions } from '../../../../platform/admission/admissions.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { haveServer, type TestServer } from '../../../../testing/capture-server.ts'
import { withDatabase } from '../../../../testing/database.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { askForViewer } from '../../../evidence/server/live-calls/ask-for-viewer.ts'
import type { ViewerRights } from './hold-viewer.ts'
import { createRecall } from '../../../identity/server/index.ts'
import type { Evidence } from '../../../evidence/contract/evidence.ts'
import { createEvidenceChanges } from '../../../evidence/server/record/evidence-changes.ts'
import { claimNext, recordProgress } from '../../../evidence/server/queue/lease-store.ts'
import { evidenceRoutes } from '../../../evidence/server/routes.ts'
import { defaultCarryLimits, type CarryLimits } from './carry-viewer.ts'
import { findSession } from './session-store.ts'
import { scriptedSession, type ScriptedSession } from './scripted-session.test-data.ts'
import { openSessionsDoor, type HeldSession, type SessionsDoor } from './sessions-door.ts'
import { createViewersDoor, type ViewersDoor, type ViewersDoorLimits } from './viewers-door.ts'

export const secret = 's'.repeat(32)
export const patience = { timeout: 60_000, interval: 10 }
export const publicUrl = 'https://probant.example'
const mebi = 1024 * 1024
/** How long nothing may happen where that is not what is tested. */
const longMs = 120_000

export type Web = { readonly origin: string; readonly viewers: ViewersDoor; close(): Promise<void> }

export type Answer = { status: number; body: Record<string, unknown> & { code?: string }; headers: Headers }

export type Session = {
  readonly id: string
  readonly token: string
  readonly fence: number
  readonly live: ScriptedSession
  readonly held: HeldSession
  ticket(role?: string): Promise<string>
}

export const welcomed = (message: { type: string }) => message.type === 'welcome'

function rightsOf(common: { readonly db: Db; readonly clock: Clock }, admissions: Admissions): ViewerRights {
  const asked = { ...common, recall: createRecall(common) }
  return { ...common, admissions, ask: async (id, ground) => await askForViewer(asked, id, ground) }
}

/** For a test file: made before its tests, gone after. */
export function withLiveStack() {
  const database = withDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'probant-live-'))
  let webs: readonly [Web, Web]
  let doors: readonly [SessionsDoor, SessionsDoor]
  let server: TestServer

  async function startWeb(
    trustLoopback = true,
    sessionsPerAddress = 0,
    helloMs = longMs,
    own: Partial<ViewersDoorLimits> = {},
  ): Promise<Web> {
    const common = { db: database.db, log: silentLog, clock: { now: () => new Date() }, secret, trustLoopback }
    const heard = await openAdmissions({ databaseUrl: database.url, ...common })
    const viewers = createViewersDoor({
      ...common,
      rights: rightsOf(common, heard),
      publicUrl,
      limits: { perPrefix: 3, all: 300, waitingPerPrefix: 3, waiting: 300, helloMs, silenceMs: longMs, ...own },
    })
    const deps = {
      ...common,
      blobs: createFolderBlobStore(folder),
      allowAddresses: [],
      scenarios: [],
      sessionsPerAddress,
    }
    const app = await createHttpServer({
      config: loadConfig({}),
      log: silentLog,
      secret,
      routes: evidenceRoutes(deps, createEvidenceChanges()),
      health: {},
      extend: (extended) => viewers.register(extended),
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    return {
      origin: `http://127.0.0.1:${String((app.server.address() as AddressInfo).port)}`,
      viewers,
      async close() {
        await viewers.close()
        await app.close()
        await heard.close()
      },
    }
  }

  async function openDoor(limits: Partial<CarryLimits> = {}): Promise<SessionsDoor> {
    const common = { db: database.db, log: silentLog, clock: { now: () => new Date() } }
    const heard = await openAdmissions({ databaseUrl: database.url, ...common })
    const door = await openSessionsDoor({
      rights: rightsOf(common, heard),
      log: silentLog,
      listen: { host: '127.0.0.1', port: 0 },
      limits: { ...defaultCarryLimits, waitingBytes: 4 * mebi, silenceMs: longMs, ...limits },
    })
    return {
      ...door,
      async stop() {
        await door.stop()
        await heard.close()
      },
    }
  }

  beforeAll(async () => {
    doors = [await openDoor(), await openDoor()]
    webs = [await startWeb(), await startWeb()]
    server = await haveServer(database.db, 'paris')
  })

  afterAll(async () => {
    for (const web of webs) await web.close()
    for (const door of doors) await door.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function call(
    method: string,
    path: string,
    options: { token?: string; body?: unknown; web?: Web } = {},
  ): Promise<Answer> {
    const response = await fetch(`${(options.web ?? webs[0]).origin}${path}`, {
      method,
      headers: {
        ...(options.token === undefined ? {} : { 'x-evidence-token': options.token }),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    })
    return { status: response.status, body: (await response.json()) as Answer['body'], headers: response.headers }
  }

  async function queueSession(): Promise<{ id: string; token: string }> {
    const asked = { url: 'https://example.org/', action: 'interactive', locale: 'en' }
    const { status, body } = await call('POST', '/evidences/', { body: asked })
    expect(status).toBe(201)
    return { id: (body['evidence'] as Evidence).id, token: body['evidence_token'] as string }
  }

  /** A session under way in one of the two capture processes. */
  async function startSession(door: SessionsDoor = doors[0]): Promise<Session> {
    const { id, token } = await queueSession()
    const claimed = await claimNext(database.db, server, 600, 'interactive')
    if (claimed?.id !== id) throw new Error('another evidence was claimed')
    const held = door.hold({ evidenceId: id, fence: claimed.fence, sessionMs: 600_000 })
    onTestFinished(async () => {
      await held.close()
      await sql`delete from evidence where id = ${id}::uuid`.execute(database.db)
    })
    const live = scriptedSession(id)
    held.sessions.add(live)
    await recordProgress(database.db, id, claimed.fence, { phase: 'capturing', step: 'session' })
    await vi.waitUntil(async () => (await findSession(database.db, id)) !== null, patience)
    return {
      id,
      token,
      fence: claimed.fence,
      live,
      held,
      async ticket(role = 'controller') {
        const { status, body } = await call('POST', `/evidences/${id}/live_ticket/`, { token, body: { role } })
        expect(status).toBe(200)
        return body['ticket'] as string
      },
    }
  }

  return {
    database,
    get webs() {
      return webs
    },
    get doors() {
      return doors
    },
    startWeb,
    openDoor,
    call,
    queueSession,
    startSession,
  }
}
