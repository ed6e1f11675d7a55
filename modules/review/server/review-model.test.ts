import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assert, asyncProperty, array, boolean, constantFrom, integer, oneof, record } from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDatabase } from '../../../testing/database.ts'
import { createFolderBlobStore } from '../../../platform/blobs/folder-blob-store.ts'
import { documentKinds, type DocumentKind, type VerificationState } from '../domain/identity-document.ts'
import { openReview, type Review, type Someone } from './review.test-data.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-model-'))
const reviews: Review[] = []
const reviewers: Someone[] = []

beforeAll(async () => {
  const blobs = createFolderBlobStore(join(folder, 'blobs'))
  for (const fourEyes of [false, true])
    reviews.push(await openReview(database.db, blobs, { uploadsFolder: join(folder, 'uploads'), fourEyes }))
  for (const name of ['First', 'Second']) reviewers.push(await (reviews[0] as Review).person(name, { roles: ['verifier'] }))
})
afterAll(async () => {
  for (const review of reviews) await review.close()
  rmSync(folder, { recursive: true, force: true })
})

type Version = { id: string; state: 'ready' | 'pending' | 'success' | 'failure' }
/** All that matters of one person's file, and nothing of how it is kept. */
type Model = {
  state: VerificationState
  round: number
  /** Versions of each kind, oldest first. */
  kinds: Map<DocumentKind, Version[]>
  asked: Set<DocumentKind>
  claim: { by: number; until: number } | null
  agreedBy: number | null
  minutes: number
}

const kind = constantFrom<DocumentKind>('passport', 'id_front', 'id_back')
const who = integer({ min: 0, max: 1 })
const step = oneof(
  { weight: 5, arbitrary: record({ do: constantFrom('upload' as const), kind }) },
  { weight: 1, arbitrary: record({ do: constantFrom('take back' as const), kind }) },
  { weight: 4, arbitrary: record({ do: constantFrom('submit' as const) }) },
  { weight: 4, arbitrary: record({ do: constantFrom('claim' as const), who }) },
  { weight: 1, arbitrary: record({ do: constantFrom('release' as const), who }) },
  {
    weight: 8,
    arbitrary: record({
      do: constantFrom('verify' as const),
      who,
      /** Else only whoever happens to hold it decides. */
      taken: constantFrom(true, true, false),
      refused: array(boolean(), { minLength: 3, maxLength: 3 }),
      ask: constantFrom<DocumentKind | null>(null, null, null, 'driving_licence', 'id_back'),
    }),
  },
  { weight: 1, arbitrary: record({ do: constantFrom('wait' as const) }) },
)
type Step = typeof step extends { generate(...rest: never[]): { value: infer T } } ? T : never

const newest = (model: Model, of: DocumentKind) => model.kinds.get(of)?.at(-1)
const held = (model: Model, of: DocumentKind) => (newest(model, of)?.state ?? 'failure') !== 'failure'
const holds = (model: Model, by: number) => model.claim?.by === by && model.claim.until > model.minutes
const pendingOf = (model: Model) => documentKinds.flatMap((of) => (newest(model, of)?.state === 'pending' ? [of] : []))

function mayChange(model: Model, of: DocumentKind): boolean {
  return (model.state === 'collecting' || model.state === 'failure') && newest(model, of)?.state !== 'success'
}

