import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { decide, openReview, sendPassport, type Review, type Someone } from '../review.test-data.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-claims-'))
let review: Review
const reviewers: Someone[] = []

beforeAll(async () => {
  review = await openReview(database.db, createFolderBlobStore(join(folder, 'blobs')), { uploadsFolder: join(folder, 'uploads') })
  for (const name of ['First', 'Second', 'Third']) reviewers.push(await review.person(name, { roles: ['verifier'] }))
})
afterAll(async () => {
  await review.close()
  rmSync(folder, { recursive: true, force: true })
})

const reviewer = (index: number) => reviewers[index] as Someone
const claim = async (who: Someone, id: string) => await review.call('POST', `/admin/users/${id}/claim/`, who)
const pending = async () => {
  const who = await review.person('Waits')
  await sendPassport(review, who)
  return who
}

describe('whoever takes a file has it alone', () => {
  test('H-20: for a quarter of an hour, renewed by taking it again, and given back', async () => {
    const { id } = await pending()
    expect((await claim(reviewer(0), id)).body).toMatchObject({
      verification: { claim: { own: true, by: { id: reviewer(0).id, name: 'Claire First' }, until: '2026-03-01T10:15:00.000Z' } },
    })
    const refused = await claim(reviewer(1), id)
    expect(refused).toMatchObject({ status: 409, code: 'review.claimed' })
    expect(refused.body['data']).toEqual({ name: 'Claire First', until: '2026-03-01T10:15:00.000Z' })
    review.later(1 / 6)
    expect((await claim(reviewer(0), id)).status).toBe(200)
    review.later(1 / 6)
    // Twenty minutes after the first taking: the second one counts.
    expect((await claim(reviewer(1), id)).code).toBe('review.claimed')
    review.later(1 / 6)
    expect((await claim(reviewer(1), id)).status).toBe(200)
    expect((await decide(review, reviewer(0), id)).code).toBe('review.claimed')
    await review.call('POST', `/admin/users/${id}/release/`, reviewer(0))
    expect((await claim(reviewer(0), id)).code).toBe('review.claimed')
    await review.call('POST', `/admin/users/${id}/release/`, reviewer(1))
    expect((await claim(reviewer(0), id)).status).toBe(200)
    expect((await decide(review, reviewer(0), id)).status).toBe(200)
    expect((await claim(reviewer(0), id)).code).toBe('review.nothing_pending')
  })

  test('one at a time: taking another gives the first back', async () => {
    const [one, other] = [await pending(), await pending()]
    await claim(reviewer(0), one.id)
    await claim(reviewer(0), other.id)
    expect((await claim(reviewer(1), one.id)).status).toBe(200)
  })

  test('nobody decides upon his own', async () => {
    const own = reviewer(2)
    await sendPassport(review, own)
    expect((await claim(own, own.id)).code).toBe('review.own_file')
    const decisions = [{ document_id: own.id, outcome: 'accepted' }]
    const decided = await review.call('POST', `/admin/users/${own.id}/verify/`, own, { round: 1, decisions })
    expect(decided.code).toBe('review.own_file')
    expect((await decide(review, reviewer(0), own.id)).status).toBe(200)
  })

  test('of many that grab at once, one gets it; no two ever hold a file, and none two files', async () => {
    const files = [await pending(), await pending(), await pending()]
    for (let round = 0; round < 6; round += 1) {
      const grabs = reviewers.flatMap((who, index) =>
        files.map(async (_, turn) => (await claim(who, files[(index + turn + round) % files.length]?.id ?? '')).status),
      )
      expect(new Set(await Promise.all(grabs)).difference(new Set([200, 409]))).toEqual(new Set())
      const held = await database.db
        .selectFrom('identity_file')
        .select(['user_id', 'claimed_by'])
        .where('claimed_by', 'is not', null)
        .where('claimed_until', '>', review.now())
        .execute()
      expect(held.length).toBeGreaterThan(0)
      expect(new Set(held.map(({ claimed_by: by }) => by)).size).toBe(held.length)
      // Claims that ran out are grabbed crosswise next.
      review.later(1)
    }
  })
})

describe('the list of users', () => {
  const list = async (query: string) => {
    const { body } = await review.call('GET', `/admin/users/?${query}`, reviewer(0))
    return body as { count: number; next: string | null; results: { id: string; last_name: string }[] }
  }
  const names = async (query: string) => (await list(query)).results.map(({ last_name: name }) => name)

  test('P-14: those who wait come longest first, by page', async () => {
    const waiting: string[] = []
    for (const name of ['Aubry', 'Zola', 'Benoît']) {
      const who = await review.person(name)
      await sendPassport(review, who)
      waiting.push(name)
      review.later(1)
    }
    const found = (await names('page_size=100')).filter((name) => waiting.includes(name))
    expect(found).toEqual(['Aubry', 'Zola', 'Benoît'])
    expect((await names('page_size=100&ordering=-age')).filter((name) => waiting.includes(name))).toEqual([
      'Benoît',
      'Zola',
      'Aubry',
    ])
    const first = await list('page_size=2')
    expect(first.next).toMatch(/page=2/)
    const second = await review.call('GET', first.next ?? '', reviewer(0))
    const ids = (second.body['results'] as { id: string }[]).map(({ id }) => id)
    expect(ids).not.toContain(first.results[0]?.id)
  })

  test('found by parts of names whatever their accents, by company, by the beginning of an address; filtered by how they stand', async () => {
    const acme = await review.person('Šimek', { profile: { user_type: 'legal', company_name: 'Éditions du Chêne 100%' } })
    await review.person('Collects')
    expect(await names('state=any&search=benoit')).toEqual(['Benoît'])
    expect(await names('state=any&search=CLAIRE%20zol')).toEqual(['Zola'])
    expect(await names('state=any&search=editions%20chene')).toEqual(['Šimek'])
    expect(await names('state=any&search=100%25')).toEqual(['Šimek'])
    expect(await names(`state=any&search=${encodeURIComponent(acme.email.slice(0, 16))}`)).toEqual(['Šimek'])
    expect(await names('state=any&search=_')).toEqual([])
    expect(await names('state=any&user_type=legal')).toEqual(['Šimek'])
    expect(await names('state=any&search=collects&status=active')).toEqual(['Collects'])
    expect(await names('state=any&search=collects&status=suspended')).toEqual([])
    expect(await names('state=collecting&search=collects')).toEqual([])
    const [waits] = (await list('state=pending&search=zola')).results
    await claim(reviewer(1), waits?.id ?? '')
    expect(await names('claimed=others&search=zola')).toEqual(['Zola'])
    expect(await names('claimed=nobody&search=zola')).toEqual([])
    expect(await names('claimed=own&search=zola')).toEqual([])
    for (const ordering of ['created_at', '-created_at', 'last_name', '-last_name', 'age', '-age'])
      expect((await list(`state=any&page_size=100&ordering=${ordering}`)).results.length).toBeGreaterThan(8)
  })
})
