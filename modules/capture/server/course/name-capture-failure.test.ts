import { expect, test } from 'vitest'
import { silentLog } from '../../../../platform/log/log.ts'
import { CaptureFailure } from '../../domain/outcome/failures.ts'
import { defaultCaptureLimits } from '../../domain/outcome/limits.ts'
import { nameCaptureFailure } from './name-capture-failure.ts'

const named = (error: unknown, recordFailed: boolean, also: { cancelled?: boolean; timeUp?: boolean } = {}) =>
  nameCaptureFailure(error, {
    cancelled: false,
    timeUp: false,
    limits: defaultCaptureLimits,
    session: { browser: null, page: null, tooLarge: false, recordFailed: () => recordFailed },
    log: silentLog,
    ...also,
  }).code

test('a time limit is no word about the site when our own record could not be kept', () => {
  const slow = new CaptureFailure('timeout', { seconds: 3, step: 'navigate' })
  expect([named(slow, false), named(slow, true)]).toEqual(['timeout', 'internal'])
  const ended = new Error('the browser has ended')
  expect([named(ended, false, { timeUp: true }), named(ended, true, { timeUp: true })]).toEqual(['timeout', 'internal'])
  // Who gave up is told so, and what was known of the site stays.
  expect(named(ended, true, { cancelled: true, timeUp: true })).toBe('cancelled')
  expect(named(new CaptureFailure('unknown_host'), true)).toBe('unknown_host')
})
