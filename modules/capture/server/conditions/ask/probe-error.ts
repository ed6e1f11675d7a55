/** Why a probe has no answer: a short code that goes into the raw evidence (`timeout`, `ECONNREFUSED`, `kiss_RATE`…). */
export class ProbeError extends Error {
  override readonly name = 'ProbeError'
}

/** The code of any failure, for the record. Never longer than a line; what a server wrote is not repeated. */
export function reasonOf(error: unknown): string {
  if (error instanceof ProbeError) return error.message.slice(0, 100)
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')) return 'timeout'
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code.slice(0, 60)
  return error instanceof Error ? error.name : 'failed'
}
