import { z } from 'zod'
import type { Endpoint } from '../../../kernel/endpoint.ts'
import { wireError } from '../../../kernel/wire-error.ts'
import { createMessages, type MessageId } from '../../messages/messages.ts'

type Failure = {
  readonly status: string
  readonly description: string
  readonly code: MessageId
  readonly fields?: readonly string[]
}

/** Every failure that a call may be answered with, by its name among the shared answers. */
const failures = {
  BadRequest: {
    status: '400',
    description: 'The request is not what the call takes; `fields` says what is wrong with which.',
    code: 'http.invalid_request',
  },
  Unauthenticated: {
    status: '401',
    description: 'Nobody is signed in, or what was shown opens nothing any more.',
    code: 'http.sign_in_required',
  },
  Forbidden: { status: '403', description: 'Whoever calls may not do this.', code: 'http.forbidden' },
  NotFound: { status: '404', description: 'There is no such thing, or not for whoever calls.', code: 'http.not_found' },
  Conflict: { status: '409', description: 'It cannot be done as things stand.', code: 'http.conflict' },
  Gone: { status: '410', description: 'It was there, or the link led there; no more.', code: 'http.gone' },
  TooLarge: { status: '413', description: 'More was sent than the call takes.', code: 'http.too_large' },
  UnsupportedMediaType: {
    status: '415',
    description: 'The body’s type is none that the call takes.',
    code: 'http.unsupported_media_type',
  },
  Limited: { status: '429', description: 'Too many calls; `Retry-After` says when the next may come.', code: 'http.limited' },
  Failed: { status: '5XX', description: 'The server could not do it, or not now.', code: 'http.unavailable' },
} as const satisfies Readonly<Record<string, Failure>>
type FailureName = keyof typeof failures

const retryAfter = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } }

/** The one shape of every error (decision H-06). */
export const errorSchema = () => {
  const { $schema: _, ...schema } = z.toJSONSchema(wireError)
  return schema
}

/** For `components.responses`. */
export function sharedResponses(): Record<string, unknown> {
  const messages = createMessages('en')
  return Object.fromEntries(
    Object.entries(failures).map(([name, { status, description, code }]) => {
      const example: z.infer<typeof wireError> = {
        code,
        message: messages.format(code),
        fields: {},
        data: {},
        request_id: '4f6a0c1e-2b7d-4c3a-9e58-1d0f6b2a7c94',
      }
      return [
        name,
        {
          description,
          ...(status === '429' || status === '5XX' ? { headers: retryAfter } : {}),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } },
        },
      ]
    }),
  )
}

/**
 * Failures that a call of that kind can be answered with, as far as its contract tells: the door's by its access, the parser's by its
 * body, and those of what it names by its having anything to name it with.
 */
export function failuresOf(endpoint: Endpoint): FailureName[] {
  const { access, method, response } = endpoint
  const isLink = access.every((each) => each === 'signed_link')
  const writes = method !== 'GET'
  const names = endpoint.params !== undefined || endpoint.query !== undefined || writes
  const isOpen = access.includes('open')
  return [
    'BadRequest',
    ...(isLink ? [] : (['Unauthenticated'] as const)),
    'Forbidden',
    ...(names || !isOpen ? (['NotFound'] as const) : []),
    ...(names ? (['Conflict', 'Gone'] as const) : []),
    ...(writes ? (['TooLarge', 'UnsupportedMediaType'] as const) : []),
    // Whoever is known is counted, and whoever writes; of streams, how many are open.
    ...(isLink && response !== 'events' ? [] : (['Limited'] as const)),
    'Failed',
  ]
}

export const errorResponses = (endpoint: Endpoint): Record<string, unknown> =>
  Object.fromEntries(failuresOf(endpoint).map((name) => [failures[name].status, { $ref: `#/components/responses/${name}` }]))
