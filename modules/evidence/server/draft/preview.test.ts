import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readDocument } from '../../../../kernel/document/read-document.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { haveServer } from '../../../../testing/capture-server.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { draftLifetimeMs } from '../../domain/status.ts'
import type { Actor } from '../../../../kernel/actor.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { createEvidence } from '../ask/create-evidence.ts'
import { createEvidenceChanges } from '../record/evidence-changes.ts'
import { eraseEvidence } from './expire-drafts.ts'
import { insertFiles, type FileRecord } from '../files/file-store.ts'
import { insertSeal } from '../seal/seal-store.ts'
import { claimNext, closeCapture } from '../queue/lease-store.ts'
import { sampleFacts, samplePieces, sampleSeal, writeSampleFiles } from '../../../report/server/sample-report.test-data.ts'
import { evidenceRoutes } from '../routes.ts'
import { storeLocalFile } from '../files/store-files.ts'
import { changeStatus } from '../record/store.ts'
import { downloadPreview } from '../download/download-files.ts'
import { askPreview } from './ask-preview.ts'
import { dropPreviews } from './drop-previews.ts'
import { findPreview, finishPreview, type PreviewKey } from './preview-store.ts'
import { printReportPreview } from './print-preview.ts'

const run = promisify(execFile)
const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-preview-'))
// The jailed printer reads what it prints as another user.
chmodSync(folder, 0o755)
const blobs = createFolderBlobStore(join(folder, 'blobs'))
const secret = 's'.repeat(32)
const pageHeight = 900
let now = new Date()
const clock = { now: () => now }
let samples: ReadonlyMap<string, string> = new Map()
let server: Awaited<ReturnType<typeof createHttpServer>>
let origin: string

const deps = () => ({ db: database.db, blobs, clock, log: silentLog, secret, allowAddresses: [], scenarios: [] })
const printDeps = () => ({ ...deps(), siteUrl: null, workFolder: join(folder, 'work') })

