import type { ByteRange } from '../../blobs/blob-store.ts'

/**
 * One range of a `Range` header (RFC 9110 §14). `undefined`: answer the whole, as the standard allows for a header that is
 * malformed, of another unit, or asks for several ranges; `unsatisfiable`: answer 416.
 */
export function parseRange(header: string | undefined, totalBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(?:(?<first>\d{1,15})-(?<last>\d{1,15})?|-(?<suffix>\d{1,15}))$/i.exec(header?.trim() ?? '')
  const { first, last, suffix } = match?.groups ?? {}
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), totalBytes)
    return length === 0 ? 'unsatisfiable' : { start: totalBytes - length, end: totalBytes - 1 }
  }
  if (first === undefined) return undefined
  const start = Number(first)
  if (last !== undefined && Number(last) < start) return undefined
  if (start >= totalBytes) return 'unsatisfiable'
  return { start, end: Math.min(last === undefined ? totalBytes - 1 : Number(last), totalBytes - 1) }
}
