import type { Block, Inlines } from '../../../../kernel/document/blocks.ts'
import { code, lineBreak, paragraph, soft, strong } from '../../../../platform/print/document/inlines.ts'
import type { CaptureFacts } from '../content/report-content.ts'
import type { ReportPage } from '../page/report-page.ts'

const mostRows = 60

type Stamp = CaptureFacts['timestamps'][number]

/** Instants at which the record was dated while the session ran (design/capture.md §1.3); nothing where no authority was asked. */
export function timestamps(page: ReportPage): readonly Block[] {
  const { t, content } = page
  const list = content.facts.timestamps
  if (list.length === 0) return []
  const record = content.pieces.find((piece) => piece.role === 'session_timestamp' && piece.path.endsWith('.json'))
  return page.section(
    'timestamps',
    paragraph(t('report.timestamps.intro')),
    record !== undefined && paragraph(t('report.timestamps.record', { path: record.path }), 'annex'),
    {
      kind: 'table',
      size: 'small',
      columns: [
        { head: t('report.timestamps.reason'), share: 14 },
        { head: t('report.timestamps.stated'), share: 30 },
        { head: t('report.seal.authority'), share: 22 },
        { head: t('report.timestamps.hash') },
      ],
      rows: list
        .slice(0, mostRows)
        .map((stamp) => [
          t(`report.timestamps.reason.${stamp.reason}`),
          statedBy(page, stamp),
          authorityOf(page, stamp),
          recordAt(page, stamp),
        ]),
    },
    page.more(list.length - mostRows),
  )
}

function statedBy(page: ReportPage, { asked_at: askedAt, gen_time: genTime, error }: Stamp): Inlines {
  const { t } = page
  const asked = [t('report.timestamps.asked', { at: page.timeUtc(askedAt) }), lineBreak]
  if (genTime !== null) return [asked, strong(t('report.timestamps.answered', { at: page.instant(genTime).utc }))]
  const words = error === null ? null : (page.captureWords(error, {}) ?? error)
  return [
    asked,
    { kind: 'toned', tone: 'quiet', of: t('report.timestamps.unanswered') },
    words === null ? [] : [' ', page.text(words, 200)],
  ]
}

function authorityOf(page: ReportPage, { authority, embedded }: Stamp): Inlines {
  const { t } = page
  return [
    authority === null ? t('report.none') : page.text(authority, 120),
    embedded === null ? [] : [lineBreak, t(embedded ? 'report.timestamps.embedded' : 'report.timestamps.independent')],
  ]
}

function recordAt(page: ReportPage, { rolling_hash: hash, bytes, path }: Stamp): Inlines {
  return [
    code(hash.slice(0, 80)),
    lineBreak,
    page.t('report.timestamps.bytes', { bytes: page.number(bytes) }),
    path === null ? [] : [lineBreak, soft(code(path))],
  ]
}
