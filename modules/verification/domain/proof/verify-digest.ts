import { blake2b } from '@noble/hashes/blake2.js'
import { ripemd160, sha1 } from '@noble/hashes/legacy.js'
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { sha3_256 } from '@noble/hashes/sha3.js'
import { toHex, utf8 } from '../../../../kernel/bytes.ts'
import { proofReport } from '../report/proof-report.ts'
import type { Bound, Fact, ProofCheck, ProofReport } from '../report/proof-report.ts'
import type { DigestAlgorithm } from '../hash/digests.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { base64 } from '../recognise/recognise.ts'

export const digestChecks = ['compared'] as const
export const digestReasons = [
  'nothing_given',
  'not_a_digest',
  'length',
  'differs',
  'line_ends',
  'final_line_end',
  'normal_form',
  'weak_algorithm',
] as const
export const digestFacts = ['sha256', 'computed', 'algorithm', 'bytes', 'given'] as const

const hashes: Readonly<Record<DigestAlgorithm, (bytes: Uint8Array) => Uint8Array>> = {
  sha1,
  sha256,
  sha384,
  sha512,
  'sha3-256': sha3_256,
  'blake2b-256': (bytes) => blake2b(bytes, { dkLen: 32 }),
  ripemd160,
}
export const digestAlgorithms = Object.keys(hashes) as readonly DigestAlgorithm[]
/** The one that is meant when none is named, first; then the others of the same length. */
const byLength: Readonly<Record<number, readonly DigestAlgorithm[]>> = {
  20: ['sha1', 'ripemd160'],
  32: ['sha256', 'sha3-256', 'blake2b-256'],
  48: ['sha384'],
  64: ['sha512'],
}
/** Collisions or second preimages of these are within reach, or will be: equality proves little. */
const weak: readonly DigestAlgorithm[] = ['sha1', 'ripemd160']
const opensslNames: Partial<Record<DigestAlgorithm, string>> = { 'sha3-256': 'sha3-256', 'blake2b-256': 'blake2b512' }

export type DigestInput = {
  /** Text as it was typed: hashed as UTF-8, nothing trimmed, nothing converted. Or a file's digests, hashed elsewhere. */
  readonly text?: string
  readonly file?: { readonly size: number; readonly digests: Readonly<Partial<Record<DigestAlgorithm, string>>> }
  readonly algorithm?: DigestAlgorithm
  /** To compare with: hexadecimal, with or without separators, or base64. */
  readonly digest?: string
}

/** Hashes and compares. Without a digest to compare with there is no conclusion: the digest alone says nothing of who knew it. */
export async function verifyDigest(input: DigestInput, deps: VerifyDeps): Promise<ProofReport> {
  const bytes = input.text === undefined ? undefined : utf8(input.text)
  const compute = (algorithm: DigestAlgorithm): string | undefined =>
    bytes === undefined ? input.file?.digests[algorithm] : toHex(hashes[algorithm](bytes))
  const given = input.digest === undefined || input.digest.trim() === '' ? undefined : readDigest(input.digest)
  const candidates =
    input.algorithm === undefined ? (given instanceof Uint8Array ? (byLength[given.length] ?? []) : []) : [input.algorithm]
  const size = bytes?.length ?? input.file?.size ?? 0
  const matched = given instanceof Uint8Array ? candidates.find((algorithm) => compute(algorithm) === toHex(given)) : undefined
  const algorithm = matched ?? candidates[0] ?? 'sha256'
  const computed = compute(algorithm) ?? ''
  const check = compared(input, given, { algorithm, matched, computed, candidates })
  const facts: Fact[] = [
    { id: 'computed', value: computed, form: 'hex' },
    { id: 'algorithm', value: algorithm, form: 'word' },
    { id: 'bytes', value: size, form: 'bytes' },
    ...(given instanceof Uint8Array ? ([{ id: 'given', value: toHex(given), form: 'hex' }] as const) : []),
  ]
  const own = algorithm === 'sha256' ? undefined : compute('sha256')
  if (own !== undefined) facts.push({ id: 'sha256', value: own, form: 'hex' })
  const bound: Bound[] = digestAlgorithms.flatMap((name) => {
    const hex =
      name === algorithm ? computed : bytes === undefined ? input.file?.digests[name] : name === 'sha256' ? own : undefined
    return hex === undefined || hex === '' ? [] : [{ algorithm: name, hex, of: 'file' as const }]
  })
  const steps =
    bytes === undefined
      ? []
      : [{ operation: algorithm, input: toHex(bytes.subarray(0, 256)), input_bytes: bytes.length, output: computed }]
  return proofReport('digest', deps, { checks: [{ ...check, steps, ...repeat(algorithm) }], facts, bound })
}

function repeat(algorithm: DigestAlgorithm): { repeat_command?: string } {
  if (algorithm === 'blake2b-256') return { repeat_command: 'b2sum -l 256 FILE' }
  return { repeat_command: `openssl dgst -${opensslNames[algorithm] ?? algorithm} FILE` }
}

type Computed = {
  algorithm: DigestAlgorithm
  matched: DigestAlgorithm | undefined
  computed: string
  candidates: readonly DigestAlgorithm[]
}

function compared(input: DigestInput, given: Uint8Array | 'malformed' | undefined, found: Computed): ProofCheck {
  const data = { algorithm: found.algorithm, digest: found.computed }
  const answer = (status: ProofCheck['status'], reason?: string): ProofCheck => ({
    id: 'compared',
    status,
    data: reason === undefined ? data : { ...data, reason },
  })
  if (given === undefined) return answer('indeterminate', 'nothing_given')
  if (given === 'malformed') return answer('failed', 'not_a_digest')
  if (found.candidates.length === 0 || (found.matched === undefined && given.length * 2 !== found.computed.length))
    return answer('failed', 'length')
  if (found.matched !== undefined)
    return weak.includes(found.matched) ? answer('indeterminate', 'weak_algorithm') : answer('passed')
  const near = input.text === undefined ? undefined : nearMiss(input.text, toHex(given), found.candidates)
  return answer('failed', near ?? 'differs')
}

/** What people change without seeing it: line ends, the last line end, the form of accented letters. The digest differs all the same. */
function nearMiss(text: string, hex: string, algorithms: readonly DigestAlgorithm[]): string | undefined {
  const lines = text.replaceAll(/\r\n?/g, '\n')
  const variants: readonly (readonly [reason: string, text: string])[] = [
    ['line_ends', lines],
    ['line_ends', lines.replaceAll('\n', '\r\n')],
    ['final_line_end', `${text}\n`],
    ['final_line_end', `${text}\r\n`],
    ['final_line_end', text.replace(/\r?\n$/, '')],
    ['final_line_end', text.trim()],
    ['normal_form', text.normalize('NFC')],
    ['normal_form', text.normalize('NFD')],
  ]
  return variants.find(
    ([, variant]) => variant !== text && algorithms.some((name) => toHex(hashes[name](utf8(variant))) === hex),
  )?.[0]
}

function readDigest(text: string): Uint8Array | 'malformed' {
  const plain = text.trim().replace(/^(?:sha-?(?:1|256|384|512)|sha3-256|blake2b-256|ripemd160)[:=\-\s(]\s*/i, '')
  const hex = plain.replaceAll(/[\s:\u202f\u00a0]/g, '')
  if (/^(?:[0-9a-f]{2})+$/i.test(hex))
    return Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16))
  return base64(plain) ?? 'malformed'
}
