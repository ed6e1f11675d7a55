import { type Html, htmlToString, html, trustedHtml } from '../../../platform/html/html.ts'
import { fontFaces } from '../../../platform/print/font-faces.ts'
import type { ReportContent } from './content/report-content.ts'
import { type CaptureWords, type ReportPage, reportPage } from './page/report-page.ts'
import { pageStyle, style } from './page/report-style.ts'
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
import { summary } from './sections/summary.ts'
import { timestamps } from './sections/timestamps.ts'
import { vantage } from './sections/vantage.ts'
import { visitPath } from './sections/visit-path.ts'
import { glossary, verify } from './sections/verify.ts'
import { warnings } from './sections/warnings.ts'

export type RenderDeps = {
  readonly captureWords: CaptureWords
  /** SVG of the root, `kernel/seal-rosette.ts`. */
  readonly rosette: (rootHex: string, options: { readonly size: number; readonly title: string }) => string
}

/** First characters of the root, in groups, as the running head shows it. */
export function shortRoot(root: string): string {
  return (root.slice(0, 16).match(/.{1,4}/g) ?? []).join(' ')
}

/** What is fixed stands on every sheet (CSS Positioned Layout §3.3): over images too, so that none can be cut out as final. */
function watermark({ t }: ReportPage): Html {
  const line = html`<span>${t('report.preview.watermark')}</span>`
  return html`<div class="watermark" aria-hidden="true">${line}${line}${line}</div>`
}

/** The document to print: no script, no address outside, images by name in the folder of the slices. */
export async function renderReport(content: ReportContent, deps: RenderDeps): Promise<string> {
  const page = reportPage(content, deps.captureWords)
  const { t } = page
  const { subject, seal: record, session: held } = content
  const title = t('report.file_title', { id: subject.evidence_id })
  const [before = '', between = '', after = ''] = t('report.page_of', { page: '\u0000', pages: '\u0000' }).split('\u0000')
  const running = pageStyle({
    preview: content.preview ? t('report.preview.mark') : null,
    header: t('report.header', { id: subject.evidence_id }),
    root: t('report.header_root', { root: shortRoot(record.root) }),
    pageOf: [before, between, after],
  })
  const rosette = deps.rosette(record.root, { size: 264, title: t('report.cover.rosette', { root: shortRoot(record.root) }) })
  return htmlToString(
    html`<!doctype html>
      <html lang="${content.locale}">
        <head>
          <meta charset="utf-8" />
          <meta
            http-equiv="Content-Security-Policy"
            content="default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; font-src data:"
          />
          <title>${content.preview && `${t('report.preview.mark')} – `}${title}</title>
          <style>
            ${trustedHtml(await fontFaces())}
            ${trustedHtml(running)}
            ${trustedHtml(style)}
          </style>
        </head>
        <body>
          ${content.preview && watermark(page)} ${cover(page, rosette)}
          <main>
            ${summary(page)} ${warnings(page)} ${conditions(page)} ${machine(page)} ${server(page)}
            ${held === null ? path(page) : [visitPath(page, held), session(page, held)]} ${exhibits(page)} ${vantage(page)}
            ${network(page)} ${certificates(page)} ${timestamps(page)} ${pieces(page)} ${seal(page)} ${objections(page)}
            ${verify(page)} ${limits(page)} ${glossary(page)}
          </main>
        </body>
      </html>`,
  )
}
