import { stat, readFile } from 'node:fs/promises'
import { z } from 'zod'

/** Bounds that the capture ran under, as the sealed description of its environment states them. */
export type StatedLimits = {
  readonly path: string
  readonly totalMs: number | null
  readonly loadMs: number | null
  readonly maxHeight: number | null
  readonly bodyBytes: number | null
  readonly totalBytes: number | null
  readonly requests: number | null
}

const figure = z.number().nonnegative().nullish().catch(null)
const environment = z.object({
  tunnel: z.object({
    limits: z.object({
      totalMs: figure,
      loadMs: figure,
      maxHeight: figure,
      bodyBytes: figure,
      totalBytes: figure,
      requests: figure,
    }),
  }),
})

const mostBytes = 8 * 1024 * 1024

/** @returns null when the piece is absent or states no limits: the report then says that they were not recorded. */
export async function readLimits(piece: { readonly path: string; readonly file: string } | null): Promise<StatedLimits | null> {
  if (piece === null || (await stat(piece.file)).size > mostBytes) return null
  let parsed: z.infer<typeof environment>
  try {
    parsed = environment.parse(JSON.parse(await readFile(piece.file, 'utf8')))
  } catch {
    return null
  }
  const { limits } = parsed.tunnel
  return {
    path: piece.path,
    totalMs: limits.totalMs ?? null,
    loadMs: limits.loadMs ?? null,
    maxHeight: limits.maxHeight ?? null,
    bodyBytes: limits.bodyBytes ?? null,
    totalBytes: limits.totalBytes ?? null,
    requests: limits.requests ?? null,
  }
}