/** @returns the code that the call must be answered with; empty: done */
async function take(
  review: Review,
  person: Someone,
  model: Model,
  each: Step,
): Promise<readonly [expected: string, got: string]> {
  const call = async (path: string, by: Someone, body?: unknown) => await review.call('POST', path, by, body)
  switch (each.do) {
    case 'upload': {
      const answer = await review.upload(person, each.kind, Buffer.from(`${each.kind} ${model.round}`))
      if (!mayChange(model, each.kind)) return ['review.kind_settled', answer.code]
      const versions = model.kinds.get(each.kind) ?? []
      if (versions.at(-1)?.state === 'ready') versions.pop()
      versions.push({ id: String(answer.body['id']), state: 'ready' })
      model.kinds.set(each.kind, versions)
      return ['', answer.code]
    }
    case 'take back': {
      const version = newest(model, each.kind)
      const id = version?.id ?? person.id
      const answer = await review.call('DELETE', `/identity_documents/${id}/`, person)
      if (version === undefined) return ['review.document_not_found', answer.code]
      if (version.state !== 'ready') return ['review.kind_settled', answer.code]
      model.kinds.get(each.kind)?.pop()
      return ['', answer.code]
    }
    case 'submit': {
      const answer = await call('/identity_documents/submit/', person)
      if (model.state === 'pending') return ['', answer.code]
      if (model.state === 'success') return ['review.kind_settled', answer.code]
      const enough =
        held(model, 'passport') || held(model, 'driving_licence') || (held(model, 'id_front') && held(model, 'id_back'))
      const given = [...model.asked].every((asked) => held(model, asked))
      const ready = [...model.kinds.values()].map((versions) => versions.at(-1)).filter((version) => version?.state === 'ready')
      if (!enough || !given || ready.length === 0) return ['review.incomplete', answer.code]
      for (const version of ready) if (version !== undefined) version.state = 'pending'
      model.state = 'pending'
      model.round += 1
      model.asked.clear()
      return ['', answer.code]
    }
    case 'claim': {
      const answer = await call(`/admin/users/${person.id}/claim/`, reviewers[each.who] as Someone)
      if (model.state !== 'pending') return ['review.nothing_pending', answer.code]
      if (model.agreedBy === each.who) return ['review.second_person', answer.code]
      if (holds(model, 1 - each.who)) return ['review.claimed', answer.code]
      model.claim = { by: each.who, until: model.minutes + 15 }
      return ['', answer.code]
    }
    case 'release': {
      const answer = await call(`/admin/users/${person.id}/release/`, reviewers[each.who] as Someone)
      if (model.claim?.by === each.who) model.claim = null
      return ['', answer.code]
    }
    case 'verify': {
      if (each.taken) {
        const [expected, got] = await take(review, person, model, { do: 'claim', who: each.who })
        if (expected !== got || got !== '') return [expected, got]
      }
      const pending = pendingOf(model)
      const decisions = pending.map((of, index) => {
        const document_id = newest(model, of)?.id
        return each.refused[index] === true
          ? { document_id, outcome: 'refused', reason: 'expired' }
          : { document_id, outcome: 'accepted' }
      })
      const body = {
        round: Math.max(1, model.round),
        decisions: decisions.length > 0 ? decisions : [{ document_id: person.id, outcome: 'accepted' }],
        missing: each.ask === null ? [] : [each.ask],
      }
      const answer = await call(`/admin/users/${person.id}/verify/`, reviewers[each.who] as Someone, body)
      if (model.state !== 'pending') return ['review.round_changed', answer.code]
      if (model.agreedBy === each.who) return ['review.second_person', answer.code]
      if (!holds(model, each.who)) return ['review.not_claimed', answer.code]
      if (each.ask !== null && held(model, each.ask)) return ['review.decision_incomplete', answer.code]
      model.claim = null
      const refused = each.ask !== null || decisions.some(({ outcome }) => outcome === 'refused')
      if (!refused && review.web.fourEyes && model.agreedBy === null) {
        model.agreedBy = each.who
        return ['', answer.code]
      }
      for (const [index, of] of pending.entries()) {
        const version = newest(model, of)
        if (version !== undefined) version.state = each.refused[index] === true ? 'failure' : 'success'
      }
      model.agreedBy = null
      model.state = refused ? 'failure' : 'success'
      if (each.ask !== null) model.asked.add(each.ask)
      return ['', answer.code]
    }
    default:
      review.later(16 / 60)
      model.minutes += 16
      return ['', '']
  }
}

test('whatever a person and two reviewers do, in whatever order, the file stands as a plain account of it says', async () => {
  const reached = new Map<string, number>()
  await assert(
    asyncProperty(boolean(), array(step, { minLength: 12, maxLength: 22, size: 'max' }), async (fourEyes, steps) => {
      const review = reviews[fourEyes ? 1 : 0] as Review
      const person = await review.person('Dupont')
      const model: Model = {
        state: 'collecting',
        round: 0,
        kinds: new Map(),
        asked: new Set(),
        claim: null,
        agreedBy: null,
        minutes: 0,
      }
      // Where it begins to matter.
      for (const each of [{ do: 'upload', kind: 'passport' }, { do: 'submit' }, ...steps] as readonly Step[]) {
        const [expected, got] = await take(review, person, model, each)
        expect(got, JSON.stringify(each)).toBe(expected)
        reached.set(`${each.do} ${got}`, (reached.get(`${each.do} ${got}`) ?? 0) + 1)
        const seen = await review.verification(person)
        const versions = [...model.kinds.values()].flatMap((all) =>
          all.map(({ id, state }, index) => [id, state === 'failure' && index < all.length - 1 ? 'replaced' : state]),
        )
        expect(seen.state).toBe(model.state)
        expect(Object.fromEntries(seen.documents.map(({ id, state }) => [id, state]))).toEqual(Object.fromEntries(versions))
        expect(new Set(seen.asked)).toEqual(model.state === 'success' ? new Set() : model.asked)
      }
    }),
    { numRuns: 14, seed: 20_261_121 },
  )
  // It went where it matters.
  for (const deed of ['submit ', 'verify ', 'claim review.claimed', 'verify review.not_claimed', 'upload review.kind_settled'])
    expect(reached.get(deed) ?? 0, deed).toBeGreaterThan(0)
  process.stdout.write(`${[...reached].map(([deed, times]) => `${deed.trim()} × ${times}`).join(', ')}\n`)
})
