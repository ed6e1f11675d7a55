import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withDatabase } from '../../../testing/database.ts'
import { createFolderBlobStore } from '../../../platform/blobs/folder-blob-store.ts'
import { identityStatusOf, readAcceptedDocuments } from './index.ts'
import { changedSinceSent } from './present/identity-status.ts'
import { eraseDueDocuments } from './retention/erase-documents.ts'
import { remindEnding } from './retention/remind-ending.ts'
import { openReview, type Review, type Someone } from './review.test-data.ts'
import type { AdminUser } from '../contract/review.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-renewal-'))
let review: Review
let verifier: Someone
let claire: Someone
/** The passport of each test is good until then: 100 days after it began. */
let lastDay: string

beforeAll(async () => {
  review = await openReview(database.db, createFolderBlobStore(join(folder, 'blobs')), { uploadsFolder: join(folder, 'uploads') })
  verifier = await review.person('Verifier', { roles: ['verifier'] })
})
afterAll(async () => {
  await review.close()
  rmSync(folder, { recursive: true, force: true })
})
const dayIn = (days: number) => new Date(review.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)
/** Later, and both signed in again. */
const days = async (count: number) => {
  review.later(count * 24)
  verifier = await review.again(verifier, true)
  claire = await review.again(claire)
}
const submit = async () => await review.call('POST', '/identity_documents/submit/', claire)
async function decide(outcome: { readonly expires_on?: string; readonly reason?: string }, missing: readonly string[] = []) {
  const taken = (await review.call('POST', `/admin/users/${claire.id}/claim/`, verifier)).body as AdminUser
  const decisions = (taken.file?.pending ?? []).map((document_id) => ({
    document_id,
    outcome: outcome.reason === undefined ? 'accepted' : 'refused',
    ...outcome,
  }))
  return await review.call('POST', `/admin/users/${claire.id}/verify/`, verifier, { round: taken.round, decisions, missing })
}
const status = async () => await identityStatusOf(database.db, claire.id)
const remind = async () => {
  await remindEnding(review.jobs)
  return (await review.work()).map(({ subject }) => subject)
}

beforeEach(async () => {
  verifier = await review.again(verifier, true)
  claire = await review.person('Dupont')
  lastDay = dayIn(100)
  await review.uploaded(claire, 'passport', Buffer.from('the first'))
  await submit()
  await decide({ expires_on: lastDay })
  await review.work()
})

