import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { actorOf } from '../../../../testing/accounts.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { emptyBooks } from '../../../billing/server/billing.test-data.ts'
import { findBroken } from '../../../billing/server/invariants/invariant-store.ts'
import {
  cardOf,
  charge,
  customerOf,
  openShop,
  type Shop,
  testCards,
  wire,
} from '../../../billing/server/provider/mangopay/shop.test-data.ts'
import { makeSubjectKey, openSubject, scopeOf } from '../../../review/server/documents/subject-key.ts'
import english from '../../messages/pages.en.json' with { type: 'json' }
import french from '../../messages/pages.fr.json' with { type: 'json' }
import { payeeRefusals } from '../../contract/payouts.ts'
import { findKnownPayee } from '../keep/payee-store.ts'
import { listHanded } from '../keep/handed-store.ts'
import { earner, openPaying } from '../pay/paying.test-data.ts'
import { never, vault } from '../payouts.test-data.ts'
import { followPayees } from './follow-payees.ts'
import { preparePayee, presentPayee } from './prepare-payee.ts'

const database = withDatabase()
let shop: Shop
let payouts: Awaited<ReturnType<typeof openPaying>>
beforeAll(async () => {
  shop = await openShop()
  const payer = await customerOf(shop)
  await charge(shop, { customer: payer, card: await cardOf(shop, payer, testCards.accepted) }, 1_000_000)
})
afterAll(async () => await shop.mangopay.stop())
beforeEach(async () => {
  await emptyBooks(database)
  payouts = await openPaying(database, shop)
})
afterEach(async () => {
  payouts.remove()
  expect(await findBroken(database.db)).toEqual([])
})

/** As large as the provider takes it. */
const page = Buffer.concat([Buffer.from('\x89PNG\r\n', 'latin1'), Buffer.alloc(33 << 10)])

/** Somebody with something to be paid, whose passport was accepted here and is still kept. */
async function accepted() {
  const { userId } = await earner(payouts)
  await payouts.later(61)
  await payouts.run()
  const sealedKey = makeSubjectKey(vault, userId)
  await database.db.updateTable('identity_file').set({ sealed_key: sealedKey }).where('user_id', '=', userId).execute()
  const accept = async (version: number) => {
    const id = randomUUID()
    const sealed = openSubject(vault, userId, sealedKey).seal(id, 'original', page)
    const { sha256 } = await payouts.blobs.scope(scopeOf(id)).putBytes(sealed)
    const now = payouts.books.now()
    await database.db
      .insertInto('identity_document')
      .values({
        id,
        user_id: userId,
        kind: 'passport',
        version,
        state: 'success',
        media_type: 'image/jpeg',
        bytes: page.length,
        blob: sha256,
        uploaded_at: now,
        decided_at: now,
      })
      .execute()
    return id
  }
  const id = await accept(1)
  const prepare = async () => await preparePayee(payouts.deps(), actorOf(userId), '/en/account/payout/')
  const known = async () =>
    (await findKnownPayee(database.db, userId, payouts.provider.realm)) ?? expect.fail('the provider was told of him')
  return { documentId: id, prepare, known, accept }
}

type Document = { readonly Id: string; readonly Type: string; readonly Status: string }
const documentsOf = async (reference: string) => await wire<Document[]>(shop.mangopay, `GET users/${reference}/kyc/documents`)

test('S-22 what was accepted here is handed to the provider once, however often it is asked for, and looked at there', async () => {
  const { documentId, prepare, known } = await accepted()
  expect(await prepare()).toMatchObject({ identity: 'submitted', refusal: null })
  expect(await prepare()).toMatchObject({ identity: 'submitted' })
  const payee = await known()
  expect(await listHanded(database.db, payee)).toMatchObject([{ documentId, kind: 'identity', state: 'submitted' }])
  const [there, ...more] = await documentsOf(payee.reference ?? '')
  expect([there, more]).toMatchObject([{ Type: 'IDENTITY_PROOF', Status: 'VALIDATION_ASKED' }, []])
  await shop.mangopay.control(`POST documents/${there?.Id ?? ''}`, {})
  await followPayees(payouts.deps(), never)
  expect(presentPayee(await known())).toMatchObject({ identity: 'verified', refusal: null })
})

