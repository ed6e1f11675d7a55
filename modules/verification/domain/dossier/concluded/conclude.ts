import type { FileAnswer } from '../linked/answer-files.ts'
import { isCompanion, isPlain } from '../dropped/companions.ts'
import type { DossierItem } from '../dropped/item.ts'
import { placeOf } from '../dropped/open-containers.ts'
import { spokenOf } from '../linked/partners.ts'
import { reliancesOf } from '../../report/proof-report.ts'
import type { ProofCheck, ProofKind, ProofReport, Reliance } from '../../report/proof-report.ts'
import { weighs } from '../../report/verdict.ts'
import type { Check, VerificationReport } from '../../report/package-report.ts'
import type { Verdict } from '../../report/verdict.ts'

/**
 * What keeps something from being green, each named. `unproven`: a file that no proof here is about. `unread`: one that was not read as a
 * whole. `left_out`: files that were not looked at. `unevaluated`: a part of a proof that is there and was not evaluated. `signer`,
 * `dater`: somebody whom nobody here vouches for. `header`: of a Bitcoin block. `promise`: of calendars, not kept yet. `content`: what a
 * proof is about is not here. `check`: any other that came to no conclusion.
 */
export const missingKinds = [
  'unproven',
  'unread',
  'left_out',
  'unevaluated',
  'signer',
  'dater',
  'header',
  'promise',
  'content',
  'check',
] as const

export type Missing = {
  readonly what: (typeof missingKinds)[number]
  /** Name of the item; empty of what was typed, and of all together. */
  readonly item: string
  /** The check that says so, by the kind of its report. */
  readonly check?: { readonly kind: ProofKind | 'package'; readonly id: string; readonly subject: string }
  /** Of a signer or an authority: what to compare. */
  readonly name?: string
  readonly sha256?: string
  readonly count?: number
}

/** Somebody on whose word it is, and why the verifier believes him; `unknown`: for no reason. */
export type Signer = {
  readonly role: 'signs' | 'dates'
  readonly name: string
  /** Of his authority's certificate; empty where a key has no such fingerprint. */
  readonly sha256: string
  readonly basis: 'given' | 'compared' | 'published' | 'trusted_list' | 'unknown'
}

/** The one verdict of whatever was given, in two parts. Every surface shows this value and no other. */
export type Conclusion = {
  /** First part: whether it is intact. */
  readonly finding: 'intact' | 'contradicted' | 'not_a_proof'
  /** And what is proven: files that were given, proofs themselves apart, and how many of them a proof is about. */
  readonly files: { readonly given: number; readonly covered: number }
  /** Second part: on whose word. `nobody`: on mathematics alone. */
  readonly word: {
    readonly basis: 'nobody' | 'believed' | 'unknown'
    readonly signers: readonly Signer[]
    readonly rests_on: readonly Reliance[]
  }
  /** Empty exactly when nothing is missing; at most {@link mostMissing}, and how many there are. */
  readonly missing: readonly Missing[]
  readonly missing_count: number
  /** Fingerprints that the reader gave, when nobody here has any of them: what was expected is contradicted. */
  readonly unmatched: readonly string[]
  readonly colour: 'green' | 'amber' | 'red' | 'grey'
  /** Of the command line: 0 green, 1 red, 2 amber, 3 grey. */
  readonly exit_code: 0 | 1 | 2 | 3
  /** The same in the words of EN 319 102-1 §5.1.3, which has none for what is no proof. */
  readonly verdict: Verdict | null
}

export const mostMissing = 100

/** What one thing, or several together, bring to the conclusion. */
export type Parts = {
  /** Things that are proofs, or hold some. */
  readonly proofs: number
  readonly contradicted: boolean
  readonly missing: readonly Missing[]
  readonly signers: readonly Signer[]
  readonly rests_on: readonly Reliance[]
  /** Every authority in it, by fingerprint: those that a reader may compare. */
  readonly authorities: readonly string[]
  /** Files by name, and whether a proof is about each. */
  readonly files: ReadonlyMap<string, boolean>
}

