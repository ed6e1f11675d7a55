import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { haveServer } from '../../../../testing/capture-server.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { draftLifetimeMs } from '../../domain/status.ts'
import { createEvidence } from '../ask/create-evidence.ts'
import { agreeEvidence } from './agree-evidence.ts'
import { rejectEvidence, retryEvidence } from './decide-evidence.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { eraseEvidence, expireDrafts } from './expire-drafts.ts'
import { presentEvidence } from '../present/present-evidence.ts'
import { sampleFacts } from '../sample-facts.test-data.ts'
import { storeBytes } from '../files/store-files.ts'
import { insertFiles, listFiles } from '../files/file-store.ts'
import { claimNext, closeCapture } from '../queue/lease-store.ts'
import { changeStatus, findEvidence } from '../record/store.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-decide-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let now = new Date('2026-11-21T10:00:00.000Z')

function deps(): EvidenceWebDeps {
  return {
    db: database.db,
    blobs: createFolderBlobStore(folder),
    clock: { now: () => now },
    log: silentLog,
    secret: 'a secret of the test',
    allowAddresses: [],
    scenarios: [],
  }
}

/** An evidence that was captured and waits for its visitor. */
async function captured(): Promise<{ id: string; token: string }> {
  await sql`truncate evidence cascade`.execute(database.db)
  const { evidence, token } = await createEvidence(deps(), { url: 'https://example.org/', action: 'static', locale: 'fr' })
  const claim = await claimNext(database.db, await haveServer(database.db, 'a'), 30)
  if (claim?.id !== evidence.id) throw new Error('another evidence was claimed')
  const described = {
    path: 'capture/viewport.png',
    section: 'piece',
    role: 'viewport_screenshot',
    mediaType: 'image/png',
  } as const
  const file = await storeBytes(deps().blobs.scope(evidence.id), described, new Uint8Array([1, 2, 3]))
  await database.db.transaction().execute(async (tx) => {
    await closeCapture(tx, claim.id, claim.fence, { status: 'completing', facts: sampleFacts })
    await insertFiles(tx, claim.id, [file])
    await changeStatus(tx, claim.id, 'to_validate', now, { expiresAt: new Date(now.getTime() + draftLifetimeMs) })
  })
  return { id: evidence.id, token }
}

async function jobsOf(id: string): Promise<string[]> {
  const { rows } = await sql<{ task_identifier: string }>`
    select task_identifier from graphile_worker.jobs where key like ${`%${id}`} order by task_identifier`.execute(database.db)
  return rows.map((row) => row.task_identifier)
}

describe('who may decide', () => {
  test('P-16 nobody without the token, and nothing tells that the evidence exists', async () => {
    const { id } = await captured()
    const attempts = [
      async () => await agreeEvidence(deps(), { evidenceToken: undefined }, id),
      async () => await rejectEvidence(deps(), { evidenceToken: 'wrong' }, id),
      async () => await retryEvidence(deps(), { evidenceToken: 'x' }, '01900000-0000-7000-8000-000000000000'),
    ]
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ kind: 'not_found', code: 'evidence.not_found' })
    }
    expect((await findEvidence(database.db, id))?.status).toBe('to_validate')
  })
})

describe('agreeing', () => {
  test('S-38 finalises, once however often it is asked', async () => {
    const { id, token } = await captured()
    for (let n = 0; n < 3; n += 1) {
      const evidence = await agreeEvidence(deps(), { evidenceToken: token }, id)
      expect(evidence.status).toBe('finalizing')
      expect(evidence.expiresAt).toBeNull()
    }
    expect(await jobsOf(id)).toEqual(['evidence.finalize_evidence'])
  })

  test('agreeing and rejecting at once: one of them wins, the other is told', async () => {
    const { id, token } = await captured()
    const both = await Promise.allSettled([
      agreeEvidence(deps(), { evidenceToken: token }, id),
      rejectEvidence(deps(), { evidenceToken: token }, id),
    ])
    expect(both.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    expect(await jobsOf(id)).toHaveLength(1)
  })

  test('S-40 a preview past its term is gone, also before the janitor comes', async () => {
    const { id, token } = await captured()
    const later = now
    now = new Date(now.getTime() + draftLifetimeMs)
    await expect(agreeEvidence(deps(), { evidenceToken: token }, id)).rejects.toMatchObject({ kind: 'gone' })
    now = later
  })
})

describe('rejecting', () => {
  test('S-39 erases rows and bytes', async () => {
    const { id, token } = await captured()
    await rejectEvidence(deps(), { evidenceToken: token }, id)
    expect(await jobsOf(id)).toEqual(['evidence.erase_evidence'])
    await eraseEvidence(deps(), id)
    await eraseEvidence(deps(), id)
    expect(await listFiles(database.db, id)).toEqual([])
    const left = []
    for await (const blob of deps().blobs.scope(id).list()) left.push(blob)
    expect(left).toEqual([])
    const evidence = await findEvidence(database.db, id)
    expect(evidence?.facts).toBeNull()
    if (evidence !== null) expect((await presentEvidence(deps(), {}, evidence)).preview).toBeNull()
  })
})

describe('retrying', () => {
  test('X-41 makes one new evidence with the same token; the first can still be agreed to', async () => {
    const { id, token } = await captured()
    const again = await retryEvidence(deps(), { evidenceToken: token }, id)
    expect(again.id).not.toBe(id)
    expect(again).toMatchObject({ status: 'queued', requestedUrl: 'https://example.org/', locale: 'fr' })
    expect((await retryEvidence(deps(), { evidenceToken: token }, id)).id).toBe(again.id)
    expect((await findEvidence(database.db, id))?.replacedBy).toBe(again.id)
    expect((await agreeEvidence(deps(), { evidenceToken: token }, id)).status).toBe('finalizing')
  })

  test('not while a capture runs', async () => {
    await sql`truncate evidence cascade`.execute(database.db)
    const { evidence, token } = await createEvidence(deps(), { url: 'example.org', action: 'static', locale: 'en' })
    await expect(retryEvidence(deps(), { evidenceToken: token }, evidence.id)).rejects.toMatchObject({ kind: 'conflict' })
  })
})

test('S-40 K-03 drafts nobody agreed to are deleted after 24 hours, not before', async () => {
  const { id } = await captured()
  now = new Date(now.getTime() + draftLifetimeMs - 1)
  expect(await expireDrafts(deps())).toBe(0)
  now = new Date(now.getTime() + 1)
  expect(await expireDrafts(deps())).toBe(1)
  expect((await findEvidence(database.db, id))?.status).toBe('expired')
  expect(await jobsOf(id)).toEqual(['evidence.erase_evidence'])
  expect(await expireDrafts(deps())).toBe(0)
})

test.each([
  ['ftp://example.org/', 'unsupported_scheme'],
  ['http://user:pw@example.org/', 'credentials_in_address'],
  ['http://2130706433/', 'private_address'],
  ['http://[::ffff:10.0.0.1]/', 'private_address'],
])('V-25 %s is refused by name, and nothing is queued', async (url, code) => {
  await sql`truncate evidence cascade`.execute(database.db)
  const attempt = createEvidence(deps(), { url, action: 'static', locale: 'en' })
  await expect(attempt).rejects.toMatchObject({ kind: 'invalid', fields: { url: [code] } })
  expect(await claimNext(database.db, await haveServer(database.db, 'a'), 30)).toBeNull()
})
