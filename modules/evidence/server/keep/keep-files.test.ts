import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import type { Mail } from '../../../../platform/mail/mailer.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { createTimestampers, openKeyring, openPublicLog } from '../../../sealing/server/index.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { nextOfTerm } from '../../domain/keep-files.ts'
import { actorOf, haveAccount, sessionsOf } from '../../../../testing/accounts.ts'
import { callsOf } from '../../../../testing/call-server.ts'
import { finish } from '../finish.test-data.ts'
import { createEvidence } from '../ask/create-evidence.ts'
import { deleteContent } from '../trash/empty-trash.ts'
import { createEvidenceChanges } from '../record/evidence-changes.ts'
import { listFiles } from '../files/file-store.ts'
import { finalEvidence, webDeps, type World } from '../health/final-evidence.test-data.ts'
import { evidenceRoutes } from '../routes.ts'
import { findEvidence } from '../record/store.ts'
import { notificationHandlers } from '../notification-handlers.ts'
import { beginTerm, endTerms } from './keep-files.ts'
import { haveAddress } from '../notify/notify.test-data.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-keep-'))
let now = new Date('2026-11-21T10:00:00.000Z')
const clock = { now: () => now }
const mails: Mail[] = []
let server: Awaited<ReturnType<typeof createHttpServer>>

const deps = () => ({
  db: database.db,
  blobs: createFolderBlobStore(join(folder, 'blobs')),
  clock,
  log: silentLog,
  secret: 's'.repeat(32),
  publicUrl: 'https://probant.example',
  allowAddresses: [],
  scenarios: [],
  mailer: { send: async (mail: Mail) => await Promise.resolve(void mails.push(mail)), close: () => undefined },
})

beforeAll(async () => {
  server = await createHttpServer({
    config: loadConfig({}),
    log: silentLog,
    clock,
    secret: 's'.repeat(32),
    routes: evidenceRoutes(deps(), createEvidenceChanges()),
    health: {},
    authenticate: sessionsOf(),
  })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  mails.length = 0
})

const callServer = callsOf(() => server)
const call = async (method: 'GET' | 'POST' | 'PATCH', url: string, user: string | null, body?: object) =>
  await callServer<Record<string, unknown>>(method, url, user, body)

async function person(): Promise<string> {
  const id = await haveAccount(database.db)
  await haveAddress(database.db, id, `${randomUUID()}@people.example`)
  return id
}

const asked = { url: 'https://boutique.example/offre', action: 'static', locale: 'en' } as const

async function report(of: string, store: boolean): Promise<string> {
  const { evidence } = await createEvidence(deps(), { ...asked, store }, { addressPrefix: null, actor: actorOf(of) })
  await finish(database.db, evidence.id, 'final', now)
  await database.db.transaction().execute(async (tx) => await beginTerm(tx, evidence, now))
  return evidence.id
}

/** An hour of the worker: terms, then what they asked for. @returns subjects of what was sent */
async function hour(): Promise<string[]> {
  const before = mails.length
  await endTerms(deps())
  const { rows } = await sql<{ name: string; payload: { evidence_id?: string } }>`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t where t.id = j.task_id
    returning t.identifier as name, j.payload`.execute(database.db)
  const [send] = notificationHandlers(deps())
  const { signal } = new AbortController()
  for (const { name, payload } of rows) {
    if (name === 'evidence.send_notification') await send?.run(payload, { log: silentLog, attempt: 1, maxAttempts: 1, signal })
    if (name === 'evidence.delete_content') await deleteContent(deps(), payload.evidence_id ?? '')
  }
  return mails.slice(before).map(({ subject }) => subject)
}

const day = (count: number) => (now = new Date(Date.parse('2026-11-21T10:00:00.000Z') + count * 86_400_000))
const remind = 'Download your report before its files are deleted: boutique.example'
const stateOf = async (id: string) => await findEvidence(database.db, id)

