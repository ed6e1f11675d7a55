import { sealRosette } from '../../kernel/seal-rosette.ts'
import {
  describeCheck,
  describeQualified,
  nameOfAuthority,
  visible,
} from '../../modules/verification/domain/describe/describe-check.ts'
import type { Check, VerificationReport, VerifiedPiece } from '../../modules/verification/domain/report/package-report.ts'
import { byGravity } from '../../modules/verification/domain/describe/describe-proof.ts'
import { anchorSaid } from '../../modules/verification/domain/minutes/minutes-of-package.ts'
import { type Child, el, svg } from './element.ts'
import { foldedChecks, toneOfCheck } from './show-proof.ts'
import type { PageWords } from './words.ts'

const toneOfState = {
  intact: 'good',
  altered: 'bad',
  missing: 'bad',
  added: 'bad',
  withheld: 'caution',
  unverified: 'caution',
  system_file: 'good',
} as const
/** A hostile package must not freeze the page with a million rows. */
const mostRows = 2000

export function showReport(report: VerificationReport, words: PageWords): Node[] {
  return [...(report.unusable ? [] : [capture(report, words), seal(report, words), pieces(report, words)]), checks(report, words)]
}

/** What is not as it was sealed is named with the conclusion. */
export function faults(report: VerificationReport, words: PageWords): Child[] {
  const withheld = report.pieces.filter(({ state }) => state === 'withheld').length
  const bad = report.pieces.filter(({ state }) => toneOfState[state] === 'bad')
  const lines = bad
    .slice(0, 20)
    .map(({ path, state }) =>
      el('li', {}, el('code', {}, visible(path)), ` – ${words.format(`verification.state.${state}`, {})}`),
    )
  return [
    bad.length === 0 ? null : el('ul', {}, ...lines),
    report.short ? el('p', {}, words.format('verification.summary.short', { withheld })) : null,
  ]
}

function facts(rows: readonly (readonly [string, Child] | null)[]): HTMLElement {
  return el('dl', {}, ...rows.filter((row) => row !== null).flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]))
}

function captureRows({ subject }: VerificationReport, words: PageWords): (readonly [string, Child])[] {
  if (subject === null) return []
  return [
    [words.ui('requested'), visible(subject.requested_url)],
    [words.ui('final'), visible(subject.final_url)],
    [words.ui('started'), words.instant(subject.started_at)],
    [words.ui('finished'), words.instant(subject.finished_at)],
    [words.ui('evidence'), visible(subject.evidence_id)],
    [words.ui('software'), visible(subject.software)],
    [words.format('verification.minutes.asked_by', {}), words.format('verification.minutes.asked_by.unnamed', {})],
  ]
}

function capture(report: VerificationReport, words: PageWords): HTMLElement {
  const rows = captureRows(report, words)
  return section('capture', words.ui('capture'), rows.length === 0 ? el('p', {}, words.ui('none')) : facts(rows))
}

function sealRows({ seal: found, root, authorities }: VerificationReport, words: PageWords): (readonly [string, Child])[] {
  const rows: (readonly [string, Child])[] = []
  if (root !== null) rows.push([words.ui('root'), el('code', {}, root)])
  if (found === null) return rows
  if (found.signer !== null) rows.push([words.ui('signer'), nameOfAuthority(found.signer.name, words)])
  if (found.signed_at !== null) rows.push([words.ui('signed_at'), words.instant(found.signed_at)])
  for (const token of found.timestamps) {
    const kind = words.format(`verification.${token.embedded ? 'embedded_authority' : 'outside_authority'}`, {})
    rows.push([
      words.ui('stamped'),
      `${words.instant(token.gen_time)} – ${nameOfAuthority(token.authority, words)} (${kind}) – ${words.ui('serial', { serial: token.serial })}`,
    ])
  }
  for (const { kind, name, sha256 } of authorities) {
    const label =
      kind === 'platform' ? words.ui('fingerprint') : words.ui('time_fingerprint', { name: nameOfAuthority(name, words) })
    rows.push([label, el('code', {}, sha256)])
  }
  return rows
}

