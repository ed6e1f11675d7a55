import type { Sdk } from './sdk.ts'

export type Headers = Record<string, string>

/** What came of one call: an answer, or none. */
export type Answer<T> =
  | { readonly said: 'yes'; readonly body: T }
  | { readonly said: 'no'; readonly status: number; readonly error: ErrorReport }
  /** The connection was never made, or there was no token, which was refused or not had: nothing was taken in. */
  | { readonly said: 'unsent'; readonly refused: boolean }
  /** Sent, and no answer. */
  | { readonly said: 'nothing' }

export type ErrorReport = {
  readonly Type?: string
  readonly Message?: string
  readonly errors?: Readonly<Record<string, string>> | null
}

/** Every call asks for the whole response: without, an error has no status. */
export type Whole = { readonly resolveWithFullResponse: true; readonly headers: Headers }

/** A connection that was not made. */
const notMade = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ERR_INVALID_URL'])

type Failure = {
  readonly status?: number
  readonly body?: ErrorReport & { readonly cut?: string }
  readonly cut?: string
  readonly error?: string
  readonly Code?: number
}

/**
 * @param send takes the options of the SDK and returns its promise. What it is given is the SDK's to change: a copy.
 */
export async function ask<T>(
  sdk: Sdk,
  send: (options: Whole) => Promise<{ body: T }>,
  headers: Headers = {},
): Promise<Answer<T>> {
  const first = await askOnce(send, headers)
  if (first.said !== 'no' || first.status !== 401) return first
  // A token ends before its time when the provider forgets it; a call that is not let in has no effect.
  Object.assign(sdk.requestOptions.headers, { Authorization: undefined })
  return askOnce(send, headers)
}

async function askOnce<T>(send: (options: Whole) => Promise<{ body: T }>, headers: Headers): Promise<Answer<T>> {
  try {
    const { body } = await send({ resolveWithFullResponse: true, headers: { ...headers } })
    return { said: 'yes', body }
  } catch (error) {
    return judge(error as Failure)
  }
}

function judge(failure: Failure): Answer<never> {
  // Given up by the SDK's own limit.
  if (failure.Code === 408) return { said: 'nothing' }
  // Without a status it was the call for a token that failed.
  if (typeof failure.status !== 'number') {
    // OAuth's own word (RFC 6749, 5.2): whoever asks is not known by these keys.
    if (typeof failure.error === 'string') return { said: 'unsent', refused: true }
    if (typeof failure.cut === 'string' || typeof failure === 'string') return { said: 'unsent', refused: false }
    return { said: 'nothing' }
  }
  if (failure.status === 0) return notMade.has(failure.body?.cut ?? '') ? { said: 'unsent', refused: false } : { said: 'nothing' }
  return { said: 'no', status: failure.status, error: failure.body ?? {} }
}
