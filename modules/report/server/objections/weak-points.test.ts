import { expect, test } from 'vitest'
import { locales } from '../../../../kernel/locale.ts'
import { reportWords } from '../words/report-words.ts'
import { answerObjections } from './answer-objections.ts'
import { weakPoints } from './weak-points.ts'
import { sampleFacts, samplePieces, sampleSeal, sampleSubject } from '../sample-report.test-data.ts'

const sample = { facts: sampleFacts(900), pieces: samplePieces, seal: sampleSeal, session: null, subject: sampleSubject }
const wordsIn = (evidence: Parameters<typeof weakPoints>[0]) => weakPoints(evidence).map(({ words }) => words)

test('what a measurement supports comes first, then what convinces less, each once', () => {
  expect(wordsIn(sample)).toEqual(['incomplete', 'coverage', 'seal_embedded', 'requests_failed', 'operator_unstated'])
})

test('what was measured in favour is no weak point, and neither is what was not measured', () => {
  const [stamp] = sampleSeal.timestamps
  if (stamp === undefined) throw new Error('the sample has a time stamp')
  const good = {
    ...sample,
    seal: { ...sampleSeal, timestamps: [{ ...stamp, embedded: false }] },
    facts: {
      ...sample.facts,
      operator: 'Études du Port SARL',
      certificate: null,
      server_address: null,
      resources: { ...sample.facts.resources, failed: 0 },
      quality: {
        ...sample.facts.quality,
        coverage: { percent: 100, captured_height: 900, page_height: 900, missing_images: 0, images: 0 },
      },
      completeness: { state: 'complete' as const, losses: [] },
    },
  }
  expect(wordsIn(good)).toEqual([])
  // A stamp that is not there dates nothing: it is no word of the platform either.
  expect(wordsIn({ ...good, seal: { ...sampleSeal, timestamps: [] } })).toEqual([])
  expect(wordsIn({ ...good, subject: { ...sampleSubject, final_url: 'http://a.example/' } })).toEqual(['unencrypted'])
})

test('what a second server was given otherwise is one point, whatever it is', () => {
  const different = (item: 'image' | 'visible_text') => ({
    item,
    result: 'different' as const,
    share: null,
    first: null,
    second: null,
  })
  const vantage = {
    state: 'captured' as const,
    failure: null,
    server: { id: 'b', name: 'B', country: null, city: null },
    started_at: null,
    apart_ms: null,
    images: [],
    comparisons: [different('visible_text'), different('image')],
  }
  const points = weakPoints({ ...sample, facts: { ...sample.facts, vantage } })
  expect(points.find(({ words }) => words === 'second_different')?.values).toEqual({ items: 'visible_text,image' })
})

test.each(locales)('%s has plain words for each point that an objection can end in', (locale) => {
  const { has } = reportWords(locale)
  const { certificate } = sample.facts
  const worst = {
    ...sample,
    facts: {
      ...sample.facts,
      isolation: 'override' as const,
      certificate: certificate === null ? null : { ...certificate, error: 'ERR_CERT_DATE_INVALID' },
    },
    seal: {
      ...sampleSeal,
      timestamps: sampleSeal.timestamps.map((stamp) => ({ ...stamp, gen_time: '2026-11-20T22:00:00.000Z' })),
    },
  }
  const found = wordsIn(worst)
  expect(found).toEqual(expect.arrayContaining(['not_isolated', 'certificate_refused', 'seal_before_end']))
  expect(found.filter((words) => !has(`report.weak.${words}`))).toEqual([])
  const ends = answerObjections(worst).flatMap(({ points }) =>
    points.filter(({ result }) => result === 'fail' || result === 'weak'),
  )
  const said = new Set([...found, 'condition', 'to_be_checked'])
  expect(ends.filter(({ words }) => !said.has(words))).toEqual([])
})
