import type { Block } from '../../../../kernel/document/blocks.ts'
import { code, facts, heading, lineBreak, paragraph } from '../../../../platform/print/document/inlines.ts'
import type { ReportPage } from '../page/report-page.ts'

export function certificates(page: ReportPage): readonly Block[] {
  const { t, number, content } = page
  const own = content.facts.certificate
  const list = content.certificates
  const validity = (from: string, to: string): string => {
    // Servers write what they like into a certificate: a date that is none is printed as it stands.
    const shown = (value: string): string => (Number.isNaN(Date.parse(value)) ? value : page.instant(value).utc)
    return t('report.certificates.validity_value', { from: shown(from), to: shown(to) })
  }
  return page.section(
    'certificates',
    own === null
      ? paragraph(t('report.certificates.absent'))
      : [
          heading(3, t('report.certificates.page')),
          own.error !== null && {
            kind: 'callout',
            tone: 'alert',
            text: page.text(t('report.certificates.error', { error: own.error })),
          },
          facts(
            [t('report.certificates.subject'), page.text(own.subject)],
            [t('report.certificates.issuer'), page.text(own.issuer)],
            [t('report.certificates.validity'), page.text(validity(own.valid_from, own.valid_to))],
            [t('report.certificates.fingerprint'), page.code(own.sha256)],
          ),
        ],
    list !== null &&
      list.rows.length > 0 && [
        heading(3, t('report.certificates.all')),
        paragraph(
          t('report.certificates.shown', { shown: number(list.rows.length), total: number(list.total), path: list.path }),
        ),
        {
          kind: 'table',
          size: 'small',
          columns: [
            { head: t('report.certificates.subject'), share: 50 },
            { head: t('report.certificates.issuer') },
            { head: t('report.certificates.validity'), share: 22 },
          ],
          rows: list.rows.map((row) => [
            [page.text(row.subject, 200), lineBreak, code(row.sha256)],
            page.text(row.issuer, 200),
            page.text(validity(row.validFrom, row.validTo), 200),
          ]),
        },
      ],
  )
}
