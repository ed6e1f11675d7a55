import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withDatabase } from '../../../testing/database.ts'
import { createFolderBlobStore } from '../../../platform/blobs/folder-blob-store.ts'
import { refusalReasons } from '../domain/identity-document.ts'
import { identityStatusOf } from './index.ts'
import { decide, openReview, sendPassport, type Review } from './review.test-data.ts'

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

const submit = async (who: Parameters<Review['verification']>[0]) => await review.call('POST', '/identity_documents/submit/', who)
const company = {
  user_type: 'legal',
  company_name: 'Acme',
  company_number: '552 100 554',
  representative_first_name: 'Claire',
  representative_last_name: 'Dupont',
}

describe('an identity is verified', () => {
  test('S-22 S-23 E-20 P-12 P-14 H-20: sent, queued, taken, looked at and accepted, and the person is told', async () => {
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

    expect((await submit(claire)).body).toMatchObject({ state: 'pending', sendable: false })
    // Sent twice, as by an impatient finger, it is sent once.
    expect((await submit(claire)).status).toBe(200)
    expect(await identityStatusOf(database.db, claire.id)).toMatchObject({ state: 'pending', decidedAt: null })
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
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
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
    expect(await review.work()).toMatchObject([{ to: claire.email, subject: 'Your identity is verified', locale: 'en' }])
    expect((await review.upload(claire, 'driving_licence', Buffer.from('x'))).code).toBe('review.kind_settled')
    expect((await submit(claire)).code).toBe('review.kind_settled')
  })

  test('E-21 H-31: a company shows its registration and its articles besides the proof of who represents it', async () => {
    const acme = await review.person('Acme', { profile: company })
    expect(await review.verification(acme)).toMatchObject({
      needed: [
        ['passport', 'registration_proof', 'articles_of_association'],
        ['id_front', 'id_back', 'registration_proof', 'articles_of_association'],
        ['driving_licence', 'registration_proof', 'articles_of_association'],
      ],
    })
    await review.uploaded(acme, 'id_front')
    await review.uploaded(acme, 'registration_proof')
    expect(await review.verification(acme)).toMatchObject({ missing: ['id_back', 'articles_of_association'], sendable: false })
    expect(await submit(acme)).toMatchObject({
      code: 'review.incomplete',
      body: { fields: { 'documents.id_back': ['missing'], 'documents.articles_of_association': ['missing'] } },
    })
  })

  test('nothing is sent of whom there is nothing to compare with', async () => {
    const nobody = await review.person('Nobody', { profile: null })
    expect(await review.verification(nobody)).toMatchObject({ user_type: null, needed: [], missing: [], sendable: false })
    expect((await review.upload(nobody, 'passport', Buffer.from('x'))).code).toBe('review.user_type_missing')
    expect((await submit(nobody)).code).toBe('review.user_type_missing')
    const bare = await review.person('Bare', { profile: { nationality: 'FR' } })
    await database.db.updateTable('profile').set({ birth_date: null }).where('user_id', '=', bare.id).execute()
    // E-21: papers of a company are no person's.
    for (const kind of ['registration_proof', 'articles_of_association'] as const)
      expect((await review.upload(bare, kind, Buffer.from('x'))).code).toBe('review.kind_of_company')
    await review.uploaded(bare, 'passport')
    expect(await review.verification(bare)).toMatchObject({
      missing: [],
      missing_fields: [{ field: 'birth_date', code: 'birth_date_required' }],
      sendable: false,
    })
    expect(await submit(bare)).toMatchObject({
      code: 'review.incomplete',
      body: { fields: { birth_date: ['birth_date_required'] } },
    })
  })

  test('what was not sent yet is replaced, or taken back, without a trace', async () => {
    const claire = await review.person('Replaces')
    const first = await review.uploaded(claire, 'passport', Buffer.from('first'))
    const second = await review.uploaded(claire, 'passport', Buffer.from('second'))
    expect(second).toMatchObject({ version: 1 })
    expect((await review.verification(claire)).documents).toMatchObject([{ id: second.id }])
    expect((await review.call('GET', `/identity_documents/${first.id}/pages/1/`, claire)).status).toBe(404)
    const left = await review.call('DELETE', `/identity_documents/${second.id}/`, claire)
    expect(left.body).toMatchObject({ state: 'collecting', documents: [] })
    await sendPassport(review, claire)
    const [pending] = (await review.verification(claire)).documents
    expect((await review.call('DELETE', `/identity_documents/${pending?.id ?? ''}/`, claire)).code).toBe('review.kind_settled')
    expect((await review.upload(claire, 'passport', Buffer.from('x'))).code).toBe('review.kind_settled')
  })
})