const outcomes = {
  green: { exit_code: 0, verdict: 'TOTAL-PASSED' },
  red: { exit_code: 1, verdict: 'TOTAL-FAILED' },
  amber: { exit_code: 2, verdict: 'INDETERMINATE' },
  grey: { exit_code: 3, verdict: null },
} as const

/** @param given fingerprints that the reader compared, and files that were not looked at */
export function conclude(
  parts: readonly Parts[],
  { fingerprints = [], left_out: leftOut = 0 }: { readonly fingerprints?: readonly string[]; readonly left_out?: number } = {},
): Conclusion {
  const isProof = parts.some(({ proofs }) => proofs > 0)
  const all = [
    // Where nothing is a proof, nothing proves any of them.
    ...parts.flatMap(({ missing }) => missing.filter(({ what }) => isProof || what !== 'unproven')),
    ...(leftOut > 0 ? [{ what: 'left_out', item: '', count: leftOut } as const] : []),
  ]
  const authorities = new Set(parts.flatMap((each) => each.authorities))
  // Of several that a reader holds one is enough; where nobody signs there is nothing to compare.
  const isAnother = authorities.size > 0 && !fingerprints.some((each) => authorities.has(each))
  const unmatched = isProof && isAnother ? fingerprints : []
  const isContradicted = unmatched.length > 0 || parts.some(({ contradicted }) => contradicted)
  const colour = !isProof ? 'grey' : isContradicted ? 'red' : all.length > 0 ? 'amber' : 'green'
  const files = byName(parts.flatMap((each) => [...each.files]))
  const signers = distinct(parts.flatMap((each) => each.signers))
  const restsOn = [...new Set(parts.flatMap((each) => each.rests_on))]
  return {
    finding: !isProof ? 'not_a_proof' : isContradicted ? 'contradicted' : 'intact',
    files: { given: files.size, covered: [...files.values()].filter(Boolean).length },
    word: {
      basis: signers.some(({ basis }) => basis === 'unknown')
        ? 'unknown'
        : signers.length + restsOn.length === 0
          ? 'nobody'
          : 'believed',
      signers,
      rests_on: restsOn,
    },
    missing: all.slice(0, mostMissing),
    missing_count: all.length,
    unmatched,
    colour,
    ...outcomes[colour],
  }
}

/** Of two with one name, the one that no proof is about is not hidden by the other. */
function byName(files: readonly (readonly [string, boolean])[]): Map<string, boolean> {
  const found = new Map<string, boolean>()
  for (const [name, isCovered] of files) found.set(name, isCovered && (found.get(name) ?? true))
  return found
}

function distinct(signers: readonly Signer[]): Signer[] {
  return [...new Map(signers.map((each) => [`${each.role} ${each.sha256 || each.name} ${each.basis}`, each])).values()]
}

/** Authorities whom nobody here vouches for and that have a fingerprint to compare; also while another one was typed. */
export function unknownAuthorities({ word, unmatched }: Pick<Conclusion, 'word' | 'unmatched'>): Signer[] {
  const found = word.signers.filter(({ basis, sha256 }) => sha256 !== '' && (basis === 'unknown' || unmatched.length > 0))
  return [...new Map(found.map((each) => [each.sha256, each])).values()].slice(0, 8)
}

/** Of a proof that was typed, or is told of alone. */
export function concludeProof(report: ProofReport): Conclusion {
  return conclude([partsOfReport('', report.kind, report)])
}

/** Of one item among others, by itself. */
export function concludeItem(item: DossierItem): Conclusion {
  return conclude([partsOfItem(item)])
}

const nothing: Parts = {
  proofs: 0,
  contradicted: false,
  missing: [],
  signers: [],
  rests_on: [],
  authorities: [],
  files: new Map(),
}

function partsOfItem({ name, result }: DossierItem): Parts {
  if (result.form === 'unreadable') return { ...nothing, missing: [{ what: 'unread', item: name }] }
  if (result.form !== 'package' && result.form !== 'proof') return nothing
  return partsOfReport(name, result.form === 'package' ? 'package' : result.report.kind, result.report)
}

