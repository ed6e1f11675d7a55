import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../../../../../kernel/bytes.ts'
import { MalformedError } from '../../encoding/der.ts'
import { examineLogProof } from '../../log/verify-log-proof.ts'
import { tokenFile } from '../../manifest/package-layout.ts'
import { caFileOf, pemOrNone } from '../seal/verify-seal.ts'
import { verifyTimestamp } from '../seal/verify-timestamp.ts'
import type { TimestampFacts } from '../../report/package-report.ts'
import { isRoot, readRenewal, renewalOfPath, renewalPaths } from './renewal-record.ts'

/** A stamp of a seal that holds, over the root or, as a renewal, over other files of the seal. */
export type SealStamp = {
  /** `seal/timestamp-1.tsr`, `seal/renewal-1.tsr` */
  readonly file: string
  readonly authority: string
  /** genTime. */
  readonly at: Date
  /** End of the certificate that signed it, or of an issuer that ends before. */
  readonly until: Date
  /** Stamps that it renews; empty for one over the root. */
  readonly covers: readonly string[]
  /** Its algorithms are. */
  readonly weak: boolean
  /** Whom its date rests on, as the facts of a token say it. */
  readonly root_sha256: string
  readonly root_name: string
}

export const renewalReasons = [
  'malformed',
  'renewal_incomplete',
  'renewal_number',
  'renewal_other_root',
  'renewal_differs',
  'renewal_nothing',
  'renewal_log',
  'renewal_token',
  'renewal_order',
  'renewal_late',
  'renewal_absent',
  'chain',
  'weak_algorithm',
] as const
export type RenewalReason = (typeof renewalReasons)[number]

export type ExaminedRenewal = {
  readonly number: number
  readonly files: number
  readonly stamp: SealStamp | null
  /** Null when it holds and carries at least one stamp over its end. */
  readonly flaw: { readonly status: 'failed' | 'indeterminate'; readonly reason: RenewalReason; readonly path?: string } | null
}

/** Clocks of two time authorities are never one. */
const clockTolerance = 5 * 60_000

/** The stamps of a seal that hold over its root; those of renewals are added by {@link examineRenewals}. */
export function rootStamps(files: ReadonlyMap<string, Uint8Array>, root: Uint8Array): SealStamp[] {
  return [...files].flatMap(([file, bytes]): SealStamp[] => {
    if (!tokenFile.test(file)) return []
    const outcome = verifyTimestamp(bytes, { digest: root, known: pemOrNone(files.get(caFileOf(file))), form: 'response' })
    const facts = outcome.status === 'passed' ? outcome.facts : outcome.weak
    return facts === undefined ? [] : [stampOf(file, facts, [], outcome.status !== 'passed')]
  })
}

function stampOf(file: string, facts: TimestampFacts, covers: string[], weak: boolean): SealStamp {
  const { authority, gen_time, valid_until, root_sha256, root_name } = facts
  return { file, authority, at: new Date(gen_time), until: new Date(valid_until), covers, weak, root_sha256, root_name }
}

/**
 * Every renewal of a seal, by number. It holds when the files that it names have those digests, the log commits to their list, and a
 * time stamp is over that checkpoint; it counts when it was stamped before the end of something that it renews (RFC 4998 §5.2).
 * @param files of the package, by path. Whose log it is does not matter: the stamp dates
 * its checkpoint, and that commits to the list.
 */
export function examineRenewals(
  files: ReadonlyMap<string, Uint8Array>,
  root: Uint8Array,
  now: Date,
): { readonly renewals: readonly ExaminedRenewal[]; readonly stamps: readonly SealStamp[] } {
  const stamps = rootStamps(files, root)
  const numbers = [...new Set([...files.keys()].flatMap((path) => renewalOfPath(path) ?? []))].toSorted((a, b) => a - b)
  // A file that many renewals name is hashed once.
  const digests = new Map<string, string>()
  const digestOf = (path: string): string | undefined => {
    const bytes = files.get(path)
    const digest = digests.get(path) ?? (bytes === undefined ? undefined : toHex(sha256(bytes)))
    if (digest !== undefined) digests.set(path, digest)
    return digest
  }
  const renewals = numbers.map((number, i): ExaminedRenewal => {
    const examined = number === i + 1 ? examine(number, { files, root, digestOf, now }, stamps) : fail('renewal_number')
    if (examined.stamp !== null) stamps.push(examined.stamp)
    return { number, files: 0, ...examined }
  })
  return { renewals, stamps }
}

