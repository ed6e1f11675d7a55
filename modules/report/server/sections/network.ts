import type { Block, Inlines } from '../../../../kernel/document/blocks.ts'
import { type Blocks, code, heading, paragraph } from '../../../../platform/print/document/inlines.ts'
import type { ExchangeRow } from '../pieces/read-exchanges.ts'
import type { ReportPage } from '../page/report-page.ts'

/** Digits of a SHA-256 that are enough to find the body in the piece, which holds them all. */
const shortHash = 12

function row(page: ReportPage, exchange: ExchangeRow): readonly Inlines[] {
  // A cell of a table of many is marked, the heading says what the mark means.
  const unknown = page.t('report.network.unknown')
  const { at, status, mediaType, bytes, serverAddress, sha256 } = exchange
  return [
    String(exchange.number),
    at === null ? unknown : page.clock(at),
    page.text(exchange.method, 12),
    page.url(exchange.url, 180),
    status === null ? unknown : String(status),
    mediaType === null ? unknown : page.text(mediaType, 40),
    bytes === null ? unknown : page.number(bytes),
    serverAddress === null ? unknown : page.code(serverAddress),
    sha256 === null ? unknown : code(sha256.slice(0, shortHash)),
  ]
}

const columns = [
  { name: 'number', share: 5, figures: true },
  { name: 'time', share: 9 },
  { name: 'method', share: 7 },
  { name: 'address' },
  { name: 'status', share: 6, figures: true },
  { name: 'type', share: 11 },
  { name: 'bytes', share: 8, figures: true },
  { name: 'server', share: 11 },
  { name: 'hash', share: 11 },
] as const

const lossRows = 100

function lossWords(page: ReportPage, reason: string): string {
  const id = `report.loss.${reason}`
  return page.has(id) ? page.t(id) : reason
}

/** What the comparison of network record, browser and web archive did not find whole; nothing where they agree. */
function losses(page: ReportPage): Blocks {
  const list = page.content.facts.completeness.losses
  if (list.length === 0) return null
  return [
    heading(3, page.t('report.network.losses')),
    {
      kind: 'list',
      ordered: false,
      size: 'small',
      items: list
        .slice(0, lossRows)
        .map(({ url, reason }) => [paragraph([page.url(url, 300), ' – ', page.text(lossWords(page, reason), 200)])]),
    },
    page.more(list.length - lossRows),
  ]
}

export function network(page: ReportPage): readonly Block[] {
  const { t, number, content } = page
  const { resources } = content.facts
  const list = content.exchanges
  const intro = paragraph(
    t('report.network.intro', {
      total: resources.total,
      failed: resources.failed,
      blocked: resources.blocked,
      bytes: page.bytes(resources.bytes),
    }),
  )
  if (list.state === 'absent') return page.section('network', intro, paragraph(t('report.network.absent')), losses(page))
  if (list.state === 'too_large')
    return page.section('network', intro, paragraph(t('report.network.unread', { path: list.path })), losses(page))
  const left = list.total - list.rows.length
  return page.section(
    'network',
    intro,
    paragraph([
      t('report.network.shown', { shown: number(list.rows.length), total: number(list.total), path: list.path }),
      ` ${t('report.network.marks', { path: list.path })}`,
    ]),
    {
      kind: 'table',
      size: 'tiny',
      columns: columns.map(({ name, ...column }) => ({ head: t(`report.network.${name}`), ...column })),
      rows: list.rows.map((exchange) => row(page, exchange)),
    },
    left > 0 && paragraph(t('report.network.more', { count: left, path: list.path }), 'annex'),
    losses(page),
  )
}
