import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { signLink } from '../../../../platform/http/answer/signed-link.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { haveAccount, haveGroup, removeMember, sessionsOf, setMember, type Granted } from '../../../../testing/accounts.ts'
import { finish } from '../finish.test-data.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { createEvidenceChanges } from '../record/evidence-changes.ts'
import { insertFiles, type FileRecord } from '../files/file-store.ts'
import { evidenceRoutes } from '../routes.ts'
import { sampleFacts } from '../sample-facts.test-data.ts'
import { storeBytes } from '../files/store-files.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-links-'))
const blobs = createFolderBlobStore(folder)
const granted = new Map<string, Granted>()
const secret = 's'.repeat(32)
let server: Awaited<ReturnType<typeof createHttpServer>>

beforeAll(async () => {
  const deps: EvidenceWebDeps = {
    db: database.db,
    blobs,
    clock: { now: () => new Date() },
    log: silentLog,
    secret,
    allowAddresses: [],
    scenarios: [],
    findDelegation: (id, userId) => {
      const held = granted.get(id)
      return Promise.resolve(held?.userId === userId ? { ...held, expiresAt: new Date(Date.now() + 3_600_000) } : null)
    },
  }
  const routes = evidenceRoutes(deps, createEvidenceChanges())
  const authenticate = sessionsOf(granted)
  server = await createHttpServer({ config: loadConfig({}), log: silentLog, secret, routes, health: {}, authenticate })
})

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const files = [
  { path: 'pieces/page.html', section: 'piece', role: 'dom', mediaType: 'text/html' },
  { path: 'report.en.pdf', section: 'core', role: null, mediaType: 'application/pdf' },
  { path: 'report.fr.pdf', section: 'core', role: null, mediaType: 'application/pdf' },
] as const

/** A final report with files. @returns its id, and its token while it is nobody's */
async function final(headers: Record<string, string>): Promise<{ id: string; token: string | null }> {
  const payload = { url: 'https://example.org/page', action: 'static', locale: 'en' }
  const { evidence, evidence_token: token } = (
    await server.inject({ method: 'POST', url: '/evidences/', headers, payload })
  ).json<{
    evidence: Evidence
    evidence_token: string | null
  }>()
  await finish(database.db, evidence.id, 'final')
  const stored: FileRecord[] = []
  for (const file of files) stored.push(await storeBytes(blobs.scope(evidence.id), file, new TextEncoder().encode(file.path)))
  await database.db.transaction().execute(async (tx) => {
    await insertFiles(tx, evidence.id, stored)
    const facts = JSON.stringify(sampleFacts)
    await tx.updateTable('evidence').set({ facts }).where('id', '=', evidence.id).execute()
  })
  return { id: evidence.id, token }
}

/** The links that the caller is given: to a piece, a report and the package. */
async function linksOf(id: string, headers: Record<string, string>): Promise<string[]> {
  const { preview, reports } = (await server.inject({ url: `/evidences/${id}/`, headers })).json<Evidence>()
  const { zip_archive: zip } = (await server.inject({ url: `/evidences/${id}/generate_zip_archive/`, headers })).json<{
    zip_archive: string
  }>()
  return [preview?.pieces[0]?.url ?? '', reports?.en ?? '', zip]
}

const open = async (links: readonly string[]) => {
  const statuses = []
  for (const url of links) statuses.push((await server.inject({ url })).statusCode)
  return statuses
}

