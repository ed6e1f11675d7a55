import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import S3rver from 's3rver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createS3BlobStore } from '../../../../platform/blobs/s3-blob-store.ts'
import type { HttpServer } from '../../../../platform/http/server.ts'
import { signLink } from '../../../../platform/http/answer/signed-link.ts'
import { withDatabase } from '../../../../testing/database.ts'
import type { DocumentCopy } from '../../contract/copy.ts'
import type { Document } from '../../contract/document.ts'
import { copyPartBytes, copySliceBytes, lengthOfPart } from '../../domain/copy.ts'
import { changeDocument } from '../change/change-document.ts'
import { certificateFactsOf } from '../certificate/certificate-facts-of.ts'
import { createDocuments } from '../change/create-documents.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { callsOf } from '../../../../testing/call-server.ts'
import { type DepositWorld, linkSecret, openDepositWorld, serveDeposits, sha256Hex } from '../deposits.test-data.ts'
import { findSealed } from '../proofs/sealed-deposit.ts'
import { eraseOwnedDocuments } from '../ending/erase-owned.ts'
import { sealBatch } from '../seal/seal-batch.ts'
import { shareDocument } from '../change/share-document.ts'
import { Readable } from 'node:stream'
import { createVault } from '../../../../platform/vault/vault.ts'
import { createPlaces } from '../../../../platform/http/request/places.ts'
import { readCopy } from './present-copy.ts'
import { downloadCopy } from './read-copy.ts'
import { compareCopy } from './compare-copy.ts'
import { checkCopyKeys } from './check-copy-keys.ts'
import { clearCopy, compareStranded, endDueCopies } from './end-copy.ts'
import { beginCopy, completeCopy, deleteCopy, receivePart } from './upload-copy.ts'

const database = withDatabase()
const dayMs = 24 * 60 * 60 * 1000
let now = new Date()
let world: DepositWorld
let server: HttpServer
const never = new AbortController().signal

beforeAll(async () => {
  world = await openDepositWorld(database.db, { clock: { now: () => now } })
  server = await serveDeposits(world)
})
afterAll(async () => {
  await server.close()
  await world.remove()
})

const callServer = callsOf(() => server)
const call = async <T = DocumentCopy>(...asked: Parameters<typeof callServer>) =>
  await callServer<T & { code?: string; message?: string }>(...asked)

async function deposit(user: string, content: Uint8Array, options: { store?: boolean; name?: string; agree?: boolean } = {}) {
  const documents = [
    {
      sha256: sha256Hex(content),
      store: options.store ?? true,
      ...(options.name === undefined ? {} : { document_name: options.name }),
    },
  ]
  const [made] = await createDocuments(world, actorOf(user), { documents, agree: options.agree ?? true })
  if (made === undefined) throw new Error('nothing was deposited')
  if (made.batchId !== null) await sealBatch(world, made.batchId)
  return made.id
}

