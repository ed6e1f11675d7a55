import { describe, expect, it } from 'vitest'
import english from '../../messages/report.en.json' with { type: 'json' }
import { answerObjections, objectionIds, stateOf } from './answer-objections.ts'
import { sampleFacts, samplePieces, sampleSeal } from '../sample-report.test-data.ts'

const stateIn = (evidence: Parameters<typeof answerObjections>[0], id: string): string | undefined =>
  answerObjections(evidence).find((one) => one.id === id)?.state
const sample = { facts: sampleFacts(900), pieces: samplePieces, seal: sampleSeal, session: null }

describe('answerObjections', () => {
  it('answers each objection once, with words for each point', () => {
    const answers = answerObjections(sample)
    expect(answers.map((one) => one.id)).toEqual(objectionIds)
    for (const { points } of answers) for (const point of points) expect(english).toHaveProperty([`report.point.${point.words}`])
  })

  it('takes sides with a measurement that fails, and answers nothing that was not measured', () => {
    expect(stateOf([{ result: 'pass' }, { result: 'fail' }])).toBe('against')
    expect(stateOf([{ result: 'pass' }, { result: 'not_measured' }])).toBe('partly')
    expect(stateOf([{ result: 'pass' }, { result: 'stated' }])).toBe('answered')
    expect(stateOf([{ result: 'stated' }, { result: 'not_measured' }])).toBe('open')
    expect(stateOf([{ result: 'weak' }])).toBe('partly')
  })

  it('says of the date what the authority is worth', () => {
    expect(stateIn(sample, 'backdated')).toBe('partly')
    const [stamp] = sampleSeal.timestamps
    if (stamp === undefined) throw new Error('the sample has a time stamp')
    const outside = { ...sampleSeal, timestamps: [{ ...stamp, embedded: false }] }
    const point = answerObjections({ ...sample, seal: outside }).find((one) => one.id === 'backdated')?.points[0]
    expect(point).toMatchObject({ result: 'pass', words: 'seal_independent', annexes: [{ path: stamp.file }] })
    const early = { ...sampleSeal, timestamps: [{ ...stamp, gen_time: '2026-11-20T22:00:00.000Z' }] }
    expect(stateIn({ ...sample, seal: early }, 'backdated')).toBe('against')
  })

  it('takes what the installation states of who runs the machine as a fact, never as a point in favour', () => {
    const of = (operator: string | null | undefined) =>
      answerObjections({ ...sample, facts: { ...sample.facts, ...(operator === undefined ? {} : { operator }) } })
        .filter(({ id }) => id === 'machine' || id === 'operator')
        .map(({ state, points }) => [state, points[0]?.result, points[0]?.words])
    const silent = of(undefined)
    expect(silent.map(([, ...first]) => first)).toEqual([
      ['stated', 'operator_unstated'],
      ['stated', 'operator_unstated'],
    ])
    expect(of(null)).toEqual(silent)
    expect(of('Études du Port SARL')).toEqual(silent.map(([state]) => [state, 'stated', 'operator_stated']))
  })

  it('changes its words with the certificate: accepted, refused, absent', () => {
    const words = (certificate: typeof sample.facts.certificate): string | undefined =>
      answerObjections({ ...sample, facts: { ...sample.facts, certificate } }).find((one) => one.id === 'spoofed')?.points[0]
        ?.words
    const own = sample.facts.certificate
    expect([words(own), words(own === null ? null : { ...own, error: 'ERR_CERT_DATE_INVALID' }), words(null)]).toEqual([
      'certificate_accepted',
      'certificate_refused',
      'certificate_absent',
    ])
  })
})
