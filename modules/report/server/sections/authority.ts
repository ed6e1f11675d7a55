import type { Block } from '../../../../kernel/document/blocks.ts'
import { code, heading, paragraph } from '../../../../platform/print/document/inlines.ts'
import { groupDigest, keysPageOf } from '../instructions/site-pages.ts'
import type { ReportPage } from '../page/report-page.ts'

/** Whose seal it is: the fingerprint as verify.html shows it, and where the operator publishes it. Null in seals of before. */
export function authorityWords(page: ReportPage): Block | null {
  const { t, content } = page
  const { authority } = content.seal
  if (authority === undefined) return null
  const { siteUrl } = content
  return {
    kind: 'boxes',
    boxes: [
      [
        heading(3, t('report.verify.authority')),
        paragraph(page.text(t('report.verify.authority_text', { subject: authority.subject }), 600)),
        paragraph(code(groupDigest(authority.sha256))),
        paragraph(
          siteUrl === null
            ? t('report.verify.authority_elsewhere')
            : t('report.verify.authority_page', { url: keysPageOf(siteUrl, page.locale) }),
        ),
      ],
    ],
  }
}
