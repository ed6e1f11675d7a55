import { sealRosette } from '../../kernel/seal-rosette.ts'
import { answerLines } from '../../modules/verification/domain/describe/describe-answers.ts'
import { visible } from '../../modules/verification/domain/describe/describe-check.ts'
import { describeDossier, describeItem } from '../../modules/verification/domain/describe/describe-conclusion.ts'
import { describeScenario } from '../../modules/verification/domain/describe/describe-proof.ts'
import type { Dossier } from '../../modules/verification/domain/dossier/dossier.ts'
import type { DossierItem } from '../../modules/verification/domain/dossier/dropped/item.ts'
import { datesOfItem, independence } from '../../modules/verification/domain/dossier/concluded/independence.ts'
import { minutesOf, nameOf, unlinkedLine } from '../../modules/verification/domain/minutes/minutes.ts'
import { type Child, el, svg } from './element.ts'
import { card, conclusionView, datesTable, showDigests, showProof, toneOfCheck } from './show-proof.ts'
import { faults, showReport } from './show-report.ts'
import type { PageWords } from './words.ts'

const mostLinks = 60
const mostNamed = 20
const mostFiles = 100

/** Everything that was given together: the one conclusion first; then what is linked to what, and each item. */
export function showDossier(dossier: Dossier, words: PageWords): [conclusion: Node, ...rest: Node[]] {
  const [only] = dossier.items
  const who = dossier.many === null ? independenceView(dossier, words) : []
  const alone = dossier.items.length === 1 && dossier.many === null && only !== undefined
  const names = dossier.items.slice(0, mostNamed).map((item) => el('li', {}, `${nameOf(item, words)} – ${stateOf(item, words)}`))
  const conclusion = conclusionView(
    describeDossier(dossier, words),
    words,
    ...(alone ? faultsOf(only, words) : [el('ul', {}, ...names)]),
  )
  conclusion.id = 'result'
  conclusion.tabIndex = -1
  if (alone) return [conclusion, ...who, ...itemView(only, words)]
  return [
    conclusion,
    ...files(dossier, words),
    ...links(dossier, words),
    ...who,
    ...dossier.items.map((item) =>
      el(
        'details',
        { class: 'item', ...(dossier.items.length <= 6 ? { open: '' } : {}), 'data-item': item.kind },
        el('summary', {}, `${nameOf(item, words)} – ${words.format(`verification.kind.${item.kind}`, {})}`),
        ...('report' in item.result ? [conclusionView(describeItem(item, words), words, ...faultsOf(item, words))] : []),
        ...itemView(item, words),
      ),
    ),
  ]
}

function faultsOf({ result }: DossierItem, words: PageWords): Child[] {
  return result.form === 'package' ? faults(result.report, words) : []
}

function stateOf(item: DossierItem, words: PageWords): string {
  if ('report' in item.result) return describeItem(item, words).title
  if (item.result.form === 'document') return words.format('verification.dossier.document_in_a_word', {})
  return sentenceOf(item, words)
}

function sentenceOf({ result }: DossierItem, words: PageWords): string {
  if (result.form === 'certificates') return words.format('verification.dossier.certificates', { count: result.names.length })
  if (result.form === 'keys') return words.format('verification.dossier.keys', { count: result.count })
  if (result.form === 'unreadable') return words.format(`verification.dossier.unreadable.${result.reason}`, {})
  return words.format('verification.dossier.document', {})
}

function itemView(item: DossierItem, words: PageWords): Node[] {
  const { result } = item
  if (result.form === 'package') return showReport(result.report, words)
  if (result.form === 'proof') return showProof(result.report, item.bound, words)
  const names = result.form === 'certificates' ? result.names.slice(0, 50) : []
  return [
    el('p', {}, sentenceOf(item, words)),
    ...(names.length === 0 ? [] : [el('ul', {}, ...names.map((name) => el('li', {}, visible(name))))]),
    ...showDigests(item.bound, words),
  ]
}

/** File by file, what its proofs prove together: those that fail first. */
function files(dossier: Dossier, words: PageWords): Node[] {
  const { count, lines, more } = answerLines(dossier, mostFiles, words)
  if (lines.length === 0 && count === '') return []
  return [
    card(
      words.format('verification.dossier.answers', {}),
      count === '' ? null : el('p', {}, count),
      el(
        'ul',
        { class: 'files' },
        ...lines.map(({ verdict, state, word, sentence, proofs }) =>
          el(
            'li',
            { class: toneOfCheck[state], 'data-answer': verdict },
            el('span', { class: 'code' }, word),
            ` ${sentence}`,
            proofs === '' ? null : el('div', { class: 'soft' }, proofs),
          ),
        ),
      ),
      more === '' ? null : el('p', {}, more),
    ),
  ]
}

function links(dossier: Dossier, words: PageWords): Node[] {
  const nameAt = (i: number): string => {
    const item = dossier.items[i]
    return item === undefined ? '' : nameOf(item, words)
  }
  const lines = [
    ...dossier.links.map((link) =>
      words.format(`verification.dossier.link.${link.relation}`, { from: nameAt(link.from), to: nameAt(link.to) }),
    ),
    ...unlinkedLine(dossier, words),
  ]
  if (lines.length === 0) return []
  return [
    card(
      words.format('verification.minutes.links', {}),
      el('ul', {}, ...lines.slice(0, mostLinks).map((line) => el('li', {}, line))),
    ),
  ]
}

function independenceView(dossier: Dossier, words: PageWords): Node[] {
  const dates = dossier.items.flatMap(datesOfItem)
  if (dates.length === 0) return []
  const scenarios = independence(dates)
  const said = (question: string, answer: string): HTMLElement =>
    el('div', {}, el('span', { class: 'soft' }, words.format(`verification.independence.${question}`, {})), ' – ', answer)
  const rows = scenarios.flatMap((scenario) => {
    const { who, gone, lied } = describeScenario(scenario, words)
    return [el('dt', {}, who), el('dd', {}, said('if_gone', gone), said('if_lied', lied))]
  })
  const packages = dossier.items.filter(({ result }) => result.form === 'package')
  return [
    ...packages.flatMap((item) => datesTable(datesOfItem(item), words)),
    card(
      words.format('verification.independence.title', {}),
      el('p', { class: 'soft' }, words.format('verification.independence.lead', {})),
      scenarios.length === 0 ? el('p', {}, words.format('verification.independence.none', {})) : el('dl', {}, ...rows),
    ),
  ]
}

/** What the printer gets instead of the screen: one page that states the result, for a file. */
export function showDossierMinutes(dossier: Dossier, words: PageWords, version: string): HTMLElement {
  const [only] = dossier.items
  const root = dossier.items.length === 1 && only?.result.form === 'package' ? only.result.report.root : null
  const blocks = minutesOf(dossier, words, version).map((block) => {
    if (block.tag === 'dl')
      return el('dl', {}, ...block.rows.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]))
    if (block.tag === 'ul') return el('ul', { class: 'lines' }, ...block.lines.map((line) => el('li', {}, line)))
    if (block.tag === 'strong' || block.tag === 'code') return el('p', {}, el(block.tag, {}, block.text))
    return el(block.tag, {}, block.text)
  })
  const drawn = root === null ? [] : [svg(sealRosette(root, { size: 80, title: root.slice(0, 16) }))]
  return el('section', { class: 'minutes', 'aria-hidden': 'true' }, ...drawn, ...blocks)
}
