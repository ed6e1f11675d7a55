import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'

const hex32 = z.string().regex(/^[0-9a-f]{64}$/)
const size = z.int().min(1)

/** A signed state of the public log, and what others have added to it since. */
export const logCheckpoint = z.object({
  size,
  root_hash: hex32,
  /** By the platform's clock. */
  at: z.iso.datetime(),
  /** Those of witnesses, by the instant that each signed. */
  cosignatures: z.array(z.object({ name: z.string(), at: z.iso.datetime() })),
  /** RFC 3161 tokens over its note. */
  timestamps: z.array(z.object({ authority: z.string(), gen_time: z.iso.datetime() })),
  anchor: z
    .object({
      status: z.enum(['pending', 'mined', 'confirmed']),
      /** `test`: a network whose coins are free; it proves nothing to outsiders. */
      network: z.enum(['main', 'test']),
      height: z.int().nullable(),
      block_time: z.iso.datetime().nullable(),
    })
    .nullable(),
})
export type LogCheckpoint = z.infer<typeof logCheckpoint>

export const witnessAnswer = z.enum(['cosigned', 'unreachable', 'refused', 'conflict', 'ahead', 'not_valid'])

export const logState = z.object({
  /** Null while the log is empty. */
  newest: logCheckpoint.extend({ origin: z.string() }).nullable(),
  /** The newest checkpoint whose anchor is deep enough in the Bitcoin chain. */
  anchored: logCheckpoint.nullable(),
  /** The newest that a witness cosigned. */
  cosigned: logCheckpoint.nullable(),
  /** Witnesses that this installation asks. */
  witnesses: z.array(z.object({ name: z.string(), answer: witnessAnswer, asked_at: z.iso.datetime(), size: z.int().min(0) })),
  /** Logs of others that this installation cosigns. */
  witnessed: z.array(z.object({ origin: z.string(), size: z.int().min(0), at: z.iso.datetime() })),
})
export type LogState = z.infer<typeof logState>

export const readLogState = endpoint({
  method: 'GET',
  path: '/log/state/',
  summary: 'What the public log is at this moment',
  access: ['open'],
  response: logState,
})

export const listLogCheckpoints = endpoint({
  method: 'GET',
  path: '/log/checkpoints/',
  summary: 'Signed states of the public log, the newest first',
  access: ['open'],
  query: z.object({
    /** Those of fewer entries than that. */
    before: z.coerce.number().int().min(1).optional(),
    limit: z.coerce.number().int().min(1).max(100).default(20),
  }),
  response: z.object({ results: z.array(logCheckpoint) }),
})
