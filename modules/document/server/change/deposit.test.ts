import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpServer } from '../../../../platform/http/server.ts'
import { runTool } from '../../../../testing/keyring.ts'
import { withDatabase } from '../../../../testing/database.ts'
import type { Document } from '../../contract/document.ts'
import { callsOf } from '../../../../testing/call-server.ts'
import { haveAccount } from '../../../../testing/accounts.ts'
import {
  type DepositWorld,
  openDepositWorld,
  serveDeposits,
  sha256Hex,
  sha512Hex,
  waitingBatches,
} from '../deposits.test-data.ts'
import { sealBatch } from '../seal/seal-batch.ts'

const database = withDatabase()
let now = new Date()
let world: DepositWorld
let server: HttpServer

beforeAll(async () => {
  world = await openDepositWorld(database.db, { clock: { now: () => now } })
  server = await serveDeposits(world)
})
afterAll(async () => {
  await server.close()
  await world.remove()
})

const callServer = callsOf(() => server)
const call = async <T = Document>(...asked: Parameters<typeof callServer>) =>
  await callServer<T & { code?: string; fields?: Record<string, string[]> }>(...asked)

async function sealAll(): Promise<void> {
  for (const id of await waitingBatches(database.db)) await sealBatch(world, id)
}

/** A deposit that is final. */
async function deposited(user: string, content: string, more: object = {}): Promise<Document> {
  const { body } = await call('POST', '/documents/', user, { sha256: sha256Hex(content), agree: true, ...more })
  await sealAll()
  return (await call('GET', `/documents/${body.id}/`, user)).body
}

describe('E-32 a fingerprint is deposited', () => {
  test('C-15 C-75 E-35 and its token holds over the file itself, for openssl', async () => {
    const user = await haveAccount(database.db)
    const content = `A design nobody has seen ${randomUUID()}`
    const asked = {
      sha256: sha256Hex(content).toUpperCase(),
      sha512: sha512Hex(content),
      document_name: 'Plan « été » ⟨v2⟩.pdf',
      label: 'Chair',
      agree: true,
    }
    const created = await call('POST', '/documents/', user, asked)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      status: 'stamping',
      category: 'pending',
      sha256: sha256Hex(content),
      sha512: asked.sha512,
      document_name: asked.document_name,
      owner: { id: user, name: 'Ada Byron' },
      created_by: null,
      eidas: null,
      seal: null,
      duplicate_of: null,
    })
    await sealAll()
    const { body: sealed } = await call('GET', `/documents/${created.body.id}/`, user)
    expect(sealed).toMatchObject({
      status: 'final',
      category: 'completed',
      seal: { root: sha256Hex(content), batch: { size: 1, steps: 0 }, timestamps: [{ embedded: true, qualified: false }] },
    })
    const token = await call('GET', sealed.eidas ?? '', null)
    expect(token.headers['content-disposition']).toContain('filename="document.tsr"')
    await writeFile(join(world.folder, 'file'), content)
    await writeFile(join(world.folder, 'document.tsr'), token.raw)
    const { rows } = await sql<{ data: Buffer }>`
      select f.data from document_batch_file f join document d on d.batch_id = f.batch_id
      where d.id = ${sealed.id}::uuid and f.name = 'document-ca.pem'`.execute(database.db)
    await writeFile(join(world.folder, 'ca.pem'), rows[0]?.data ?? '')
    const verify = ['ts', '-verify', '-data', 'file', '-in', 'document.tsr', '-CAfile', 'ca.pem']
    expect((await runTool(world.folder, 'openssl', ...verify)).output).toContain('Verification: OK')
    await writeFile(join(world.folder, 'file'), `${content}.`)
    expect((await runTool(world.folder, 'openssl', ...verify)).code).not.toBe(0)
    // Nobody has printed its certificate yet: who asks is told when to ask again (RFC 9110 section 10.2.3).
    const early = await call<{ code: string }>('GET', `/documents/${sealed.id}/pdf/?language=en`, user)
    expect([early.status, early.body.code, early.headers['retry-after']]).toEqual([503, 'document.certificate_not_ready', '3'])
  })

  test('the same mark again makes no second deposit, and answers the first', async () => {
    const user = await haveAccount(database.db)
    const asked = { sha256: sha256Hex(randomUUID()), client_id: randomUUID(), agree: true }
    const answers = await Promise.all([1, 2, 3].map(async () => await call('POST', '/documents/', user, asked)))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const other = await haveAccount(database.db)
    expect((await call('POST', '/documents/', other, asked)).body.id).not.toBe(answers[0]?.body.id)
    const { body } = await call<{ count: number }>('GET', '/documents/', user)
    expect(body.count).toBe(1)
    const acts = await database.db.selectFrom('act').select('action').where('actor_id', '=', user).execute()
    expect(acts).toEqual([{ action: 'document.deposited' }])
  })

  test('twice the same is said, with the earlier date; what another account has is not', async () => {
    const [user, other] = [await haveAccount(database.db), await haveAccount(database.db)]
    const content = randomUUID()
    const first = await deposited(other, content)
    expect((await deposited(user, content)).duplicate_of).toBeNull()
    const own = await deposited(other, content)
    expect(own.duplicate_of).toEqual({ id: first.id, sealed_at: first.sealed_at })
    expect((await call('GET', `/documents/${first.id}/`, other)).body.duplicate_of).toBeNull()
    // Nor can it be read off the log: each has a place of its own.
    const { rows } = await sql<{ index: number }>`
      select (summary -> 'log' ->> 'index')::int as index from document_batch where root = decode(${sha256Hex(content)}, 'hex')`.execute(
      database.db,
    )
    expect(new Set(rows.map(({ index }) => index)).size).toBe(3)
  })

  test.each([
    ['sha256', { sha256: 'ab' }, 'sha256_length'],
    ['sha256', { sha256: 'g'.repeat(64) }, 'fingerprint_not_hex'],
    ['sha256', {}, 'fingerprint_required'],
    ['sha512', { sha256: 'a'.repeat(64), sha512: 'b'.repeat(64) }, 'sha512_length'],
    ['document_name', { sha256: 'a'.repeat(64), document_name: 'a\nb' }, 'name_characters'],
    ['document_name', { sha256: 'a'.repeat(64), document_name: 'a'.repeat(256) }, 'too_long'],
    ['description', { sha256: 'a'.repeat(64), description: 'a\0b' }, 'invalid'],
    ['replaces', { sha256: 'a'.repeat(64), replaces: randomUUID() }, 'unknown'],
  ])('V-26 what is wrong with %s is said, and nothing deposited', async (field, asked, code) => {
    const user = await haveAccount(database.db)
    const { status, body } = await call('POST', '/documents/', user, { ...asked, agree: true })
    expect([status, body.fields]).toEqual([400, { [field]: [code] }])
    expect((await call<{ count: number }>('GET', '/documents/', user)).body.count).toBe(0)
  })
})