describe('E-24 H-15 files that do not stay', () => {
  test('go thirty days after the report is final, after three reminders', async () => {
    day(0)
    const claire = await person()
    const id = await report(claire, false)
    const kept = await report(claire, true)
    expect((await call('GET', `/evidences/${id}/`, claire)).body).toMatchObject({
      store: false,
      files_kept_until: '2026-12-21T10:00:00.000Z',
    })
    expect((await call('GET', `/evidences/${kept}/`, claire)).body).toMatchObject({ store: true, files_kept_until: null })
    const told = []
    for (let at = 0; at <= 31; at += 0.25) {
      day(at)
      for (const subject of await hour()) told.push([at, subject])
    }
    expect(told).toEqual([
      [15, remind],
      [23, remind],
      [29, remind],
    ])
    expect(mails[2]?.text).toContain('are deleted on 21 December 2026 at 10:00 UTC')
    expect((await stateOf(id))?.contentDeletedAt).toEqual(new Date('2026-12-21T10:00:00.000Z'))
    expect((await stateOf(kept))?.contentDeletedAt).toBeNull()
    expect((await call('PATCH', `/evidences/${id}/`, claire, { store: true })).body['code']).toBe('evidence.content_deleted')
  })

  test('a worker that slept through the reminders sends them all first, and the end is put off', async () => {
    day(0)
    const claire = await person()
    const id = await report(claire, false)
    day(40)
    expect(await hour()).toEqual([remind])
    expect((await stateOf(id))?.keepFilesUntil).toEqual(new Date('2027-01-15T10:00:00.000Z'))
    expect(await hour()).toEqual([])
    day(48)
    expect(await hour()).toEqual([remind])
    day(54.5)
    expect(await hour()).toEqual([remind])
    // As it was put off; what is half a day late is late enough to be put off no more.
    day(54.9)
    await hour()
    expect((await stateOf(id))?.contentDeletedAt).toBeNull()
    day(55)
    await hour()
    expect((await stateOf(id))?.contentDeletedAt).not.toBeNull()
  })

  test('nobody is reminded of what was downloaded whole, to its last byte', async () => {
    day(0)
    const claire = await person()
    const { id, bytes, link } = await downloadable(claire)
    const get = async (headers: Record<string, string>) => await server.inject({ method: 'GET', url: link, headers })
    const noted = async () => (await stateOf(id))?.downloadedAt ?? null
    expect((await get({ range: `bytes=0-${String(bytes - 2)}` })).statusCode).toBe(206)
    expect((await server.inject({ method: 'HEAD', url: link })).statusCode).toBe(200)
    expect(await noted()).toBeNull()
    expect((await get({})).rawPayload).toHaveLength(bytes)
    await expect.poll(noted, { timeout: 60_000 }).toEqual(now)
    for (const at of [15, 23, 29, 29.9]) {
      day(at)
      expect(await hour()).toEqual([])
    }
    expect((await stateOf(id))?.contentDeletedAt).toBeNull()
    day(30)
    await hour()
    expect((await stateOf(id))?.contentDeletedAt).not.toBeNull()
    // The fingerprint and what proves its date are left, and nothing of the page.
    const left = (await listFiles(database.db, id)).map(({ path }) => path)
    expect(left.length).toBeGreaterThan(3)
    expect(left.every((path) => path.startsWith('seal/'))).toBe(true)
    const { body } = await call('GET', `/evidences/${id}/`, claire)
    expect((body['seal'] as Evidence['seal'])?.root).toMatch(/^[0-9a-f]{64}$/)
    expect(body).toMatchObject({ files_kept_until: null, preview: null, reports: null })
  })

  test('the choice is changed on the report: a term begins anew, and ends; what is in the trash waits', async () => {
    day(0)
    const claire = await person()
    const id = await report(claire, true)
    day(100)
    const until = (await call('PATCH', `/evidences/${id}/`, claire, { store: false })).body['files_kept_until']
    expect(until).toBe('2027-03-31T10:00:00.000Z')
    day(115)
    expect(await hour()).toEqual([remind])
    expect((await call('PATCH', `/evidences/${id}/`, claire, { store: true })).body['files_kept_until']).toBeNull()
    day(140)
    expect(await hour()).toEqual([])
    await call('PATCH', `/evidences/${id}/`, claire, { store: false })
    day(155)
    expect(await hour()).toEqual([remind])
    await call('PATCH', `/evidences/${id}/`, claire, { trashed: true })
    day(180)
    expect(await hour()).toEqual([])
    await call('PATCH', `/evidences/${id}/`, claire, { trashed: false })
    expect(await hour()).toEqual([remind])
    expect((await stateOf(id))?.contentDeletedAt).toBeNull()
    const acts = await database.db.selectFrom('act').select('action').where('subject_id', '=', id).orderBy('number').execute()
    expect(acts.map(({ action }) => action)).toEqual([
      'evidence.created',
      'evidence.unstored',
      'evidence.stored',
      'evidence.unstored',
      'evidence.trashed',
      'evidence.restored',
    ])
  })

  test('whoever wants no reminders gets none, and his files go all the same', async () => {
    day(0)
    const claire = await person()
    await database.db.insertInto('account_settings').values({ user_id: claire, notify_download_reminder: false }).execute()
    const id = await report(claire, false)
    day(29)
    expect(await hour()).toEqual([])
    day(30)
    await hour()
    expect((await stateOf(id))?.contentDeletedAt).not.toBeNull()
  })

  test('without account there is nobody to remind: it cannot be chosen', async () => {
    const { status, body } = await call('POST', '/evidences/', null, { ...asked, store: false })
    expect([status, body['fields']]).toEqual([400, { store: ['account_only'] }])
    const created = await call('POST', '/evidences/', null, { ...asked, store: true })
    const { evidence, evidence_token: token } = created.body as { evidence: Evidence; evidence_token: string }
    const change = { method: 'PATCH', url: `/evidences/${evidence.id}/`, payload: { store: false } } as const
    const answer = await server.inject({ ...change, headers: { 'x-evidence-token': token } })
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([409, 'evidence.store_needs_account'])
  })
})

