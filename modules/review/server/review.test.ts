import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withDatabase } from '../../../testing/database.ts'
import { createFolderBlobStore } from '../../../platform/blobs/folder-blob-store.ts'
import { identityStatusOf } from './identity-status.ts'
import { openReview, type Review } from './review.test-data.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-review-'))
let review: Review

beforeAll(async () => {
  const blobs = createFolderBlobStore(join(folder, 'blobs'))
  review = await openReview(database.db, blobs, { uploadsFolder: join(folder, 'uploads') })
})
afterAll(async () => {
  await review.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('an identity is verified', () => {
  test('S-22 S-23 E-20 P-14: sent, queued, taken, looked at and accepted, and the person is told', async () => {
    const claire = await review.person('Dupont')
    const verifier = await review.person('Verifier', { roles: ['verifier'] })
    expect(await review.verification(claire)).toMatchObject({
      state: 'collecting',
      needed: [['passport'], ['id_front', 'id_back'], ['driving_licence']],
      missing: ['passport'],
      sendable: false,
      documents: [],
    })
    const passport = await review.uploaded(claire, 'passport', Buffer.from('the passport'))
    expect(passport).toMatchObject({ kind: 'passport', state: 'ready', version: 1, pages: 1, bytes: 12 })
    expect(await review.verification(claire)).toMatchObject({ missing: [], sendable: true })
    const own = await review.call('GET', `/identity_documents/${passport.id}/pages/1/`, claire)
    expect(own.bytes.toString()).toBe('the passport')

    const sent = await review.call('POST', '/identity_documents/submit/', claire)
    expect(sent.body).toMatchObject({ state: 'pending', sendable: false })
    const list = await review.call('GET', '/admin/users/', verifier)
    expect(list.body).toMatchObject({
      count: 1,
      results: [{ id: claire.id, email: claire.email, verification: { state: 'pending', documents: 1, claim: null } }],
    })
    const claimed = await review.call('POST', `/admin/users/${claire.id}/claim/`, verifier)
    expect(claimed.body).toMatchObject({ round: 1, file: { pending: [passport.id], changed_since: [], age: 46 } })
    const page = await review.call('GET', `/admin/users/${claire.id}/documents/${passport.id}/pages/1/`, verifier)
    expect(page.bytes.toString()).toBe('the passport')
    expect(page.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    const decisions = [{ document_id: passport.id, outcome: 'accepted', expires_on: '2030-01-31' }]
    const verified = await review.call('POST', `/admin/users/${claire.id}/verify/`, verifier, { round: 1, decisions })
    expect(verified.body).toMatchObject({
      verification: { state: 'success', claim: null },
      file: { pending: [], history: [{ round: 1, outcome: 'accepted', final: true, by: { id: verifier.id } }] },
    })
    expect(await review.verification(claire)).toMatchObject({ state: 'success', documents: [{ state: 'success' }] })
    expect(await identityStatusOf(database.db, claire.id)).toMatchObject({ state: 'success', expiresOn: '2030-01-31' })
    expect(await review.work()).toMatchObject([{ to: claire.email, subject: 'Your identity is verified' }])
  })
})
