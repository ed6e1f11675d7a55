import type { Attempt, Refused, Unknown, Unsent } from '../port.ts'
import { type Answer, ask, type ErrorReport, type Whole } from './ask.ts'
import type { Sdk } from './sdk.ts'

/** The provider forgets a key after a day; an hour before, it is no longer trusted to remember. */
const keyLife = 23 * 3_600_000

export type Once<T> = { readonly state: 'done'; readonly body: T } | Refused | Unsent | Unknown

/** Something that must happen once, and is asked for under the attempt's key as often as need be. */
export async function askOnce<T>(
  sdk: Sdk,
  now: Date,
  attempt: Attempt,
  send: (options: Whole) => Promise<{ body: T }>,
): Promise<Once<T>> {
  if (!/^[A-Za-z0-9-]{16,36}$/.test(attempt.key)) throw new RangeError('a key has 16 to 36 letters, digits and dashes')
  // A key that is forgotten would do it again.
  if (now.getTime() - attempt.since.getTime() > keyLife) return { state: 'unknown' }
  const answer = await ask(sdk, send, { 'Idempotency-Key': attempt.key })
  if (answer.said === 'yes') return { state: 'done', body: answer.body }
  if (answer.said === 'unsent') return { state: 'unsent' }
  if (answer.said === 'no' && answer.status < 500 && answer.status !== 409) return refusedBy(answer.status, answer.error)
  return recall<T>(sdk, attempt.key)
}

/** What was answered to the first call with this key; nothing certain follows from there being no such answer. */
async function recall<T>(sdk: Sdk, key: string): Promise<Once<T>> {
  const kept = await ask(sdk, (options) => sdk.Idempotency.get(key, options))
  if (kept.said !== 'yes') return { state: 'unknown' }
  const status = Number(kept.body.StatusCode)
  if (status >= 200 && status < 300) return { state: 'done', body: kept.body.Resource as T }
  return status >= 400 && status < 500 ? refusedBy(status, kept.body.Resource as ErrorReport) : { state: 'unknown' }
}

/** Of reads and of changes that may be repeated. */
export function judgeAnswer<T>(answer: Answer<T>): Once<T> {
  if (answer.said === 'yes') return { state: 'done', body: answer.body }
  if (answer.said === 'unsent') return { state: 'unsent' }
  if (answer.said === 'no' && answer.status < 500) return refusedBy(answer.status, answer.error)
  return { state: 'unknown' }
}

function refusedBy(status: number, error: ErrorReport): Refused | Unsent {
  // Too many calls, or not let in: nothing was looked at.
  if (status === 429 || status === 401) return { state: 'unsent' }
  const fields = Object.keys(error.errors ?? {}).join(' ')
  return { state: 'refused', payment: null, reason: 'invalid', code: [error.Type ?? String(status), fields].join(' ').trim() }
}
