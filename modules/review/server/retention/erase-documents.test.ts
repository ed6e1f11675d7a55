import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { eraseDueDocuments, eraseIdentityDocuments } from './erase-documents.ts'
import { exportIdentityDocuments } from './export-documents.ts'
import { decide, openReview, sendPassport, type Review, type Someone } from '../review.test-data.ts'
import { openSubject } from '../documents/subject-key.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-erase-'))
const blobFolder = join(folder, 'blobs')
let review: Review
let verifier: Someone

beforeAll(async () => {
  review = await openReview(database.db, createFolderBlobStore(blobFolder), { uploadsFolder: join(folder, 'uploads') })
  verifier = await review.person('Verifier', { roles: ['verifier'] })
})
afterAll(async () => {
  await review.close()
  rmSync(folder, { recursive: true, force: true })
})

const filesOf = (documentId: string): string[] => {
  try {
    return readdirSync(join(blobFolder, 'scopes', `identity-${documentId}`), { recursive: true, withFileTypes: true }).flatMap(
      (entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []),
    )
  } catch {
    return []
  }
}
/** Later, and the reviewer signed in again. */
const days = async (count: number) => {
  review.later(count * 24)
  verifier = await review.again(verifier, true)
}
const erase = async () => {
  const erased = await eraseDueDocuments(review.web)
  await review.work()
  return erased
}
const page = async (who: Someone, id: string) => (await review.call('GET', `/identity_documents/${id}/pages/1/`, who)).status

describe('what is kept of a document', () => {
  test('H-20: neither disk nor database hold a byte of it in the clear, and each piece opens only as itself', async () => {
    const secret = Buffer.from('Dupont Claire, born 29 02 1980, 12AB34567')
    const claire = await review.person('Dupont')
    const { id } = await review.uploaded(claire, 'passport', secret)
    const files = filesOf(id)
    // The original and one page.
    expect(files.length).toBe(2)
    for (const file of files) {
      const bytes = readFileSync(file)
      expect(bytes.length).toBeGreaterThan(secret.length)
      for (const part of ['Dupont', '1980', '12AB34567']) expect(bytes.includes(part)).toBe(false)
    }
    const row = await database.db
      .selectFrom('identity_file')
      .selectAll()
      .where('user_id', '=', claire.id)
      .executeTakeFirstOrThrow()
    const sealedKey = row.sealed_key as Buffer
    const { vault } = review.web
    const subject = openSubject(vault, claire.id, sealedKey)
    const sealed = subject.seal(id, 1, secret)
    expect(subject.open(id, 1, sealed)).toEqual(secret)
    expect(() => subject.open(id, 2, sealed)).toThrow('not for this')
    expect(() => subject.open(id, 'original', sealed)).toThrow('not for this')
    expect(() => openSubject(vault, verifier.id, sealedKey)).toThrow('not for this')
  })

  test('of an upload that came to nothing, nothing', async () => {
    const claire = await review.person('Dupont')
    const lost = '01890a5d-ac96-774b-bcce-b302099a8057'
    await review.web.blobs.scope(`identity-${lost}`).putBytes(Buffer.from('sealed'))
    const { id } = await review.uploaded(claire, 'passport')
    expect(filesOf(lost).length).toBe(1)
    const clear = { payload: { document_id: lost } }
    await database.db
      .selectNoFrom((eb) =>
        eb
          .fn<unknown>('graphile_worker.add_job', [
            eb.val('review.clear_document'),
            eb.cast(eb.val(JSON.stringify(clear.payload)), 'json'),
          ])
          .as('job'),
      )
      .execute()
    await review.work()
    expect(filesOf(lost)).toEqual([])
    expect(filesOf(id).length).toBe(2)
    const replaced = await review.uploaded(claire, 'passport')
    await review.work()
    expect(filesOf(id)).toEqual([])
    await review.call('DELETE', `/identity_documents/${replaced.id}/`, claire)
    await review.work()
    expect(filesOf(replaced.id)).toEqual([])
  })
})

