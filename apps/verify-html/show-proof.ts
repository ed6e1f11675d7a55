import { nameOfAuthority, visible } from '../../modules/verification/domain/describe/describe-check.ts'
import {
  algorithmName,
  byGravity,
  describeFact,
  describeProofCheck,
  describeReliance,
  describeStep,
  whatDatesProve,
} from '../../modules/verification/domain/describe/describe-proof.ts'
import type { ConclusionSaid } from '../../modules/verification/domain/describe/describe-conclusion.ts'
import type { Bound, ProofCheck, ProofReport, ProvenDate } from '../../modules/verification/domain/report/proof-report.ts'
import type { CheckStatus } from '../../modules/verification/domain/report/verdict.ts'
import { type Child, el } from './element.ts'
import type { PageWords } from './words.ts'

const toneOf = { green: 'good', amber: 'caution', red: 'bad', grey: '' } as const
export const toneOfCheck = { passed: 'good', failed: 'bad', indeterminate: 'caution' } as const
const mostChecks = 500
const mostSteps = 40
const mostDigests = 12

/** The one verdict in its two parts: what is intact and proven, what is missing, and on whose word. */
export function conclusionView(said: ConclusionSaid, words: PageWords, ...more: readonly Child[]): HTMLElement {
  const list = (lines: readonly string[]): Child =>
    lines.length === 0 ? null : el('ul', {}, ...lines.map((line) => el('li', {}, line)))
  return el(
    'section',
    { class: `verdict ${toneOf[said.colour]}`, 'data-colour': said.colour },
    el('h2', {}, said.title),
    el('p', {}, [said.intact, said.files].join(' ')),
    list(said.missing),
    ...more,
    ...(said.word.length === 0 ? [] : [el('h3', {}, words.format('verification.conclusion.word', {})), list(said.word)]),
    said.detail === '' ? null : el('p', { class: 'soft code' }, said.detail),
  )
}

/** One proof: what it proves, then everything that was checked. */
export function showProof(report: ProofReport, bound: readonly Bound[], words: PageWords): Node[] {
  const facts = report.facts.map((fact) => describeFact(report.kind, fact, words))
  return [
    ...(report.verdict === null
      ? []
      : [el('p', { 'data-kind': report.kind }, el('strong', {}, whatDatesProve(report.dates, words)))]),
    ...datesTable(report.dates, words),
    card(
      words.ui('checks'),
      ...foldedChecks(byGravity(report.checks).slice(0, mostChecks), (check) => checkView(report.kind, check, words), words),
    ),
    ...(facts.length === 0
      ? []
      : [
          card(words.ui('facts'), el('dl', {}, ...facts.flatMap(({ name, value }) => [el('dt', {}, name), el('dd', {}, value)]))),
        ]),
    ...showDigests(bound, words),
  ]
}

export function showDigests(bound: readonly Bound[], words: PageWords): Node[] {
  const shown = bound.filter(({ of }) => of !== 'entry').slice(0, mostDigests)
  if (shown.length === 0) return []
  const rows = shown.flatMap(({ algorithm, hex, of }) => [
    el('dt', {}, `${words.ui(`of_${of}`)}, ${algorithmName(algorithm)}`),
    el('dd', {}, el('code', {}, hex)),
  ])
  return [card(words.ui('digests'), el('dl', {}, ...rows))]
}

export function datesTable(dates: readonly ProvenDate[], words: PageWords): Node[] {
  if (dates.length === 0) return []
  const rows = dates
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .flatMap((date) => [
      el('dt', {}, words.format(`verification.proof.date.${date.kind}`, {})),
      el(
        'dd',
        {},
        words.instant(date.at),
        ' – ',
        nameOfAuthority(date.by, words),
        date.qualified === true ? ` (${words.format('verification.proof.date.qualified', {})})` : null,
        el('br', {}),
        el('span', { class: 'soft' }, describeReliance(date.rests_on, words).join(' ')),
      ),
    ])
  return [card(words.ui('dates'), el('dl', {}, ...rows))]
}

function checkView(kind: string, check: ProofCheck, words: PageWords): HTMLElement {
  const { title, sentence, about } = describeProofCheck(kind, check, words)
  const tone = toneOfCheck[check.status]
  const steps = check.steps ?? []
  const detail: Child[] = [
    about === '' ? null : el('p', {}, el('code', {}, about)),
    steps.length === 0
      ? null
      : el(
          'ol',
          {},
          ...steps
            .slice(0, mostSteps)
            .map(({ operation, input, input_bytes, output }) =>
              el(
                'li',
                {},
                `${describeStep(operation, words)}, ${words.format('verification.proof.step_in', { bytes: input_bytes })} `,
                el('code', {}, input_bytes * 2 > input.length ? `${input}…` : input),
                ' → ',
                el('code', {}, output),
              ),
            ),
        ),
    ...(check.repeat_command === undefined
      ? []
      : [el('p', {}, words.ui('repeat')), el('pre', { tabindex: '0' }, visible(check.repeat_command))]),
  ]
  return el(
    'li',
    { class: tone },
    el('h3', {}, title, ' ', el('span', { class: `tag ${tone}` }, words.format(`verification.status.${check.status}`, {}))),
    el('p', {}, sentence),
    detail.every((each) => each === null) ? null : el('details', {}, el('summary', {}, words.ui('technical')), ...detail),
  )
}

/** What did not pass is read first, and in full; the rest is one line until it is asked for. */
export function foldedChecks<Each extends { readonly status: CheckStatus }>(
  checks: readonly Each[],
  view: (check: Each) => HTMLElement,
  words: PageWords,
): Node[] {
  const list = (each: readonly Each[]): HTMLElement => el('ol', { class: 'check-list' }, ...each.map(view))
  const passed = checks.filter(({ status }) => status === 'passed')
  const open = checks.filter(({ status }) => status !== 'passed')
  return [
    ...(open.length === 0 ? [] : [list(open)]),
    ...(passed.length === 0
      ? []
      : [
          el(
            'details',
            {},
            el('summary', {}, words.format('verification.checks.passed', { count: passed.length })),
            list(passed),
          ),
        ]),
  ]
}

export function card(title: string, ...content: readonly Child[]): HTMLElement {
  return el('section', { class: 'card' }, el('h2', {}, title), ...content)
}
