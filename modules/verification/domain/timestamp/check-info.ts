import { equalBytes, toHex } from '../../../../kernel/bytes.ts'
import { digests } from '../hash/digests.ts'
import { stepOf } from '../cms/check-signer.ts'
import { digestCompared } from '../cms/digest-content.ts'
import type { Compared } from '../cms/digest-content.ts'
import { digestWeakness, isWeakAt, labelOf } from '../certificate/strength.ts'
import type { Bound, ProofCheck } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import type { TstInfo } from './read-tst-info.ts'

export function infoCheck({ version, criticalExtension, serial, policy }: TstInfo): ProofCheck {
  const id = 'info'
  if (version !== 1) return { id, status: 'failed', data: { reason: 'other_version', version } }
  if (criticalExtension !== undefined)
    return { id, status: 'indeterminate', data: { reason: 'info_extension', oid: criticalExtension } }
  return { id, status: 'passed', data: { serial, policy } }
}

export async function imprintCheck(
  { algorithm, algorithmId, imprint }: TstInfo,
  data: Compared | undefined,
  deps: VerifyDeps,
): Promise<{ check: ProofCheck; bound: Bound[] }> {
  const id = 'imprint'
  const hex = toHex(imprint)
  const name = algorithm === undefined ? algorithmId : labelOf(algorithm)
  const says = { algorithm: name, digest: hex }
  if (algorithm === undefined)
    return { check: { id, status: 'indeterminate', data: { ...says, reason: 'unknown_algorithm' } }, bound: [] }
  const linked = boundAlgorithms.find((each) => each === algorithm)
  const bound: Bound[] = linked === undefined ? [] : [{ algorithm: linked, hex, of: 'imprint' }]
  if (imprint.length !== digests[algorithm].outputLen)
    return { check: { id, status: 'failed', data: { ...says, reason: 'imprint_length' } }, bound: [] }
  if (data === undefined)
    return { check: { id, status: 'indeterminate', data: { ...says, reason: 'nothing_to_compare' } }, bound }
  const found = await digestCompared(data, algorithm, deps)
  if (found === undefined)
    return { check: { id, status: 'indeterminate', data: { ...says, reason: 'other_algorithm_given' } }, bound }
  const steps = 'bytes' in data ? [stepOf(algorithm, data.bytes, found)] : []
  const repeat_command = imprintCommand(algorithm)
  if (!equalBytes(found, imprint)) {
    const check: ProofCheck = {
      id,
      status: 'failed',
      data: { ...says, reason: 'other_data', found: toHex(found) },
      steps,
      repeat_command,
    }
    return { check, bound }
  }
  if (linked !== undefined && !('digests' in data)) bound.push({ algorithm: linked, hex, of: 'file' })
  return { check: { id, status: 'passed', data: says, steps, repeat_command }, bound }
}

const boundAlgorithms = ['sha1', 'sha256', 'sha384', 'sha512', 'sha3-256'] as const

export function strengthCheck({ algorithm, genTime }: TstInfo, now: Date): ProofCheck {
  const id = 'imprint_algorithm'
  if (algorithm === undefined) return { id, status: 'indeterminate', data: { reason: 'unknown_algorithm' } }
  const weak = digestWeakness(algorithm)
  const label = labelOf(algorithm)
  if (weak === undefined || !isWeakAt(weak, now)) return { id, status: 'passed', data: { algorithm: label } }
  const reason = isWeakAt(weak, genTime) ? 'weak_then' : 'weak_since'
  return { id, status: 'indeterminate', data: { reason, algorithm: label, until: weak.until } }
}

export function nonceCheck({ nonce }: TstInfo, expected: string | undefined): ProofCheck[] {
  if (expected === undefined) return []
  const wanted = expected
    .toLowerCase()
    .replace(/^0x/, '')
    .replace(/^0+(?=.)/, '')
  return nonce === wanted
    ? [{ id: 'nonce', status: 'passed', data: { nonce } }]
    : [
        {
          id: 'nonce',
          status: 'failed',
          data: { reason: nonce === undefined ? 'nonce_absent' : 'other_nonce', nonce: nonce ?? '' },
        },
      ]
}

export function accuracyCheck({ accuracy, accuracyInRange }: TstInfo): ProofCheck {
  const id = 'accuracy'
  if (accuracy === undefined) return { id, status: 'indeterminate', supplementary: true, data: { reason: 'accuracy_absent' } }
  return accuracyInRange
    ? { id, status: 'passed', data: { seconds: seconds(accuracy) } }
    : { id, status: 'indeterminate', data: { reason: 'accuracy_range', seconds: seconds(accuracy) } }
}

/** From microseconds, without trailing zeros. */
export function seconds(micros: number): string {
  return (micros / 1_000_000).toFixed(6).replace(/\.?0+$/, '')
}

export function clockCheck({ genTime, accuracy }: TstInfo, now: Date): ProofCheck {
  const data = { gen_time: genTime.toISOString() }
  return genTime.getTime() - (accuracy ?? 0) / 1000 <= now.getTime()
    ? { id: 'clock', status: 'passed', data }
    : { id: 'clock', status: 'indeterminate', data: { ...data, reason: 'later_than_now' } }
}

const imprintCommand = (algorithm: string): string => `openssl dgst -${algorithm} FILE`
