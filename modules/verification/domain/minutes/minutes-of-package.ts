import { describeCheck, describeQualified, nameOfAuthority, visible } from '../describe/describe-check.ts'
import type { Words } from '../describe/describe-check.ts'
import { byGravity } from '../describe/describe-proof.ts'
import type { MinutesBlock } from './minutes-html.ts'
import type { Check, VerificationReport } from '../report/package-report.ts'
import type { CheckStatus } from '../report/verdict.ts'

type Row = readonly [name: string, value: string]

/** Of what does not hold, this many of each check are said in full; what passed is said by its name. */
const mostOfOne = 1
const mostPieces = 6
const mostStamps = 4
const longestAddress = 400

/** What a package is evidence of, when, at whose word, and the result of its checks: what one printed page has room for. */
export function packageBlocks(report: VerificationReport, words: Words): MinutesBlock[] {
  return [...(report.unusable ? [] : ([{ tag: 'dl', rows: rowsOf(report, words) }] as const)), ...checkBlocks(report, words)]
}

/** The address and the moment of a package that is one of several things verified together. */
export function captureRows({ subject }: VerificationReport, words: Words): Row[] {
  if (subject === null) return []
  const { requested_url: asked, final_url: shown, started_at, finished_at } = subject
  const name = (id: string): string => words.format(`verification.ui.${id}`, {})
  return [
    ...(asked === shown ? [] : ([[name('requested'), address(asked)]] as const)),
    [name('final'), address(shown)],
    [words.format('verification.minutes.captured', {}), `${words.instant(started_at)} – ${words.instant(finished_at)}`],
  ]
}

const address = (url: string): string => visible(url).slice(0, longestAddress)

function rowsOf(report: VerificationReport, words: Words): Row[] {
  const { subject, root, seal } = report
  const name = (id: string): string => words.format(`verification.ui.${id}`, {})
  const own = (id: string): string => words.format(`verification.minutes.${id}`, {})
  const stamps = seal?.timestamps.slice(0, mostStamps) ?? []
  return [
    ...captureRows(report, words),
    ...(subject === null
      ? []
      : ([
          [own('asked_by'), own('asked_by.unnamed')],
          [name('evidence'), `${visible(subject.evidence_id)} (${visible(subject.software)})`],
        ] as const)),
    ...(root === null ? [] : ([[name('root'), root]] as const)),
    ...(seal?.signer == null
      ? []
      : ([
          [
            name('signer'),
            `${nameOfAuthority(seal.signer.name, words)}${seal.signed_at === null ? '' : ` – ${words.instant(seal.signed_at)}`}`,
          ],
        ] as const)),
    ...stamps.map(({ gen_time, authority, embedded }): Row => {
      const kind = words.format(`verification.${embedded ? 'embedded_authority' : 'outside_authority'}`, {})
      return [name('stamped'), `${words.instant(gen_time)} – ${nameOfAuthority(authority, words)} (${kind})`]
    }),
    [own('qualified'), describeQualified(report, words)],
    [own('anchor'), anchorSaid(report, words)],
    [own('log'), sentenceOf(report.checks.find(({ id }) => id === 'log_inclusion') ?? null, words) ?? own('log.none')],
  ]
}

/** The gravest that is said of the anchor, or that there is none; one of a test network says so itself. */
export function anchorSaid({ checks }: VerificationReport, words: Words): string {
  const [gravest] = byGravity(checks.filter(({ id }) => id === 'anchor'))
  return sentenceOf(gravest ?? null, words) ?? words.format('verification.minutes.anchor.none', {})
}

function sentenceOf(check: Check | null, words: Words): string | null {
  return check === null ? null : describeCheck(check, words).sentence
}

function checkBlocks({ checks }: VerificationReport, words: Words): MinutesBlock[] {
  const of = (status: CheckStatus): Check[] => checks.filter((check) => check.status === status)
  const [passed, failed, indeterminate] = [of('passed'), of('failed'), of('indeterminate')]
  const counts = { passed: passed.length, failed: failed.length, indeterminate: indeterminate.length }
  const lines = wrongLines([...failed, ...indeterminate], words)
  const titles = [...new Set(passed.map((check) => describeCheck(check, words).title))]
  return [
    {
      tag: 'h3',
      text: `${words.format('verification.minutes.checks', {})} – ${words.format('verification.minutes.count', counts)}`,
    },
    ...(lines.length === 0 ? [] : ([{ tag: 'ul', lines }] as const)),
    ...(titles.length === 0
      ? []
      : ([{ tag: 'p', text: words.format('verification.minutes.passed', { titles: titles.join(' · ') }) }] as const)),
  ]
}

/** In full, so many of each check; how many more of it there are is said with its last. Pieces each have a name: they go first. */
function wrongLines(wrong: readonly Check[], words: Words): string[] {
  const groups = new Map<string, Check[]>()
  for (const check of wrong.toSorted((a, b) => Number(b.id === 'piece') - Number(a.id === 'piece'))) {
    const key = `${check.id} ${check.status}`
    groups.set(key, [...(groups.get(key) ?? []), check])
  }
  return [...groups.values()].flatMap((group) => {
    const said = group.slice(0, group[0]?.id === 'piece' ? mostPieces : mostOfOne)
    return said.map((check, i) => {
      const { title, sentence } = describeCheck(check, words)
      const more = i === said.length - 1 ? group.length - said.length : 0
      const line = `${title} (${words.format(`verification.status.${check.status}`, {})}) – ${sentence}`
      return more === 0 ? line : `${line} ${words.format('verification.minutes.more_of_it', { count: more })}`
    })
  })
}
