import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { openDatabase, type Db } from '../../../../platform/db/database.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { haveAccount, sessionsOf } from '../../../../testing/accounts.ts'
import { finish } from '../finish.test-data.ts'
import type { Quotas } from '../../domain/quotas.ts'
import { createEvidenceChanges } from '../record/evidence-changes.ts'
import { deleteSpentWork } from '../../../../platform/guard/work-store.ts'
import { deleteOldPreviews } from './quota-store.ts'
import { evidenceRoutes } from '../routes.ts'

const database = withDatabase()
const secret = 's'.repeat(32)
const standard: Quotas = { freePreviews: 3, mostPreviews: 5, draftsPerAccount: 2, reportsPerMonth: 0, queueLength: 1000 }
let quotas = standard
let now = new Date()
type Web = { readonly db: Db; readonly server: Awaited<ReturnType<typeof createHttpServer>> }
/** Two processes that share a database and nothing else. */
let webs: readonly Web[]
const network = '203.0.113.7'

async function startWeb(): Promise<Web> {
  const db = openDatabase(database.url, { max: 8, log: silentLog })
  const deps = {
    db,
    blobs: createFolderBlobStore('/nowhere'),
    clock: { now: () => now },
    log: silentLog,
    secret,
    allowAddresses: [],
    scenarios: [],
    get quotas() {
      return quotas
    },
  }
  const routes = evidenceRoutes(deps, createEvidenceChanges())
  const authenticate = sessionsOf()
  const server = await createHttpServer({
    config: loadConfig({}),
    log: silentLog,
    secret,
    clock: deps.clock,
    routes,
    health: {},
    authenticate,
  })
  return { db, server }
}

beforeAll(async () => {
  webs = [await startWeb(), await startWeb()]
})
afterAll(async () => {
  for (const { db, server } of webs) {
    await server.close()
    await db.destroy()
  }
})
beforeEach(async () => {
  quotas = standard
  // Another minute: the first wall of each process has forgotten who asked.
  now = new Date(now.getTime() + 25 * 3_600_000)
  await sql`truncate evidence, preview_count, spent_work cascade`.execute(database.db)
})

type Answer = { status: number; body: Record<string, never> & { code: string; message: string; data: Record<string, never> } }
type Work = { challenge: string; nonces: number[] }
type Ask = {
  from?: string
  user?: string
  web?: number
  work?: Work
  url?: string
  locale?: string
  token?: string
  path?: string
}