/** Everything that was verified together: what each item brings, and the files that no proof is about. */
export function partsOf({
  items,
  answers,
}: {
  readonly items: readonly DossierItem[]
  readonly answers: readonly FileAnswer[]
}): Parts {
  const each = items.map(partsOfItem)
  // A promise that the chain is still to keep leaves nothing open of a file that is dated without it.
  const dated = new Set(
    answers.flatMap(({ verdict, proofs }) => (verdict === 'TOTAL-PASSED' ? proofs.map(({ name }) => name) : [])),
  )
  const files = filesOf(items)
  const isRead = ({ result }: DossierItem): boolean => result.form !== 'unreadable'
  const unproven = items.filter((item) => files.get(item.name) === false && isRead(item))
  return {
    proofs: sum(each.map(({ proofs }) => proofs)),
    contradicted: each.some(({ contradicted }) => contradicted),
    missing: [
      ...unproven.map(({ name }): Missing => ({ what: 'unproven', item: name })),
      ...each.flatMap(({ missing }) => missing.filter(({ what, item }) => what !== 'promise' || !dated.has(item))),
    ],
    signers: each.flatMap(({ signers }) => signers),
    rests_on: each.flatMap((one) => one.rests_on),
    authorities: each.flatMap(({ authorities }) => authorities),
    files,
  }
}