type Examined = Pick<ExaminedRenewal, 'stamp' | 'flaw'> & { readonly files?: number }

const fail = (reason: RenewalReason, path?: string): Examined => ({
  stamp: null,
  flaw: { status: 'failed', reason, ...(path === undefined ? {} : { path }) },
})
const doubt = (reason: RenewalReason, more: Partial<Examined> = {}): Examined => ({
  stamp: null,
  flaw: { status: 'indeterminate', reason },
  ...more,
})

function examine(
  number: number,
  seal: {
    readonly files: ReadonlyMap<string, Uint8Array>
    readonly root: Uint8Array
    readonly digestOf: (path: string) => string | undefined
    readonly now: Date
  },
  before: readonly SealStamp[],
): Examined {
  const { files, root, digestOf, now } = seal
  const paths = renewalPaths(number)
  const [bytes, proof, token, chain] = [paths.record, paths.proof, paths.token, paths.chain].map((path) => files.get(path))
  if (bytes === undefined || proof === undefined || token === undefined || chain === undefined) return fail('renewal_incomplete')
  const record = recordOf(bytes)
  if (record === undefined) return fail('malformed')
  if (record.number !== number) return fail('renewal_number')
  if (!isRoot(record, root)) return fail('renewal_other_root')
  for (const { path, sha256: stated } of record.files) {
    if (digestOf(path) !== stated || isLater(path, number)) return fail('renewal_differs', path)
  }
  const log = examineLogProof({ proof, root: sha256(bytes) }, { keys: undefined, now })
  if (log.checks.some(({ status }) => status === 'failed')) return fail('renewal_log')

  const outcome = verifyTimestamp(token, { digest: sha256(noteOf(proof)), known: pemOrNone(chain), form: 'response' })
  const facts = outcome.status === 'passed' ? outcome.facts : outcome.weak
  if (facts === undefined)
    return outcome.status === 'indeterminate' && outcome.reason === 'chain' ? doubt('chain') : fail('renewal_token')
  const named = new Set(record.files.map(({ path }) => path))
  const renewed = before.filter(({ file }) => named.has(file))
  if (renewed.length === 0) return fail('renewal_nothing')
  const stamp = stampOf(
    paths.token,
    facts,
    renewed.map(({ file }) => file),
    outcome.status !== 'passed',
  )
  if (renewed.some(({ at }) => at.getTime() > stamp.at.getTime() + clockTolerance)) return fail('renewal_order')
  const more = { stamp, files: record.files.length }
  if (stamp.weak) return doubt('weak_algorithm', more)
  if (renewed.every(({ until }) => until < stamp.at)) return doubt('renewal_late', more)
  return { ...more, flaw: null }
}

function recordOf(bytes: Uint8Array) {
  try {
    return readRenewal(bytes)
  } catch (error) {
    if (error instanceof MalformedError) return undefined
    throw error
  }
}

/** A renewal renews what was before it. */
function isLater(path: string, number: number): boolean {
  return (renewalOfPath(path) ?? 0) >= number
}

/** The checkpoint of a tlog-proof, verbatim: what stands after the first empty line. */
export function noteOf(proof: Uint8Array): Uint8Array {
  const end = proof.findIndex((octet, i) => octet === 0x0a && proof[i + 1] === 0x0a)
  return end < 0 ? new Uint8Array() : proof.subarray(end + 2)
}

/**
 * Until when each stamp is carried: its own end, or that of the furthest stamp that covered it, or its cover, while that was in force.
 * @param stamps as {@link examineRenewals} answers them: what renews comes after what it renews
 */
export function endsOfStamps(stamps: readonly SealStamp[]): ReadonlyMap<string, Date> {
  const ends = new Map<string, Date>()
  for (const [i, stamp] of [...stamps.entries()].toReversed()) {
    const carried = stamps
      .slice(i + 1)
      .filter(({ covers, at }) => covers.includes(stamp.file) && at <= stamp.until)
      .map(({ file, until }) => (ends.get(file) ?? until).getTime())
    ends.set(stamp.file, new Date(Math.max(stamp.until.getTime(), ...carried)))
  }
  return ends
}
