import type { Block, Cell } from '../../../../kernel/document/blocks.ts'
import { code, facts, flatten, heading, lineBreak, paragraph, soft } from '../../../../platform/print/document/inlines.ts'
import type { CaptureFacts } from '../content/report-content.ts'
import type { ReportPage } from '../page/report-page.ts'
import { operatorWords } from './operator.ts'
import { placeOf } from './place.ts'

export function machine(page: ReportPage): readonly Block[] {
  const { t, content } = page
  const { machine: measured, isolation, server: registered } = content.facts
  const { virtualisation } = measured
  return page.section(
    'machine',
    facts(
      [t('report.operator'), operatorWords(page, 300)],
      [t('report.machine.hostname'), page.text(measured.hostname)],
      [t('report.machine.os'), page.text(measured.os)],
      [t('report.machine.kernel'), page.text(measured.kernel)],
      [t('report.machine.virtualisation'), virtualisation === null ? t('report.not_measured') : page.text(virtualisation)],
      [t('report.machine.browser'), page.text(measured.browser)],
      [t('report.machine.isolation'), t(`report.isolation.${isolation}`)],
      [t('report.machine.software'), page.text(measured.software)],
      [t('report.machine.runtime'), page.text(measured.node)],
      registered === null ? [t('report.machine.server'), t('report.server.none')] : null,
      registered === null ? [t('report.server.place'), t('report.not_stated')] : null,
    ),
  )
}

const eventRows = 20
const differenceRows = 10

/** The registered capture server, its check before the session, and those that were set aside (decision H-11); null without one. */
export function server(page: ReportPage): readonly Block[] {
  const { t, content } = page
  const { server: measured } = content.facts
  if (measured === null) return []
  const events = measured.set_aside.slice(0, eventRows)
  const preflight = content.pieces.find((piece) => piece.role === 'preflight' && !piece.path.startsWith('capture/vantage-2/'))
  return page.section(
    'server',
    facts(
      [t('report.server.name'), [page.text(measured.name, 120), ' (', page.code(measured.id), ')']],
      [t('report.server.kind'), t(`report.server.kind.${measured.kind}`)],
      [t('report.server.place'), placeOf(page, measured)],
      [
        t('report.server.preflight'),
        [
          page.instant(measured.preflight_at).utc,
          preflight === undefined ? [] : [lineBreak, soft(t('report.conditions.annex', { path: preflight.path }))],
        ],
      ],
      [t('report.server.manifest'), code(measured.manifest_sha256.slice(0, 80))],
      ...imageRows(page, measured.image),
    ),
    heading(3, t('report.server.set_aside')),
    events.length === 0
      ? paragraph(t('report.server.none_set_aside'))
      : { kind: 'list', ordered: false, items: events.map((event) => setAside(page, event)) },
    page.more(measured.set_aside.length - events.length),
  )
}

/** What it ran from. Captures of before say nothing of it. */
function imageRows(
  page: ReportPage,
  image: NonNullable<CaptureFacts['server']>['image'],
): readonly (readonly [name: string, value: Cell])[] {
  const { t } = page
  if (image === undefined) return []
  if (image === null) return [[t('report.server.image'), t('report.server.image.none')]]
  const { digest_as_stated: digest, files_sha256: sha256, files } = image
  return [
    [t('report.server.image'), [t('report.server.image.files', { files }), lineBreak, code(sha256.slice(0, 80))]],
    [t('report.server.image.digest'), digest === null ? t('report.not_stated') : code(digest.slice(0, 80))],
  ]
}

function setAside(
  page: ReportPage,
  { at, server_id: id, differences }: NonNullable<CaptureFacts['server']>['set_aside'][number],
): readonly Block[] {
  const { t } = page
  return flatten([
    paragraph([t('report.pair', { name: page.instant(at).utc, value: '' }), page.code(id)]),
    {
      kind: 'list',
      ordered: false,
      items: differences
        .slice(0, differenceRows)
        .map(({ item, expected, measured }) => [
          paragraph(page.text(t('report.server.difference', { item, expected, measured }), 400)),
        ]),
    },
    page.more(differences.length - differenceRows),
  ])
}
