import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { evidenceRoutes } from '../../../modules/evidence/server/routes.ts'
import { startScriptedProcess } from '../../../modules/evidence/server/capture/scripted-capture.test-data.ts'
import { createEvidenceChanges } from '../../../modules/evidence/server/record/evidence-changes.ts'
import { sealEvidenceJob } from '../../../modules/evidence/server/record/jobs.ts'
import { findEvidence } from '../../../modules/evidence/server/record/store.ts'
import { sampleFacts } from '../../../modules/evidence/server/sample-facts.test-data.ts'
import { sealEvidence } from '../../../modules/evidence/server/seal/seal-evidence.ts'
import { createTimestampers, openKeyring } from '../../../modules/sealing/server/index.ts'
import { createFolderBlobStore } from '../../../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import { createHttpServer } from '../../../platform/http/server.ts'
import { defineJob, enqueue, handle, type Job, type JobHandler } from '../../../platform/jobs/jobs.ts'
import { runWorker } from '../../../platform/jobs/worker.ts'
import { createLog } from '../../../platform/log/create-log.ts'
import { silentLog, type Log } from '../../../platform/log/log.ts'
import { contextOf, currentOrigin, parseTraceparent } from '../../../platform/trace/origin.ts'
import { beginSpan, followOrigin, inSpan, linkOrigin } from '../../../platform/trace/spans.ts'
import { withDatabase } from '../../../testing/database.ts'
import { findPersonal } from '../../../testing/find-personal.ts'
import { logInMemory } from '../../../testing/log-in-memory.ts'
import { openCollector, type Collector } from '../../../testing/traces/open-collector.ts'
import { openTraces } from './open-traces.ts'
import { watchCapture } from './watch-calls.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-traces-'))
afterAll(() => rmSync(folder, { recursive: true }))
const clock = { now: () => new Date() }
const patience = { timeout: 60_000, interval: 10 }
const nobodyHears = { captureBegan: () => undefined, phaseEnded: () => undefined, captureEnded: () => undefined }

async function collecting(log: Log = silentLog): Promise<Collector & { flush(): Promise<void> }> {
  const collector = await openCollector()
  onTestFinished(async () => await collector.close())
  const end = openTraces({ url: collector.url, role: 'all', version: '0', log })
  onTestFinished(end)
  return { ...collector, flush: end }
}