function seal(report: VerificationReport, words: PageWords): HTMLElement {
  return section(
    'seal',
    words.ui('seal'),
    report.root === null ? null : rosette(report.root, words),
    facts([
      ...sealRows(report, words),
      report.seal === null ? null : [words.format('verification.minutes.anchor', {}), anchorSaid(report, words)],
    ]),
    el('p', { class: 'soft' }, describeQualified(report, words)),
  )
}

function rosette(root: string, words: PageWords): HTMLElement {
  return el(
    'figure',
    {},
    svg(sealRosette(root, { size: 200, title: words.ui('rosette', { root: root.slice(0, 16) }), color: 'currentColor' })),
    el('figcaption', {}, words.ui('rosette_hint')),
  )
}

function pieces(report: VerificationReport, words: PageWords): HTMLElement {
  const order = (piece: VerifiedPiece): number => ['bad', 'caution', 'good'].indexOf(toneOfState[piece.state])
  const sorted = report.pieces.toSorted((a, b) => order(a) - order(b))
  const row = (piece: VerifiedPiece): HTMLElement =>
    el(
      'tr',
      { class: toneOfState[piece.state] },
      el(
        'td',
        { 'data-label': words.ui('state') },
        el('span', { class: `tag ${toneOfState[piece.state]}` }, words.format(`verification.state.${piece.state}`, {})),
      ),
      el('td', { 'data-label': words.ui('path') }, el('code', {}, visible(piece.path))),
      el('td', { 'data-label': words.ui('kind') }, words.format(`verification.role.${piece.role}`, {})),
      el('td', { 'data-label': words.ui('bytes'), class: 'number' }, piece.bytes === null ? '–' : words.number(piece.bytes)),
    )
  const head = (): HTMLElement =>
    el('tr', {}, ...['state', 'path', 'kind', 'bytes'].map((id) => el('th', { scope: 'col' }, words.ui(id))))
  const table = (rows: readonly VerifiedPiece[]): HTMLElement =>
    el('table', {}, el('thead', {}, head()), el('tbody', {}, ...rows.map(row)))
  const shown = sorted.slice(0, mostRows)
  const faults = shown.filter(({ state }) => !['intact', 'withheld', 'system_file'].includes(state))
  const others = shown.slice(faults.length)
  const withheld = others.filter(({ state }) => state === 'withheld').length
  const title = words.format('verification.pieces.others', { count: others.length, withheld })
  return section(
    'pieces',
    words.ui('pieces'),
    faults.length === 0 ? null : table(faults),
    others.length === 0 ? null : el('details', {}, el('summary', {}, title), table(others)),
    hidden(sorted.length, words),
  )
}

function hidden(count: number, words: PageWords): Child {
  return count > mostRows ? el('p', {}, words.ui('hidden', { count: count - mostRows })) : null
}

function checks(report: VerificationReport, words: PageWords): HTMLElement {
  const view = (check: Check): HTMLElement => el('li', { class: toneOfCheck[check.status] }, checkView(check, words))
  const list = foldedChecks(byGravity(report.checks).slice(0, mostRows), view, words)
  return section('checks', words.ui('checks'), ...list, hidden(report.checks.length, words))
}

function checkView(check: Check, words: PageWords): HTMLElement {
  const { title, sentence } = describeCheck(check, words)
  return el(
    'div',
    {},
    el(
      'h3',
      {},
      title,
      ' ',
      el('span', { class: `tag ${toneOfCheck[check.status]}` }, words.format(`verification.status.${check.status}`, {})),
    ),
    el('p', {}, sentence),
    el(
      'details',
      {},
      el('summary', {}, words.ui('technical')),
      el(
        'pre',
        { tabindex: '0' },
        visible(JSON.stringify({ id: check.id, status: check.status, subject: check.subject, ...check.data })),
      ),
      ...(check.repeat_command === undefined
        ? []
        : [el('p', {}, words.ui('repeat')), el('pre', { tabindex: '0' }, check.repeat_command)]),
    ),
  )
}

function section(id: string, title: string, ...content: readonly Child[]): HTMLElement {
  return el(
    'section',
    { class: `card ${id}`, 'aria-labelledby': `${id}-title` },
    el('h2', { id: `${id}-title` }, title),
    ...content,
  )
}
