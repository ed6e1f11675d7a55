import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../../../platform/log/log.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { runTool } from '../../../../testing/keyring.ts'
import { checkArchival } from '../../../../testing/pdf-a/check-archival.ts'
import { typeset } from '../../../../platform/print/typeset/typeset.ts'
import { createDocuments, type Asked } from '../change/create-documents.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { linkSecret, openDepositWorld, sha256Hex, waitingBatches, type DepositWorld } from '../deposits.test-data.ts'
import { eraseOwnedDocuments } from '../ending/erase-owned.ts'
import { makeCertificates, type CertificateJobDeps } from './make-certificates.ts'
import { sealBatch } from '../seal/seal-batch.ts'
import { shareDocument, unshareDocument } from '../change/share-document.ts'

const database = withDatabase()
const never = new AbortController().signal
let world: DepositWorld
let jobs: CertificateJobDeps
/** Happens while one is being printed. */
let meanwhile: () => Promise<void>

beforeAll(async () => {
  world = await openDepositWorld(database.db)
  jobs = {
    ...world,
    anchoring: false,
    secret: linkSecret,
    publicUrl: 'https://probant.example',
    verifierUrl: null,
    workFolder: join(world.folder, 'work'),
    software: 'probant/1.0.0',
    log: silentLog,
    typeset: async (...job) => {
      await meanwhile()
      return await typeset(...job)
    },
  }
}, 180_000)
beforeEach(() => {
  meanwhile = async () => await Promise.resolve()
})
afterAll(async () => {
  await world.remove()
})

async function deposit(userId: string, ownerId: string, asked: Partial<Asked> = {}): Promise<string> {
  const actor = userId === ownerId ? actorOf(userId) : actorOf(userId, { id: randomUUID(), scope: 'create', grantorId: ownerId })
  const documents = [{ sha256: sha256Hex(randomUUID()), store: false, ...asked }]
  const [made] = await createDocuments(world, actor, { documents, agree: true })
  for (const id of await waitingBatches(database.db)) await sealBatch(world, id)
  return made?.id ?? ''
}

const rowsOf = async (id: string) =>
  await database.db
    .selectFrom('document_certificate')
    .selectAll()
    .where('document_id', '=', id)
    .orderBy('locale')
    .orderBy('edition')
    .execute()
const editionsOf = async (id: string, locale: Locale) =>
  (await rowsOf(id)).filter((row) => row.locale === locale).map(({ edition }) => edition)

async function blobsOf(id: string): Promise<string[]> {
  const names: string[] = []
  for await (const blob of world.blobs.scope(id).list()) names.push(blob.sha256)
  return names.sort()
}

/** Text of the newest, which is PDF/A-3a still, without spaces. */
async function textOf(id: string, locale: Locale): Promise<string> {
  const row = (await rowsOf(id)).filter((each) => each.locale === locale).at(-1)
  const file = join(world.folder, 'looked-at.pdf')
  const pdf = await world.blobs.scope(id).read(row?.sha256 ?? '', { maxBytes: 16 * 1024 * 1024 })
  expect(await checkArchival(pdf)).toEqual([])
  await writeFile(file, pdf)
  return (await runTool(world.folder, 'pdftotext', '-raw', file, '-')).output.replaceAll(/\s/g, '')
}

test(
  'C-76 it says who deposited for whom, and which deposits of the same account it declares to replace',
  { timeout: 120_000 },
  async () => {
    const grantor = await haveAccount(database.db, { first: 'Grace', last: 'Hopper' })
    const delegate = await haveAccount(database.db, { first: 'Ada', last: 'Byron' })
    const first = await deposit(grantor, grantor, { document_name: 'Version 1.pdf' })
    const second = await deposit(grantor, grantor, { replaces: first })
    const third = await deposit(delegate, grantor, { document_name: 'Version 3.pdf', replaces: second })
    await makeCertificates(jobs, third, never)
    expect((await rowsOf(third)).map(({ locale, edition }) => [locale, edition])).toEqual([
      ['en', 1],
      ['fr', 1],
    ])
    const text = await textOf(third, 'en')
    for (const line of [
      'Name declared: Version 3.pdf',
      'Ada Byron for Grace Hopper, who gave access to the account.',
      'Grace Hopper: the name is as the holder gave it',
      `A file whose name was not told, deposit ${second}`,
      `Version 1.pdf, deposit ${first}`,
      'Not a qualified electronic time stamp.',
      'time authority states it, and this rests on Probant',
      'not entered in the blockchain',
    ])
      expect(text).toContain(line.replaceAll(' ', ''))
    expect(text).not.toContain('probant.example')
  },
)

test(
  'it is made anew where the deposit is shared, and when it is not any more; what it said in between is let go',
  { timeout: 120_000 },
  async () => {
    const owner = await haveAccount(database.db)
    const id = await deposit(owner, owner)
    await makeCertificates(jobs, id, never)
    await makeCertificates(jobs, id, never)
    expect(await editionsOf(id, 'fr')).toEqual([1])
    const asked = async () => {
      const { rows } = await sql`select key from graphile_worker._private_jobs where key = ${`certificates:${id}`}`.execute(
        database.db,
      )
      return rows.length
    }
    expect(await asked()).toBe(1)
    await shareDocument(world, actorOf(owner), id)
    await makeCertificates(jobs, id, never)
    expect(await editionsOf(id, 'fr')).toEqual([1, 2])
    expect(await textOf(id, 'fr')).toContain('https://probant.example/shared/')
    await unshareDocument(world, actorOf(owner), id)
    await makeCertificates(jobs, id, never)
    expect(await editionsOf(id, 'fr')).toEqual([1, 3])
    expect(await textOf(id, 'fr')).not.toContain('/shared/')
    expect(await blobsOf(id)).toEqual((await rowsOf(id)).map(({ sha256 }) => sha256).sort())
  },
)

test('of one whose account is closed while it is printed nothing is kept', { timeout: 120_000 }, async () => {
  const owner = await haveAccount(database.db)
  const id = await deposit(owner, owner, { document_name: 'Secret.pdf' })
  meanwhile = async () => await eraseOwnedDocuments(world, owner)
  await makeCertificates(jobs, id, never)
  expect(await rowsOf(id)).toEqual([])
  expect(await blobsOf(id)).toEqual([])
  meanwhile = async () => await Promise.reject(new Error('nothing is printed of it any more'))
  await makeCertificates(jobs, id, never)
})

test('two jobs at once make one of them; the other looks again', { timeout: 120_000 }, async () => {
  const owner = await haveAccount(database.db)
  const id = await deposit(owner, owner)
  let others: Promise<void> | undefined
  meanwhile = async () => {
    others ??= makeCertificates({ ...jobs, typeset }, id, never)
    await others
  }
  await expect(makeCertificates(jobs, id, never)).rejects.toThrow('was made by another job')
  await makeCertificates(jobs, id, never)
  expect((await rowsOf(id)).map(({ locale, edition }) => [locale, edition])).toEqual([
    ['en', 1],
    ['fr', 1],
  ])
  expect(await blobsOf(id)).toHaveLength(2)
})
