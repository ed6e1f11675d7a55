import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpServer } from '../../../../platform/http/server.ts'
import { foldTally } from '../../../../platform/lists/tally-store.ts'
import { withDatabase } from '../../../../testing/database.ts'
import type { Document } from '../../contract/document.ts'
import { createDocuments } from '../change/create-documents.ts'
import { actorOf, haveAccount, haveGroup } from '../../../../testing/accounts.ts'
import { callsOf } from '../../../../testing/call-server.ts'
import {
  type DepositWorld,
  openDepositWorld,
  serveDeposits,
  sha256Hex,
  sha512Hex,
  waitingBatches,
} from '../deposits.test-data.ts'
import { eraseOwnedDocuments } from '../ending/erase-owned.ts'
import { deleteOldDrafts, expireDrafts } from '../ending/expire-drafts.ts'
import { exportOwnedDocuments } from '../ending/export-store.ts'
import { sealBatch } from '../seal/seal-batch.ts'

const database = withDatabase()
const start = new Date('2026-11-20T10:00:00Z')
let now = start
let world: DepositWorld
let server: HttpServer
/** By id: who acts in whose account. */
const delegations = new Map<string, { grantorId: string; scope: 'read' | 'create' | 'manage' }>()

beforeAll(async () => {
  world = await openDepositWorld(database.db, { clock: { now: () => now } })
  server = await serveDeposits(world, ({ bearer, delegation }) => {
    const held = delegation === undefined ? undefined : delegations.get(delegation)
    return Promise.resolve(actorOf(bearer, held === undefined ? null : { id: delegation ?? '', ...held }))
  })
})
afterAll(async () => {
  await server.close()
  await world.remove()
})

type Page = { count: number; count_capped: boolean; next: string | null }
type Body = Document &
  Page & {
    users: { id: string; total: number }[]
    code?: string
    results: (Document & { code: string | null })[]
    makers: { id: string; name: string }[]
  }

const callServer = callsOf(() => server)
const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, user: string, body?: object, delegation?: string) =>
  await callServer<Body>(method, url, user, body, delegation === undefined ? {} : { 'x-delegation': delegation })

const sealAll = async () => {
  for (const id of await waitingBatches(database.db)) await sealBatch(world, id)
}

/** Deposits of these names, one a minute, all final. */
async function named(user: string, names: readonly (string | null)[]): Promise<string[]> {
  const ids = []
  for (const name of names) {
    now = new Date(now.getTime() + 60_000)
    const asked = { sha256: sha256Hex(randomUUID()), store: false, ...(name === null ? {} : { document_name: name }) }
    const [made] = await createDocuments(world, actorOf(user), { documents: [asked], agree: true })
    ids.push(made?.id ?? '')
  }
  await sealAll()
  return ids
}

async function listed(user: string, query: string): Promise<(string | null)[]> {
  const { status, body } = await call('GET', `/documents/?${query}`, user)
  expect([query, status]).toEqual([query, 200])
  return body.results.map(({ document_name: name }) => name)
}

