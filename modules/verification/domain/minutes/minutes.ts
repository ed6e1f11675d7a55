import { answerLines } from '../describe/describe-answers.ts'
import { describeCheck, nameOfAuthority, visible } from '../describe/describe-check.ts'
import type { Words } from '../describe/describe-check.ts'
import { describeDossier, describeItem } from '../describe/describe-conclusion.ts'
import type { ConclusionSaid } from '../describe/describe-conclusion.ts'
import { byGravity, describeProofCheck, describeReliance, reliancesSaid } from '../describe/describe-proof.ts'
import type { Dossier } from '../dossier/dossier.ts'
import type { DossierItem } from '../dossier/dropped/item.ts'
import { datesOfItem } from '../dossier/concluded/independence.ts'
import { unlinked } from '../dossier/linked/link-items.ts'
import type { MinutesBlock } from './minutes-html.ts'
import { captureRows, packageBlocks } from './minutes-of-package.ts'
import type { CheckStatus } from '../report/verdict.ts'

/** A page holds about this many lines of checks; the whole list is in the report. */
const mostChecks = 14
const mostDates = 6
const mostLinks = 8
const mostItems = 12
const mostAlone = 20
const mostFiles = 12

export function minutesOf(dossier: Dossier, words: Words, version: string): MinutesBlock[] {
  const names = dossier.items.map((item) => nameOf(item, words))
  const shown = dossier.items.slice(0, mostItems)
  const links = dossier.links.map((link) =>
    words.format(`verification.dossier.link.${link.relation}`, { from: names[link.from] ?? '', to: names[link.to] ?? '' }),
  )
  const lonely = unlinkedLine(dossier, words)
  const files = answerLines(dossier, mostFiles, words)
  return [
    { tag: 'h1', text: words.format('verification.minutes.title', {}) },
    ...conclusionBlocks(describeDossier(dossier, words), words),
    ...(files.count === '' ? [] : [{ tag: 'p', text: files.count } as const]),
    ...(files.lines.length === 0
      ? []
      : ([
          { tag: 'h2', text: words.format('verification.dossier.answers', {}) },
          { tag: 'ul', lines: files.lines.map(({ word, sentence }) => `${word} – ${sentence}`) },
          ...(files.more === '' ? [] : [{ tag: 'p', text: files.more } as const]),
        ] as const)),
    ...shown.flatMap((item, i) => itemBlocks(item, names[i] ?? '', shown.length, words)),
    ...cut(dossier.items.length - shown.length + dossier.left_out, words),
    ...(links.length + lonely.length === 0
      ? []
      : ([
          { tag: 'h2', text: words.format('verification.minutes.links', {}) },
          { tag: 'ul', lines: [...links, ...lonely].slice(0, mostLinks) },
          ...cut(links.length + lonely.length - mostLinks, words),
        ] as const)),
    { tag: 'p', text: words.format('verification.minutes.tool', { at: words.instant(dossier.verified_at), version }) },
    { tag: 'p', text: words.format('verification.minutes.caution', {}) },
  ]
}

/** The one conclusion, in its two parts. */
function conclusionBlocks({ title, intact, files, missing, word, detail }: ConclusionSaid, words: Words): MinutesBlock[] {
  const first = [intact, files, detail].filter((each) => each !== '').join(' ')
  const listed = (lines: readonly string[]): MinutesBlock[] => (lines.length === 0 ? [] : [{ tag: 'ul', lines }])
  return [
    { tag: 'strong', text: title },
    { tag: 'p', text: first },
    ...listed(missing),
    ...(word.length === 0 ? [] : ([{ tag: 'h3', text: words.format('verification.conclusion.word', {}) }] as const)),
    ...listed(word),
  ]
}

/** Those that nothing given with them is linked to, in one sentence; at most one line. */
export function unlinkedLine(dossier: Pick<Dossier, 'items' | 'links'>, words: Words): string[] {
  const alone = unlinked(dossier.items, dossier.links).flatMap((i) => dossier.items[i] ?? [])
  if (alone.length === 0) return []
  const names = alone.slice(0, mostAlone).map((item) => nameOf(item, words))
  return [words.format('verification.dossier.unlinked', { names: names.join(', '), more: alone.length - names.length })]
}

/** What it is called: its file, or its kind when it was typed. */
export function nameOf(item: Pick<DossierItem, 'name' | 'kind'>, words: Words): string {
  return item.name === '' ? words.format(`verification.kind.${item.kind}`, {}) : visible(item.name)
}

