import { z } from 'zod'

const span = { from_ms: z.number(), to_ms: z.number() }

/**
 * What is reviewed of a live session besides what every capture has. Times: `ms` since the recording began, which are those of the
 * video. What happened, line by line, is the timeline itself: a piece, read by its link.
 */
export const evidenceSession = z.object({
  ended_by: z.enum(['visitor', 'time', 'viewer_gone', 'browser_gone', 'operator']),
  began_at: z.iso.datetime(),
  duration_ms: z.number(),
  device: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('desktop') }),
    z.object({ kind: z.literal('mobile'), name: z.string(), width: z.number(), height: z.number() }),
  ]),
  /** null: nothing could be recorded; the timeline says why. */
  video: z
    .object({
      path: z.string(),
      /** Signed, expiring link; null: the piece is not there. */
      url: z.string().nullable(),
      width: z.int().positive(),
      height: z.int().positive(),
      frames: z.int().nonnegative(),
      frames_dropped: z.int().nonnegative(),
      duration_ms: z.number(),
      sound: z.boolean(),
      /** Head of the chain over every picture and packet. Hexadecimal SHA-256. */
      chain: z.string(),
      gaps: z.array(z.object({ ...span, reason: z.string() })),
    })
    .nullable(),
  timeline: z.object({ path: z.string(), url: z.string().nullable(), entries: z.int().nonnegative(), head: z.string() }),
  /** Pages gone to. */
  navigations: z.int().nonnegative(),
  screenshots: z.array(
    z.object({
      number: z.int().positive(),
      kind: z.enum(['viewport', 'full_page']),
      automatic: z.boolean(),
      ms: z.number(),
      at: z.iso.datetime(),
      page_url: z.string(),
      title: z.string(),
      /** Top to bottom. */
      images: z.array(z.object({ path: z.string(), url: z.string() })),
    }),
  ),
  downloads: z.array(
    z.object({
      ms: z.number(),
      page_url: z.string(),
      name: z.string(),
      bytes: z.number(),
      sha256: z.string().nullable(),
      /** Why it was not kept. */
      refused: z.string().nullable(),
      path: z.string().nullable(),
      url: z.string().nullable(),
    }),
  ),
  uploads: z.array(z.object({ ms: z.number(), page_url: z.string(), name: z.string(), bytes: z.number(), sha256: z.string() })),
  /** That something was masked, where and how often; never what. */
  secrets: z.array(
    z.object({
      ms: z.number(),
      kind: z.enum(['paste', 'password_field', 'credentials']),
      page_url: z.string(),
      masked_in: z.array(z.object({ path: z.string(), times: z.int().nonnegative() })),
    }),
  ),
  /** Times without anybody steering. */
  absences: z.array(z.object(span)),
  hand_overs: z.array(z.object({ ms: z.number(), viewer: z.int() })),
  witnesses: z.array(
    z.object({
      label: z.string(),
      watched: z.array(z.object(span)),
      countersigned: z.object({ ms: z.number(), at: z.iso.datetime(), name: z.string(), statement: z.string() }).nullable(),
    }),
  ),
  crashes: z.array(z.object({ ms: z.number(), what: z.enum(['page', 'browser', 'picture', 'sound']), recovered: z.boolean() })),
})
export type EvidenceSession = z.infer<typeof evidenceSession>