const begin = async (user: string, id: string, bytes: number) => await call('POST', `/documents/${id}/copy/`, user, { bytes })
async function send(user: string, id: string, upload: string | null, content: Buffer, part: number) {
  const piece = content.subarray(part * copyPartBytes, part * copyPartBytes + lengthOfPart(content.length, part))
  return await call<{ part: number }>('POST', `/documents/${id}/copy/parts/${part}/?upload=${upload ?? ''}`, user, piece)
}
async function uploadAll(user: string, id: string, content: Buffer): Promise<string> {
  const { body } = await begin(user, id, content.length)
  const upload = body.upload ?? ''
  for (const part of body.missing) expect((await send(user, id, upload, content, part)).status).toBe(200)
  expect((await call('POST', `/documents/${id}/copy/complete/`, user, { upload })).body.state).toBe('comparing')
  return upload
}
const scopes = async () => await readdir(join(world.folder, 'blobs', 'scopes')).catch(() => [])
async function filesOf(upload: string): Promise<string[]> {
  const found = await readdir(join(world.folder, 'blobs', 'scopes', `copy-${upload}`), { recursive: true, withFileTypes: true })
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
const factsOf = async (id: string) =>
  await certificateFactsOf({ ...world, anchoring: false, publicUrl: '', verifierUrl: null }, await findSealed(world, id), now)
const readDocument = async (user: string, id: string) => (await call<Document>('GET', `/documents/${id}/`, user)).body

test('E-33 E-34 H-15 a copy comes in pieces, in any order and again, is enciphered, compared, kept until a date that is told, and given back in any part', async () => {
  const user = await haveAccount(database.db)
  const content = randomBytes(2 * copyPartBytes + 70_000)
  content.write('A sentence that nobody finds on the disk', 20)
  const id = await deposit(user, content, { name: 'plan <of> 2026.html' })
  expect((await readDocument(user, id)).stored).toEqual({ state: 'waiting', bytes: null, received: 0, kept_until: null })
  const begun = await begin(user, id, content.length)
  expect(begun.body).toMatchObject({ state: 'receiving', parts: 3, missing: [0, 1, 2], limits: { days: 30 } })
  const upload = begun.body.upload ?? ''
  for (const part of [2, 0, 2]) expect((await send(user, id, upload, content, part)).status).toBe(200)
  expect((await call('POST', `/documents/${id}/copy/complete/`, user, { upload })).body).toMatchObject({
    code: 'document.copy_incomplete',
  })
  expect((await begin(user, id, content.length)).body).toMatchObject({ upload, missing: [1] })
  expect((await readDocument(user, id)).stored).toMatchObject({ state: 'receiving', received: copyPartBytes + 70_000 })
  await uploadAll(user, id, content)
  expect(await filesOf(upload)).toHaveLength(3)
  for (const path of await filesOf(upload)) {
    const kept = await readFile(path)
    expect(kept.includes('A sentence that nobody')).toBe(false)
  }
  // Given up in its midst, as by a worker that stops: nothing is decided, and the next one does it.
  await expect(compareCopy(world, upload, AbortSignal.abort(new Error('stops')))).rejects.toThrow('stops')
  await world.blobs.scope(`copy-${upload}`).putBytes(randomBytes(9))
  await compareCopy(world, upload, never)
  await compareCopy(world, upload, never)
  expect(await filesOf(upload)).toHaveLength(3)
  const shown = await readDocument(user, id)
  const until = new Date(now.getTime() + 30 * dayMs).toISOString()
  expect(shown.stored).toEqual({ state: 'stored', bytes: content.length, received: content.length, kept_until: until })
  const facts = await factsOf(id)
  expect(facts.stored).toEqual({ bytes: content.length, comparedAt: now.toISOString(), deletedAt: null })
  const link = new URL(shown.document_url ?? '', 'http://localhost')
  const whole = await call('GET', link.pathname + link.search, null)
  expect(whole.raw.equals(content)).toBe(true)
  expect(whole.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringMatching(/^attachment;.*2026\.html/) as string,
    'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/) as string,
    'x-content-type-options': 'nosniff',
    etag: `"${sha256Hex(content)}"`,
  })
  for (const [start, end] of [
    [0, 0],
    [copyPartBytes - 1, copyPartBytes],
    [65_535, 65_536 + copyPartBytes],
    [content.length - 70_001, content.length - 1],
  ] as const) {
    const part = await call('GET', link.pathname + link.search, null, undefined, { range: `bytes=${start}-${end}` })
    expect([part.status, part.raw.equals(content.subarray(start, end + 1))]).toEqual([206, true])
  }
  expect((await begin(user, id, content.length)).body.code).toBe('document.copy_there')
})

test('a copy that is another file is refused, named with its fingerprint, and gone; the right one may follow', async () => {
  const user = await haveAccount(database.db)
  const [wanted, other] = [randomBytes(5000), randomBytes(5000)]
  const id = await deposit(user, wanted)
  const upload = await uploadAll(user, id, other)
  await compareCopy(world, upload, never)
  const { body } = await call('GET', `/documents/${id}/copy/`, user)
  expect(body).toMatchObject({ state: 'refused', ended_by: 'differs', found_sha256: sha256Hex(other), missing: [] })
  expect((await readDocument(user, id)).document_url).toBeNull()
  await clearCopy(world, upload)
  expect(await scopes()).not.toContain(`copy-${upload}`)
  const again = await uploadAll(user, id, wanted)
  await compareCopy(world, again, never)
  expect((await readDocument(user, id)).stored?.state).toBe('stored')
  // An empty file is one too.
  const nothing = await deposit(user, Buffer.alloc(0))
  await compareCopy(world, await uploadAll(user, nothing, Buffer.alloc(0)), never)
  const empty = await readDocument(user, nothing)
  expect(empty.stored).toMatchObject({ state: 'stored', bytes: 0 })
  const link = new URL(empty.document_url ?? '', 'http://localhost')
  expect([(await call('GET', link.pathname + link.search, null)).status, createHash('sha256').digest('hex')]).toEqual([
    200,
    empty.sha256,
  ])
})

