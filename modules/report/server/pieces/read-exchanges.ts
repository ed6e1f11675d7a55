import { stat, readFile } from 'node:fs/promises'
import { z } from 'zod'

export type ExchangeRow = {
  /** 1-based place in the piece. */
  readonly number: number
  /** ISO 8601, when the request went out; null when it was not measured. */
  readonly at: string | null
  readonly method: string
  readonly url: string
  /** null when no answer came. */
  readonly status: number | null
  readonly mediaType: string | null
  /** Decoded length of the body; null when it was not measured. */
  readonly bytes: number | null
  readonly serverAddress: string | null
  /** SHA-256 of the decoded body, lower-case hexadecimal; null when none was received whole. */
  readonly sha256: string | null
}

export type ExchangeList =
  | { readonly state: 'absent' }
  | { readonly state: 'too_large'; readonly path: string }
  | { readonly state: 'read'; readonly path: string; readonly total: number; readonly rows: readonly ExchangeRow[] }

const entry = z.object({
  startedDateTime: z.string().optional(),
  request: z.object({ method: z.string(), url: z.string() }),
  response: z
    .object({
      status: z.number().optional(),
      content: z
        .object({ size: z.number().optional(), mimeType: z.string().optional(), _sha256: z.string().nullish() })
        .optional(),
    })
    .optional(),
  serverIPAddress: z.string().optional(),
})

/** HAR 1.2. Other members are of no use here. */
const har = z.object({ log: z.object({ entries: z.array(z.unknown()) }) })

function rowOf(value: unknown, number: number): ExchangeRow | null {
  const parsed = entry.safeParse(value)
  if (!parsed.success) return null
  const { request, response, serverIPAddress, startedDateTime } = parsed.data
  const content = response?.content
  const mediaType = content?.mimeType?.split(';')[0]?.trim()
  const sent = startedDateTime === undefined ? Number.NaN : Date.parse(startedDateTime)
  return {
    number,
    // HAR has no way to say that a time is not known but the epoch.
    at: sent > 0 ? new Date(sent).toISOString() : null,
    method: request.method,
    url: request.url,
    // HAR writes 0 and -1 for what was not received.
    status: response?.status !== undefined && response.status > 0 ? response.status : null,
    mediaType: mediaType === undefined || mediaType === '' || mediaType === 'x-unknown' ? null : mediaType,
    bytes: content?.size !== undefined && content.size >= 0 ? content.size : null,
    serverAddress: serverIPAddress === undefined || serverIPAddress === '' ? null : serverIPAddress,
    sha256: /^[0-9a-f]{64}$/.test(content?._sha256 ?? '') ? (content?._sha256 ?? null) : null,
  }
}

/**
 * The first exchanges of a sealed HAR.
 * @param limits `bytes`: longest file that is read, since JSON is held in memory whole; `rows`: most rows that are kept.
 * @throws when the file is not a HAR: it is our own piece, so that is a defect.
 */
export async function readExchanges(
  piece: { readonly path: string; readonly file: string } | null,
  limits: { readonly bytes: number; readonly rows: number } = { bytes: 64 * 1024 * 1024, rows: 300 },
): Promise<ExchangeList> {
  if (piece === null) return { state: 'absent' }
  if ((await stat(piece.file)).size > limits.bytes) return { state: 'too_large', path: piece.path }
  const { entries } = har.parse(JSON.parse(await readFile(piece.file, 'utf8'))).log
  const rows: ExchangeRow[] = []
  for (const [index, value] of entries.entries()) {
    if (rows.length === limits.rows) break
    const row = rowOf(value, index + 1)
    if (row !== null) rows.push(row)
  }
  return { state: 'read', path: piece.path, total: entries.length, rows }
}
