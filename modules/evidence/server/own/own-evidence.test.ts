import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { matchList, walkList } from '../../../../platform/lists/list-store.ts'
import { foldTally } from '../../../../platform/lists/tally-store.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { statusesOfCategory, trashLifetimeMs } from '../../domain/status.ts'
import {
  actorOf,
  haveAccount,
  haveGroup,
  removeMember,
  sessionsOf,
  setMember,
  type Granted,
} from '../../../../testing/accounts.ts'
import { callsOf } from '../../../../testing/call-server.ts'
import { finish } from '../finish.test-data.ts'
import { askedByOf } from './asked-by.ts'
import { claimOnConfirmation, claimPending } from './claim-evidence.ts'
import { createEvidence } from '../ask/create-evidence.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { deleteContent, emptyTrash } from '../trash/empty-trash.ts'
import { eraseOwnedEvidence } from '../trash/erase-owned.ts'
import { createEvidenceChanges } from '../record/evidence-changes.ts'
import { insertFiles, listFiles, type FileRecord } from '../files/file-store.ts'
import { insertSeal } from '../seal/seal-store.ts'
import { evidenceList } from '../list/list-store.ts'
import { evidenceRoutes } from '../routes.ts'
import { sampleFacts } from '../sample-facts.test-data.ts'
import { storeBytes } from '../files/store-files.ts'
import { findEvidence } from '../record/store.ts'
import { restoreEvidence, trashEvidence } from '../trash/trash-evidence.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-own-'))
const blobs = createFolderBlobStore(folder)
const granted = new Map<string, Granted>()
let now = new Date('2026-11-21T10:00:00.000Z')
let server: Awaited<ReturnType<typeof createHttpServer>>

const deps = (): EvidenceWebDeps => ({
  db: database.db,
  blobs,
  clock: { now: () => now },
  log: silentLog,
  secret: 's'.repeat(32),
  allowAddresses: [],
  scenarios: [],
  sessionsPerAddress: 1,
  sessionsPerAccount: 2,
})

beforeAll(async () => {
  const routes = evidenceRoutes(deps(), createEvidenceChanges())
  const authenticate = sessionsOf(granted)
  const secret = 's'.repeat(32)
  server = await createHttpServer({ config: loadConfig({}), log: silentLog, secret, routes, health: {}, authenticate })
})

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

type Who = { user?: string; for?: string; token?: string }
const callServer = callsOf(() => server)
const call = async (method: 'GET' | 'POST' | 'PATCH', url: string, who: Who = {}, payload?: object) => {
  const { status, body } = await callServer<Record<string, unknown>>(method, url, who.user ?? null, payload, {
    ...(who.for === undefined ? {} : { 'x-delegation': who.for }),
    ...(who.token === undefined ? {} : { 'x-evidence-token': who.token }),
  })
  return { status, body }
}

const asked = { url: 'https://example.org/page', action: 'static', locale: 'en' } as const

async function create(who: Who = {}, more: object = {}): Promise<{ id: string; token: string }> {
  const { status, body } = await call('POST', '/evidences/', who, { ...asked, ...more })
  expect(status).toBe(201)
  return { id: (body['evidence'] as Evidence).id, token: body['evidence_token'] as string }
}

const actsOn = async (id: string) =>
  (
    await database.db
      .selectFrom('act')
      .select(['action', 'actor_id', 'on_behalf_of'])
      .where('subject_id', '=', id)
      .orderBy('number')
      .execute()
  ).map((act) => [act.action, act.actor_id, act.on_behalf_of])