/** Files that nothing is about, where there are more than are told of one by one. */
export function unprovenParts(names: readonly string[]): Parts {
  return {
    ...nothing,
    missing: names.map((name) => ({ what: 'unproven', item: name })),
    files: new Map(names.map((name) => [name, false])),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

/** Holds what it is about: it is a file of somebody's as well as a proof. */
const holding: readonly string[] = ['package', 'pdf', 'asic', 'wacz']

/** Files by name, those that hold their own proof among them, and whether a proof is about each. What lies in one that is covered is. */
function filesOf(items: readonly DossierItem[]): Map<string, boolean> {
  const spoken = spokenOf(items)
  const covered = items.filter((item, i) => holds(item) || (spoken.has(i) && item.result.form === 'document'))
  const lies = ({ name }: DossierItem): boolean => covered.some((outer) => name.startsWith(`${outer.name}/`))
  return byName(
    items.flatMap((item, i): [string, boolean][] => {
      const isSpoken = spoken.has(i)
      if (item.result.form === 'unreadable') return [[item.name, false]]
      if (holds(item)) return [[item.name, true]]
      // What came with proofs is theirs, once it is known to be.
      if (lies(item) || (isSpoken && isCompanion(item.name)) || isBeside(item, items)) return []
      // An archive that was opened is what its entries are, unless a proof is about all of it.
      const isOpened = item.kind === 'archive' && items.some((other) => other.name.startsWith(`${item.name}/`))
      return isPlainFile(item) && !(isOpened && !isSpoken) ? [[item.name, isSpoken]] : []
    }),
  )
}

/** Is a file of somebody's as well as a proof. */
function holds({ kind, result }: DossierItem): boolean {
  return 'report' in result && result.report.verdict !== null && holding.includes(kind)
}

/** Proves nothing by itself: something else has to be about it. */
function isPlainFile({ result }: DossierItem): boolean {
  // Keys are compared with; certificates are not relied upon.
  if (result.form === 'keys') return result.count === 0
  return result.form === 'document' || result.form === 'certificates' || ('report' in result && result.report.verdict === null)
}

/** `README.txt` and certificates that came with proofs speak for themselves alone, and are asked nothing. */
function isBeside({ name }: DossierItem, items: readonly DossierItem[]): boolean {
  const place = placeOf(name)
  return isPlain(name) && items.some(({ name: other, result }) => result.form === 'proof' && placeOf(other) === place)
}

type AnyCheck = (Check | ProofCheck) & { readonly id: string }

function partsOfReport(item: string, kind: ProofKind | 'package', report: ProofReport | VerificationReport): Parts {
  if (report.verdict === null) return nothing
  const checks: readonly AnyCheck[] = report.checks
  const signers = checks.flatMap((check) => signerOf(kind, check) ?? [])
  const open = checks.filter((check) => check.status === 'indeterminate' && weighs(check))
  return {
    proofs: 1,
    contradicted: report.verdict === 'TOTAL-FAILED',
    missing: once(open.map((check) => missingOf(item, kind, check))),
    signers,
    rests_on: 'dates' in report ? reliancesOf(report) : [],
    authorities: signers.map(({ sha256 }) => sha256).filter((each) => each !== ''),
    files: new Map(holding.includes(kind) ? [[item, true]] : []),
  }
}

/** Each named once: of one proof several checks ask for the same header, or the same file. */
function once(missing: readonly Missing[]): Missing[] {
  const key = ({ what, sha256 = '', check }: Missing): string =>
    what === 'check' || what === 'unevaluated' ? `${what} ${check?.id} ${check?.subject}` : `${what} ${sha256}`
  return [...new Map(missing.map((each) => [key(each), each])).values()]
}

function missingOf(item: string, kind: ProofKind | 'package', check: AnyCheck): Missing {
  const what = kindOf(kind, check)
  const { name, authority, signer, origin, sha256 } = check.data
  const who = String(name ?? authority ?? signer ?? origin ?? '')
  return {
    what,
    item,
    check: { kind, id: check.id, subject: check.subject ?? '' },
    ...(what === 'signer' || what === 'dater' ? { name: who, sha256: String(sha256 ?? '') } : {}),
  }
}

const promises: readonly unknown[] = ['pending', 'anchor_pending', 'cal', 'tcal']
const withoutContent: readonly unknown[] = ['nothing_given', 'nothing_to_compare', 'no_content', 'detached']
const withoutHeader: readonly unknown[] = ['no_header', 'anchor_no_header']

function kindOf(kind: ProofKind | 'package', check: AnyCheck): Missing['what'] {
  const { reason } = check.data
  if (check.unevaluated === true || /not_(?:evaluated|checked_here)$/.test(String(reason))) return 'unevaluated'
  const role = roleOf(kind, check.id)
  if (role !== undefined) return role === 'signs' ? 'signer' : 'dater'
  if (promises.includes(reason)) return 'promise'
  if (withoutContent.includes(reason)) return 'content'
  return withoutHeader.includes(reason) ? 'header' : 'check'
}

/** The checks that say on whose word it is. */
function roleOf(kind: ProofKind | 'package', id: string): Signer['role'] | undefined {
  if (id === 'trust') return kind === 'timestamp' || kind === 'evidence_record' ? 'dates' : 'signs'
  if (id === 'time_trust') return 'dates'
  if (id === 'signer' || id === 'checkpoint_signature' || id === 'log_inclusion') return 'signs'
  return id === 'signer_trust' || id === 'published_signer' || id.startsWith('given_a') ? 'signs' : undefined
}

const bases: Readonly<Record<string, Signer['basis']>> = {
  pinned: 'given',
  given: 'given',
  compared: 'compared',
  published: 'published',
  trusted_list: 'trusted_list',
}

function signerOf(kind: ProofKind | 'package', check: AnyCheck): Signer | undefined {
  const role = roleOf(kind, check.id)
  const { by, basis, anchor, name, authority, signer, origin, sha256 = '' } = check.data
  if (role === undefined || check.status === 'failed' || (check.status === 'indeterminate' && !weighs(check))) return undefined
  const who = { role, name: String(name ?? authority ?? signer ?? origin ?? ''), sha256: String(sha256) }
  if (check.status === 'indeterminate') return { ...who, basis: 'unknown' }
  // What the platform dates itself is its own word, once.
  if (anchor === 'platform') return undefined
  const known = bases[String(by ?? basis ?? anchor ?? '')]
  if (known !== undefined) return { ...who, basis: known }
  if (check.id.startsWith('given_a')) return { ...who, basis: 'given' }
  return check.id === 'published_signer' ? { ...who, basis: 'published' } : undefined
}
