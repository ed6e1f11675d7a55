import type { Check } from '../report/package-report.ts'
import type { KnownLogKeys } from './examine-checkpoint.ts'
import { parseVerifierKey } from './note.ts'
import { parseTlogProof } from './tlog-proof.ts'
import { examineLogProof } from './verify-log-proof.ts'

export const logProofFile = 'seal/log-proof.txt'

/**
 * Whether the sealed root stands in the operator's public log. A package without a log proof is no worse than one of before the log; a
 * proof that nobody vouches for is one without a conclusion; what is false fails.
 * @param given keys from elsewhere than the package, which count when they name this log; @param own those that the package lists
 */
export function logChecks(
  small: ReadonlyMap<string, Uint8Array>,
  root: Uint8Array,
  { given, own, now }: { given: KnownLogKeys | undefined; own: KnownLogKeys | undefined; now: Date },
): Check[] {
  const bytes = small.get(logProofFile)
  const answer = (status: Check['status'], data: Check['data']): Check => ({
    id: 'log_inclusion',
    status,
    subject: logProofFile,
    data,
  })
  if (bytes === undefined) return [{ ...answer('indeterminate', { reason: 'log_absent' }), supplementary: true }]
  const read = parseTlogProof(bytes)
  const origin = typeof read === 'string' ? '' : read.checkpoint.origin
  const names = (list: KnownLogKeys | undefined): boolean =>
    list?.log.some((key) => parseVerifierKey(key)?.name === origin) === true
  const keys = names(given) ? given : own
  const { checks, proof } = examineLogProof({ proof: bytes, root }, { keys, now })
  const failed = checks.find(({ status }) => status === 'failed')
  if (proof === null || failed !== undefined) return [answer('failed', { reason: `log_${failed?.id ?? 'form'}` })]
  const witnesses = checks.find(({ id, status }) => id === 'witnesses' && status === 'passed')
  const data = {
    origin: proof.checkpoint.origin,
    index: proof.index,
    size: proof.checkpoint.size,
    witnesses: Number(witnesses?.data['count'] ?? 0),
    known: keys !== undefined && keys === given ? 'given' : 'package',
  }
  const command = checks.find(({ repeat_command }) => repeat_command !== undefined)?.repeat_command
  const unknown = checks.some(({ id, status }) => id === 'checkpoint_signature' && status !== 'passed')
  return [
    {
      ...answer(unknown ? 'indeterminate' : 'passed', unknown ? { ...data, reason: 'log_unknown_key' } : data),
      ...(command === undefined ? {} : { repeat_command: command }),
    },
  ]
}
