/** The report as a printed document: sections in their order, pictures by name in the folder of the slices. */
import { join } from 'node:path'
import type { PrintedDocument } from '../../../platform/print/document/printed-document.ts'
import { paragraph } from '../../../platform/print/document/inlines.ts'
import { plainText } from '../../../platform/print/hostile-text.ts'
import type { ReportContent } from './content/report-content.ts'
import { type CaptureWords, reportPage } from './page/report-page.ts'
import { certificates } from './sections/certificates.ts'
import { conditions } from './sections/conditions.ts'
import { cover } from './sections/cover.ts'
import { exhibits } from './sections/exhibits.ts'
import { limits } from './sections/limits.ts'
import { machine, server } from './sections/machine.ts'
import { network } from './sections/network.ts'
import { objections } from './sections/objections.ts'
import { path } from './sections/path.ts'
import { pieces } from './sections/pieces.ts'
import { seal } from './sections/seal.ts'
import { session } from './sections/session.ts'
import { summary } from './sections/summary/summary.ts'
import { timestamps } from './sections/timestamps.ts'
import { vantage } from './sections/vantage.ts'
import { visitPath } from './sections/visit-path.ts'
import { glossary, verify } from './sections/verify.ts'
import { warnings } from './sections/warnings.ts'

export type ComposeDeps = {
  readonly captureWords: CaptureWords
  /** SVG of the root, `kernel/seal-rosette.ts`. */
  readonly rosette: (rootHex: string, options: { readonly size: number; readonly title: string }) => string
  /** Where the slices are. */
  readonly folder: string
}

/** First characters of the root, in groups, as the running head shows it. */
function shortRoot(root: string): string {
  return (root.slice(0, 16).match(/.{1,4}/g) ?? []).join(' ')
}

export function composeReport(content: ReportContent, deps: ComposeDeps): PrintedDocument {
  const page = reportPage(content, deps.captureWords)
  const { t } = page
  const { subject, seal: record, session: held, preview, locale } = content
  const title = t('report.file_title', { id: subject.evidence_id })
  const root = shortRoot(record.root)
  const rosette = { file: `rosette.${locale}.svg`, alt: t('report.cover.rosette', { root }) }
  const drawing = deps.rosette(record.root, { size: 264, title: rosette.alt })
  const slices = [...page.exhibits.map(({ picture }) => picture.sliced.slices), held?.keyFrames ?? []].flat()
  return {
    look: 'report',
    language: page.tag,
    title: preview ? `${t('report.preview.mark')} – ${title}` : title,
    subject: t('report.subject', { url: plainText(subject.final_url, 500), date: page.instant(subject.started_at).utc }),
    date: new Date(record.signed_at),
    running: {
      head: [t('report.header', { id: subject.evidence_id }), t('report.header_root', { root })],
      foot: 'Probant',
      pageOf: t('report.page_of', { page: '{page}', pages: '{pages}' }),
      onPage: t('report.on_page', { page: '{page}' }),
      byCode: t('report.by_code', { count: '{count}' }),
      cover: true,
    },
    mark: preview ? t('report.preview.mark') : null,
    blocks: [
      ...cover(page, rosette),
      ...summary(page),
      { kind: 'page-break' },
      { kind: 'contents', title: t('report.contents') },
      ...warnings(page),
      ...(held === null
        ? [...path(page), ...exhibits(page)]
        : [...exhibits(page), ...visitPath(page, held), ...session(page, held)]),
      ...objections(page),
      ...verify(page),
      { kind: 'page-break' },
      { kind: 'heading', level: 2, text: t('report.annexes.title') },
      paragraph(t('report.annexes.intro')),
      ...conditions(page),
      ...machine(page),
      ...server(page),
      ...vantage(page),
      ...network(page),
      ...certificates(page),
      ...timestamps(page),
      ...pieces(page),
      ...seal(page),
      ...limits(page),
      ...glossary(page),
    ],
    attachments: [],
    files: [
      { name: rosette.file, content: Buffer.from(drawing) },
      ...slices.map(({ name }) => ({ name, content: join(deps.folder, name) })),
    ],
  }
}