/** The log of a process, and what it says. */
function logOf(role: string) {
  const logs = join(folder, 'logs')
  const log = createLog({ role, level: 'debug', folder: logs, terminal: () => undefined })
  const lines = () =>
    readFileSync(join(logs, `${role}.log`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { log, lines }
}

async function working(log: Log, jobs: readonly Job[], handlers: readonly JobHandler[]): Promise<void> {
  const worker = await runWorker({ databaseUrl: database.url, jobs, handlers, concurrency: 1, log })
  onTestFinished(async () => await worker.stop())
}

async function evidenceServer(takesTraceparent = false) {
  const { db } = database
  const blobs = createFolderBlobStore(join(folder, 'blobs'))
  const deps = { db, blobs, clock, log: silentLog, secret: 's'.repeat(32), allowAddresses: [], scenarios: [] }
  const routes = evidenceRoutes(deps, createEvidenceChanges())
  const server = await createHttpServer({
    config: loadConfig({}),
    log: silentLog,
    secret: deps.secret,
    routes,
    health: {},
    takesTraceparent,
  })
  onTestFinished(async () => await server.close())
  return { server, deps }
}

const hostile = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const ask = (url: string) => ({
  method: 'POST' as const,
  url: '/evidences/',
  headers: { traceparent: hostile },
  payload: { url, action: 'static', locale: 'en' },
})

test('a request, its capture and its seal are one trace, and every line of their logs bears the request; nothing of it is anybody’s', async () => {
  const collector = await collecting()
  const [capturing, sealing] = [logOf('capture'), logOf('worker')]
  const { server, deps } = await evidenceServer()
  const page = 'https://client.example/page?token=Zm9vYmFyYmF6cXV4Zm9v&mail=ada@client.example'
  const answer = await server.inject(ask(page))
  expect(answer.statusCode).toBe(201)
  const { evidence, evidence_token: token } = answer.json<{ evidence: { id: string }; evidence_token: string }>()
  const requestId = answer.headers['x-request-id']
  const loop = await startScriptedProcess({
    db: database.db,
    databaseUrl: database.url,
    folder,
    serverId: 'paris',
    leaseSeconds: 600,
    capacity: 1,
    capture: watchCapture(
      'static',
      async ({ workDir, url, ...request }) => {
        capturing.log.info({}, 'the page is visited')
        for (const phase of ['preparing', 'capturing', 'completing'] as const) request.onProgress({ phase, step: 'archive' })
        const file = join(workDir, 'dom.html')
        writeFileSync(file, url)
        return await Promise.resolve({
          files: [{ path: 'capture/dom.html', role: 'dom', media_type: 'text/html', file }],
          facts: sampleFacts,
        })
      },
      nobodyHears,
    ),
  })
  onTestFinished(async () => await loop.stop(0, 0))
  const keyring = await openKeyring({ dir: join(folder, 'keys'), clock, log: silentLog })
  const timestampers = createTimestampers({ urls: [], keyring, clock, log: silentLog })
  const publicLog = logInMemory(keyring)
  await working(
    sealing.log,
    [sealEvidenceJob],
    [
      handle(sealEvidenceJob, async ({ evidence_id }) => {
        await sealEvidence({ ...deps, keyring, timestampers, publicLog }, evidence_id)
      }),
    ],
  )
  const status = async () => (await findEvidence(database.db, evidence.id))?.status
  await vi.waitUntil(async () => (await status()) === 'to_validate', patience)
  await vi.waitUntil(() => sealing.lines().some(({ msg }) => msg === 'job done'), patience)
  await collector.flush()

  const named = (name: string) => {
    const found = collector.spans.filter((span) => span.name === name)
    expect(found, name).toHaveLength(1)
    return found[0]!
  }
  const [asked, captured, sealed] = [named('POST /evidences/'), named('capture'), named('job evidence.seal_evidence')]
  expect(asked).toMatchObject({
    kind: 2,
    attributes: { 'http.route': '/evidences/', 'http.response.status_code': 201, 'probant.request_id': requestId },
  })
  // Of what a visitor says of himself, nothing is believed.
  expect(asked.parentSpanId).toBeUndefined()
  expect(asked.traceId).not.toBe(parseTraceparent(hostile)?.traceId)
  expect(captured).toMatchObject({
    traceId: asked.traceId,
    parentSpanId: asked.spanId,
    attributes: { 'probant.evidence_id': evidence.id },
  })
  for (const phase of ['preparing', 'capturing', 'completing'])
    expect(named(`capture ${phase}`)).toMatchObject({ traceId: asked.traceId, parentSpanId: captured.spanId })
  expect(sealed).toMatchObject({ traceId: asked.traceId, parentSpanId: captured.spanId, kind: 5 })
  for (const step of ['time stamps', 'public log']) expect(named(step).parentSpanId).toBe(sealed.spanId)
  for (const { startTimeUnixNano, endTimeUnixNano } of collector.spans)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))

  const ids = { request_id: requestId, trace_id: asked.traceId }
  expect(capturing.lines()).toMatchObject([{ msg: 'the page is visited', ...ids }])
  expect(sealing.lines().find(({ msg }) => msg === 'job done')).toMatchObject({ job: 'evidence.seal_evidence', ...ids })

  const told = join(folder, 'told')
  mkdirSync(told)
  writeFileSync(join(told, 'spans.log'), collector.bodies.join('\n'))
  expect(await findPersonal(told)).toEqual([])
  const all = collector.bodies.join('\n')
  for (const secret of [token, 'client.example', 'ada', 'Zm9v', folder]) expect(all).not.toContain(secret)
})