describe('S-41 X-15 drafts', () => {
  test('five at a time, agreed to one by one or together', async () => {
    const user = await haveAccount(database.db)
    const draft = async () => await call('POST', '/documents/', user, { sha256: sha256Hex(randomUUID()) })
    const drafts = []
    for (let i = 0; i < 5; i += 1) drafts.push((await draft()).body)
    expect(drafts[0]).toMatchObject({ status: 'draft', expires_at: new Date(now.getTime() + 86_400_000).toISOString() })
    expect([(await draft()).status, (await draft()).body.code]).toEqual([429, 'document.drafts_exhausted'])
    const agreed = await call('PATCH', `/documents/${drafts[0]?.id ?? ''}/`, user, { agree: true })
    expect(agreed.body).toMatchObject({ status: 'stamping', expires_at: null })
    const again = await call('PATCH', `/documents/${drafts[0]?.id ?? ''}/`, user, { agree: true })
    expect([again.status, again.body.code]).toEqual([409, 'document.illegal_transition'])
    const ids = drafts.map(({ id }) => id)
    const { body } = await call<{ results: object[] }>('POST', '/documents/bulk/', user, { action: 'agree', ids })
    expect(body.results).toEqual(
      ids.map((id, i) => ({ id, code: i === 0 ? 'document.illegal_transition' : null, invoice_id: null })),
    )
    await sealAll()
    const listed = await call<{ results: Document[] }>('GET', '/documents/?category=completed', user)
    expect(listed.body.results.map(({ status }) => status)).toEqual(ids.map(() => 'final'))
    const stats = await call('GET', '/documents/stats/', user)
    expect(stats.body).toMatchObject({ global: { current: 5, previous: 0, total: 5 }, drafts: { held: 0, most: 5 } })
  })
})