async function ask(options: Ask = {}): Promise<Answer> {
  const { from = network, user, web = 0, work, url = 'https://example.org/', locale = 'en', token, path } = options
  const response = await webs[web]?.server.inject({
    method: 'POST',
    url: path ?? '/evidences/',
    remoteAddress: from,
    headers: {
      'accept-language': locale,
      ...(user === undefined ? {} : { authorization: `Bearer ${user}` }),
      ...(token === undefined ? {} : { 'x-evidence-token': token }),
    },
    payload: {
      ...(path === undefined ? { url, action: 'static', locale } : {}),
      ...(work === undefined ? {} : { work }),
    },
  })
  return { status: response?.statusCode ?? 0, body: response?.json() as Answer['body'] }
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

/** As a program does it that has read the API's description and nothing else of ours. */
function solve({ body }: Answer): Work {
  const { challenge, parts, hashes } = body.data as unknown as { challenge: string; parts: number; hashes: number }
  const bytes = Buffer.alloc(40)
  sha256(challenge).copy(bytes)
  const nonces = Array.from({ length: parts }, (_, part) => {
    bytes.writeUInt32BE(part, 32)
    for (let nonce = 0; ; nonce += 1) {
      bytes.writeUInt32BE(nonce, 36)
      if (sha256(bytes).readUInt32BE(0) < Math.floor(2 ** 32 / hashes)) return nonce
    }
  })
  return { challenge, nonces }
}

/** What was asked for has been captured. */
async function captured(): Promise<void> {
  await sql`update evidence set status = 'failed', failure = '{"code":"no_server","data":{}}' where status = 'queued'`.execute(
    database.db,
  )
}

async function spendFree(): Promise<void> {
  for (let i = 0; i < 3; i += 1) {
    expect((await ask({ web: i % 2 })).status).toBe(201)
    await captured()
  }
}

const codes = (answers: readonly Answer[]) => answers.map(({ status, body }) => (status === 201 ? 'made' : body.code)).toSorted()

describe('H-34 without account', () => {
  test('three previews a day of one network cost nothing; the fourth costs work, which counts once, wherever it is sent', async () => {
    await spendFree()
    expect((await ask({ from: '203.0.114.7' })).status).toBe(201)
    const asked = await ask({ from: '203.0.113.250' })
    expect(asked).toMatchObject({ status: 429, body: { code: 'evidence.work_required', data: { parts: 32, reason: 'none' } } })
    const work = solve(asked)
    const answers = await Promise.all(Array.from({ length: 10 }, async (_, i) => await ask({ web: i % 2, work })))
    expect(codes(answers)).toEqual([
      'evidence.work_required',
      ...Array.from({ length: 8 }, () => 'evidence.work_required'),
      'made',
    ])
    await captured()
    // The next one costs more, and the old proof is no longer worth it.
    const dearer = await ask({ work })
    expect(dearer.body.data['reason']).toBe('too_cheap')
    expect(Number(dearer.body.data['hashes'])).toBeGreaterThan(Number(asked.body.data['hashes']))
    // A day later all is forgotten.
    now = new Date(now.getTime() + 25 * 3_600_000)
    expect((await ask()).status).toBe(201)
    await deleteOldPreviews(database.db, now)
    await deleteSpentWork(database.db, now)
    const { rows } = await sql`select from preview_count union all select from spent_work`.execute(database.db)
    expect(rows).toHaveLength(1)
  })

  test('the description of the API says how it is done', async () => {
    const document: unknown = (await webs[0]?.server.inject('/api/docs/json'))?.json()
    for (const path of ['/evidences/', '/evidences/{id}/retry/'])
      expect(JSON.stringify((document as { paths: Record<string, object> }).paths[path])).toContain(
        'SHA-256(seed || part || nonce)',
      )
  })

  test('of many that ask at once, in two processes, one is made', async () => {
    const answers = await Promise.all(Array.from({ length: 24 }, async (_, i) => await ask({ web: i % 2 })))
    expect(codes(answers).filter((code) => code === 'made')).toHaveLength(1)
    expect(new Set(codes(answers))).toEqual(new Set(['made', 'evidence.work_required']))
  })

  test('work counts for the request and the network that it was asked of, for half an hour, unaltered', async () => {
    await spendFree()
    const work = solve(await ask())
    const reason = async (options: Ask) => (await ask({ work, ...options })).body.data['reason']
    expect(await reason({ url: 'https://example.org/other' })).toBe('other_request')
    expect(await reason({ locale: 'fr' })).toBe('other_request')
    expect(await reason({ work: { ...work, nonces: work.nonces.toReversed() } })).toBe('wrong')
    expect(await reason({ work: { ...work, nonces: [] } })).toBe('wrong')
    const [payload = '', mac = ''] = work.challenge.split('.')
    const cheaper = { ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object), hashes: 32 }
    const forged = `${Buffer.from(JSON.stringify(cheaper)).toString('base64url')}.${mac}`
    for (const challenge of [forged, payload, '', '.', `${work.challenge}.`, 'x'.repeat(1000)])
      expect(await reason({ work: { ...work, challenge } })).toBe('not_ours')
    for (let i = 0; i < 3; i += 1) {
      expect((await ask({ from: '203.0.115.1' })).status).toBe(201)
      await captured()
    }
    expect(await reason({ from: '203.0.115.1' })).toBe('other_request')
    now = new Date(now.getTime() + 31 * 60_000)
    expect(await reason({})).toBe('expired')
  })

  test('X-09 beyond the ceiling there is no more, and no work helps', async () => {
    quotas = { ...standard, mostPreviews: 3 }
    await spendFree()
    const refused = await ask()
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'evidence.preview_quota', message: 'You have reached the max preview quota.' },
    })
    expect(Number(refused.body.data['seconds'])).toBeGreaterThan(22 * 3600)
    expect((await ask({ locale: 'fr' })).body.message).toBe('Vous avez atteint le nombre maximal d’aperçus.')
  })

  test('the price rises with the strangers that wait; a retry is a preview like another', async () => {
    const first = (await ask()) as unknown as { body: { evidence: { id: string }; evidence_token: string } }
    const before = Number((await ask()).body.data['hashes'])
    for (let i = 0; i < 20; i += 1) expect((await ask({ from: `198.51.${i}.1`, web: i % 2 })).status).toBe(201)
    expect(Number((await ask()).body.data['hashes'])).toBe(2 * before)
    await captured()
    const retry = { path: `/evidences/${first.body.evidence.id}/retry/`, token: first.body.evidence_token }
    quotas = { ...standard, freePreviews: 1 }
    const asked = await ask(retry)
    expect(asked.body.code).toBe('evidence.work_required')
    expect((await ask({ ...retry, work: solve(asked) })).status).toBe(201)
  })
})