describe('C-13 lists', () => {
  test('by age, by name, searched, filtered, page by page', async () => {
    const user = await haveAccount(database.db)
    const names = ['Zèbre.pdf', 'alpha.pdf', null, 'Contrat 100%.pdf', 'contrat_b.pdf']
    await named(user, names)
    await named(await haveAccount(database.db), ['contrat of another.pdf'])
    expect(await listed(user, '')).toEqual(names.toReversed())
    expect(await listed(user, 'ordering=created_at')).toEqual(names)
    const byName = ['alpha.pdf', 'Contrat 100%.pdf', 'contrat_b.pdf', 'Zèbre.pdf']
    expect(await listed(user, 'ordering=document_name')).toEqual([...byName, null])
    expect(await listed(user, 'ordering=-document_name')).toEqual([...byName.toReversed(), null])
    expect(await listed(user, 'ordering=document_name&page_size=2&page=2')).toEqual(['contrat_b.pdf', 'Zèbre.pdf'])
    expect(await listed(user, 'search=CONTRAT&ordering=created_at')).toEqual(['Contrat 100%.pdf', 'contrat_b.pdf'])
    expect(await listed(user, `search=${encodeURIComponent('0%')}`)).toEqual(['Contrat 100%.pdf'])
    expect(await listed(user, 'search=_b')).toEqual(['contrat_b.pdf'])
    expect(await listed(user, 'status=final&category=completed')).toHaveLength(5)
    expect(await listed(user, 'category=pending')).toEqual([])
    const third = new Date(start.getTime() + 3 * 60_000)
    expect((await listed(user, `created_before=${third.toISOString()}`)).length).toBe(2)
    const { body } = await call('GET', '/documents/?page_size=2', user)
    expect([body.count, body.count_capped, body.next]).toEqual([5, false, expect.stringContaining('page=2')])
    expect((await call('GET', '/documents/?page=101&page_size=100', user)).body.code).toBe('document.too_deep')
  })

  test('by fingerprint, whole or its beginning, SHA-256 or SHA-512', async () => {
    const user = await haveAccount(database.db)
    const [a, b] = [randomUUID(), randomUUID()]
    const asked = [a, b].map((text) => ({ sha256: sha256Hex(text), sha512: sha512Hex(text), document_name: text, store: false }))
    await createDocuments(world, actorOf(user), { documents: asked, agree: true })
    await createDocuments(world, actorOf(await haveAccount(database.db)), { documents: asked, agree: true })
    for (const digits of [8, 9, 64]) expect(await listed(user, `fingerprint=${sha256Hex(a).slice(0, digits)}`)).toEqual([a])
    for (const digits of [8, 65, 128])
      expect(await listed(user, `fingerprint=${sha512Hex(b).slice(0, digits).toUpperCase()}`)).toEqual([b])
    expect(await listed(user, `fingerprint=${sha256Hex('none')}`)).toEqual([])
    expect((await call('GET', '/documents/?fingerprint=abc', user)).status).toBe(400)
  })

  test('P-16 C-17 of a group: who manages it reaches what its members deposited; who left does not', async () => {
    const [manager, member, other] = [
      await haveAccount(database.db),
      await haveAccount(database.db, { first: 'Grace', last: 'Hopper' }),
      await haveAccount(database.db),
    ]
    const before = await named(member, ['before.pdf'])
    await haveGroup(database.db, { [manager]: 'owner', [member]: 'member', [other]: 'member' })
    const [within = ''] = await named(member, ['within.pdf'])
    expect(await listed(manager, '')).toEqual(['within.pdf'])
    expect(await listed(member, 'ordering=document_name')).toEqual(['before.pdf', 'within.pdf'])
    expect(await listed(other, '')).toEqual([])
    for (const id of [within, ...before]) expect((await call('GET', `/documents/${id}/`, other)).status).toBe(404)
    expect((await call('PATCH', `/documents/${within}/`, manager, { label: 'Seen' })).body.label).toBe('Seen')
    // Every member is named, also who deposited nothing.
    const stats = (await call('GET', '/documents/stats/', manager)).body
    expect(stats).toMatchObject({ groups: [{ total: 1 }] })
    expect(stats.users[0]).toMatchObject({ id: member, name: 'Grace Hopper', total: 1 })
    expect(stats.users.slice(1)).toEqual(
      [manager, other].toSorted().map((id) => expect.objectContaining({ id, total: 0, current: 0, previous: 0 })),
    )
    // Filtered by whoever made any: the account first.
    const makers = async (who: string) => (await call('GET', '/documents/makers/', who)).body.makers.map(({ id }) => id)
    expect(await makers(manager)).toEqual([manager, member])
    expect(await makers(other)).toEqual([other])
    expect(await listed(manager, `created_by=${member}`)).toEqual(['within.pdf'])
    expect(await listed(manager, `created_by=${manager}`)).toEqual([])
    await database.db.deleteFrom('group_member').where('user_id', '=', member).execute()
    expect(await listed(member, '')).toEqual(['before.pdf'])
    expect((await call('GET', `/documents/${within}/`, member)).status).toBe(404)
    const link = (await call('GET', `/documents/${within}/`, manager)).body.eidas ?? ''
    expect((await server.inject({ method: 'GET', url: link })).statusCode).toBe(200)
    await database.db
      .updateTable('account_user')
      .set({ status: 'suspended', suspended_at: now })
      .where('id', '=', manager)
      .execute()
    expect((await server.inject({ method: 'GET', url: link })).statusCode).toBe(404)
  })

  test('a delegate deposits for whom he acts, and it is said', async () => {
    const [owner, delegate] = [await haveAccount(database.db), await haveAccount(database.db, { first: 'Karl', last: 'Gauß' })]
    const id = randomUUID()
    delegations.set(id, { grantorId: owner, scope: 'create' })
    const asked = { sha256: sha256Hex(id), agree: true }
    const { body } = await call('POST', '/documents/', delegate, asked, id)
    expect(body).toMatchObject({ owner: { id: owner }, created_by: { id: delegate, name: 'Karl Gauß' } })
    expect((await call('PATCH', `/documents/${body.id}/`, delegate, { label: 'no' }, id)).status).toBe(403)
    expect((await call('GET', '/documents/', delegate)).body.count).toBe(0)
    const unused = await haveAccount(database.db)
    for (const [grantee, key] of [
      [delegate, id],
      [unused, randomUUID()],
    ] as const)
      await database.db
        .insertInto('access_delegation')
        .values({
          id: key,
          grantor_id: owner,
          delegate_id: grantee,
          address: `${grantee}@example.org`,
          address_key: `${grantee}@example.org`,
          scope: 'create',
          created_at: now,
          expires_at: new Date(now.getTime() + 86_400_000),
        })
        .execute()
    const { makers } = (await call('GET', '/documents/makers/', owner)).body
    expect(makers.map(({ name }) => name).slice(1)).toEqual(['Karl Gauß'])
    expect(await listed(owner, `created_by=${delegate}`)).toHaveLength(1)
    const act = await database.db.selectFrom('act').selectAll().where('subject_id', '=', body.id).executeTakeFirst()
    expect([act?.actor_id, act?.on_behalf_of]).toEqual([delegate, owner])
  })
})

