import {
  type Check,
  type Dossier,
  type DossierItem,
  type ProofReport,
  type VerificationReport,
  type Words,
  answerLines,
  byGravity,
  datesOfItem,
  type ConclusionSaid,
  describeCheck,
  describeDossier as describeConclusion,
  describeFact,
  describeItem,
  describeProofCheck,
  describeQualified,
  describeScenario,
  independence,
  nameOf,
  nameOfAuthority,
  reliancesSaid,
  unlinkedLine,
  visible,
  whatDatesProve,
} from '../../modules/verification/server/index.ts'

/** Everything that was given together, as lines: each item, what is linked to what, what rests on whom, the conclusion last. */
export function describeDossier(dossier: Dossier, words: Words): string {
  const { items } = dossier
  const alone = items.length === 1 && dossier.many === null
  const lines = items.flatMap((item) => [
    `== ${nameOf(item, words)} – ${words.format(`verification.kind.${item.kind}`, {})}`,
    ...itemLines(item, words),
    ...(alone || !('report' in item.result) ? [] : conclusionLines(describeItem(item, words), words)),
    '',
  ])
  lines.push(...linkLines(dossier, words), ...(dossier.many === null ? independenceLines(dossier, words) : []))
  lines.push(...fileLines(dossier, words))
  lines.push(...conclusionLines(describeConclusion(dossier, words), words))
  return `${lines.join('\n')}\n`
}

/** With what each language has before a colon. */
const named = (name: string, value: string, words: Words): string => words.format('verification.cli.named', { name, value })

/** The one verdict, in its two parts. */
function conclusionLines({ title, intact, files, missing, word, detail }: ConclusionSaid, words: Words): string[] {
  return [
    title,
    [intact, files].filter((each) => each !== '').join(' '),
    ...missing.map((each) => `  - ${each}`),
    ...(word.length === 0 ? [] : [words.format('verification.conclusion.word', {}), ...word.map((each) => `  - ${each}`)]),
    ...(detail === '' ? [] : [detail]),
  ]
}

function itemLines(item: DossierItem, words: Words): string[] {
  const { result } = item
  if (result.form === 'package') return packageLines(result.report, words)
  if (result.form === 'proof') return proofLines(result.report, words)
  const digests = item.bound.map(({ algorithm, hex }) => named(algorithm, hex, words))
  if (result.form === 'document') return [...digests, words.format('verification.dossier.document', {})]
  if (result.form === 'keys') return [words.format('verification.dossier.keys', { count: result.count })]
  if (result.form === 'unreadable') return [words.format(`verification.dossier.unreadable.${result.reason}`, {})]
  return [words.format('verification.dossier.certificates', { count: result.names.length }), ...result.names.map(visible)]
}

function proofLines(report: ProofReport, words: Words): string[] {
  const width = markWidth(words)
  const proves = report.verdict === null ? '' : whatDatesProve(report.dates, words)
  const facts = report.facts.map((fact) => describeFact(report.kind, fact, words))
  return [
    ...facts.map(({ name, value }) => named(name, value, words)),
    ...byGravity(report.checks).flatMap((check) =>
      checkLines(check, describeProofCheck(report.kind, check, words), words, width),
    ),
    ...(proves === '' ? [] : [proves]),
    ...reliancesSaid(report, words),
  ]
}

/** What all proofs of a file prove together. */
function fileLines(dossier: Dossier, words: Words): string[] {
  const { count, lines } = answerLines(dossier, dossier.answers.length, words)
  if (lines.length === 0 && count === '') return []
  const said = lines.flatMap(({ word, sentence, proofs }) => [
    `[${word}] ${sentence}`,
    ...(proofs === '' ? [] : [`    ${proofs}`]),
  ])
  return [words.format('verification.dossier.answers', {}), ...said, ...(count === '' ? [] : [count]), '']
}

function linkLines({ items, links }: Dossier, words: Words): string[] {
  const nameAt = (i: number): string => {
    const item = items[i]
    return item === undefined ? '' : nameOf(item, words)
  }
  const lines = [
    ...links.map(({ relation, from, to }) =>
      words.format(`verification.dossier.link.${relation}`, { from: nameAt(from), to: nameAt(to) }),
    ),
    ...unlinkedLine({ items, links }, words),
  ]
  return lines.length === 0 ? [] : [...lines, '']
}

function independenceLines({ items }: Dossier, words: Words): string[] {
  const scenarios = independence(items.flatMap(datesOfItem))
  if (scenarios.length === 0) return []
  return [
    words.format('verification.independence.title', {}),
    ...scenarios.map((scenario) => {
      const { who, lied } = describeScenario(scenario, words)
      return `  ${named(who, lied, words)}`
    }),
    '',
  ]
}

function markWidth(words: Words): number {
  const marks = (['passed', 'failed', 'indeterminate'] as const).map((status) =>
    words.format(`verification.status.${status}`, {}),
  )
  return Math.max(...marks.map((mark) => mark.length))
}

function packageLines(report: VerificationReport, words: Words): string[] {
  const lines: string[] = []
  const width = markWidth(words)
  const subject = report.subject
  if (subject !== null) {
    lines.push(named(words.format('verification.cli.subject', {}), visible(subject.requested_url), words))
    lines.push(named(words.format('verification.cli.captured', {}), words.instant(subject.started_at), words))
  }
  if (report.root !== null) lines.push(named(words.format('verification.cli.root', {}), report.root, words))
  if (lines.length > 0) lines.push('')
  for (const check of byGravity(report.checks)) lines.push(...checkLines(check, describeCheck(check, words), words, width))
  const withheld = report.pieces.filter(({ state }) => state === 'withheld').length
  if (report.short) lines.push(words.format('verification.summary.short', { withheld }))
  if (report.seal !== null && report.seal.timestamps.length > 0) lines.push(describeQualified(report, words))
  lines.push(...stampLines(report, words))
  return lines
}

/** Until when each time stamp over the root speaks for itself. */
function stampLines({ seal, verified_at }: VerificationReport, words: Words): string[] {
  return (seal?.timestamps ?? []).map(({ file, authority, gen_time, valid_until }) =>
    words.format('verification.cli.stamp', {
      file,
      authority: nameOfAuthority(authority, words),
      at: words.instant(gen_time),
      until: words.instant(valid_until),
      ended: valid_until <= verified_at ? 'yes' : 'no',
    }),
  )
}

function checkLines(
  check: Pick<Check, 'status' | 'repeat_command'>,
  { title, sentence, about = '' }: { readonly title: string; readonly sentence: string; readonly about?: string },
  words: Words,
  width: number,
): string[] {
  const mark = words.format(`verification.status.${check.status}`, {}).padEnd(width)
  const lines = [`[${mark}] ${title}${about === '' ? '' : ` (${about})`}`, `${' '.repeat(width + 3)}${sentence}`]
  if (check.status !== 'passed' && check.repeat_command !== undefined) {
    lines.push(`${' '.repeat(width + 3)}${words.format('verification.cli.repeat', { command: check.repeat_command })}`)
  }
  return lines
}
