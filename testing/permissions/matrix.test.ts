import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { createFolderBlobStore } from '../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../platform/log/log.ts'
import { withDatabase } from '../database.ts'
import { expectations } from './expectations.ts'
import type { Case } from './case.ts'
import { openWebApi, type Operation } from './open-web-api.test-data.ts'
import { callsForKeys, expectedOfKey, isOutcome, type Outcome, reaching } from './outcomes.ts'
import { accountOf, credentials, haveWorld, isKey, marker, type Role, roles, type World } from './people.ts'
import { openUndoneDatabase } from './undone-database.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-matrix-'))
let undone: Awaited<ReturnType<typeof openUndoneDatabase>>
let api: Awaited<ReturnType<typeof openWebApi>>
let world: World
/** As {@link countChanges} is when an attempt begins. */
let changes: number | undefined
let network = 0

beforeAll(async () => {
  undone = await openUndoneDatabase(database.url)
  const blobs = createFolderBlobStore(folder)
  api = await openWebApi({ db: undone.db, blobs, clock: systemClock, log: silentLog })
  world = await haveWorld(undone.db, blobs)
  changes = await countChanges()
})
afterAll(async () => {
  await api.server.close()
  await undone.close()
  rmSync(folder, { recursive: true, force: true })
})

type Answer = { readonly status: number; readonly code: string; readonly text: string; readonly body: Record<string, unknown> }

/** Reads what is answered; of an answer that does not end, its beginning. */
async function call(operation: Operation, each: Case, role: Role): Promise<Answer> {
  const sent = each.send?.(world, role, accountOf(world, role)) ?? {}
  const path =
    sent.path ?? operation.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(sent.params?.[name] ?? ''))
  network += 1
  const response = await api.server.inject({
    method: operation.method as 'GET',
    url: path,
    remoteAddress: '127.0.0.1',
    headers: {
      // Another network each time: what counts by network is tested by itself.
      'x-forwarded-for': `10.${String((network >> 8) & 255)}.${String(network & 255)}.7`,
      ...credentials(world, role, callsForKeys[operation.name] ?? null),
      ...(sent.bytes === undefined ? {} : { 'content-type': 'application/octet-stream' }),
    },
    ...(sent.body === undefined && sent.bytes === undefined ? {} : { payload: sent.bytes ?? (sent.body as object) }),
    payloadAsStream: true,
  })
  const stream = response.stream()
  let text = ''
  for await (const part of stream) {
    text += String(part)
    if (String(response.headers['content-type']).startsWith('text/event-stream') && text.includes('\n\n')) break
  }
  stream.destroy()
  const isJson = String(response.headers['content-type']).startsWith('application/json')
  const body = isJson ? (JSON.parse(text) as Record<string, unknown>) : {}
  return { status: response.statusCode, code: typeof body['code'] === 'string' ? body['code'] : '', text, body }
}

/** Grows with every act that is recorded, and every change of an evidence. */
const countChanges = async () => {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from act) + (select sum(version)::bigint from evidence)
      + (select sum(version + 1)::bigint from document) as count`.execute(undone.db)
  return rows[0]?.count
}

const refusals: readonly Outcome[] = ['missing', 'absent', 'sign_in', 'forbidden']
/** Of calls that take the right from a link, whoever follows it. */
const linked = (name: string) => name.startsWith('GET /files/') || name.startsWith('GET /deposits/')

/** @returns what is wrong, in words */
async function attempt(operation: Operation, each: Case, role: Role): Promise<string[]> {
  const wanted = isKey(role)
    ? expectedOfKey(operation.name, each.expect, role, callsForKeys[operation.name] ?? null)
    : each.expect[role]
  const where = `${operation.name}${each.as === undefined ? '' : ` (${each.as})`} as ${role}`
  return await undone.attempt(async () => {
    const answer = await call(operation, each, role)
    const wrong: string[] = []
    if (!isOutcome(wanted, answer)) wrong.push(`${where}: ${wanted} is expected, not ${answer.status} ${answer.code}`)
    if (refusals.includes(wanted) && (await countChanges()) !== changes) wrong.push(`${where}: refused, and yet it did something`)
    const reaches = reaching('read')[role] === 'admitted' && role !== 'holder' && (!isKey(role) || wanted === 'admitted')
    if (!reaches && !linked(operation.name) && answer.text.includes(marker)) wrong.push(`${where}: tells what is the owner’s`)
    if (wanted === 'admitted' && each.check?.(answer.body, world, role) === false)
      wrong.push(`${where}: ${answer.text.slice(0, 300)}`)
    return wrong
  })
}

describe('who may make which call', () => {
  test('every call that the web role answers is published, and has its row', () => {
    const names = api.operations.map(({ name }) => name)
    expect(api.endpoints.map(({ method, path }) => `${method} ${path}`).filter((name) => !names.includes(name))).toEqual([])
    expect(names.toSorted()).toEqual(Object.keys(expectations).toSorted())
  })

  test('keys open the calls that are for them, and no others', () => {
    const forKeys = api.endpoints.filter(({ apiScope }) => apiScope !== null)
    const named = forKeys.map(({ method, path, apiScope }) => [`${method} ${path}`, apiScope] as const)
    const served = api.endpoints.map(({ method, path }) => `${method} ${path}`)
    expect(Object.fromEntries(named)).toEqual(
      Object.fromEntries(Object.entries(callsForKeys).filter(([name]) => served.includes(name))),
    )
  })

  test(
    'every role is answered as its row says, refused ones change nothing, and none reads what it does not reach',
    { timeout: 600_000 },
    async () => {
      const wrong: string[] = []
      let tried = 0
      for (const operation of api.operations)
        for (const each of expectations[operation.name] ?? [])
          for (const role of roles) {
            wrong.push(...(await attempt(operation, each, role)))
            tried += 1
          }
      process.stdout.write(`${api.operations.length} routes × ${roles.length} roles = ${tried} tried\n`)
      expect(wrong).toEqual([])
      expect(tried).toBeGreaterThanOrEqual(api.operations.length * roles.length)
    },
  )
})
