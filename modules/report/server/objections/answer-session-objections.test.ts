import { describe, expect, it } from 'vitest'
import english from '../../messages/report.en.json' with { type: 'json' }
import sessionEnglish from '../../messages/session.en.json' with { type: 'json' }
import { answerObjections, objectionIds } from './answer-objections.ts'
import { sessionObjectionIds } from './answer-session-objections.ts'
import {
  emptySession,
  fullSession,
  sessionContent,
  sessionFacts,
  sessionPieces,
  sessionSeal,
} from '../sample-session.test-data.ts'

const words = { ...english, ...sessionEnglish }
const answers = (facts: typeof fullSession) =>
  answerObjections({ facts: sessionFacts(facts), pieces: sessionPieces, seal: sessionSeal, session: sessionContent(facts) })
const of = (facts: typeof fullSession, id: string) => {
  const found = answers(facts).find((one) => one.id === id)
  return [found?.state, ...(found?.points.map(({ result, words: said }) => `${result} ${said}`) ?? [])]
}

describe('objections to a live session', () => {
  it('come after those to every capture, with words for each point', () => {
    for (const facts of [fullSession, emptySession]) {
      expect(answers(facts).map(({ id }) => id)).toEqual([...objectionIds, ...sessionObjectionIds])
      for (const { points } of answers(facts))
        for (const point of points) expect(words).toHaveProperty([`report.point.${point.words}`])
    }
  })

  it('are answered by what was measured: gaps, absences and masking weaken, their lack speaks for it', () => {
    expect(of(fullSession, 'cut')).toEqual([
      'partly',
      'pass video',
      'weak video_gaps',
      'weak video_dropped',
      'pass timeline',
      'not_measured session_none',
    ])
    expect(of(fullSession, 'masked')).toEqual(['partly', 'weak masked_listed', 'weak withheld', 'pass timeline'])
    expect(of(fullSession, 'unattended')).toEqual(['partly', 'stated devices', 'weak absent', 'stated session_witnessed'])
    const { video, withheld: _, ...rest } = fullSession
    const whole: typeof fullSession = {
      ...rest,
      video: video === null ? null : { ...video, gaps: [], frames_dropped: 0 },
      secrets: [],
      // Until the first device comes nobody is away.
      absences: [{ from_ms: 0, to_ms: 310 }],
      hand_overs: [{ ms: 310, viewer: 1 }],
    }
    expect(of(whole, 'cut').slice(1, 3)).toEqual(['pass video', 'pass video_whole'])
    expect(of(whole, 'masked')).toEqual(['answered', 'pass masked_nothing', 'pass timeline'])
    expect(of(whole, 'unattended').slice(0, 2)).toEqual(['answered', 'pass one_device'])
  })

  it('claim nothing for a session of which nothing came', () => {
    expect(of(emptySession, 'steered').slice(0, 4)).toEqual([
      'open',
      'stated session_nobody',
      'not_measured session_inputs_uncounted',
      'not_measured session_no_pages',
    ])
    expect(of(emptySession, 'cut')).toContain('not_measured video_absent')
    expect(of(emptySession, 'retouched').slice(0, 3)).toEqual(['open', 'not_measured images_none', 'not_measured video_absent'])
  })
})