function itemBlocks(item: DossierItem, name: string, of: number, words: Words): MinutesBlock[] {
  const { result } = item
  const kind = words.format(`verification.kind.${item.kind}`, {})
  const head: MinutesBlock[] = [
    { tag: 'h2', text: item.name === '' ? kind : `${name} – ${kind}` },
    ...item.bound
      .filter(({ of: what }) => what !== 'entry')
      .slice(0, 3)
      .map((bound): MinutesBlock => {
        const id = bound.of === 'file' ? 'sha256' : bound.of === 'root' ? 'root' : 'commits'
        const hex = bound.of === 'file' && bound.algorithm !== 'sha256' ? `${bound.algorithm} ${bound.hex}` : bound.hex
        return { tag: 'code', text: words.format(`verification.minutes.${id}`, { hex }) }
      }),
  ]
  if (result.form === 'document') return [...head, { tag: 'p', text: words.format('verification.dossier.document', {}) }]
  if (result.form === 'keys')
    return [...head, { tag: 'p', text: words.format('verification.dossier.keys', { count: result.count }) }]
  if (result.form === 'certificates')
    return [...head, { tag: 'p', text: words.format('verification.dossier.certificates', { count: result.names.length }) }]
  if (result.form === 'unreadable')
    return [...head, { tag: 'p', text: words.format(`verification.dossier.unreadable.${result.reason}`, {}) }]
  if (result.form === 'package' && of === 1)
    return [...head.filter(({ tag }) => tag === 'h2'), ...fileDigest(item, words), ...packageBlocks(result.report, words)]
  const said = describeItem(item, words)
  const dates = datesOfItem(item)
  const rests =
    result.form === 'proof'
      ? reliancesSaid(result.report, words)
      : dates.length === 0
        ? []
        : describeReliance(
            dates.flatMap(({ rests_on }) => rests_on),
            words,
          )
  return [
    ...head,
    ...(of === 1
      ? []
      : ([
          { tag: 'strong', text: said.title },
          { tag: 'p', text: said.intact },
        ] as const)),
    ...(result.form === 'package' && result.report.subject !== null
      ? ([{ tag: 'dl', rows: captureRows(result.report, words) }] as const)
      : []),
    ...(dates.length === 0
      ? []
      : ([
          {
            tag: 'ul',
            lines: dates.slice(0, mostDates).map(({ at, by, kind: what }) =>
              words.format('verification.minutes.date_line', {
                at: words.instant(at),
                kind: words.format(`verification.proof.date.${what}`, {}),
                by: nameOfAuthority(by, words),
              }),
            ),
          },
        ] as const)),
    ...(rests.length === 0 ? [] : ([{ tag: 'p', text: rests.join(' ') }] as const)),
    ...checkLines(result, Math.max(2, Math.floor(mostChecks / of)), words),
  ]
}

/** The root is among the facts of a package; the digest of its file is not. */
function fileDigest({ bound }: DossierItem, words: Words): MinutesBlock[] {
  const own = bound.find(({ of, algorithm }) => of === 'file' && algorithm === 'sha256')
  return own === undefined ? [] : [{ tag: 'code', text: words.format('verification.minutes.sha256', { hex: own.hex }) }]
}

/** Those that did not pass, in full; how many did. */
function checkLines(
  result: Extract<DossierItem['result'], { form: 'package' | 'proof' }>,
  most: number,
  words: Words,
): MinutesBlock[] {
  const described: { status: CheckStatus; line: string }[] =
    result.form === 'package'
      ? byGravity(result.report.checks).map((check) => ({
          status: check.status,
          line: lineOf(check.status, describeCheck(check, words), words),
        }))
      : byGravity(result.report.checks).map((check) => ({
          status: check.status,
          line: lineOf(check.status, describeProofCheck(result.report.kind, check, words), words),
        }))
  const count = (status: CheckStatus): number => described.filter((each) => each.status === status).length
  const totals = words.format('verification.minutes.count', {
    passed: count('passed'),
    failed: count('failed'),
    indeterminate: count('indeterminate'),
  })
  return [
    { tag: 'h3', text: `${words.format('verification.minutes.checks', {})} – ${totals}` },
    { tag: 'ul', lines: described.slice(0, most).map(({ line }) => line) },
    ...cut(described.length - most, words),
  ]
}

function lineOf(
  status: CheckStatus,
  said: { readonly title: string; readonly sentence: string; readonly about?: string },
  words: Words,
): string {
  const about = said.about === undefined || said.about === '' ? '' : `, ${said.about}`
  return `${said.title}${about} (${words.format(`verification.status.${status}`, {})}) – ${said.sentence}`
}

function cut(count: number, words: Words): MinutesBlock[] {
  return count > 0 ? [{ tag: 'p', text: words.format('verification.minutes.not_shown', { count }) }] : []
}