describe('documents are refused', () => {
  test('S-24…S-31: each reason reaches the person in his language, and only what was refused is sent again', async () => {
    const verifier = await review.person('Refuser', { roles: ['verifier'] })
    const told = new Set<string>()
    for (const reason of refusalReasons) {
      const claire = await review.person('Dupont', { locale: 'fr' })
      await review.uploaded(claire, 'id_front')
      await review.uploaded(claire, 'id_back')
      await submit(claire)
      const note = 'Le coin <b>droit</b> manque'
      const decided = await decide(review, verifier, claire.id, { id_back: { reason, note } }, { note: 'À bientôt' })
      expect(decided.body).toMatchObject({ verification: { state: 'failure' } })
      const verification = await review.verification(claire)
      expect(verification).toMatchObject({ state: 'failure', missing: ['id_back'], note: 'À bientôt', sendable: false })
      expect(verification.documents.map(({ kind, state, reason: why }) => [kind, state, why])).toEqual([
        ['id_front', 'success', null],
        ['id_back', 'failure', reason],
      ])
      const [mail] = await review.work()
      expect(mail).toMatchObject({ to: claire.email, locale: 'fr' })
      expect(mail?.text).toContain('Carte d’identité, verso\u202f: ')
      expect(mail?.text).toContain(note)
      expect(mail?.html).toContain('Le coin &lt;b&gt;droit&lt;/b&gt; manque')
      expect(mail?.text).toContain('À bientôt')
      expect(mail?.text).toContain('https://probant.example/fr/account/identity/')
      told.add(mail?.text.split('\n').find((line) => line.startsWith('Carte d’identité, verso')) ?? '')
      expect((await review.upload(claire, 'id_front', Buffer.from('x'))).code).toBe('review.kind_settled')
    }
    expect(told.size).toBe(refusalReasons.length)
  })

  test('S-24: the next round is of what is new; what was decided stays in the history as it was', async () => {
    const verifier = await review.person('Again', { roles: ['verifier'] })
    const claire = await review.person('Dupont')
    await review.uploaded(claire, 'id_front')
    await review.uploaded(claire, 'id_back')
    await submit(claire)
    await decide(review, verifier, claire.id, { id_back: { reason: 'unreadable' } })
    const again = await review.uploaded(claire, 'id_back')
    expect(again.version).toBe(2)
    expect((await review.verification(claire)).documents.map(({ kind, version, state }) => [kind, version, state])).toEqual([
      ['id_front', 1, 'success'],
      ['id_back', 2, 'ready'],
      ['id_back', 1, 'replaced'],
    ])
    await submit(claire)
    const user = await review.user(verifier, claire.id)
    expect(user).toMatchObject({ round: 2, file: { pending: [again.id] } })
    expect((await decide(review, verifier, claire.id)).body).toMatchObject({
      verification: { state: 'success' },
      file: {
        history: [
          { round: 2, outcome: 'accepted' },
          { round: 1, outcome: 'refused', decisions: [{}, {}] },
        ],
      },
    })
    await expect(
      database.db.updateTable('identity_document').set({ reason: 'expired' }).where('reason', '=', 'unreadable').execute(),
    ).rejects.toThrow('was decided upon')
  })

  test('S-29: what was not sent is asked for, and only then sent again', async () => {
    const verifier = await review.person('Asks', { roles: ['verifier'] })
    const claire = await review.person('Dupont')
    await sendPassport(review, claire)
    const decided = await decide(review, verifier, claire.id, {}, { missing: ['driving_licence'] })
    expect(decided.body).toMatchObject({
      verification: { state: 'failure' },
      file: { history: [{ missing: ['driving_licence'] }] },
    })
    expect(await review.verification(claire)).toMatchObject({
      state: 'failure',
      missing: ['driving_licence'],
      asked: ['driving_licence'],
      documents: [{ kind: 'passport', state: 'success' }],
    })
    const mail = (await review.work()).find(({ to }) => to === claire.email)
    expect(mail?.text).toContain('Driving licence: it is needed and was not sent.')
    expect((await submit(claire)).code).toBe('review.incomplete')
    await review.uploaded(claire, 'driving_licence')
    expect((await submit(claire)).body).toMatchObject({ state: 'pending', asked: [] })
  })

  test('refused although the rest would do, it is to be sent again all the same', async () => {
    const verifier = await review.person('Strict', { roles: ['verifier'] })
    const claire = await review.person('Dupont')
    await review.uploaded(claire, 'driving_licence')
    await sendPassport(review, claire)
    await decide(review, verifier, claire.id, { driving_licence: { reason: 'falsified' } })
    expect(await review.verification(claire)).toMatchObject({ state: 'failure', missing: ['driving_licence'], sendable: false })
    expect((await submit(claire)).code).toBe('review.incomplete')
    await review.uploaded(claire, 'driving_licence')
    expect((await submit(claire)).body).toMatchObject({ state: 'pending' })
  })
})