describe('H-34 with account', () => {
  test('X-14 so many drafts at a time, whoever asks at once in two processes; a retry takes the place of its draft', async () => {
    const user = await haveAccount(database.db)
    const answers = await Promise.all(Array.from({ length: 10 }, async (_, i) => await ask({ user, web: i % 2 })))
    expect(codes(answers)).toEqual([...Array.from({ length: 8 }, () => 'evidence.too_many_drafts'), 'made', 'made'])
    expect(answers.find(({ status }) => status === 429)?.body.message).toMatch(/maximum of evidence drafts \(2\)/)
    const made = answers.find(({ status }) => status === 201) as unknown as { body: { evidence: { id: string } } }
    await finish(database.db, made.body.evidence.id, 'to_validate', now)
    expect((await ask({ user })).body.code).toBe('evidence.too_many_drafts')
    expect((await ask({ user, path: `/evidences/${made.body.evidence.id}/retry/` })).status).toBe(201)
    // Nobody else is concerned, neither another account nor a stranger beside him.
    expect((await ask({ user: await haveAccount(database.db) })).status).toBe(201)
    expect((await ask()).status).toBe(201)
  })

  test('X-16 so many reports a month, drafts counted', async () => {
    quotas = { ...standard, draftsPerAccount: 0, reportsPerMonth: 2 }
    const user = await haveAccount(database.db)
    const made = (await ask({ user })) as unknown as { body: { evidence: { id: string } } }
    await finish(database.db, made.body.evidence.id, 'final', now)
    expect((await ask({ user })).status).toBe(201)
    const refused = await ask({ user, locale: 'fr' })
    expect(refused).toMatchObject({ status: 429, body: { code: 'evidence.too_many_reports' } })
    expect(refused.body.message).toMatch(/2 rapports par mois/)
  })
})

test('the queue has an end, of which strangers have half, whoever asks at once in two processes', async () => {
  quotas = { ...standard, queueLength: 6, draftsPerAccount: 0 }
  const strangers = await Promise.all(
    Array.from({ length: 10 }, async (_, i) => await ask({ from: `198.51.${i}.1`, web: i % 2 })),
  )
  expect(codes(strangers)).toEqual([...Array.from({ length: 7 }, () => 'evidence.queue_full'), 'made', 'made', 'made'])
  const user = await haveAccount(database.db)
  const accounts = await Promise.all(Array.from({ length: 10 }, async (_, i) => await ask({ user, web: i % 2 })))
  expect(codes(accounts)).toEqual([...Array.from({ length: 7 }, () => 'evidence.queue_full'), 'made', 'made', 'made'])
  expect(accounts.find(({ status }) => status !== 201)?.status).toBe(503)
})
