import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assert, asyncProperty, array, boolean, constantFrom, integer, oneof, record } from '../../../testing/fast-check.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDatabase } from '../../../testing/database.ts'
import { createFolderBlobStore } from '../../../platform/blobs/folder-blob-store.ts'
import { documentKinds, type DocumentKind, type VerificationState } from '../domain/identity-document.ts'
import { identityStatusOf } from './index.ts'
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

type Version = { id: string; state: 'ready' | 'pending' | 'success' | 'failure'; good: string | null }
const began = '2026-03-01'
/** In how many days a document ends, as a reviewer may read it: soon, within the time in which it may be replaced, and far ahead. */
const lastDays = [null, 9, 60, 3650] as const
/** All that matters of one person's file, and nothing of how it is kept. */
type Model = {
  state: VerificationState
  round: number
  /** Versions of each kind, oldest first. */
  kinds: Map<DocumentKind, Version[]>
  asked: Set<DocumentKind>
  claim: { by: number; until: number } | null
  agreedBy: number | null
  /** Whether what was accepted goes on counting beside the state of the last sending. */
  stands: boolean
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
      good: constantFrom(...lastDays),
      ask: constantFrom<DocumentKind | null>(null, null, null, 'driving_licence', 'id_back'),
    }),
  },
  { weight: 1, arbitrary: record({ do: constantFrom('wait' as const) }) },
  { weight: 1, arbitrary: record({ do: constantFrom('days' as const) }) },
)
type Step = typeof step extends { generate(...rest: never[]): { value: infer T } } ? T : never

const newest = (model: Model, of: DocumentKind) => model.kinds.get(of)?.at(-1)
const counts = (model: Model, of: DocumentKind) => model.kinds.get(of)?.findLast(({ state }) => state === 'success') ?? null
const verified = (model: Model) => model.state === 'success' || model.stands
const dayOf = (model: Model, more = 0) =>
  new Date(Date.parse(`${began}T10:00:00Z`) + model.minutes * 60_000 + more * 86_400_000).toISOString().slice(0, 10)
/** Last day of one proof: of a card, that of its two sides. `9999`: none; empty: it is not whole. */
function lastDayOf(model: Model, proof: readonly DocumentKind[]): string {
  const those = proof.map((of) => counts(model, of))
  return those.includes(null) ? '' : (those.map((each) => each?.good ?? '9999').toSorted()[0] ?? '')
}
const until = (model: Model) =>
  [['passport'] as const, ['id_front', 'id_back'] as const, ['driving_licence'] as const]
    .map((proof) => lastDayOf(model, proof))
    .toSorted()
    .at(-1) ?? ''
function due(model: Model, of: DocumentKind): boolean {
  const good = counts(model, of)?.good ?? null
  if (good === null) return false
  return verified(model) ? good <= dayOf(model, 90) && until(model) <= dayOf(model, 90) : good < dayOf(model)
}
function held(model: Model, of: DocumentKind): boolean {
  const state = newest(model, of)?.state
  return state === 'ready' || state === 'pending' || (counts(model, of) !== null && !due(model, of))
}
const holds = (model: Model, by: number) => model.claim?.by === by && model.claim.until > model.minutes
const pendingOf = (model: Model) => documentKinds.flatMap((of) => (newest(model, of)?.state === 'pending' ? [of] : []))

function mayChange(model: Model, of: DocumentKind): boolean {
  if (model.state === 'pending') return false
  const state = newest(model, of)?.state
  const takesMore = model.state !== 'success' || documentKinds.some((each) => due(model, each))
  return state === 'ready' || due(model, of) || (state !== 'success' && takesMore)
}

async function signInAnew(review: Review, person: { token: string } & Someone): Promise<void> {
  person.token = (await review.again(person)).token
  for (const [index, reviewer] of reviewers.entries()) reviewers[index] = await review.again(reviewer, true)
}

