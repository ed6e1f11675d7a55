import { children, malformed, readDer, sequence, smallInteger, tagged } from '../encoding/der.ts'
import type { Der } from '../encoding/der.ts'

/** PKIFailureInfo of RFC 3161 §2.4.2, by bit. */
const failures: Readonly<Record<number, string>> = {
  0: 'bad_alg',
  2: 'bad_request',
  5: 'bad_data_format',
  14: 'time_not_available',
  15: 'unaccepted_policy',
  16: 'unaccepted_extension',
  17: 'add_info_not_available',
  25: 'system_failure',
}

const statuses = [
  'granted',
  'granted_with_mods',
  'rejection',
  'waiting',
  'revocation_warning',
  'revocation_notification',
] as const
export type ResponseStatus = (typeof statuses)[number]

/** Every reason that a refusal can have, for the words. */
export const refusals: readonly string[] = [...statuses.slice(2), ...Object.values(failures)]

export type Response = {
  readonly status: ResponseStatus
  /** Name of the first failure named; undefined when none is. */
  readonly failure: string | undefined
  /** What the authority wrote. Hostile text, which nothing signs. */
  readonly text: string
  readonly token: Uint8Array | undefined
}

export type TokenForm = { readonly kind: 'token' } | ({ readonly kind: 'response' } & Response) | { readonly kind: 'request' }

/** What was handed over, by its first member. @param bytes with definite lengths. @throws MalformedError */
export function readTokenForm(bytes: Uint8Array): TokenForm {
  const members = children(readDer(bytes, 0x30))
  const [first, second] = members
  if (first?.tag === 0x06) return { kind: 'token' }
  if (first?.tag === 0x02 && second?.tag === 0x30) return { kind: 'request' }
  if (members.length > 2) malformed('not a response')
  const [status, ...rest] = sequence(first, 1, 3)
  const text = rest.find(({ tag }) => tag === 0x30)
  const info = rest.find(({ tag }) => tag === 0x03)
  return {
    kind: 'response',
    status: statuses[smallInteger(status)] ?? malformed('status'),
    failure: info === undefined ? undefined : failureOf(info),
    text: text === undefined ? '' : textOf(text),
    token: second === undefined ? undefined : tagged(second, 0x30).encoded,
  }
}

function failureOf(info: Der): string | undefined {
  const octets = info.contents.subarray(1, 8)
  for (let bit = 0; bit < octets.length * 8; bit += 1) if ((octets[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) return failures[bit]
  return undefined
}

function textOf(text: Der): string {
  return children(text)
    .slice(0, 8)
    .map(({ contents }) => new TextDecoder().decode(contents.subarray(0, 200)))
    .join(' ')
}
