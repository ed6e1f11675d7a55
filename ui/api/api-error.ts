import type { WireError } from '../../kernel/wire-error.ts'

/** A failed call: what the server said (decision H-06), or `ui.error.network` when nothing came back. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  /** Codes per field, keyed by the wire name of the field. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly data: WireError['data']
  /** What support needs to find the request; empty when the request never arrived. */
  readonly requestId: string
  constructor(status: number, wire: WireError, cause?: unknown) {
    super(wire.message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = wire.code
    this.fields = wire.fields
    this.data = wire.data
    this.requestId = wire.request_id
  }
}

/** statusCode, else status, else the response's status, else 500. */
export function statusOf(error: unknown): number {
  const seen: unknown[] = []
  if (typeof error === 'object' && error !== null) {
    if ('statusCode' in error) seen.push(error.statusCode)
    if ('status' in error) seen.push(error.status)
    if ('response' in error && typeof error.response === 'object' && error.response !== null && 'status' in error.response) {
      seen.push(error.response.status)
    }
  }
  return seen.find((value): value is number => Number.isInteger(value) && Number(value) >= 400 && Number(value) <= 599) ?? 500
}