describe('C-16 changes', () => {
  test('what is sealed can be labelled, trashed and taken out; what it declares stays', async () => {
    const user = await haveAccount(database.db)
    const [id = '', later = ''] = await named(user, ['one.pdf', 'two.pdf'])
    const change = async (body: object) => await call('PATCH', `/documents/${id}/`, user, body)
    expect((await change({ label: 'Chair', description: 'Drawn by hand' })).body).toMatchObject({ label: 'Chair' })
    expect((await change({ document_name: 'other.pdf' })).body.code).toBe('document.sealed_stays')
    expect((await change({ replaces: later })).body.code).toBe('document.sealed_stays')
    expect((await change({ trashed: true })).body).toMatchObject({ category: 'trash', status: 'final' })
    expect(await listed(user, 'category=trash')).toEqual(['one.pdf'])
    expect((await change({ trashed: false })).body).toMatchObject({ category: 'completed', trashed_at: null })
    const bulk = { action: 'trash', ids: [id, later, randomUUID()] }
    expect((await call('POST', '/documents/bulk/', user, bulk)).body.results.map(({ code }) => code)).toEqual([
      null,
      null,
      'document.not_found',
    ])
    while ((await foldTally(database.db, 'document', 100)) > 0);
    expect((await call('GET', '/documents/?category=trash', user)).body.count).toBe(2)
  })

  test('a later version says what it replaces, and the earlier one by what', async () => {
    const user = await haveAccount(database.db)
    const [first = ''] = await named(user, ['v1.pdf'])
    const asked = { sha256: sha256Hex('v2'), document_name: 'v2.pdf', replaces: first }
    const draft = (await call('POST', '/documents/', user, asked)).body
    expect(draft.replaces).toMatchObject({ id: first, document_name: 'v1.pdf' })
    expect((await call('GET', `/documents/${first}/`, user)).body.replaced_by).toMatchObject([{ id: draft.id }])
    const itself = await call('PATCH', `/documents/${draft.id}/`, user, { replaces: draft.id })
    expect([itself.status, itself.body.code]).toEqual([400, 'document.replaces_itself'])
    expect((await call('PATCH', `/documents/${draft.id}/`, user, { replaces: null })).body.replaces).toBeNull()
  })

  test('a read-only page is shared, shows what it may, and ends', async () => {
    const user = await haveAccount(database.db)
    const [id = ''] = await named(user, ['shared.pdf'])
    await call('PATCH', `/documents/${id}/`, user, { label: 'Mine alone' })
    const { body } = await call('POST', `/documents/${id}/share/`, user)
    const again = await call('POST', `/documents/${id}/share/`, user)
    expect(again.body.share_url).toBe(body.share_url)
    const token = /^\/shared\/([A-Za-z0-9_-]{43})\/$/.exec(body.share_url ?? '')?.[1] ?? ''
    const page = await server.inject({ method: 'GET', url: `/shared_documents/${token}/` })
    expect(page.json()).toMatchObject({ id, document_name: 'shared.pdf', owner: { name: 'Ada Byron' } })
    // Until when the proof holds is for whoever relies on it.
    const { health } = (await call('GET', `/documents/${id}/`, user)).body
    expect(health).toMatchObject({ state: 'sound' })
    expect(page.json<{ health: unknown }>().health).toEqual(health)
    expect(page.body).not.toContain('Mine alone')
    expect(page.body).not.toContain(user)
    const { eidas } = page.json<{ eidas: string }>()
    expect((await server.inject({ method: 'GET', url: eidas })).statusCode).toBe(200)
    expect((await call('DELETE', `/documents/${id}/share/`, user)).body.share_url).toBeNull()
    expect((await server.inject({ method: 'GET', url: `/shared_documents/${token}/` })).statusCode).toBe(404)
    expect((await server.inject({ method: 'GET', url: eidas })).statusCode).toBe(404)
    expect((await call('POST', `/documents/${id}/share/`, user)).body.share_url).not.toBe(body.share_url)
  })
})