beforeAll(async () => {
  samples = await writeSampleFiles(folder, pageHeight)
  const routes = evidenceRoutes(deps(), createEvidenceChanges())
  server = await createHttpServer({ config: loadConfig({}), log: silentLog, secret, routes, health: {} })
  await server.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${String((server.server.address() as AddressInfo).port)}`
})
beforeEach(async () => {
  now = new Date()
  await sql`truncate evidence cascade`.execute(database.db)
  await sql`delete from graphile_worker._private_jobs`.execute(database.db)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A draft that its visitor may look at, with the pieces that the report reads. */
async function draft(actor: Actor | null = null): Promise<{ id: string; token: string }> {
  const asked = { url: 'https://boutique.example/', action: 'static', locale: 'fr' } as const
  const { evidence, token } = await createEvidence(deps(), asked, { addressPrefix: null, actor })
  const { id } = evidence
  const claim = await claimNext(database.db, await haveServer(database.db, 'a'), 60)
  if (claim?.id !== id) throw new Error('another evidence was claimed')
  const files: FileRecord[] = []
  for (const { path, role, media_type: mediaType } of samplePieces) {
    const file = samples.get(path)
    if (file !== undefined) files.push(await storeLocalFile(blobs.scope(id), { path, section: 'piece', role, mediaType }, file))
  }
  await database.db.transaction().execute(async (tx) => {
    await closeCapture(tx, id, claim.fence, { status: 'completing', facts: sampleFacts(pageHeight) })
    await insertFiles(tx, id, files)
    await insertSeal(tx, id, { root: createHash('sha256').update(id).digest('hex'), summary: sampleSeal, sealedAt: now })
    await changeStatus(tx, id, 'to_validate', now, { expiresAt: new Date(now.getTime() + draftLifetimeMs) })
  })
  return { id, token }
}

type Answer = { code: number; body: Record<string, unknown> }

async function ask(id: string, token: string | undefined, query = '?language=fr'): Promise<Answer> {
  const headers: Record<string, string> = token === undefined ? {} : { 'x-evidence-token': token }
  const response = await fetch(`${origin}/evidences/${id}/pdf_preview/${query}`, { headers })
  return { code: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function jobKeys(): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from graphile_worker.jobs where task_identifier = 'evidence.preview_report' order by key`.execute(database.db)
  return rows.map((row) => row.key)
}

const attempt = (last = false) => ({ stop: new AbortController().signal, last })

async function blobsOf(id: string): Promise<string[]> {
  const names: string[] = []
  for await (const blob of blobs.scope(id).list()) names.push(blob.sha256)
  return names
}

test('H-22 what a delegate asked for is printed as his, for who let him in', async () => {
  const grantorId = await haveAccount(database.db, { first: 'Grace', last: 'Hopper' })
  const delegate = await haveAccount(database.db, { first: 'Ada', last: 'Byron' })
  const { id } = await draft(actorOf(delegate, { id: '0193a1b2-0000-7000-8000-000000000001', scope: 'create', grantorId }))
  const key: PreviewKey = { evidenceId: id, language: 'en' }
  await askPreview(deps(), { actor: actorOf(grantorId) }, id, { language: 'en', again: false })
  await printReportPreview(printDeps(), key, attempt())
  const preview = await downloadPreview(deps(), id, 'en')
  const file = join(folder, 'delegate.pdf')
  await writeFile(file, await preview.open(0, preview.bytes))
  const { stdout } = await run('pdftotext', ['-raw', file, '-'], { maxBuffer: 64 * 1024 * 1024 })
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Ada Byron for Grace Hopper, who gave access to the account')
})

test('C-29 the preview is printed once for all who ask, marked on every page, and downloaded by signed link', async () => {
  const { id, token } = await draft()
  const asked = await Promise.all([ask(id, token), ask(id, token), ask(id, token, '?language=fr&again=true')])
  for (const { code, body } of asked) {
    expect([code, body['status'], body['pdf_preview'], body['bytes']]).toEqual([200, 'waiting', null, null])
    expect(body['file_name']).toBe(`preview_${id}_fr.pdf`)
  }
  expect(await jobKeys()).toEqual([`preview:${id}:fr`])
  expect((await ask(id, token, '')).body['file_name']).toBe(`preview_${id}_en.pdf`)
  expect(await jobKeys()).toEqual([`preview:${id}:en`, `preview:${id}:fr`])

  const before = await blobsOf(id)
  const key: PreviewKey = { evidenceId: id, language: 'fr' }
  await printReportPreview(printDeps(), key, attempt())
  const { body } = await ask(id, token)
  expect(body['status']).toBe('ready')
  const response = await fetch(`${origin}${String(body['pdf_preview'])}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(response.headers.get('content-disposition')).toBe(`inline; filename="preview_${id}_fr.pdf"`)
  const pdf = new Uint8Array(await response.arrayBuffer())
  expect(pdf.length).toBe(body['bytes'])
  const file = join(folder, 'preview.pdf')
  await writeFile(file, pdf)
  const { stdout } = await run('pdftotext', ['-raw', file, '-'], { maxBuffer: 64 * 1024 * 1024 })
  const pages = stdout.split('\f').slice(0, -1)
  expect(pages.length).toBeGreaterThan(5)
  for (const page of pages) expect(page.replaceAll(/[\s\u00a0\u202f]/g, '')).toContain('APERÇU–nondéfinitif')
  expect(stdout).toContain(id)
  expect(Buffer.from(pdf).includes('/ByteRange')).toBe(false)
  expect(readdirSync(join(folder, 'work'))).toEqual([])

  // For a screen, the same document.
  const shown = readDocument(await (await fetch(`${origin}${String(body['document'])}`)).text())
  expect([shown?.language.slice(0, 2), shown?.mark]).toEqual(['fr', 'APERÇU – non définitif'])
  expect(JSON.stringify(shown?.blocks)).toContain(id)

  // Delivered again, the job does nothing; asked for again, nothing is printed.
  await printReportPreview(printDeps(), key, attempt())
  expect((await blobsOf(id)).length).toBe(before.length + 2)
  await ask(id, token, '?language=fr&again=true')
  expect((await ask(id, token)).body['status']).toBe('ready')

  // Another language, another evidence, another path: another link.
  const altered = String(body['pdf_preview']).replace('language=fr', 'language=en')
  expect((await fetch(`${origin}${altered}`)).status).toBe(403)

  // Rejected: row and bytes are gone, and the link leads nowhere.
  const headers = { 'x-evidence-token': token }
  expect((await fetch(`${origin}/evidences/${id}/reject/`, { method: 'POST', headers })).status).toBe(200)
  expect((await fetch(`${origin}${String(body['pdf_preview'])}`)).status).toBe(410)
  await eraseEvidence(deps(), id)
  expect(await findPreview(database.db, key)).toBeNull()
  expect(await blobsOf(id)).toEqual([])
})

test('C-29 what a screen shows of the preview is for those alone who get its PDF, and as long', async () => {
  const { id, token } = await draft()
  const other = await draft()
  const before = await blobsOf(id)
  await ask(id, token)
  const json = JSON.stringify({ language: 'fr', title: 'Rapport', mark: 'APERÇU', blocks: [] })
  const made = {
    file: await blobs.scope(id).putBytes(new Uint8Array([37, 80, 68, 70])),
    document: await blobs.scope(id).putBytes(Buffer.from(json)),
  }
  await database.db.transaction().execute(async (tx) => await finishPreview(tx, { evidenceId: id, language: 'fr' }, made))
  expect([(await ask(id, undefined)).code, (await ask(id, other.token)).code]).toEqual([401, 404])
  const link = String((await ask(id, token)).body['document'])
  const response = await fetch(`${origin}${link}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  // Whoever opens it as a page opens one that may do nothing.
  expect(response.headers.get('content-security-policy')).toContain("sandbox; default-src 'none'")
  expect(readDocument(await response.text())).toEqual(JSON.parse(json))

  const asked = async (address: string) => (await fetch(`${origin}${address}`)).status
  const path = `/files/${id}/preview_document/?language=fr`
  expect(await asked(path)).toBe(403)
  expect(await asked(link.replace(id, other.id))).toBe(403)
  expect(await asked(link.replace('language=fr', 'language=en'))).toBe(403)
  // A link to the PDF opens the PDF alone.
  const pdf = String((await ask(id, token)).body['pdf_preview'])
  expect(await asked(pdf.replace('/preview/', '/preview_document/'))).toBe(403)

  // One that was printed before documents were kept is shown as it was.
  await sql`update report_preview set document_sha256 = null, document_bytes = null`.execute(database.db)
  expect((await ask(id, token)).body).toMatchObject({ status: 'ready', document: null, pdf_preview: expect.any(String) })
  expect(await asked(link)).toBe(404)
  await sql`update report_preview set document_sha256 = ${made.document.sha256}, document_bytes = ${made.document.bytes}`.execute(
    database.db,
  )
  expect(await asked(link)).toBe(200)

  const headers = { 'x-evidence-token': token }
  expect((await fetch(`${origin}/evidences/${id}/reject/`, { method: 'POST', headers })).status).toBe(200)
  expect(await asked(link)).toBe(410)
  await dropPreviews(deps(), id)
  expect((await blobsOf(id)).sort()).toEqual(before.sort())
})

test('C-29 P-16 only its holder has it printed, and only while it is to be decided on', async () => {
  const { id, token } = await draft()
  expect((await ask(id, undefined)).code).toBe(401)
  expect((await ask(id, 'of-somebody-else')).code).toBe(404)
  expect((await ask(id, token, '?language=de')).code).toBe(400)
  const states = [
    ['finalizing', 409, 'evidence.preview_over'],
    ['final', 409, 'evidence.preview_over'],
  ] as const
  for (const [status, code, word] of states) {
    await database.db.transaction().execute(async (tx) => {
      await changeStatus(tx, id, status, now, { expiresAt: null, ...(status === 'final' ? { finalizedAt: now } : {}) })
    })
    const { code: answered, body } = await ask(id, token)
    expect([answered, body['code']]).toEqual([code, word])
  }
  const past = await draft()
  now = new Date(now.getTime() + draftLifetimeMs)
  expect((await ask(past.id, past.token)).code).toBe(410)
  const queued = await createEvidence(deps(), { url: 'https://boutique.example/', action: 'static', locale: 'en' })
  expect((await ask(queued.evidence.id, queued.token)).body['code']).toBe('evidence.not_ready')
  expect(await jobKeys()).toEqual([])
})

test('C-29 without a worker the wait has an end in words, and another print is asked for by the visitor alone', async () => {
  const { id, token } = await draft()
  const first = await ask(id, token)
  now = new Date(now.getTime() + 5 * 60 * 1000)
  const late = await ask(id, token)
  expect(late.body).toMatchObject({ status: 'late', since: first.body['since'], pdf_preview: null })
  await sql`delete from graphile_worker._private_jobs`.execute(database.db)
  expect((await ask(id, token)).body['status']).toBe('late')
  expect(await jobKeys()).toEqual([])
  expect((await ask(id, token, '?language=fr&again=true')).body['status']).toBe('waiting')
  expect(await jobKeys()).toEqual([`preview:${id}:fr`])
})

test('C-29 a print that fails is tried again, then said to have failed, and leaves nothing', async () => {
  const { id, token } = await draft()
  await ask(id, token)
  const before = await blobsOf(id)
  // A picture of the report is missing in the store.
  const { sha256 } = await database.db
    .selectFrom('evidence_file')
    .select('sha256')
    .where('evidence_id', '=', id)
    .where('role', '=', 'viewport_screenshot')
    .executeTakeFirstOrThrow()
  await blobs.scope(id).remove(sha256)
  const key: PreviewKey = { evidenceId: id, language: 'fr' }
  await expect(printReportPreview(printDeps(), key, attempt())).rejects.toThrow(sha256)
  expect((await ask(id, token)).body['status']).toBe('printing')
  await expect(printReportPreview(printDeps(), key, attempt(true))).rejects.toThrow(sha256)
  expect((await ask(id, token)).body['status']).toBe('failed')
  expect(readdirSync(join(folder, 'work'))).toEqual([])
  expect(await blobsOf(id)).toEqual(before.filter((name) => name !== sha256))
  expect((await ask(id, token, '?language=fr&again=true')).body['status']).toBe('waiting')
})

test('C-29 S-38 what was shown before the agreement goes when the report is made', async () => {
  const { id, token } = await draft()
  const before = await blobsOf(id)
  const made = {
    file: await blobs.scope(id).putBytes(new Uint8Array([37, 80, 68, 70])),
    document: await blobs.scope(id).putBytes(new Uint8Array([123, 125])),
  }
  await ask(id, token)
  const key: PreviewKey = { evidenceId: id, language: 'fr' }
  await database.db.transaction().execute(async (tx) => {
    expect(await finishPreview(tx, key, made)).toBe(true)
  })
  expect((await ask(id, token)).body).toMatchObject({ status: 'ready', bytes: 4 })
  await dropPreviews(deps(), id)
  await dropPreviews(deps(), id)
  expect(await findPreview(database.db, key)).toBeNull()
  expect((await blobsOf(id)).sort()).toEqual(before.sort())
})

test('C-29 S-39 what was printed of a draft that was rejected meanwhile is not kept', async () => {
  const { id, token } = await draft()
  await ask(id, token)
  const deciding = {
    ...printDeps(),
    // The moment the bytes are stored: the visitor has just rejected, and the janitor has been there.
    blobs: {
      ...blobs,
      scope: (name: string) => {
        const scope = blobs.scope(name)
        return {
          ...scope,
          putBytes: async (bytes: Uint8Array) => {
            const headers = { 'x-evidence-token': token }
            await fetch(`${origin}/evidences/${id}/reject/`, { method: 'POST', headers })
            await eraseEvidence(deps(), id)
            return await scope.putBytes(bytes)
          },
        }
      },
    },
  }
  const key: PreviewKey = { evidenceId: id, language: 'fr' }
  await printReportPreview(deciding, key, attempt())
  expect(await findPreview(database.db, key)).toBeNull()
  expect(await blobsOf(id)).toEqual([])
  // The same when it comes too late to begin.
  await printReportPreview(printDeps(), key, attempt())
  expect(await findPreview(database.db, key)).toBeNull()
})
