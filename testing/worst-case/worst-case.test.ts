import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { proofKinds } from '../../modules/verification/domain/report/proof-report.ts'
import { worstInputs } from './worst-inputs.ts'

const run = promisify(execFile)
const program = fileURLToPath(new URL('verify-worst.ts', import.meta.url))
type Line = { readonly kind: string; readonly name: string; readonly verdict: string | null }

/** A heap of 256 MB, and so long that only what never ends is ended. */
const limits = ['--max-old-space-size=256']
const patience = 60_000
const groups: readonly { readonly kinds: readonly string[] }[] = [
  { kinds: ['asic', 'wacz', 'package'] },
  { kinds: ['pdf', 'timestamp', 'cms', 'trusted_list', 'xades'] },
  { kinds: ['bitcoin_message', 'nano_message', 'opentimestamps', 'chainpoint', 'log_proof', 'checkpoint', 'evidence_record'] },
]

test.each(groups)(
  'the worst inputs of $kinds end in an answer that is not green, in a small heap',
  async ({ kinds }) => {
    const args = [...limits, program, ...kinds.map(String)]
    const { stdout } = await run(process.execPath, args, { timeout: patience, maxBuffer: 1 << 24 })
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
    const wanted = worstInputs.filter(({ kind }) => kinds.includes(kind))
    expect(lines.map(({ kind, name }) => `${kind}: ${name}`).toSorted()).toEqual(
      wanted.map(({ kind, name }) => `${kind}: ${name}`).toSorted(),
    )
    // Null: it is no proof.
    for (const { kind, name, verdict } of lines)
      expect(['TOTAL-FAILED', 'INDETERMINATE', null], `${kind}: ${name}`).toContain(verdict)
  },
  patience + 10_000,
)

test('every kind that reads a file has inputs of the worst', () => {
  const tried = new Set<string>(worstInputs.map(({ kind }) => kind))
  // A digest of a text reads nothing: the text is hashed.
  expect([...proofKinds, 'package'].filter((kind) => !tried.has(kind))).toEqual(['digest'])
  expect(new Set(groups.flatMap(({ kinds }) => kinds))).toEqual(tried)
})
