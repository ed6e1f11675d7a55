import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { afterAll, expect, test, vi } from 'vitest'
import { defineJob, enqueue } from '../../../platform/jobs/jobs.ts'
import { withDatabase } from '../../../testing/database.ts'
import { parseExposition, type Family } from '../../../testing/metrics/parse-exposition.ts'
import { serveMetrics } from './serve-metrics.ts'
import { startOutsideTsa } from '../../../testing/tsa.ts'

vi.setConfig({ testTimeout: 300_000 })

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-metrics-'))
const children: ChildProcess[] = []
afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})

const program = fileURLToPath(new URL('../serve.ts', import.meta.url))

type Role = { readonly port: number | undefined; scrape(path?: string, method?: string): Promise<Response> }

async function startRole(role: string, env: Record<string, string> = {}): Promise<Role> {
  const child = spawn(process.execPath, [program, '--role', role], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATABASE_URL: database.url,
      PROBANT_DATA: folder,
      PORT: '0',
      PROBANT_METRICS: '127.0.0.1:0',
      PROBANT_SAMPLE: 'off',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  children.push(child)
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(
      `the role ${role} ended with ${String(code)} before it was ready; what browsers load is there after: node tools/build.mjs`,
    )
  })
  const [ready] = (await Promise.race([once(child, 'message'), exited])) as [{ port?: number }]
  exited.catch(() => undefined)
  const told = readFileSync(join(folder, `logs/${role}.log`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { metrics?: string }).metrics)
    .findLast((metrics) => metrics !== undefined)
  return {
    port: ready.port,
    scrape: async (path = '/metrics', method = 'GET') => await fetch(`http://${told ?? ''}${path}`, { method }),
  }
}

/** What is told, held against the text format, by a tool that is not ours too where there is one. */
async function read(role: Role): Promise<Map<string, Family>> {
  const response = await role.scrape()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await response.text()
  const promtool = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
  if (promtool.error === undefined) expect(promtool.stderr, 'promtool check metrics').toBe('')
  // Of a database's address, of a key, of a machine's folder: nothing.
  expect(text).not.toContain(folder)
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|@|postgres(?:ql)?:/)
  return new Map(parseExposition(text).map((family) => [family.name, family]))
}

const valueOf = (families: ReadonlyMap<string, Family>, name: string, labels: Record<string, string> = {}) =>
  families
    .values()
    .flatMap(({ samples }) => samples)
    .find((sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value))?.value

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await wait(100)
}

test('a web process tells what it answered, by pattern and never by address, and what waits in the installation', async () => {
  const never = defineJob('test.never', z.object({}))
  await enqueue(database.db, never, {})
  const web = await startRole('web')
  const origin = `http://127.0.0.1:${String(web.port)}`
  expect((await fetch(`${origin}/health/`)).status).toBe(200)
  expect((await fetch(`${origin}/evidences/0197a9d2-7b1c-7000-8000-000000000000/?signature=secret`)).status).toBeLessThan(500)
  expect((await fetch(`${origin}/metrics`)).headers.get('content-type')).not.toMatch(/version=0\.0\.4/)
  const told = await read(web)
  const requests = 'probant_http_request_duration_seconds_count'
  expect(valueOf(told, requests, { method: 'GET', route: '/health/', status: '200' })).toBe(1)
  expect(
    told
      .get('probant_http_request_duration_seconds')
      ?.samples.some(({ labels }) => /0197a9d2|secret/.test(labels['route'] ?? '')),
  ).toBe(false)
  expect(valueOf(told, 'probant_jobs', { job: 'test.never', state: 'waiting' })).toBe(1)
  expect(valueOf(told, 'probant_jobs_oldest_age_seconds', { job: 'test.never' })).toBeGreaterThan(0)
  for (const kind of ['static', 'interactive']) expect(valueOf(told, 'probant_captures', { kind, state: 'waiting' })).toBe(0)
  expect(valueOf(told, 'probant_capture_servers', { state: 'ready' })).toBe(0)
  expect(valueOf(told, 'probant_log_entries')).toBe(0)
  // No head was signed yet: it has no age.
  expect(told.get('probant_log_head_age_seconds')?.samples).toEqual([])
  expect(valueOf(told, 'probant_anchors_waiting')).toBe(0)
  expect(valueOf(told, 'probant_blob_free_bytes')).toBeGreaterThan(0)
  expect(valueOf(told, 'probant_database_connections_limit')).toBe(10)
  expect(valueOf(told, 'probant_build_info', { role: 'web' })).toBe(1)
  expect(valueOf(told, 'process_cpu_seconds_total')).toBeGreaterThan(0)
  expect(valueOf(told, 'nodejs_eventloop_lag_p99_seconds')).toBeDefined()
  expect((await web.scrape('/')).status).toBe(404)
  expect((await web.scrape('/metrics/../health/')).status).toBe(404)
  expect((await web.scrape('/metrics', 'POST')).status).toBe(405)
  // Whoever runs the process asks there too.
  for (const path of ['/livez', '/readyz']) expect([path, (await web.scrape(path)).status]).toEqual([path, 200])
  expect((await web.scrape('/readyz', 'POST')).status).toBe(405)
})

test('a process answers from its start, and is ready when it can do its work', async () => {
  let isReady = false
  const served = await serveMetrics(
    { host: '127.0.0.1', port: 0 },
    { contentType: 'text/plain', write: () => Promise.resolve(''), isReady: () => isReady },
  )
  try {
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${String(served.port)}${path}`)).status
    expect([await ask('/livez'), await ask('/readyz')]).toEqual([200, 503])
    isReady = true
    expect(await ask('/readyz')).toBe(200)
  } finally {
    await served.close()
  }
})

test('a worker tells how its jobs ended and what time authorities answered', async () => {
  const tsa = await startOutsideTsa({ key: 'ec' })
  try {
    const worker = await startRole('worker', { TSA_URLS: tsa.url })
    // At its start it asks each authority, and each copy for its key.
    await until(async () => {
      const told = await read(worker)
      const done = told.get('probant_job_duration_seconds')?.samples.some(({ labels }) => labels['outcome'] === 'done')
      return done === true && valueOf(told, 'probant_timestamp_duration_seconds_count', { outcome: 'stamped' }) !== undefined
    })
    const told = await read(worker)
    expect(valueOf(told, 'probant_timestamp_duration_seconds_count', { authority: tsa.url })).toBeGreaterThan(0)
    expect(valueOf(told, 'probant_mails_total', { outcome: 'failed' })).toBe(0)
    // What the installation stands at is told by web processes alone.
    expect(told.has('probant_jobs')).toBe(false)
  } finally {
    await tsa.close()
  }
})

test('an address that is not to be had keeps nobody from starting', async () => {
  const role = await startRole('web', { PROBANT_METRICS: '192.0.2.1:9464' })
  expect((await fetch(`http://127.0.0.1:${String(role.port)}/health/`)).status).toBe(200)
  expect(readFileSync(join(folder, 'logs/web.log'), 'utf8')).toContain('PROBANT_METRICS is not to be had')
})