describe('files are erased', () => {
  test('30 days after the acceptance, and what was decided stays', async () => {
    const claire = await review.person('Dupont')
    const id = await sendPassport(review, claire)
    await decide(review, verifier, claire.id)
    expect(await review.verification(claire)).toMatchObject({
      erase_documents_at: new Date(review.now().getTime() + 30 * 86_400_000).toISOString(),
    })
    await days(29.9)
    await erase()
    expect(filesOf(id).length).toBe(2)
    await days(0.2)
    expect(await erase()).toBe(1)
    expect(filesOf(id)).toEqual([])
    const returned = await review.again(claire)
    expect(await page(returned, id)).toBe(404)
    expect(await review.verification(returned)).toMatchObject({
      state: 'success',
      erase_documents_at: null,
      documents: [{ kind: 'passport', state: 'success', pages: 0, erased_at: review.now().toISOString() }],
    })
    expect((await review.user(verifier, claire.id)).file).toMatchObject({
      history: [{ by: { id: verifier.id }, outcome: 'accepted' }],
    })
    expect(await erase()).toBe(0)
  })

  test('180 days after a refusal that nothing followed; never while they are with the reviewers', async () => {
    const [refused, waits, unsent] = [await review.person('Refused'), await review.person('Waits'), await review.person('Unsent')]
    const refusedId = await sendPassport(review, refused)
    await decide(review, verifier, refused.id, { passport: { reason: 'expired' } })
    const waitsId = await sendPassport(review, waits)
    const unsentId = (await review.uploaded(unsent, 'passport')).id
    expect(await review.verification(waits)).toMatchObject({ erase_documents_at: null })
    await days(179)
    // He begins anew: the time does too.
    await review.uploaded(await review.again(refused), 'id_front')
    await days(2)
    await erase()
    expect([filesOf(refusedId).length, filesOf(waitsId).length, filesOf(unsentId).length]).toEqual([2, 2, 0])
    expect(await review.verification(await review.again(unsent))).toMatchObject({ state: 'collecting', documents: [] })
    await days(180)
    await erase()
    expect([filesOf(refusedId).length, filesOf(waitsId).length]).toEqual([0, 2])
    const returned = await review.again(refused)
    expect(await review.verification(returned)).toMatchObject({
      state: 'failure',
      documents: [{ kind: 'passport', state: 'failure', reason: 'expired', pages: 0 }],
    })
    // Erased or not, one goes on: with a key of its own.
    await review.uploaded(returned, 'passport')
    expect((await review.call('POST', '/identity_documents/submit/', returned)).body).toMatchObject({ state: 'pending' })
  })

  test('with the account, whatever interrupts it', async () => {
    const claire = await review.person('Dupont')
    const id = await sendPassport(review, claire)
    await eraseIdentityDocuments(review.web, claire.id)
    await eraseIdentityDocuments(review.web, claire.id)
    expect(filesOf(id)).toEqual([])
    for (const table of ['identity_file', 'identity_document'] as const)
      expect(await database.db.selectFrom(table).selectAll().where('user_id', '=', claire.id).execute()).toEqual([])
    expect(await review.user(verifier, claire.id)).toMatchObject({ verification: null, round: 0 })
  })
})

test('the export holds the documents, the files among them, and not who decided', async () => {
  const claire = await review.person('Dupont')
  await review.uploaded(claire, 'driving_licence', Buffer.from('the licence'))
  await sendPassport(review, claire)
  await decide(review, verifier, claire.id, { driving_licence: { reason: 'unreadable' } })
  const entries: Record<string, unknown>[] = []
  for await (const entry of exportIdentityDocuments(review.web, claire.id)) entries.push(entry)
  expect(entries).toMatchObject([
    { state: 'failure', sendings: 1 },
    { decision: { outcome: 'refused' } },
    { document: { kind: 'passport' }, file_base64: Buffer.from('a passport').toString('base64') },
    { document: { kind: 'driving_licence', reason: 'unreadable' }, file_base64: Buffer.from('the licence').toString('base64') },
  ])
  expect(JSON.stringify(entries)).not.toContain(verifier.id)
})