describe('a decision', () => {
  test('names every version that waits, once, and none whose date has passed', async () => {
    const verifier = await review.person('Exact', { roles: ['verifier'] })
    const claire = await review.person('Dupont')
    const front = await review.uploaded(claire, 'id_front')
    const back = await review.uploaded(claire, 'id_back')
    await submit(claire)
    const verify = async (round: number, decisions: readonly unknown[], missing: readonly string[] = []) =>
      (await review.call('POST', `/admin/users/${claire.id}/verify/`, verifier, { round, decisions, missing })).code
    const accepted = ({ id }: { id: string }, more: object = {}) => ({ document_id: id, outcome: 'accepted', ...more })
    expect(await verify(1, [accepted(front), accepted(back)])).toBe('review.not_claimed')
    await review.call('POST', `/admin/users/${claire.id}/claim/`, verifier)
    expect(await verify(2, [accepted(front), accepted(back)])).toBe('review.round_changed')
    expect(await verify(1, [accepted(front)])).toBe('review.decision_incomplete')
    expect(await verify(1, [accepted(front), accepted(front)])).toBe('review.decision_incomplete')
    expect(await verify(1, [accepted(front), accepted(back), accepted({ id: claire.id })])).toBe('review.decision_incomplete')
    expect(await verify(1, [accepted(front), accepted(back)], ['id_back'])).toBe('review.decision_incomplete')
    expect(await verify(1, [accepted(front), accepted(back, { expires_on: '2026-02-28' })])).toBe('review.document_expired')
    expect(await verify(1, [accepted(front), { document_id: back.id, outcome: 'refused' }])).toBe('http.invalid_request')
    expect(await verify(1, [accepted(front), accepted(back, { expires_on: '2026-03-01' })])).toBe('')
    expect(await verify(1, [accepted(front), accepted(back)])).toBe('review.round_changed')
  })

  test('is upon what was sent: what the person typed anew since is told, and none of the values kept', async () => {
    const verifier = await review.person('Careful', { roles: ['verifier'] })
    const claire = await review.person('Dupont')
    await sendPassport(review, claire)
    await database.db.updateTable('profile').set({ birth_date: '1990-05-05' }).where('user_id', '=', claire.id).execute()
    const user = await review.user(verifier, claire.id)
    expect(user.file).toMatchObject({ changed_since: ['birth_date'], age: 35 })
    expect(user.file?.typed).toContainEqual({ field: 'birth_date', value: '1990-05-05' })
    const { typed } = await database.db
      .selectFrom('identity_file')
      .select('typed')
      .where('user_id', '=', claire.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(typed)).not.toContain('1980')
  })

  test('H-20: where two must agree, the first changes nothing, the second is another, and either refuses', async () => {
    const strict = await openReview(database.db, review.web.blobs, { uploadsFolder: review.web.uploadsFolder, fourEyes: true })
    const [first, second] = [
      await strict.person('First', { roles: ['verifier'] }),
      await strict.person('Second', { roles: ['administrator'] }),
    ]
    const claire = await strict.person('Dupont')
    await sendPassport(strict, claire)
    expect((await decide(strict, first, claire.id)).body).toMatchObject({
      verification: { state: 'pending', awaits_second: true, claim: null },
      file: { history: [{ final: false, outcome: 'accepted' }] },
    })
    expect(await strict.verification(claire)).toMatchObject({ state: 'pending', documents: [{ state: 'pending' }] })
    expect((await decide(strict, first, claire.id)).code).toBe('review.second_person')
    // Agreements given under the rule still want the second when the rule is gone.
    expect((await decide(review, first, claire.id)).code).toBe('review.second_person')
    expect((await decide(strict, second, claire.id)).body).toMatchObject({ verification: { state: 'success' } })
    expect((await strict.work()).filter(({ to }) => to === claire.email)).toMatchObject([
      { subject: 'Your identity is verified' },
    ])

    for (const refuser of [first, second]) {
      const other = await strict.person('Other')
      await sendPassport(strict, other)
      if (refuser === second) await decide(strict, first, other.id)
      const refused = await decide(strict, refuser, other.id, { passport: { reason: 'expired' } })
      expect(refused.body).toMatchObject({ verification: { state: 'failure', awaits_second: false } })
    }
    await strict.close()
  })

  test('H-20 P-15: each opening, taking, look and decision stands in the record of acts', async () => {
    const verifier = await review.person('Recorded', { roles: ['verifier'] })
    const claire = await review.person('Dupont')
    const id = await sendPassport(review, claire)
    await review.user(verifier, claire.id)
    const page = `/admin/users/${claire.id}/documents/${id}/pages/1/`
    await review.call('GET', page, verifier)
    await review.call('GET', page, verifier)
    expect((await review.call('GET', page.replace('/1/', '/2/'), verifier)).status).toBe(404)
    await decide(review, verifier, claire.id)
    const looked = {
      action: 'review.viewed_document',
      of: claire.id,
      data: { document_id: id, kind: 'passport', version: 1, page: 1 },
    }
    expect(await review.acts(verifier.id)).toEqual([
      { action: 'review.opened_user', of: claire.id, data: { file: true } },
      looked,
      looked,
      { action: 'review.claimed_user', of: claire.id, data: { round: 1 } },
      { action: 'review.accepted_identity', of: claire.id, data: { round: 1, accepted: 1, refused: '', missing: '' } },
    ])
    expect((await review.acts(claire.id)).map(({ action }) => action)).toEqual([
      'review.uploaded_document',
      'review.submitted_documents',
    ])
  })

  test('P-15: support sees how an account stands, and neither file nor documents', async () => {
    const support = await review.person('Support', { roles: ['support'] })
    const claire = await review.person('Dupont')
    const id = await sendPassport(review, claire)
    expect(await review.user(support, claire.id)).toMatchObject({ email: claire.email, sessions: 1, round: 1, file: null })
    expect((await review.call('GET', `/admin/users/${claire.id}/documents/${id}/pages/1/`, support)).status).toBe(404)
    expect((await review.call('POST', `/admin/users/${claire.id}/claim/`, support)).status).toBe(404)
    expect((await review.call('GET', '/admin/users/', claire)).status).toBe(404)
  })
})