describe('links to files', () => {
  test('E-23 a final report has its document in each language and its package as one file; a draft has neither', async () => {
    const headers = { authorization: `Bearer ${await haveAccount(database.db)}` }
    const read = async (id: string) => (await server.inject({ url: `/evidences/${id}/`, headers })).json<Evidence>()
    const payload = { url: 'https://example.org/page', action: 'static', locale: 'en' }
    const asked = await server.inject({ method: 'POST', url: '/evidences/', headers, payload })
    const draft = asked.json<{ evidence: Evidence }>().evidence
    expect(draft.reports).toBeNull()
    expect((await server.inject({ url: `/evidences/${draft.id}/generate_zip_archive/`, headers })).statusCode).toBe(409)

    const { id } = await final(headers)
    const { reports } = await read(id)
    for (const locale of ['en', 'fr'] as const) {
      const document = await server.inject({ url: reports?.[locale] ?? '' })
      expect([document.statusCode, document.headers['content-type'], document.body]).toEqual([
        200,
        'application/pdf',
        `report.${locale}.pdf`,
      ])
    }
    const [, , link = ''] = await linksOf(id, headers)
    const file = await server.inject({ url: link })
    expect([file.statusCode, file.headers['content-type'], file.headers['content-disposition']]).toEqual([
      200,
      'application/vnd.etsi.asic-e+zip',
      expect.stringMatching(/^attachment; filename=.*\.zip/),
    ])
    expect(file.rawPayload.subarray(0, 4)).toEqual(Buffer.from('PK\u0003\u0004'))
    for (const { path } of files) expect(file.rawPayload.includes(path)).toBe(true)
  })

  test('H-23 those of a member end with his membership, those of his group’s manager do not', async () => {
    const group = await haveGroup(database.db)
    const [boss, member] = [await haveAccount(database.db), await haveAccount(database.db)]
    await setMember(database.db, boss, group, 'owner')
    await setMember(database.db, member, group, 'member')
    const { id } = await final({ authorization: `Bearer ${member}` })
    const his = await linksOf(id, { authorization: `Bearer ${member}` })
    const managed = await linksOf(id, { authorization: `Bearer ${boss}` })
    expect(await open([...his, ...managed])).toEqual([200, 200, 200, 200, 200, 200])

    await removeMember(database.db, member)
    expect(await open(his)).toEqual([404, 404, 404])
    expect(await open(managed)).toEqual([200, 200, 200])
    const [piece] = his
    expect(await open([piece?.replace(member, boss) ?? '', piece?.replace(`&for=${member}`, '') ?? ''])).toEqual([403, 403])
  })

  test('H-22 those of a delegate end with his delegation; those of who is suspended do not open', async () => {
    const [ada, assistant] = [await haveAccount(database.db), await haveAccount(database.db)]
    const delegation = '0193a1b2-0000-7000-8000-000000000001'
    const { id } = await final({ authorization: `Bearer ${ada}` })
    granted.set(delegation, { userId: assistant, grantorId: ada, scope: 'read' })
    const links = await linksOf(id, { authorization: `Bearer ${assistant}`, 'x-delegation': delegation })
    const own = await linksOf(id, { authorization: `Bearer ${ada}` })
    expect(await open([...links, ...own])).toEqual([200, 200, 200, 200, 200, 200])

    granted.delete(delegation)
    expect(await open(links)).toEqual([404, 404, 404])
    expect(await open(own)).toEqual([200, 200, 200])
    await database.db
      .updateTable('account_user')
      .set({ status: 'suspended', suspended_at: new Date() })
      .where('id', '=', ada)
      .execute()
    expect(await open(own)).toEqual([404, 404, 404])
  })

  test('H-01 those that a token opened are their own key, also once an account took the evidence over', async () => {
    const { id, token } = await final({})
    const links = await linksOf(id, { 'x-evidence-token': token ?? '' })
    expect(links.every((link) => !link.includes('for='))).toBe(true)
    expect(await open(links)).toEqual([200, 200, 200])
    const ada = await haveAccount(database.db)
    const headers = { authorization: `Bearer ${ada}` }
    await server.inject({ method: 'POST', url: `/evidences/${token}/user_assignment/`, headers })
    expect(await open(links)).toEqual([200, 200, 200])
    const [claimed] = await linksOf(id, headers)
    expect(claimed).toContain(`&for=${ada}&`)
    // Whoever knows the secret alone can name somebody else, and still only opens what that one reaches.
    const stranger = await haveAccount(database.db)
    const path = `/files/${id}/report/?language=en&for=${stranger}`
    expect(await open([signLink(secret, path, new Date(Date.now() + 60_000))])).toEqual([404])
  })
})
