import { fileOf } from '../proof-vectors/verify-row.ts'
import { verifyNanoMessage } from '../../modules/verification/domain/nano-message/verify-nano-message.ts'
import { glanceOf, recognise } from '../../modules/verification/domain/recognise/recognise.ts'
import { verifiers } from '../../modules/verification/domain/proof/verifiers.ts'
import { verifyPackage } from '../../modules/verification/domain/package/verify-package.ts'
import { worstInputs } from './worst-inputs.ts'

/**
 * Verifies every worst input and prints one line of JSON for each: run by `worst-case.test.ts` in a
 * process whose heap is small, so that what takes too much ends it.
 */
const now = (): Date => new Date('2026-11-21T12:00:00Z')
const only = process.argv.slice(2)
for (const { kind, name, make } of worstInputs) {
  if (only.length > 0 && !only.includes(kind)) continue
  const bytes = make()
  const file = fileOf(bytes)
  const { verdict } =
    kind === 'package'
      ? await verifyPackage({ kind: 'zip', file }, { now })
      : kind === 'nano_message'
        ? await verifyNanoMessage({ message: Buffer.from(bytes).toString(), signature: '00'.repeat(64) }, { now })
        : ((await verifiers[kind]?.verify({ name, file }, { now })) ?? { verdict: 'no verifier' })
  // The page asks this first, of anything that is dropped.
  const recognised = recognise(glanceOf(bytes))
  process.stdout.write(`${JSON.stringify({ kind, name, verdict, recognised })}\n`)
}