describe('a document that ends', () => {
  test('E-20 S-27: is replaced from 90 days before on; the earlier one counts while the new one is looked at, and then the new one does', async () => {
    const first = (await status()).decidedAt
    await days(9)
    expect((await review.upload(claire, 'passport', Buffer.from('early'))).code).toBe('review.kind_settled')
    expect(await review.verification(claire)).toMatchObject({ due: [], changeable: [], missing: [], sendable: false })
    await days(1)
    expect(await review.verification(claire)).toMatchObject({
      state: 'success',
      due: ['passport'],
      changeable: ['id_front', 'id_back', 'passport', 'driving_licence'],
      missing: ['passport'],
      stands: { until: lastDay },
    })
    expect((await submit()).code).toBe('review.kind_settled')
    // One side of a card alone is no proof that could stand for it.
    const side = await review.uploaded(claire, 'id_front')
    expect((await submit()).body).toMatchObject({ code: 'review.incomplete', fields: { 'documents.id_back': ['missing'] } })
    await review.call('DELETE', `/identity_documents/${side.id}/`, claire)

    await review.uploaded(claire, 'passport', Buffer.from('the second'))
    expect(await status()).toMatchObject({ state: 'success', expiresOn: lastDay })
    expect((await submit()).status).toBe(200)
    expect(await review.verification(claire)).toMatchObject({
      state: 'pending',
      stands: { since: first?.toISOString(), until: lastDay },
      changeable: [],
      documents: [
        { kind: 'passport', version: 2, state: 'pending' },
        { kind: 'passport', version: 1, state: 'success', expires_on: lastDay },
      ],
    })
    expect(await status()).toEqual({ state: 'success', decidedAt: first, expiresOn: lastDay })
    expect((await readAcceptedDocuments(review.web, claire.id)).map(({ bytes }) => bytes.toString())).toEqual(['the first'])
    // Whoever decides is told that it is a replacement, of what, and until when that is good.
    const list = await review.call('GET', '/admin/users/', verifier)
    expect(list.body).toMatchObject({ results: [{ id: claire.id, verification: { stands_since: first?.toISOString() } }] })
    const decided = await decide({ expires_on: dayIn(3650) })
    expect(decided.body).toMatchObject({ verification: { state: 'success', stands_since: null } })
    expect(await status()).toEqual({ state: 'success', decidedAt: review.now(), expiresOn: dayIn(3650) })
    expect((await review.verification(claire)).documents.map(({ version, state }) => [version, state])).toEqual([
      [2, 'success'],
      [1, 'replaced'],
    ])
    expect((await readAcceptedDocuments(review.web, claire.id)).map(({ bytes }) => bytes.toString())).toEqual(['the second'])
    expect((await review.upload(claire, 'passport', Buffer.from('third'))).code).toBe('review.kind_settled')
  })

  test('S-24 S-27: a replacement that is refused leaves the earlier one as it was, and may be sent again', async () => {
    const first = (await status()).decidedAt
    await days(80)
    await review.uploaded(claire, 'passport')
    await submit()
    await decide({ reason: 'unreadable' })
    expect(await status()).toEqual({ state: 'success', decidedAt: first, expiresOn: lastDay })
    expect(await review.verification(claire)).toMatchObject({
      state: 'failure',
      stands: { until: lastDay },
      missing: ['passport'],
      documents: [
        { version: 2, state: 'failure', reason: 'unreadable' },
        { version: 1, state: 'success' },
      ],
    })
    const [mail] = await review.work()
    expect(mail?.text).toContain('The document that was accepted before goes on counting until its last day.')
    await days(30)
    // Its last day is over: it stands as it was accepted, and has ended.
    expect(await status()).toEqual({ state: 'success', decidedAt: first, expiresOn: lastDay })
    await review.uploaded(claire, 'passport')
    await submit()
    await decide({ expires_on: dayIn(3650) })
    expect(await status()).toEqual({ state: 'success', decidedAt: review.now(), expiresOn: dayIn(3650) })
    expect((await review.verification(claire)).documents.map(({ version, state }) => [version, state])).toEqual([
      [3, 'success'],
      [2, 'replaced'],
      [1, 'replaced'],
    ])
  })

  test('another kind may stand for it: then the longer one counts, and of what has ended no more is handed on', async () => {
    await days(101)
    await review.uploaded(claire, 'id_front', Buffer.from('front'))
    await review.uploaded(claire, 'id_back', Buffer.from('back'))
    await submit()
    // A reviewer may ask for a kind of which only an ended one is there.
    expect((await decide({ reason: 'not_accepted' }, ['passport'])).status).toBe(200)
    expect(await review.verification(claire)).toMatchObject({
      asked: ['passport'],
      missing: expect.arrayContaining(['passport']),
    })
    for (const kind of ['id_front', 'id_back', 'passport'] as const) await review.uploaded(claire, kind, Buffer.from(kind))
    await submit()
    await decide({ expires_on: dayIn(700) })
    expect(await status()).toMatchObject({ state: 'success', expiresOn: dayIn(700) })
    expect((await readAcceptedDocuments(review.web, claire.id)).map(({ kind }) => kind).toSorted()).toEqual([
      'id_back',
      'id_front',
      'passport',
    ])
  })

  test('P-12: a new name is proven by a new document, and is not proven by having been sent', async () => {
    await database.db.updateTable('account_user').set({ last_name: 'Durand' }).where('id', '=', claire.id).execute()
    const fields = [{ field: 'last_name', value: 'Durand' }]
    const changed = async () => await changedSinceSent({ db: database.db, secret: review.web.secret }, claire.id, fields)
    expect(await changed()).toEqual(['last_name'])
    expect(await review.verification(claire)).toMatchObject({ due: ['passport'], stands: { until: lastDay } })
    await review.uploaded(claire, 'passport')
    await submit()
    expect(await status()).toMatchObject({ state: 'success' })
    expect(await changed()).toEqual(['last_name'])
    await decide({ reason: 'mismatch_user_data' })
    expect(await changed()).toEqual(['last_name'])
    await review.uploaded(claire, 'passport')
    await submit()
    await decide({ expires_on: dayIn(3650) })
    expect(await changed()).toEqual([])
  })
})