test.each([
  ['S-25', 'DOCUMENT_UNREADABLE', 'unreadable'],
  ['S-26', 'DOCUMENT_NOT_ACCEPTED', 'not_accepted'],
  ['S-27', 'DOCUMENT_HAS_EXPIRED', 'expired'],
  ['S-28', 'DOCUMENT_INCOMPLETE', 'incomplete'],
  ['S-29', 'DOCUMENT_MISSING', 'missing'],
  ['S-30', 'DOCUMENT_DO_NOT_MATCH_USER_DATA', 'other_person'],
  ['S-31', 'DOCUMENT_DO_NOT_MATCH_ACCOUNT_DATA', 'other_account'],
] as const)(
  '%s a document that the provider refuses as %s is told as %s, in words of both languages, and may be proven on a page of his',
  async (_, reason, told) => {
    const { prepare, known } = await accepted()
    await prepare()
    const [there] = await documentsOf((await known()).reference ?? '')
    await shop.mangopay.control(`POST documents/${there?.Id ?? ''}`, { refusal: reason })
    await followPayees(payouts.deps(), never)
    expect(presentPayee(await known())).toMatchObject({ identity: 'refused', refusal: told })
    for (const words of [english, french]) expect(words[`payout.refusal.${told}`]).toMatch(/^\S.{10,}\.$/)
    const again = await prepare()
    expect(again).toMatchObject({ identity: 'customer_needed' })
    expect((await documentsOf((await known()).reference ?? '')).map(({ Status }) => Status)).toEqual(['REFUSED'])
    await shop.mangopay.answer(again.identity_address ?? '', 'agree')
    await followPayees(payouts.deps(), never)
    expect(presentPayee(await known())).toMatchObject({ identity: 'verified', refusal: null })
  },
)

test('S-27 what replaces an accepted document is handed to the provider anew, and who is verified there stays so meanwhile', async () => {
  const { documentId, prepare, known, accept } = await accepted()
  await prepare()
  const reference = (await known()).reference ?? ''
  const answer = async (index: number, refusal?: string) => {
    const there = (await documentsOf(reference)).toSorted(
      (a, b) => Number(a.Status !== 'VALIDATED') - Number(b.Status !== 'VALIDATED'),
    )
    await shop.mangopay.control(`POST documents/${there[index]?.Id ?? ''}`, refusal === undefined ? {} : { refusal })
    await followPayees(payouts.deps(), never)
  }
  await answer(0)
  expect(presentPayee(await known())).toMatchObject({ identity: 'verified' })
  // Nothing new: nothing is handed in again.
  await followPayees(payouts.deps(), never)
  expect(await documentsOf(reference)).toHaveLength(1)

  await payouts.later(400)
  const renewed = await accept(2)
  await followPayees(payouts.deps(), never)
  await followPayees(payouts.deps(), never)
  expect(await listHanded(database.db, await known())).toMatchObject([
    { documentId: renewed, state: 'submitted' },
    { documentId, state: 'validated' },
  ])
  expect(presentPayee(await known())).toMatchObject({ identity: 'verified', refusal: null })
  await answer(1)
  expect(await listHanded(database.db, await known())).toMatchObject([{ state: 'validated' }, { state: 'validated' }])
  expect(presentPayee(await known())).toMatchObject({ identity: 'verified', refusal: null })
})

test('S-27 what was refused by the provider counts no more once another document was accepted here', async () => {
  const { prepare, known, accept } = await accepted()
  await prepare()
  const reference = (await known()).reference ?? ''
  const [there] = await documentsOf(reference)
  await shop.mangopay.control(`POST documents/${there?.Id ?? ''}`, { refusal: 'DOCUMENT_HAS_EXPIRED' })
  await followPayees(payouts.deps(), never)
  await payouts.later(1)
  await accept(2)
  expect(await prepare()).toMatchObject({ identity: 'submitted' })
  expect(await prepare()).toMatchObject({ identity: 'submitted', identity_address: null })
  expect((await documentsOf(reference)).map(({ Status }) => Status).toSorted()).toEqual(['REFUSED', 'VALIDATION_ASKED'])
})

test('each reason for which a document may be refused has its own words in both languages', () => {
  for (const words of [english, french])
    expect(new Set(payeeRefusals.map((each) => words[`payout.refusal.${each}`])).size).toBe(payeeRefusals.length)
})
