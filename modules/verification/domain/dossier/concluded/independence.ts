import type { DossierItem } from '../dropped/item.ts'
import type { ProvenDate, Reliance } from '../../report/proof-report.ts'
import type { VerificationReport } from '../../report/package-report.ts'

/** Those who could be gone tomorrow, or could have lied; a value that the reader gave himself is not one of them. */
export const parties = ['platform', 'time_authority', 'bitcoin_source', 'log'] as const
export type Party = (typeof parties)[number]

const partyOf: Readonly<Partial<Record<Reliance, Party>>> = {
  platform: 'platform',
  time_authority: 'time_authority',
  certificate_authority: 'time_authority',
  bitcoin: 'bitcoin_source',
  header_source: 'bitcoin_source',
  log: 'log',
}

export type Scenario = {
  readonly party: Party
  /** Whose word it is, where it has a name: of several time authorities each one alone. */
  readonly name: string | null
  /** The dates that fall when it lied; those that stand. When it is merely gone all stand: what proves is in the files. */
  readonly falls: readonly ProvenDate[]
  readonly stands: readonly ProvenDate[]
}

/** What still stands when one of those relied upon lied. Each scenario is of one alone; of none that nothing rests on. */
export function independence(dates: readonly ProvenDate[]): Scenario[] {
  const scenarios: Scenario[] = []
  for (const party of parties) {
    const relying = dates.filter(({ rests_on }) => rests_on.some((each) => partyOf[each] === party))
    const names = party === 'time_authority' ? [...new Set(relying.map(({ by }) => by))] : [null]
    if (relying.length === 0) continue
    for (const name of names) {
      const falls = name === null ? relying : relying.filter(({ by }) => by === name)
      scenarios.push({ party, name, falls, stands: dates.filter((date) => !falls.includes(date)) })
    }
  }
  return scenarios
}

/** The earliest of several; what existed then existed ever after. */
export function earliest(dates: readonly ProvenDate[]): ProvenDate | undefined {
  return dates.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))[0]
}

/** Dates of a package as those of other proofs: the embedded authority is the platform's own word (decision 0054). */
export function datesOfPackage(report: VerificationReport): ProvenDate[] {
  const { seal } = report
  if (seal === null || report.verdict === 'TOTAL-FAILED') return []
  const qualified = new Set(
    report.checks.flatMap(({ id, status, subject }) => (id === 'qualified' && status === 'passed' ? [subject] : [])),
  )
  // An authority of which there is no conclusion dates nothing.
  const doubted = new Set(
    report.checks.flatMap(({ id, status, data }) => (id === 'time_trust' && status !== 'passed' ? [data['sha256']] : [])),
  )
  const stamps = seal.timestamps.filter(({ root_sha256 }) => !doubted.has(root_sha256))
  // By its own policy, or under the platform's own root: it is the platform either way.
  const isOwn = ({ embedded, root_sha256 }: (typeof stamps)[number]): boolean =>
    embedded || root_sha256 === seal.platform_authority_sha256
  const dates: ProvenDate[] = stamps.map((stamp) => ({
    kind: 'timestamp',
    at: stamp.gen_time,
    by: stamp.authority,
    rests_on: isOwn(stamp) ? ['platform'] : qualified.has(stamp.file) ? ['time_authority', 'trusted_list'] : ['time_authority'],
    ...(qualified.has(stamp.file) ? { qualified: true } : {}),
  }))
  dates.push(...anchorDates(report))
  if (seal.signed_at !== null && seal.signer !== null)
    dates.push({ kind: 'signature', at: seal.signed_at, by: seal.signer.name, rests_on: ['platform'] })
  return dates
}

/** On whose word a block is that of its height; on that of explorers otherwise. */
const headerWord = {
  given: ['given'],
  several: ['given'],
  checkpoint: [],
  package: ['platform'],
  node: ['platform'],
} as const satisfies Record<string, readonly Reliance[]>

function isReliance<T extends object>(words: T, origin: unknown): origin is keyof T {
  return typeof origin === 'string' && Object.hasOwn(words, origin)
}

/** Of each block that the root leads into: the proof of OpenTimestamps and that of Chainpoint name the same one. */
function anchorDates({ checks }: VerificationReport): ProvenDate[] {
  const blocks = new Map<string, ProvenDate>()
  for (const { id, status, data } of checks) {
    const { at, height, origin } = data
    if (id !== 'anchor' || status !== 'passed' || typeof at !== 'string') continue
    const source = isReliance(headerWord, origin) ? headerWord[origin] : (['header_source'] as const)
    blocks.set(String(height), { kind: 'bitcoin', at, by: `Bitcoin #${height}`, rests_on: ['bitcoin', ...source] })
  }
  return [...blocks.values()]
}

/** Dates that an item proves, of whatever form. */
export function datesOfItem({ result }: Pick<DossierItem, 'result'>): readonly ProvenDate[] {
  if (result.form === 'package') return datesOfPackage(result.report)
  return result.form === 'proof' ? result.report.dates : []
}
