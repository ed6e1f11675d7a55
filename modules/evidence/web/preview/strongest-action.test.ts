import { expect, test } from 'vitest'
import type { EvidencePreview } from '../../contract/evidence.ts'
import { strongestAction } from './strongest-action.ts'

type Quality = EvidencePreview['quality']
const judged = (verdict: Quality['verdict'], advice: Quality['advice']) => ({
  quality: { verdict, advice, coverage: { percent: 100, height: 800, missing_images: 0 } } as unknown as Quality,
})
const first = { action: 'static', replaced_by: null } as const

test.each([
  ['good', ['retry'], 'agree'],
  ['doubtful', ['cookie_option', 'retry'], 'agree'],
  ['poor', ['retry', 'cookie_option'], 'cookie_option'],
  ['poor', ['retry', 'interactive'], 'retry'],
  ['poor', ['interactive'], 'interactive'],
  ['poor', ['check_address'], 'none'],
  ['poor', [], 'none'],
] as const)('S-38 of a capture judged %s with the advice %j, the strong button is: %s', (verdict, advice, strong) => {
  expect(strongestAction(first, judged(verdict, [...advice]))).toBe(strong)
})

test('S-38 what was captured again is not captured a third time from here, and a visit leads to no other way', () => {
  const all = judged('poor', ['retry', 'cookie_option', 'interactive'])
  expect(strongestAction({ ...first, replaced_by: 'another' }, all)).toBe('interactive')
  expect(strongestAction({ action: 'interactive', replaced_by: null }, all)).toBe('retry')
  expect(strongestAction({ action: 'interactive', replaced_by: 'another' }, all)).toBe('none')
})