/** @returns the code that the call must be answered with; empty: done */
async function take(
  review: Review,
  person: { token: string } & Someone,
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
      versions.push({ id: String(answer.body['id']), state: 'ready', good: null })
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
      const nothing = [...model.kinds.values()].every((versions) => versions.at(-1)?.state !== 'ready')
      if (model.state === 'success' && nothing) return ['review.kind_settled', answer.code]
      const enough =
        held(model, 'passport') || held(model, 'driving_licence') || (held(model, 'id_front') && held(model, 'id_back'))
      const given = [...model.asked].every((asked) => held(model, asked))
      const ready = [...model.kinds.values()].map((versions) => versions.at(-1)).filter((version) => version?.state === 'ready')
      if (!enough || !given || ready.length === 0) return ['review.incomplete', answer.code]
      for (const version of ready) if (version !== undefined) version.state = 'pending'
      model.stands ||= model.state === 'success'
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
      const good = each.good === null ? null : dayOf(model, each.good)
      const decisions = pending.map((of, index) => {
        const document_id = newest(model, of)?.id
        return each.refused[index] === true
          ? { document_id, outcome: 'refused', reason: 'expired' }
          : { document_id, outcome: 'accepted', expires_on: good }
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
      const asked = each.ask === null ? null : counts(model, each.ask)
      const isThere =
        each.ask !== null && (pending.includes(each.ask) || (asked !== null && (asked.good ?? '9999') >= dayOf(model)))
      if (isThere) return ['review.decision_incomplete', answer.code]
      model.claim = null
      const refused = each.ask !== null || decisions.some(({ outcome }) => outcome === 'refused')
      if (!refused && review.web.fourEyes && model.agreedBy === null) {
        model.agreedBy = each.who
        return ['', answer.code]
      }
      for (const [index, of] of pending.entries()) {
        const version = newest(model, of)
        if (version === undefined) continue
        version.state = each.refused[index] === true ? 'failure' : 'success'
        if (version.state === 'success') version.good = good
      }
      model.agreedBy = null
      model.state = refused ? 'failure' : 'success'
      if (!refused) model.stands = false
      if (each.ask !== null) model.asked.add(each.ask)
      return ['', answer.code]
    }
    case 'days': {
      // Sessions end meanwhile.
      review.later(20 * 24)
      model.minutes += 20 * 24 * 60
      await signInAnew(review, person)
      return ['', '']
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
    asyncProperty(
      boolean(),
      boolean(),
      array(step, { minLength: 12, maxLength: 22, size: 'max' }),
      async (fourEyes, renewing, steps) => {
        const review = reviews[fourEyes ? 1 : 0] as Review
        const person = { ...(await review.person('Dupont')) }
        await signInAnew(review, person)
        const model: Model = {
          state: 'collecting',
          round: 0,
          kinds: new Map(),
          asked: new Set(),
          claim: null,
          agreedBy: null,
          stands: false,
          minutes: (review.now().getTime() - Date.parse(`${began}T10:00:00Z`)) / 60_000,
        }
        // Where it begins to matter: with the reviewers, or verified by a document that ends soon, the next one being sent.
        const agree = { do: 'verify' as const, taken: true, refused: [false, false, false], good: 9 as const, ask: null }
        const renewal: readonly Step[] = [
          { ...agree, who: 0 },
          { ...agree, who: 1 },
          { do: 'upload', kind: 'passport' },
          { do: 'submit' },
        ]
        for (const each of [
          { do: 'upload', kind: 'passport' },
          { do: 'submit' },
          ...(renewing ? renewal : []),
          ...steps,
        ] as readonly Step[]) {
          const replaced = model.stands
          const [expected, got] = await take(review, person, model, each)
          expect(got, JSON.stringify(each)).toBe(expected)
          reached.set(`${each.do} ${got}`, (reached.get(`${each.do} ${got}`) ?? 0) + 1)
          if (each.do === 'verify' && got === '' && replaced && model.state !== 'pending') {
            const deed = `a replacement ${model.state === 'success' ? 'accepted' : 'refused'}`
            reached.set(deed, (reached.get(deed) ?? 0) + 1)
          }
          const seen = await review.verification(person)
          const versions = [...model.kinds.values()].flatMap((all) =>
            all.map((version, index) => {
              const { id, state } = version
              const stands = index === all.length - 1 || version === all.findLast((each) => each.state === 'success')
              return [id, stands ? state : 'replaced']
            }),
          )
          expect(seen.state).toBe(model.state)
          expect(Object.fromEntries(seen.documents.map(({ id, state }) => [id, state]))).toEqual(Object.fromEntries(versions))
          const settled =
            model.state === 'success' && [...model.kinds].every(([of, all]) => !due(model, of) && all.at(-1)?.state !== 'ready')
          expect(new Set(seen.asked)).toEqual(settled ? new Set() : model.asked)
          // What was accepted counts until another is, whatever becomes of that.
          expect(seen.stands?.until ?? null).toBe(!verified(model) || until(model) === '9999' ? null : until(model))
          const told = await identityStatusOf(database.db, person.id)
          expect(told.state).toBe(verified(model) ? 'success' : model.state)
        }
      },
    ),
    { numRuns: 14, seed: 20_261_121 },
  )
  // It went where it matters.
  for (const deed of [
    'submit ',
    'verify ',
    'claim review.claimed',
    'verify review.not_claimed',
    'upload review.kind_settled',
    'a replacement accepted',
    'a replacement refused',
  ])
    expect(reached.get(deed) ?? 0, deed).toBeGreaterThan(0)
  process.stdout.write(`${[...reached].map(([deed, times]) => `${deed.trim()} × ${times}`).join(', ')}\n`)
})