describe('S-41 K-03 what ends', () => {
  test('drafts are deleted after twenty-four hours, are seen in the trash, and are gone thirty days later', async () => {
    const user = await haveAccount(database.db)
    const { body: draft } = await call('POST', '/documents/', user, { sha256: sha256Hex(user), document_name: 'late.pdf' })
    const created = now
    now = new Date(created.getTime() + 24 * 3_600_000 - 1)
    await expireDrafts(world)
    expect((await call('GET', `/documents/${draft.id}/`, user)).body.status).toBe('draft')
    now = new Date(created.getTime() + 24 * 3_600_000)
    expect(await expireDrafts(world)).toBe(1)
    expect(await listed(user, 'category=trash')).toEqual(['late.pdf'])
    const agreed = await call('PATCH', `/documents/${draft.id}/`, user, { agree: true })
    expect(agreed.body.code).toBe('document.illegal_transition')
    expect((await call('PATCH', `/documents/${draft.id}/`, user, { trashed: false })).body.code).toBe('document.not_restorable')
    now = new Date(now.getTime() + 30 * 86_400_000)
    expect(await deleteOldDrafts(world)).toBeGreaterThan(0)
    expect((await call('GET', '/documents/', user)).body.count).toBe(0)
  })

  test('H-38 an account that ends leaves fingerprints and proofs, and no word of its owner', async () => {
    const [user, other] = [await haveAccount(database.db), await haveAccount(database.db)]
    const [id = ''] = await named(user, ['secret.pdf'])
    await named(other, ['of another.pdf'])
    await call('POST', `/documents/${id}/share/`, user)
    await call('POST', '/documents/', user, { sha256: sha256Hex(user) })
    const exported = []
    for await (const row of exportOwnedDocuments(database.db, user)) exported.push(row)
    expect(exported).toHaveLength(2)
    expect(exported.find((row) => row['id'] === id)).toMatchObject({ document_name: 'secret.pdf', shared: true, status: 'final' })
    const waiting = { sha256: sha256Hex(randomUUID()), agree: true }
    await call('POST', '/documents/', user, waiting)
    await expect(eraseOwnedDocuments(world, user)).rejects.toThrow('are being sealed')
    await sealAll()
    await eraseOwnedDocuments(world, user)
    await eraseOwnedDocuments(world, user)
    const rows = await database.db.selectFrom('document').selectAll().where('owner_id', '=', user).execute()
    expect(rows).toHaveLength(2)
    for (const row of rows)
      expect(row).toMatchObject({ status: 'final', name: null, label: '', description: '', share_hash: null, client_id: null })
    const { rows: proofs } = await sql`select from document_batch_file f join document d on d.batch_id = f.batch_id
      where d.id = ${id}::uuid and f.name = 'document.tsr'`.execute(database.db)
    expect(proofs).toHaveLength(1)
    expect(await listed(other, '')).toEqual(['of another.pdf'])
  })
})
