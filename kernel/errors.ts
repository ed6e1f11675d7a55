/**
 * Expected failures. Code below the surface throws a DomainError; one mapper (platform/http) renders it as
 * `{code, message, fields, request_id}` (decision H-06). Anything else that is thrown is a defect and becomes a 500.
 */

/** What a caller can do about the failure decides the HTTP status; the code says which failure it is. */
export const errorKinds = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'gone',
  'too_large',
  'limited',
  'unavailable',
] as const
export type ErrorKind = (typeof errorKinds)[number]

/** JSON-safe facts that the message of the code interpolates. Never holds secrets: it is shown and logged. */
export type ErrorData = Readonly<Record<string, string | number | boolean | null>>

export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly kind: ErrorKind
  /** Stable `module.reason` code; also the id of its message in `modules/<module>/messages`. */
  readonly code: string
  readonly data: ErrorData
  /** Codes per input field, keyed by the wire name of the field. */
  readonly fields: Readonly<Record<string, readonly string[]>>

  constructor(
    kind: ErrorKind,
    code: string,
    data: ErrorData = {},
    options: { fields?: Record<string, readonly string[]>; cause?: unknown } = {},
  ) {
    super(`${code} ${JSON.stringify(data)}`, options.cause === undefined ? undefined : { cause: options.cause })
    this.kind = kind
    this.code = code
    this.data = data
    this.fields = options.fields ?? {}
  }
}

const statusOfKind: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  too_large: 413,
  limited: 429,
  unavailable: 503,
}

export function httpStatusOf(error: DomainError): number {
  return statusOfKind[error.kind]
}