test('where nothing is traced the request is known all the same, and a configured proxy’s trace goes on', async () => {
  const { server } = await evidenceServer()
  const origins = async () =>
    (await database.db.selectFrom('evidence').select('origin').orderBy('created_at', 'desc').limit(1).execute())[0]?.origin
  const untraced = await server.inject(ask('https://one.example/'))
  expect(await origins()).toEqual({ request_id: untraced.headers['x-request-id'] })
  const { server: behindProxy } = await evidenceServer(true)
  const carried = await behindProxy.inject(ask('https://two.example/'))
  expect(await origins()).toEqual({ request_id: carried.headers['x-request-id'], traceparent: hostile })
  const collector = await collecting()
  await behindProxy.inject(ask('https://three.example/'))
  // What its sender is not to be traced by, is not.
  await behindProxy.inject({ ...ask('https://four.example/'), headers: { traceparent: hostile.replace(/01$/, '00') } })
  await collector.flush()
  expect(collector.spans).toMatchObject([{ traceId: hostile.slice(3, 35), parentSpanId: hostile.slice(36, 52) }])
})

test.each([
  hostile.toUpperCase(),
  `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
  `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`,
  `ff${hostile.slice(2)}`,
  `${hostile}-more`,
  `${hostile}\n`,
  `00-${'f'.repeat(100)}`,
  '',
])('%j is no traceparent', (text) => {
  expect(parseTraceparent(text)).toBeNull()
})

test('a job knows who asked, is handed nothing else than what it was asked, and one that fails says its kind alone', async () => {
  const collector = await collecting()
  const { log, lines } = logOf('jobs')
  const other = parseTraceparent(hostile)
  const job = defineJob('test.strict_work', z.strictObject({ note_id: z.string() }))
  const done = Promise.withResolvers<void>()
  await inSpan('outside', {}, async () => {
    await followOrigin({ request_id: 'r-7' }, 'asking', {}, async () => {
      await enqueue(database.db, job, { note_id: 'whole' }, { maxAttempts: 1 })
    })
  })
  await working(
    log,
    [job],
    [
      handle(job, async (payload) => {
        expect(payload).toEqual({ note_id: 'whole' })
        expect(currentOrigin()).toMatchObject({ request_id: 'r-7' })
        linkOrigin({ traceparent: hostile })
        setImmediate(done.resolve)
        throw Object.assign(new Error('no answer of https://client.example/ for ada@client.example'), { code: 'ENOTFOUND' })
      }),
    ],
  )
  await done.promise
  await vi.waitUntil(() => lines().some(({ msg }) => msg === 'job failed'), patience)
  expect(lines().find(({ msg }) => msg === 'job failed')).toMatchObject({ request_id: 'r-7' })
  await vi.waitUntil(() => beginSpan('probe', {}) !== null, patience)
  await collector.flush()
  const [asking, ran] = ['asking', 'job test.strict_work'].map((name) => collector.spans.find((span) => span.name === name))
  expect(ran).toMatchObject({
    traceId: asking?.traceId,
    parentSpanId: asking?.spanId,
    status: { code: 2 },
    attributes: { 'error.type': 'ENOTFOUND', 'probant.attempt': 1 },
    links: [{ traceId: other?.traceId, spanId: other?.spanId }],
  })
  expect(collector.bodies.join('\n')).not.toMatch(/client|ada/)
  expect(contextOf(null)).toBe(contextOf({ traceparent: 'none' }))
})

test('a collector that is slow, refuses or is gone delays nothing and costs no more than so many spans', async () => {
  const said: string[] = []
  const note = (_: object | string, message?: string) => void said.push(message ?? '')
  // Eight times what is kept, before there is a moment to hand any over.
  const work = async (count: number) => {
    for (let made = 0; made < count; made += 1) await inSpan('work', {}, async () => await Promise.resolve())
  }
  const slow = await collecting()
  await work(16_384)
  await slow.flush()
  expect(slow.spans.length).toBeGreaterThan(0)
  expect(slow.spans.length).toBeLessThanOrEqual(2_048 + 256)
  const silent = await collecting()
  silent.behave('hold')
  await work(1_000)
  expect(silent.spans).toEqual([])
  // The end of a process waits two seconds for it, and not more: whatever was not taken is left.
  await silent.flush()
  expect(beginSpan('after', {})).toBeNull()

  const refusing = await collecting({ ...silentLog, warn: note, info: note })
  refusing.behave('refuse')
  await work(600)
  await refusing.flush()
  expect(said.filter((words) => words.includes('takes none'))).not.toHaveLength(0)
})
