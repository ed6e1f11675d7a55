import type { Check } from '../report.ts'
import type { KnownLogKeys } from './examine-checkpoint.ts'
import { parseVerifierKey } from './note.ts'
import { parseTlogProof } from './tlog-proof.ts'
import { examineLogProof } from './verify-log-proof.ts'

export const logProofFile = 'seal/log-proof.txt'

/**
 * Whether the sealed root stands in the operator's public log. A package without a log proof, or whose log nobody vouches
 * for, is no worse than one of before the log: what is false fails.
 * @param keys lists of keys, the one that counts most first: the first that names this log is used
 */
export function logChecks(
  small: ReadonlyMap<string, Uint8Array>,
  root: Uint8Array,
  { keys: lists, now }: { keys: readonly (KnownLogKeys | undefined)[]; now: Date },
): Check[] {
  const bytes = small.get(logProofFile)
  const answer = (status: Check['status'], data: Check['data']): Check => ({
    id: 'log_inclusion',
    status,
    subject: logProofFile,
    data,
    ...(status === 'indeterminate' ? { supplementary: true } : {}),
  })
  if (bytes === undefined) return [answer('indeterminate', { reason: 'log_absent' })]
  const read = parseTlogProof(bytes)
  const origin = typeof read === 'string' ? '' : read.checkpoint.origin
  const keys = lists.find((list) => list?.log.some((key) => parseVerifierKey(key)?.name === origin))
  const { checks, proof } = examineLogProof({ proof: bytes, root }, { keys, now })
  const failed = checks.find(({ status }) => status === 'failed')
  if (proof === null || failed !== undefined) return [answer('failed', { reason: `log_${failed?.id ?? 'form'}` })]
  const witnesses = checks.find(({ id, status }) => id === 'witnesses' && status === 'passed')
  const data = {
    origin: proof.checkpoint.origin,
    index: proof.index,
    size: proof.checkpoint.size,
    witnesses: Number(witnesses?.data['count'] ?? 0),
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