describe('its owner is written to', () => {
  test('S-27: 30 days before its last day, and on it, once each; not while the new one is looked at', async () => {
    await days(69)
    expect(await remind()).toEqual([])
    await days(1)
    expect(await remind()).toEqual([expect.stringMatching(/^Your identity document ends on /)])
    expect(await remind()).toEqual([])
    await review.uploaded(claire, 'passport')
    await submit()
    await days(30)
    expect(await remind()).toEqual([])
    await decide({ reason: 'expired' })
    await review.work()
    await remindEnding(review.jobs)
    const [mail, ...more] = await review.work()
    expect([mail?.subject, mail?.to, more]).toEqual(['Your identity document ends today', claire.email, []])
    expect(mail?.text).toContain('https://probant.example/en/account/identity/')
    await days(5)
    expect(await remind()).toEqual([])
    await review.uploaded(claire, 'passport')
    await submit()
    await decide({ expires_on: dayIn(31) })
    await review.work()
    expect(await remind()).toEqual([])
    await days(1)
    expect(await remind()).toHaveLength(1)
  })

  test('S-27: in his language, and once alone where its day passed before anybody looked', async () => {
    await database.db.updateTable('account_user').set({ locale: 'fr' }).where('id', '=', claire.id).execute()
    await days(120)
    await remindEnding(review.jobs)
    const mails = (await review.work()).filter(({ to }) => to === claire.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['Votre pièce d’identité a expiré'])
    expect(mails[0]?.text).toContain('/fr/account/identity/')
  })
})

test('what was accepted is erased on its day by itself, and what replaces it when it is left alone', async () => {
  const [first] = (await review.verification(claire)).documents
  await days(20)
  await days(60)
  const second = await review.uploaded(claire, 'passport', Buffer.from('the second'))
  await eraseDueDocuments(review.web)
  const page = async (id: string) => (await review.call('GET', `/identity_documents/${id}/pages/1/`, claire)).status
  expect([await page(first?.id ?? ''), await page(second.id)]).toEqual([404, 200])
  await submit()
  await decide({ reason: 'unreadable' })
  await eraseDueDocuments(review.web)
  expect(await page(second.id)).toBe(200)
  expect(await review.verification(claire)).toMatchObject({
    erase_documents_at: `${dayIn(180)}T${review.now().toISOString().slice(11)}`,
  })
  await days(181)
  await eraseDueDocuments(review.web)
  expect(await page(second.id)).toBe(404)
  const { sealed_key: key } = await database.db
    .selectFrom('identity_file')
    .select('sealed_key')
    .where('user_id', '=', claire.id)
    .executeTakeFirstOrThrow()
  expect(key).toBeNull()
  expect(await status()).toMatchObject({ state: 'success', expiresOn: lastDay })
})

test('P-12: what was accepted while another was refused is compared anew where the name changes before that is sent again', async () => {
  claire = await review.person('Dupont')
  await review.uploaded(claire, 'id_front', Buffer.from('front'))
  await review.uploaded(claire, 'id_back', Buffer.from('back'))
  await submit()
  const taken = (await review.call('POST', `/admin/users/${claire.id}/claim/`, verifier)).body as AdminUser
  const [front] = (taken.file?.documents ?? []).filter(({ kind }) => kind === 'id_front')
  const decisions = (taken.file?.pending ?? []).map((document_id) =>
    document_id === front?.id
      ? { document_id, outcome: 'accepted', expires_on: lastDay }
      : { document_id, outcome: 'refused', reason: 'unreadable' },
  )
  await review.call('POST', `/admin/users/${claire.id}/verify/`, verifier, { round: 1, decisions, missing: [] })
  expect(await review.verification(claire)).toMatchObject({ state: 'failure', due: [], missing: ['id_back'] })
  await review.uploaded(claire, 'id_back', Buffer.from('a better back'))
  const name = async (last_name: string) =>
    await database.db.updateTable('account_user').set({ last_name }).where('id', '=', claire.id).execute()
  // As it was compared, with whatever comes between.
  await name('Durand')
  expect(await review.verification(claire)).toMatchObject({ due: ['id_front'], missing: ['id_front'], sendable: false })
  expect((await submit()).body).toMatchObject({ code: 'review.incomplete', fields: { 'documents.id_front': ['missing'] } })
  await name('Dupont')
  expect(await review.verification(claire)).toMatchObject({ due: [], missing: [], sendable: true })
  await name('Durand')
  await review.uploaded(claire, 'id_front', Buffer.from('another front'))
  expect((await submit()).status).toBe(200)
  expect((await decide({ expires_on: lastDay })).body).toMatchObject({ verification: { state: 'success' } })
  expect(await review.verification(claire)).toMatchObject({ due: [], missing: [] })
  const fields = [{ field: 'last_name', value: 'Durand' }]
  expect(await changedSinceSent({ db: database.db, secret: review.web.secret }, claire.id, fields)).toEqual([])
  expect((await readAcceptedDocuments(review.web, claire.id)).map(({ bytes }) => bytes.toString()).toSorted()).toEqual([
    'a better back',
    'another front',
  ])
})
