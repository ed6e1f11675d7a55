import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { createLog } from '../../../../platform/log/create-log.ts'
import { readEnvelope, startOutsideServices, type OutsideServices } from '../../../../testing/outside/outside-services.ts'
import { clientErrorRoutes, openErrorReports } from '../index.ts'

const folder = mkdtempSync(join(tmpdir(), 'probant-errors-'))
const path = '/api/8/envelope/'
let peer: OutsideServices
beforeAll(async () => (peer = await startOutsideServices()))
beforeEach(() => void peer.heard.splice(0))
afterAll(async () => {
  await peer.close()
  rmSync(folder, { recursive: true })
})

function open(address = `${peer.origin}${path}?sentry_key=0123456789abcdef&sentry_version=7`) {
  let now = new Date('2026-03-01T10:00:00.000Z')
  const clock = { now: () => now }
  const reports = openErrorReports({ address, release: 'probant@0.1.0', environment: 'production', clock })
  const log = createLog({ role: 'web', level: 'info', folder, terminal: () => undefined, onError: (line) => reports.take(line) })
  return {
    log,
    clock,
    settled: async () => await reports.settled(),
    later: (ms: number) => void (now = new Date(now.getTime() + ms)),
  }
}
const events = () =>
  peer.of(path).map(({ body }) => {
    const { header, items } = readEnvelope(body)
    const [item] = items
    expect(item?.type).toBe('event')
    return { header, event: JSON.parse(item?.payload ?? '{}') as Record<string, unknown> }
  })

test('T-05 H-41: an error of the server is told with its kind and place, and without anybody’s data', async () => {
  const { log, settled } = open()
  log.info({}, 'all is well')
  log.warn({ err: new Error('cut') }, 'tried again')
  const failed = new TypeError('could not read the page of Jeanne Martin at https://client.example/dossier?key=abc')
  log.error({ err: failed, token: 'T0K', url: 'https://client.example/', name: 'Jeanne' }, 'capture failed')
  await settled()
  expect(events()).toHaveLength(1)
  const [{ header, event } = { header: {}, event: {} }] = events()
  expect(event).toMatchObject({
    event_id: header['event_id'],
    platform: 'node',
    level: 'error',
    release: 'probant@0.1.0',
    environment: 'production',
    logger: 'web',
    logentry: { formatted: 'capture failed' },
    exception: { values: [{ type: 'TypeError', value: 'could not read the page of … at …' }] },
  })
  const [{ stacktrace }] = (event['exception'] as { values: [{ stacktrace: { frames: { filename: string }[] } }] }).values
  expect(stacktrace.frames.at(-1)?.filename).toBe('modules/outside/server/errors/report-errors.test.ts')
  expect(peer.of(path)[0]?.body).not.toMatch(/Jeanne|client\.example|T0K|\/work|\/home/)
  expect(peer.of(path)[0]?.headers['content-type']).toBe('application/x-sentry-envelope')
})

test('T-05: the same error is told once an hour, and no more than twenty in a minute', async () => {
  const { log, settled, later } = open()
  for (let i = 0; i < 3; i += 1) log.error({}, 'the same')
  await settled()
  expect(events()).toHaveLength(1)
  later(3_600_000)
  log.error({}, 'the same')
  const words = 'abcdefghijklmnopqrstuvwxyz'
  for (const letter of words) log.error({}, `another ${letter}`)
  await settled()
  expect(events()).toHaveLength(21)
})

test('T-05: nobody who hears of it, and nothing fails', async () => {
  const gone = await startOutsideServices()
  await gone.close()
  const { log, settled } = open(`${gone.origin}${path}`)
  log.error({}, 'an error')
  await settled()
  expect(readFileSync(join(folder, 'web.log'), 'utf8')).toContain('an error')
})

test('T-05 H-41: an error of a page reaches the log and the service, scrubbed again, and no flood of them does', async () => {
  const { log, clock, settled } = open()
  const server = await createHttpServer({
    config: loadConfig({}),
    log,
    clock,
    secret: 's'.repeat(32),
    routes: clientErrorRoutes({ log, clock }),
    health: {},
  })
  const tell = async (body: object) =>
    await server.inject({
      method: 'POST',
      url: '/client_errors/',
      headers: { 'user-agent': 'Mozilla/5.0 (X11) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36' },
      payload: body,
    })
  const frames = [
    { file: 'assets/index-B1_x.js', name: 'readThing', line: 12, column: 345 },
    { file: 'https://evil.example/jeanne.js', name: '<b>', line: 1, column: 1 },
  ]
  const answer = await tell({ name: 'TypeError', message: 'no dossier of Jeanne', page: '/capture/:id/', frames })
  expect(answer.statusCode).toBe(202)
  await tell({ name: 'jeanne@people.example', message: 'x', page: '/capture/0192-token/', frames: [] })
  await settled()
  const [first, second] = events().map(({ event }) => event)
  expect(first).toMatchObject({
    platform: 'javascript',
    transaction: '/capture/:id/',
    tags: { browser: 'Chrome 141' },
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'no dossier of …',
          stacktrace: { frames: [{ filename: 'assets/index-B1_x.js', function: 'readThing', lineno: 12, colno: 345 }] },
        },
      ],
    },
  })
  expect(second).toMatchObject({ transaction: '…', exception: { values: [{ type: 'Error' }] } })
  const written = readFileSync(join(folder, 'web.log'), 'utf8')
  expect(written).toContain('no dossier of …')
  for (const text of [written, ...peer.of(path).map(({ body }) => body)])
    expect(text).not.toMatch(/dossier of Jeanne|jeanne@people|0192-token|evil\.example/)
  const statuses = []
  for (let i = 0; i < 70; i += 1) statuses.push((await tell({ name: 'E', message: '', page: '/', frames: [] })).statusCode)
  expect(statuses.filter((status) => status === 202)).toHaveLength(58)
  expect(statuses.at(-1)).toBe(429)
  await server.close()
})