/** A real package of a report whose files do not stay. */
async function downloadable(of: string): Promise<{ id: string; bytes: number; link: string }> {
  const keyring = await openKeyring({ dir: join(folder, 'keys'), clock, log: silentLog })
  const publicLog = await openPublicLog({
    db: database.db,
    keyring,
    clock,
    origin: 'proofs.example/log',
    folder: join(folder, 'log'),
  })
  const timestampers = createTimestampers({ urls: [], keyring, clock, log: silentLog })
  const world: World = { ...webDeps({ ...deps(), keyring, publicLog, timestampers }), keyring, publicLog, timestampers }
  const { id } = await finalEvidence(world)
  const taken = { owner_id: of, claimed_by: of, claimed_at: now }
  await database.db.updateTable('evidence').set(taken).where('id', '=', id).execute()
  await call('PATCH', `/evidences/${id}/`, of, { store: false })
  const { body } = await call('GET', `/evidences/${id}/generate_zip_archive/`, of)
  return { id, bytes: Number(body['bytes']), link: String(body['zip_archive']) }
}

test('a term gives each reminder its whole notice, and none twice', () => {
  const at = (days: number) => new Date(Date.UTC(2026, 0, 1) + days * 86_400_000)
  const until = at(30)
  const next = (days: number, reminded: number, remindable = true) => nextOfTerm({ until, reminded, remindable }, at(days))
  expect(next(14.9, 0)).toEqual({ action: 'wait' })
  expect(next(15, 0)).toEqual({ action: 'remind', days: 15, until })
  expect(next(15.5, 0)).toEqual({ action: 'remind', days: 15, until })
  expect(next(16, 0)).toEqual({ action: 'remind', days: 15, until: at(31) })
  expect(next(16, 1)).toEqual({ action: 'wait' })
  expect(next(35, 1)).toEqual({ action: 'remind', days: 7, until: at(42) })
  expect(next(29.4, 2)).toEqual({ action: 'remind', days: 1, until })
  expect(next(29.9, 3)).toEqual({ action: 'wait' })
  expect(next(30, 3)).toEqual({ action: 'delete' })
  expect([next(15, 0, false), next(30, 0, false)]).toEqual([{ action: 'wait' }, { action: 'delete' }])
})