describe('taking over', () => {
  test('C-26 C-31 H-26 a draft, and its retries, become the account’s; the first claim wins and the token opens nothing more', async () => {
    const [ada, bob] = [await haveAccount(database.db), await haveAccount(database.db)]
    const { id, token } = await create()
    await sql`update evidence set status = 'failed', failure = '{"code":"internal","data":{}}' where id = ${id}::uuid`.execute(
      database.db,
    )
    const retried = (await call('POST', `/evidences/${id}/retry/`, { token })).body['id'] as string
    const claim = async (user: string) => await call('POST', `/evidences/${token}/user_assignment/`, { user })
    // Two at once: one of them has it.
    const both = await Promise.all([claim(ada), claim(bob)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const [winner, loser] = both[0].status === 200 ? [ada, bob] : [bob, ada]
    expect(await claim(winner)).toEqual({ status: 200, body: { evidences: [id, retried].toSorted() } })
    expect((await claim(loser)).body['code']).toBe('evidence.already_claimed')
    for (const each of [id, retried]) {
      expect((await call('GET', `/evidences/${each}/`, { user: winner })).body['owner']).toEqual({
        id: winner,
        name: 'Ada Byron',
      })
      expect((await call('GET', `/evidences/${each}/`, { token })).status).toBe(404)
      expect((await call('GET', `/evidences/${each}/`, { user: loser, token })).status).toBe(404)
      expect((await actsOn(each)).filter(([action]) => action === 'evidence.claimed')).toEqual([
        ['evidence.claimed', winner, null],
      ])
    }
    expect((await call('GET', '/evidences/', { token })).body['count']).toBe(0)
    expect((await call('POST', `/evidences/${'x'.repeat(43)}/user_assignment/`, { user: ada })).status).toBe(404)
    expect((await call('POST', `/evidences/${token}/user_assignment/`)).status).toBe(401)
  })

  test('C-32 H-26 what a token holds waits for the new account, and is its own from when its address is confirmed', async () => {
    const user = await haveAccount(database.db)
    const { id, token } = await create()
    const note = async (userId: string) => {
      const within = await claimOnConfirmation(deps(), token)
      await database.db.transaction().execute(async (tx) => await within(tx, userId))
    }
    // Whoever mistyped his address registers again: the last one counts, while it is nobody's.
    await note(await haveAccount(database.db))
    await note(user)
    expect((await call('GET', `/evidences/${id}/`, { token })).body['owner']).toBeNull()
    expect((await call('GET', `/evidences/${id}/`, { user })).status).toBe(404)
    await database.db.transaction().execute(async (tx) => await claimPending(tx, user, now))
    expect((await call('GET', `/evidences/${id}/`, { user })).status).toBe(200)
    expect((await call('GET', `/evidences/${id}/`, { token })).status).toBe(404)
    await expect(claimOnConfirmation(deps(), token)).rejects.toThrow('evidence.already_claimed')
    await expect(claimOnConfirmation(deps(), 'y'.repeat(43))).rejects.toThrow('evidence.not_found')
  })

  test('a claim that waited loses against one that was made meanwhile', async () => {
    const [late, soon] = [await haveAccount(database.db), await haveAccount(database.db)]
    const { id, token } = await create()
    await sql`update evidence set pending_owner = ${late}::uuid where id = ${id}::uuid`.execute(database.db)
    expect((await call('POST', `/evidences/${token}/user_assignment/`, { user: soon })).status).toBe(200)
    await database.db.transaction().execute(async (tx) => await claimPending(tx, late, now))
    expect((await findEvidence(database.db, id))?.ownerId).toBe(soon)
    // Not by any statement: the database refuses that an evidence changes hands.
    await expect(sql`update evidence set owner_id = ${late}::uuid where id = ${id}::uuid`.execute(database.db)).rejects.toThrow(
      'has an owner',
    )
  })
})

test('H-22 what a delegate does is the account’s, and is said to be his own doing for it', async () => {
  const owner = await haveAccount(database.db, { first: 'Grace', last: 'Hopper' })
  const clerk = await haveAccount(database.db, { first: 'Ada', last: 'Byron' })
  granted.set('d1', { userId: clerk, grantorId: owner, scope: 'create' })
  const { id } = await create({ user: clerk, for: 'd1' }, { label: 'case 12/345' })
  const { body } = await call('GET', `/evidences/${id}/`, { user: owner })
  expect(body).toMatchObject({
    owner: { id: owner, name: 'Grace Hopper' },
    created_by: { id: clerk, name: 'Ada Byron' },
    label: 'case 12/345',
  })
  expect(await actsOn(id)).toEqual([['evidence.created', clerk, owner]])
  expect((await call('PATCH', `/evidences/${id}/`, { user: clerk, for: 'd1' }, { label: 'x' })).body['code']).toBe(
    'http.not_delegated',
  )
  expect((await call('GET', `/evidences/${id}/`, { user: clerk })).status).toBe(404)
  const record = await findEvidence(database.db, id)
  if (record === null) throw new Error('the evidence is gone')
  const confirmedAt = '2026-11-01T09:05:00.000Z'
  expect(await askedByOf(database.db, record)).toEqual({
    kind: 'account',
    name: 'Ada Byron',
    confirmedAt,
    owner: { name: 'Grace Hopper', confirmedAt },
  })
  const taken = await create()
  await call('POST', `/evidences/${taken.token}/user_assignment/`, { user: owner })
  const claimed = await findEvidence(database.db, taken.id)
  expect(claimed === null ? null : await askedByOf(database.db, claimed)).toMatchObject({
    kind: 'claimed',
    owner: { name: 'Grace Hopper' },
  })
})

test('PROBANT_INTERACTIVE_PER_ACCOUNT an account has so many sessions, wherever it sits; strangers beside it have their own', async () => {
  const ada = await haveAccount(database.db)
  const ask = async (user?: string) => {
    const actor = user === undefined ? null : actorOf(user)
    await createEvidence(deps(), { ...asked, action: 'interactive' }, { addressPrefix: '192.0.2.0/24', actor })
  }
  await ask(ada)
  await ask(ada)
  await expect(ask(ada)).rejects.toThrow('live.too_many_sessions')
  await ask()
  await expect(ask()).rejects.toThrow('live.too_many_sessions')
  await ask(await haveAccount(database.db))
})

describe('the trash', () => {
  /** A final evidence with the files that a package has of each kind. */
  async function final(user: string): Promise<string> {
    const { id } = await create({ user })
    await finish(database.db, id, 'final', now)
    const files: FileRecord[] = []
    for (const [path, section] of [
      ['capture/viewport.png', 'piece'],
      ['manifest.json', 'seal'],
      ['seal/timestamp-1.tsr', 'seal'],
      ['report.en.pdf', 'core'],
    ] as const) {
      const described = { path, section, role: section === 'piece' ? 'viewport_screenshot' : null, mediaType: 'text/plain' }
      files.push(await storeBytes(blobs.scope(id), described, new TextEncoder().encode(`${path} ${id}`)))
    }
    await database.db.transaction().execute(async (tx) => {
      await insertFiles(tx, id, files)
      const root = id.replaceAll('-', '').padEnd(64, '0')
      const summary = {
        format: 'probant-seal/1' as const,
        root,
        signed_at: '2026-11-21T10:00:10.000Z',
        signer: { subject: 'Probant platform seal', serial: '1', sha256: root },
        timestamps: [],
        pending_authorities: [],
      }
      await insertSeal(tx, id, { root, summary, sealedAt: now })
      await tx
        .updateTable('evidence')
        .set({ facts: JSON.stringify(sampleFacts) })
        .where('id', '=', id)
        .execute()
    })
    return id
  }

  test('S-49 H-10 a final report is put there and taken out; after thirty days its files go, its fingerprint and proofs stay', async () => {
    const ada = await haveAccount(database.db)
    const [id, other] = [await final(ada), await final(ada)]
    const bulk = async (action: 'trash' | 'restore', ids: string[]) =>
      (await call('POST', '/evidences/bulk/', { user: ada }, { action, ids })).body['results']
    const stranger = await final(await haveAccount(database.db))
    expect(await bulk('trash', [id, other, stranger])).toEqual([
      { id, code: null },
      { id: other, code: null },
      { id: stranger, code: 'evidence.not_found' },
    ])
    const listed = async (category: string) =>
      (await call('GET', `/evidences/?category=${category}`, { user: ada })).body['count']
    expect([await listed('completed'), await listed('trash')]).toEqual([0, 2])
    expect(await bulk('restore', [other])).toEqual([{ id: other, code: null }])
    expect([await listed('completed'), await listed('trash')]).toEqual([1, 1])
    now = new Date(now.getTime() + trashLifetimeMs - 1)
    expect(await emptyTrash(deps())).toBe(0)
    now = new Date(now.getTime() + 1)
    expect(await emptyTrash(deps())).toBe(1)
    // Decided: not to be taken out any more, though the files are there until the job has run; running it again changes nothing.
    await expect(restoreEvidence(deps(), { actor: actorOf(ada) }, id)).rejects.toThrow('evidence.not_restorable')
    await deleteContent(deps(), id)
    await deleteContent(deps(), id)
    await deleteContent(deps(), other)
    expect((await listFiles(database.db, id)).map(({ path }) => path)).toEqual(['seal/timestamp-1.tsr'])
    expect((await Array.fromAsync(blobs.scope(id).list())).length).toBe(1)
    expect((await listFiles(database.db, other)).length).toBe(4)
    const { body } = await call('GET', `/evidences/${id}/`, { user: ada })
    expect(body).toMatchObject({
      status: 'final',
      preview: null,
      reports: null,
      seal: { root: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    })
    const archive = await call('GET', `/evidences/${id}/generate_zip_archive/`, { user: ada })
    expect([archive.status, archive.body['code']]).toEqual([410, 'evidence.content_deleted'])
    expect((await actsOn(id)).map(([action]) => action)).toEqual(['evidence.created', 'evidence.trashed'])
  })

  test('S-49 H-10 what is in the trash is deleted for good when that is asked, with fingerprint and proofs kept', async () => {
    const ada = await haveAccount(database.db)
    const [id, kept] = [await final(ada), await final(ada)]
    const stranger = await final(await haveAccount(database.db))
    const bulk = async (action: string, ids: string[]) =>
      (await call('POST', '/evidences/bulk/', { user: ada }, { action, ids })).body['results']
    await bulk('trash', [id])
    expect(await bulk('delete', [id, kept, stranger])).toEqual([
      { id, code: null },
      { id: kept, code: 'evidence.not_in_trash' },
      { id: stranger, code: 'evidence.not_found' },
    ])
    expect(await bulk('delete', [id])).toEqual([{ id, code: null }])
    expect(await bulk('restore', [id])).toEqual([{ id, code: 'evidence.not_restorable' }])
    for (const each of [id, kept]) await deleteContent(deps(), each)
    const paths = async (of: string) => (await listFiles(database.db, of)).map(({ path }) => path).toSorted()
    expect(await paths(id)).toEqual(['seal/timestamp-1.tsr'])
    expect(await paths(kept)).toHaveLength(4)
    expect((await actsOn(id)).map(([action]) => action)).toEqual(['evidence.created', 'evidence.trashed', 'evidence.deleted'])
  })

  test('a draft that is thrown away is rejected; what is being worked on is not', async () => {
    const ada = await haveAccount(database.db)
    const { id } = await create({ user: ada })
    const throwAway = async () => await call('PATCH', `/evidences/${id}/`, { user: ada }, { trashed: true })
    expect((await throwAway()).body['code']).toBe('evidence.under_way')
    await finish(database.db, id, 'to_validate')
    expect((await throwAway()).body).toMatchObject({ status: 'rejected', trashed_at: null })
    expect((await throwAway()).status).toBe(200)
    expect((await call('PATCH', `/evidences/${id}/`, { user: ada }, { trashed: false })).body['code']).toBe(
      'evidence.not_restorable',
    )
    const jobs = await sql`select 1 from graphile_worker.jobs where key = ${`erase:${id}`}`.execute(database.db)
    expect(jobs.rows.length).toBe(1)
  })

  test('C-28 a label is found again; control characters and long ones are refused', async () => {
    const ada = await haveAccount(database.db)
    const { id } = await create({ user: ada })
    const label = async (text: string) => await call('PATCH', `/evidences/${id}/`, { user: ada }, { label: text })
    expect((await label('Dossier 100%_\\ café')).body['label']).toBe('Dossier 100%_\\ café')
    for (const [wrong, code] of [
      ['a\u0000b', 'invalid'],
      ['a\nb', 'invalid'],
      ['x'.repeat(201), 'too_long'],
    ] as const)
      expect((await label(wrong)).body['fields']).toEqual({ label: [code] })
    const found = async (search: string) =>
      (await call('GET', `/evidences/?search=${encodeURIComponent(search)}`, { user: ada })).body['count']
    expect([await found('100%_\\ CAFÉ'), await found('100X'), await found('org/page')]).toEqual([1, 0, 1])
  })

  test('H-38 a closed account leaves rows and fingerprints that lead to nobody; what a group has stays', async () => {
    const ada = await haveAccount(database.db)
    const own = await final(ada)
    const { id: running } = await create({ user: ada }, { label: 'secret' })
    const { id: draft } = await create({ user: ada })
    await finish(database.db, draft, 'to_validate')
    const group = await haveGroup(database.db)
    await setMember(database.db, ada, group, 'member')
    const shared = await final(ada)
    for (let time = 0; time < 2; time += 1) await eraseOwnedEvidence(deps(), ada)
    for (const id of [own, running, draft])
      expect(await findEvidence(database.db, id)).toMatchObject({ requestedUrl: '', label: '', facts: null })
    expect((await listFiles(database.db, own)).map(({ path }) => path)).toEqual(['seal/timestamp-1.tsr'])
    expect((await findEvidence(database.db, running))?.status).toBe('expired')
    expect((await listFiles(database.db, shared)).length).toBe(4)
    // The group ends with its last account: then nothing of it holds the group's row back.
    await eraseOwnedEvidence(deps(), await haveAccount(database.db), group)
    expect((await findEvidence(database.db, shared))?.groupId).toBeNull()
  })

  test('an account that is closed while a report is made is erased when that is done', async () => {
    const ada = await haveAccount(database.db)
    const { id } = await create({ user: ada })
    await finish(database.db, id, 'to_validate')
    await sql`update evidence set status = 'finalizing' where id = ${id}::uuid`.execute(database.db)
    await expect(eraseOwnedEvidence(deps(), ada)).rejects.toThrow('being finalised')
    await sql`update evidence set status = 'final', finalized_at = now() where id = ${id}::uuid`.execute(database.db)
    await eraseOwnedEvidence(deps(), ada)
    expect((await findEvidence(database.db, id))?.contentDeletedAt).not.toBeNull()
  })
})

describe('lists and counts', () => {
  test('C-24 E-28 filters, order and pages; the count is that of all pages', async () => {
    const ada = await haveAccount(database.db)
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1) {
      now = new Date(Date.UTC(2026, 10, 1 + n))
      ids.push(
        (await create({ user: ada }, { url: `https://example.org/${String(n)}`, ...(n === 4 ? { action: 'interactive' } : {}) }))
          .id,
      )
    }
    await finish(database.db, ids[0] ?? '', 'final')
    const list = async (query: string) => {
      const { status, body } = await call('GET', `/evidences/?${query}`, { user: ada })
      return status === 200 ? [body['count'], (body['results'] as Evidence[]).map(({ id }) => ids.indexOf(id))] : body['code']
    }
    expect(await list('')).toEqual([5, [4, 3, 2, 1, 0]])
    expect(await list('ordering=created_at&page_size=2&page=2')).toEqual([5, [2, 3]])
    expect(await list('ordering=-status')).toEqual([5, [4, 3, 2, 1, 0]])
    expect(await list('ordering=status')).toEqual([5, [0, 1, 2, 3, 4]])
    expect(await list('category=draft&action=static')).toEqual([3, [3, 2, 1]])
    expect(await list('created_after=2026-11-03T00:00:00Z&created_before=2026-11-05T00:00:00Z')).toEqual([2, [3, 2]])
    expect(await list(`created_by=${randomUUID()}`)).toEqual([0, []])
    expect(await list('group=true')).toEqual([0, []])
    expect(await list('page=1000&page_size=100')).toBe('evidence.too_deep')
    // Whichever way the rows are found, they are the same.
    for (const column of ['created_at', 'status'] as const) {
      const query = {
        caller: { actor: actorOf(ada) },
        scope: { kind: 'account', accountId: ada, standing: null, group: null },
        filter: { category: null, search: 'ORG/', action: null, createdAfter: null, createdBefore: null, createdBy: ada },
        ordering: { column, direction: 'desc' },
        limit: 3,
        offset: 1,
      } as const
      const found = [
        await walkList(database.db, evidenceList, query, { rows: 100, most: 100 }),
        await walkList(database.db, evidenceList, query, { rows: 4, most: 4 }),
        await matchList(database.db, evidenceList, query, { counted: 4, byOwner: true }),
        await matchList(database.db, evidenceList, query, { counted: 4, byOwner: false }),
      ]
      for (const { ids: page } of found) expect(page?.map((id) => ids.indexOf(id))).toEqual([3, 2, 1])
    }
  })

  test('E-51 E-52 C-33 this month, the one before and all, of the account and of the group that it manages', async () => {
    const [boss, clerk] = [await haveAccount(database.db), await haveAccount(database.db, { first: 'Joan', last: 'Clarke' })]
    const idle = await haveAccount(database.db, { first: 'Mary', last: 'Jackson' })
    const group = await haveGroup(database.db)
    await setMember(database.db, boss, group, 'owner')
    await setMember(database.db, clerk, group, 'member')
    await setMember(database.db, idle, group, 'member')
    now = new Date('2026-12-31T23:59:59Z')
    for (const [user, at] of [
      [boss, '2026-12-01T00:00:00Z'],
      [clerk, '2026-11-30T23:59:59Z'],
      [clerk, '2026-12-15T12:00:00Z'],
      [clerk, '2025-12-15T12:00:00Z'],
    ] as const) {
      const { id } = await create({ user })
      await finish(database.db, id, 'final', new Date(at))
      // One in the trash was made all the same.
      if (user === boss) await trashEvidence(deps(), { actor: actorOf(boss) }, id)
    }
    const stats = async (user: string) => (await call('GET', '/evidences/stats/', { user })).body
    const expected = {
      month: '2026-12',
      global: { current: 1, previous: 0, total: 1 },
      users: [
        { id: clerk, name: 'Joan Clarke', current: 1, previous: 1, total: 3 },
        { id: boss, name: 'Ada Byron', current: 1, previous: 0, total: 1 },
        { id: idle, name: 'Mary Jackson', current: 0, previous: 0, total: 0 },
      ],
      groups: [{ id: group, current: 2, previous: 1, total: 4 }],
    }
    expect(await stats(boss)).toEqual(expected)
    expect(await stats(clerk)).toEqual({ month: '2026-12', global: { current: 1, previous: 1, total: 3 }, users: [], groups: [] })
    // Folding changes no number, and leaves one line of each key.
    while ((await foldTally(database.db, 'evidence', 3)) > 0);
    expect(await stats(boss)).toEqual(expected)
    const lines = await database.db.selectFrom('evidence_tally').select('folded').where('owner_id', '=', clerk).execute()
    expect(lines).toEqual([{ folded: true }, { folded: true }, { folded: true }])
    await removeMember(database.db, clerk)
    expect((await stats(clerk))['global']).toEqual({ current: 0, previous: 0, total: 0 })
    expect((await stats(boss))['groups']).toEqual(expected.groups)
  })

  test('E-28 the database files each status under the category that the domain has', async () => {
    const seen = new Map<string, string>()
    for (const way of [
      ['preparing', 'capturing', 'completing', 'to_validate', 'finalizing', 'final'],
      ['preparing', 'completing', 'to_validate', 'rejected'],
      ['preparing', 'completing', 'to_validate', 'awaiting_payment', 'expired'],
      ['failed', 'expired'],
    ]) {
      const { id } = await create()
      for (const status of ['queued', ...way]) {
        await sql`update evidence set status = ${status}, finalized_at = case when ${status} = 'final' then now() end,
          failure = case when ${status} in ('failed', 'expired') then '{"code":"internal","data":{}}'::jsonb end
          where id = ${id}::uuid`.execute(database.db)
        const row = await database.db.selectFrom('evidence').select('category').where('id', '=', id).executeTakeFirstOrThrow()
        seen.set(status, row.category)
      }
    }
    const byDomain = Object.entries(statusesOfCategory).flatMap(([category, all]) => all.map((status) => [status, category]))
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(byDomain))
  })
})
