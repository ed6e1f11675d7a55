import { z } from 'zod'
import { proofKinds, reliances } from '../domain/proof.ts'
import type { ProofReport } from '../domain/proof.ts'

const status = z.enum(['passed', 'failed', 'indeterminate'])
const algorithm = z.enum(['sha1', 'sha256', 'sha384', 'sha512', 'sha3-256', 'blake2b-256', 'ripemd160'])

/** What every verifier answers, on the wire as in the page: see domain/proof.ts. */
export const proofReport = z.object({
  kind: z.enum(proofKinds),
  verdict: z.enum(['TOTAL-PASSED', 'INDETERMINATE', 'TOTAL-FAILED']),
  verified_at: z.iso.datetime(),
  unusable: z.boolean(),
  checks: z.array(
    z.object({
      id: z.string(),
      status,
      data: z.record(z.string(), z.union([z.string(), z.number()])),
      subject: z.string().optional(),
      rests_on: z.array(z.enum(reliances)).optional(),
      steps: z.array(z.object({ operation: z.string(), input: z.string(), input_bytes: z.int(), output: z.string() })).optional(),
      repeat_command: z.string().optional(),
      supplementary: z.literal(true).optional(),
    }),
  ),
  facts: z.array(
    z.object({
      id: z.string(),
      value: z.union([z.string(), z.number()]),
      form: z.enum(['text', 'instant', 'hex', 'count', 'bytes', 'word']),
    }),
  ),
  bound: z.array(z.object({ algorithm, hex: z.string(), of: z.enum(['file', 'imprint', 'root', 'message', 'entry']) })),
  dates: z.array(
    z.object({
      kind: z.enum(['timestamp', 'bitcoin', 'log', 'signature']),
      at: z.string(),
      by: z.string(),
      rests_on: z.array(z.enum(reliances)),
      qualified: z.boolean().optional(),
    }),
  ),
})

/** A domain report as the schema has it: its lists are the wire's own. */
export function toWire(report: ProofReport): z.input<typeof proofReport> {
  return JSON.parse(JSON.stringify(report)) as z.input<typeof proofReport>
}