test('a piece that the disk damaged or lost has to come again', async () => {
  const user = await haveAccount(database.db)
  const content = randomBytes(copyPartBytes + 10)
  const id = await deposit(user, content)
  const upload = await uploadAll(user, id, content)
  const { rows } = await sql<{
    blob: string
  }>`select blob from document_copy_part where copy_id = ${upload}::uuid and part = 1`.execute(database.db)
  await world.blobs.scope(`copy-${upload}`).remove(rows[0]?.blob ?? '')
  await compareCopy(world, upload, never)
  expect((await call('GET', `/documents/${id}/copy/`, user)).body).toMatchObject({ state: 'receiving', missing: [1] })
  await uploadAll(user, id, content)
  await compareCopy(world, upload, never)
  expect((await readDocument(user, id)).stored?.state).toBe('stored')
})

test('one whose comparing was given up is compared after all', async () => {
  const user = await haveAccount(database.db)
  const content = randomBytes(50)
  const id = await deposit(user, content)
  const upload = await uploadAll(user, id, content)
  const jobs = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from graphile_worker._private_jobs where key = ${`compare:${upload}`}`.execute(database.db)
    return rows[0]?.count
  }
  expect(await jobs()).toBe(1)
  await sql`delete from graphile_worker._private_jobs where key = ${`compare:${upload}`}`.execute(database.db)
  await compareStranded(world)
  expect(await jobs()).toBe(0)
  await sql`update document_copy set touched_at = touched_at - interval '7 hours' where id = ${upload}::uuid`.execute(database.db)
  await compareStranded(world)
  expect(await jobs()).toBe(1)
  await compareCopy(world, upload, never)
  await compareStranded(world)
  expect((await readDocument(user, id)).stored?.state).toBe('stored')
})

test('what is too large, too much, unasked, of a wrong length, or another’s is refused', async () => {
  const user = await haveAccount(database.db)
  const stranger = await haveAccount(database.db)
  const mebi = 1024 * 1024
  const content = randomBytes(copyPartBytes + 100)
  const id = await deposit(user, content)
  const unasked = await deposit(user, content, { store: false })
  expect((await begin(user, unasked, 5)).body.code).toBe('document.copy_not_wanted')
  expect([(await begin(user, id, 65 * mebi)).status, (await begin(user, id, 65 * mebi)).body.code]).toEqual([
    413,
    'document.copy_too_large',
  ])
  const first = await begin(user, id, 60 * mebi)
  const second = await deposit(user, randomBytes(9))
  expect([(await begin(user, second, 40 * mebi)).status, (await begin(user, second, 36 * mebi)).status]).toEqual([429, 200])
  // Of another length: it begins anew, and what came for the first goes nowhere.
  const anew = await begin(user, id, content.length)
  expect(anew.body.upload).not.toBe(first.body.upload)
  expect((await send(user, id, first.body.upload, content, 0)).body).toMatchObject({ code: 'document.copy_over' })
  const upload = anew.body.upload ?? ''
  const part = (number: number) => `/documents/${id}/copy/parts/${String(number)}/?upload=${upload}`
  for (const bytes of [0, 99, 101])
    expect((await call('POST', part(1), user, Buffer.alloc(bytes))).body.code).toBe('document.copy_part_length')
  expect((await call('POST', part(2), user, Buffer.alloc(5))).body.code).toBe('document.copy_part_length')
  expect((await call('POST', part(0), user, Buffer.alloc(copyPartBytes + 1))).status).toBe(413)
  expect((await call('GET', `/documents/${id}/copy/`, user)).body.missing).toEqual([0, 1])
  for (const answer of [
    await begin(stranger, id, content.length),
    await send(stranger, id, upload, content, 0),
    await call('POST', `/documents/${id}/copy/complete/`, stranger, { upload }),
    await call('DELETE', `/documents/${id}/copy/`, stranger),
    await call('GET', `/documents/${id}/copy/`, stranger),
  ])
    expect(answer.status).toBe(404)
  // Nor does an upload of one deposit open that of another.
  expect((await send(user, second, upload, content, 0)).body).toMatchObject({ code: 'document.copy_over' })
})

test('H-10 a copy ends with its time, thirty days of trash, its upload, its owner’s word; never by a shared page; proofs stay', async () => {
  const user = await haveAccount(database.db)
  const before = now
  const kept = async () => {
    const content = randomBytes(300)
    const id = await deposit(user, content)
    const upload = await uploadAll(user, id, content)
    await compareCopy(world, upload, never)
    return { id, upload }
  }
  const [trashed, restored, old, deleted] = [await kept(), await kept(), await kept(), await kept()]
  const abandoned = await deposit(user, randomBytes(9))
  await begin(user, abandoned, 500)
  const draft = await deposit(user, randomBytes(9), { agree: false })
  await begin(user, draft, 500)
  await changeDocument(world, actorOf(user), draft, { trashed: true })
  for (const { id } of [trashed, restored]) await changeDocument(world, actorOf(user), id, { trashed: true })
  await changeDocument(world, actorOf(user), restored.id, { trashed: false })
  await shareDocument(world, actorOf(user), old.id)
  const open = signLink(linkSecret, `/deposits/${old.id}/copy/`, new Date(now.getTime() + dayMs))
  expect((await call('GET', open, null)).status).toBe(404)
  await sql`update document_copy set kept_until = kept_until + interval '50 days' where id <> ${old.upload}::uuid and kept_until is not null`.execute(
    database.db,
  )
  expect((await call('DELETE', `/documents/${deleted.id}/copy/`, user)).body).toMatchObject({
    state: 'deleted',
    ended_by: 'owner',
  })
  expect((await call('DELETE', `/documents/${deleted.id}/copy/`, user)).status).toBe(200)
  const ends = async () =>
    await Promise.all(
      [trashed.id, restored.id, old.id, deleted.id, abandoned, draft].map(
        async (id) => (await call('GET', `/documents/${id}/copy/`, user)).body.ended_by,
      ),
    )
  expect(await endDueCopies(world)).toBe(1)
  expect(await ends()).toEqual([null, null, null, 'owner', null, 'trash'])
  now = new Date(before.getTime() + 8 * dayMs)
  await endDueCopies(world)
  expect(await ends()).toEqual([null, null, null, 'owner', 'abandoned', 'trash'])
  now = new Date(before.getTime() + 31 * dayMs)
  await endDueCopies(world)
  expect(await ends()).toEqual(['trash', null, 'retention', 'owner', 'abandoned', 'trash'])
  const link = signLink(linkSecret, `/deposits/${old.id}/copy/?for=${user}`, new Date(now.getTime() + dayMs))
  expect([(await call('GET', link, null)).status, (await call('GET', link, null)).body.code]).toEqual([410, 'document.copy_gone'])
  const shown = await readDocument(user, old.id)
  expect([shown.status, shown.stored?.state, shown.document_url, shown.eidas === null]).toEqual(['final', 'deleted', null, false])
  const { rows } = await sql<{
    key: Buffer | null
  }>`select sealed_key as key from document_copy where id = ${old.upload}::uuid`.execute(database.db)
  expect(rows).toEqual([{ key: null }])
  await clearCopy(world, old.upload)
  await clearCopy(world, restored.upload)
  expect(await scopes()).not.toContain(`copy-${old.upload}`)
  expect(await scopes()).toContain(`copy-${restored.upload}`)
  now = before
})

test('H-38 with the account go its copies, before the rows that name them', async () => {
  const user = await haveAccount(database.db)
  const content = randomBytes(300)
  const id = await deposit(user, content)
  const upload = await uploadAll(user, id, content)
  await compareCopy(world, upload, never)
  const draft = await deposit(user, randomBytes(9), { agree: false })
  await begin(user, draft, 10)
  await eraseOwnedDocuments(world, user)
  const { rows } = await sql`select state, ended_by from document_copy where owner_id = ${user}::uuid`.execute(database.db)
  expect(rows).toEqual([
    { state: 'deleted', ended_by: 'closing' },
    { state: 'deleted', ended_by: 'closing' },
  ])
  await clearCopy(world, upload)
  expect(await scopes()).not.toContain(`copy-${upload}`)
  await endDueCopies(world)
  const left = await sql`select id from document_copy where owner_id = ${user}::uuid`.execute(database.db)
  expect(left.rows).toHaveLength(1)
})

test('a slow line sends a piece in slices: each is kept by itself, and gives way to the whole piece', async () => {
  const user = await haveAccount(database.db)
  const content = randomBytes(copyPartBytes + 2 * copySliceBytes + 700)
  const id = await deposit(user, content)
  const upload = (await begin(user, id, content.length)).body.upload ?? ''
  const slice = async (part: number, from: number, length = copySliceBytes) => {
    const start = part * copyPartBytes + from
    const url = `/documents/${id}/copy/parts/${part}/?upload=${upload}&from=${from}`
    return await call<{ part: number }>('POST', url, user, content.subarray(start, start + length))
  }
  const state = async () => (await call('GET', `/documents/${id}/copy/`, user)).body
  for (const from of [2 * copySliceBytes, 0]) expect((await slice(1, from)).status).toBe(200)
  expect(await state()).toMatchObject({
    slice_bytes: copySliceBytes,
    missing: [0, 1],
    begun: [{ part: 1, from: [copySliceBytes] }],
  })
  expect((await readDocument(user, id)).stored?.received).toBe(copySliceBytes + 700)
  for (const [part, from, length] of [
    [0, 5, copySliceBytes],
    [1, copySliceBytes, 9],
    [1, 3 * copySliceBytes, 1],
  ] as const)
    expect((await slice(part, from, length)).body.code).toBe('document.copy_part_length')
  for (const from of [copySliceBytes, copySliceBytes]) expect((await slice(1, from)).status).toBe(200)
  expect(await state()).toMatchObject({ missing: [0], begun: [] })
  // Of the first piece two slices come, then all of it; a slice of what is there whole changes nothing.
  for (const from of [0, copySliceBytes * 15]) expect((await slice(0, from)).status).toBe(200)
  expect((await send(user, id, upload, content, 0)).status).toBe(200)
  expect((await slice(0, copySliceBytes)).status).toBe(200)
  expect(await state()).toMatchObject({ missing: [], begun: [] })
  expect(await filesOf(upload)).toHaveLength(4)
  await call('POST', `/documents/${id}/copy/complete/`, user, { upload })
  await compareCopy(world, upload, never)
  const shown = await readDocument(user, id)
  expect(shown.stored?.state).toBe('stored')
  const link = new URL(shown.document_url ?? '', 'http://localhost')
  for (const [start, end] of [
    [0, content.length - 1],
    [copyPartBytes + copySliceBytes - 1, copyPartBytes + copySliceBytes],
    [content.length - 701, content.length - 700],
  ] as const) {
    const read = await call('GET', link.pathname + link.search, null, undefined, { range: `bytes=${start}-${end}` })
    expect([read.status, read.raw.equals(content.subarray(start, end + 1))]).toEqual([206, true])
  }
})

test('where the disk has no room, nothing is taken, what came is kept, and the limits say so', async () => {
  const user = await haveAccount(database.db)
  const content = randomBytes(copyPartBytes + 10)
  const id = await deposit(user, content)
  const second = await deposit(user, content)
  const spareBytes = 1_000_000
  let free: number | null = spareBytes + content.length
  const deps = {
    ...world,
    copyLimits: { ...world.copyLimits, spareBytes },
    blobs: { ...world.blobs, room: async () => await Promise.resolve(free) },
  }
  const actor = actorOf(user)
  const places = createPlaces({ most: 2, ofOne: 2, busy: 'document.copy_busy' })
  const receive = async (on: typeof deps, part: number, upload: string) => {
    const bytes = content.subarray(part * copyPartBytes, part * copyPartBytes + lengthOfPart(content.length, part))
    await receivePart(
      on,
      places,
      actor,
      { documentId: id, upload, part, from: null, signal: new AbortController().signal },
      Readable.from([bytes]),
    )
  }
  await beginCopy(deps, actor, id, content.length)
  const upload = (await readCopy(deps, actor, id)).upload ?? ''
  await receive(deps, 1, upload)
  free = spareBytes + 9
  expect((await readCopy(deps, actor, id)).limits.room).toBe(9)
  await expect(receive(deps, 0, upload)).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'document.copy_no_room',
    data: { seconds: 60 },
  })
  await expect(beginCopy(deps, actor, second, 10)).rejects.toMatchObject({ code: 'document.copy_no_room' })
  // Going on is not refused before a byte comes; and the disk may fill between the look and the last byte.
  await beginCopy(deps, actor, id, content.length)
  free = null
  const full = {
    ...world.blobs.scope(`copy-${upload}`),
    putStream: async () => await Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
  }
  await expect(receive({ ...deps, blobs: { ...deps.blobs, scope: () => full } }, 0, upload)).rejects.toMatchObject({
    code: 'document.copy_no_room',
  })
  expect(await readCopy(deps, actor, id)).toMatchObject({ upload, missing: [0], limits: { room: world.copyLimits.largestBytes } })
  await receive(deps, 0, upload)
  expect((await call('GET', '/documents/copies/', user)).body).toMatchObject({ days: 30, bytes: world.copyLimits.largestBytes })
})

test('a copy whose key does not open is left alone, said on its page and to the operator once, and read again when the key is back', async () => {
  const user = await haveAccount(database.db)
  const contents = [randomBytes(50), randomBytes(60), randomBytes(70)] as const
  const [comparing, kept, coming] = [
    await deposit(user, contents[0]),
    await deposit(user, contents[1]),
    await deposit(user, contents[2]),
  ]
  const upload = await uploadAll(user, comparing, contents[0])
  await compareCopy(world, await uploadAll(user, kept, contents[1]), never)
  const interrupted = (await begin(user, coming, 70)).body.upload
  const said: unknown[] = []
  const other = {
    ...world,
    vault: createVault(Buffer.alloc(32, 8)),
    log: { ...world.log, error: (...line: unknown[]) => void said.push(line) },
  }
  await sql`update document_copy set touched_at = touched_at - interval '7 hours' where id = ${upload}::uuid`.execute(database.db)
  for (let hour = 0; hour < 3; hour += 1) await compareCopy(other, upload, never)
  expect(said).toHaveLength(1)
  expect(await compareStranded(world)).toBe(0)
  const state = async (id: string) => (await call('GET', `/documents/${id}/copy/`, user)).body
  expect(await state(comparing)).toMatchObject({ state: 'comparing', unopened: true })
  const url = (await readDocument(user, kept)).document_url ?? ''
  for (let time = 0; time < 2; time += 1)
    await expect(downloadCopy(other, kept)).rejects.toMatchObject({ kind: 'unavailable', code: 'document.copy_unopened' })
  expect(said).toHaveLength(2)
  expect((await checkCopyKeys(other)).closed).toBeGreaterThanOrEqual(3)
  expect(said).toHaveLength(3)
  expect(await state(kept)).toMatchObject({ state: 'stored', unopened: true })
  // What only began goes on under a key that opens.
  await beginCopy(other, actorOf(user), coming, 70)
  expect((await state(coming)).upload).not.toBe(interrupted)
  await beginCopy(world, actorOf(user), coming, 70)
  expect((await checkCopyKeys(world)).opened).toBeGreaterThanOrEqual(2)
  expect([(await state(kept)).unopened, (await call('GET', url, null)).raw.equals(contents[1])]).toEqual([false, true])
  expect(await compareStranded(world)).toBe(1)
  await compareCopy(world, upload, never)
  expect((await state(comparing)).state).toBe('stored')
})

test('E-33 a copy is wished after the deposit, and no longer: it goes; that it was compared stays in what the certificate says', async () => {
  const user = await haveAccount(database.db)
  const content = randomBytes(90)
  const id = await deposit(user, content, { store: false })
  const wish = async (store: boolean) => await call<Document>('PATCH', `/documents/${id}/`, user, { store })
  expect((await wish(false)).body.stored).toBeNull()
  for (const asked of [true, true]) expect((await wish(asked)).body).toMatchObject({ store: true, stored: { state: 'waiting' } })
  const before = now
  const upload = await uploadAll(user, id, content)
  await compareCopy(world, upload, never)
  const compared = { bytes: 90, comparedAt: before.toISOString() }
  now = new Date(before.getTime() + dayMs)
  expect((await wish(false)).body).toMatchObject({ store: false, stored: { state: 'deleted' }, document_url: null })
  expect((await factsOf(id)).stored).toEqual({ ...compared, deletedAt: now.toISOString() })
  expect((await begin(user, id, 90)).body.code).toBe('document.copy_not_wanted')
  await wish(true)
  // Another comes in its place, of another length: what was found of the first stays.
  await begin(user, id, 700)
  expect((await factsOf(id)).stored).toEqual({ ...compared, deletedAt: null })
  const acts = await sql<{ action: string }>`select action from act where subject_id = ${id} order by number`.execute(database.db)
  expect(acts.rows.map(({ action }) => action)).toEqual([
    'document.deposited',
    'document.copy_wished',
    'document.copy_sent',
    'document.copy_deleted',
    'document.copy_unwished',
    'document.copy_wished',
  ])
  await changeDocument(world, actorOf(user), id, { store: false })
  await changeDocument(world, actorOf(user), id, { trashed: true })
  expect((await wish(true)).body.code).toBe('document.copy_of_nothing')
  const shown = await readDocument(user, id)
  expect([shown.store, shown.content_deleted_at]).toEqual([false, null])
  now = before
})

test('E-33 in an object store a copy comes in pieces and slices, is compared, given back in any part, and gone with its end', async () => {
  const s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(world.folder, 's3'),
    configureBuckets: [{ name: 'copies', configs: [] }],
  })
  const { port } = await s3.run()
  try {
    const blobs = createS3BlobStore(
      {
        driver: 's3',
        endpoint: `http://127.0.0.1:${port}`,
        region: 'us-east-1',
        bucket: 'copies',
        prefix: 'p/',
        accessKeyId: 'S3RVER',
        secretAccessKey: 'S3RVER',
        forcePathStyle: true,
      },
      join(world.folder, 'uploads'),
    )
    // It tells no room, and keeps none of the disk free.
    const deps = { ...world, blobs, copyLimits: { ...world.copyLimits, spareBytes: Number.MAX_SAFE_INTEGER } }
    const user = await haveAccount(database.db)
    const content = randomBytes(copyPartBytes + copySliceBytes + 70)
    const id = await deposit(user, content)
    const actor = actorOf(user)
    const places = createPlaces({ most: 2, ofOne: 2, busy: 'document.copy_busy' })
    await beginCopy(deps, actor, id, content.length)
    const upload = (await readCopy(deps, actor, id)).upload ?? ''
    const receive = async (part: number, from: number | null, start: number, end: number) =>
      await receivePart(
        deps,
        places,
        actor,
        { documentId: id, upload, part, from, signal: new AbortController().signal },
        Readable.from([content.subarray(start, end)]),
      )
    await receive(1, copySliceBytes, copyPartBytes + copySliceBytes, content.length)
    await receive(1, 0, copyPartBytes, copyPartBytes + copySliceBytes)
    await receive(0, null, 0, copyPartBytes)
    // Once more: the former goes.
    await receive(0, null, 0, copyPartBytes)
    expect((await readCopy(deps, actor, id)).missing).toEqual([])
    const kept = async () => {
      const names = []
      for await (const { sha256 } of blobs.scope(`copy-${upload}`).list()) names.push(sha256)
      return names.length
    }
    expect([await kept(), await readdir(join(world.folder, 'uploads'))]).toEqual([3, []])
    await completeCopy(deps, actor, id, upload)
    await compareCopy(deps, upload, never)
    const file = await downloadCopy(deps, id)
    for (const [start, end] of [
      [0, content.length],
      [copyPartBytes - 1, copyPartBytes + copySliceBytes + 1],
    ] as const)
      expect(Buffer.concat(await (await file.open(start, end)).toArray()).equals(content.subarray(start, end))).toBe(true)
    await deleteCopy(deps, actor, id)
    await clearCopy(deps, upload)
    expect(await kept()).toBe(0)
  } finally {
    await s3.close()
  }
})
