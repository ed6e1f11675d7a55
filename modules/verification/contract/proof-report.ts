import { z } from 'zod'
import { concludeProof, missingKinds } from '../domain/dossier/concluded/conclude.ts'
import { proofKinds, reliances } from '../domain/report/proof-report.ts'
import type { ProofReport } from '../domain/report/proof-report.ts'

const status = z.enum(['passed', 'failed', 'indeterminate'])
const algorithm = z.enum(['sha1', 'sha256', 'sha384', 'sha512', 'sha3-256', 'blake2b-256', 'ripemd160'])

const verdict = z.enum(['TOTAL-PASSED', 'INDETERMINATE', 'TOTAL-FAILED']).nullable()

/** The one verdict in two parts, the same on every surface: see domain/conclude.ts. */
export const conclusion = z.object({
  finding: z.enum(['intact', 'contradicted', 'not_a_proof']),
  files: z.object({ given: z.int(), covered: z.int() }),
  word: z.object({
    basis: z.enum(['nobody', 'believed', 'unknown']),
    signers: z.array(
      z.object({
        role: z.enum(['signs', 'dates']),
        name: z.string(),
        sha256: z.string(),
        basis: z.enum(['given', 'compared', 'published', 'trusted_list', 'unknown']),
      }),
    ),
    rests_on: z.array(z.enum(reliances)),
  }),
  missing: z.array(
    z.object({
      what: z.enum(missingKinds),
      item: z.string(),
      check: z.object({ kind: z.string(), id: z.string(), subject: z.string() }).optional(),
      name: z.string().optional(),
      sha256: z.string().optional(),
      count: z.int().optional(),
    }),
  ),
  missing_count: z.int(),
  unmatched: z.array(z.string()),
  colour: z.enum(['green', 'amber', 'red', 'grey']),
  exit_code: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  verdict,
})

/** What every verifier answers, on the wire as in the page: see domain/proof.ts. */
export const proofReport = z.object({
  kind: z.enum(proofKinds),
  conclusion,
  /** That of the conclusion. */
  verdict,
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
      unevaluated: z.literal(true).optional(),
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
  return JSON.parse(JSON.stringify({ ...report, conclusion: concludeProof(report) })) as z.input<typeof proofReport>
}
