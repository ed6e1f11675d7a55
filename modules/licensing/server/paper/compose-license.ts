/** The document of a licence, as a printed document. */
import { renderSVG } from 'uqr'
import type { Block, Inline } from '../../../../kernel/document/blocks.ts'
import { sealRosette } from '../../../../kernel/seal-rosette.ts'
import { code, facts, heading, lineBreak, paragraph, strong } from '../../../../platform/print/document/inlines.ts'
import { outside } from '../../../../platform/print/document/outside.ts'
import type { PrintedDocument } from '../../../../platform/print/document/printed-document.ts'
import { sentence } from '../../../../platform/print/document/sentence.ts'
import { clauses } from '../../domain/terms.ts'
import type { Beneficiary, LicenseReport } from '../keep/license-store.ts'
import type { LicenseMessageId, LicenseWords } from './license-words.ts'

export type LicenseFacts = Beneficiary & {
  readonly number: string
  readonly licensor: string
  readonly grantedAt: string
  readonly netCents: number
  /** It was paid, and no money moved. */
  readonly test: boolean
  readonly terms: string
  readonly reports: readonly LicenseReport[]
  /** Where anybody verifies it. */
  readonly verifyUrl: string
  readonly madeAt: string
  /** `probant/<version>` */
  readonly software: string
}

const qr = 'verify.svg'
const rosetteOf = (index: number) => `rosette-${String(index + 1)}.svg`

export function composeLicense(words: LicenseWords, license: LicenseFacts): PrintedDocument {
  const { t } = words
  const text = (value: string, limit = 300): Inline =>
    outside(value, limit, (count) => t('licensing.document.left_out', { count }))
  const named = (id: LicenseMessageId, values: Parameters<typeof sentence>[1]) => sentence((plain) => t(id, plain), values)
  const beneficiary = `${license.firstName} ${license.lastName}`
  const count = license.reports.length
  const rosettes = license.reports.map(({ root }, index) => ({
    name: rosetteOf(index),
    content: Buffer.from(sealRosette(root, { size: 125, title: root.slice(0, 16) })),
  }))
  const price = new Intl.NumberFormat(words.tag, { style: 'currency', currency: 'EUR' }).format(license.netCents / 100)
  const clause = (name: (typeof clauses)[number]): Block => paragraph(t(clauseId(license.terms, name)))
  return {
    look: 'invoice',
    language: words.tag,
    title: t('licensing.document.file_title', { number: license.number }),
    subject: t('licensing.document.subject', { count, beneficiary }),
    date: new Date(license.madeAt),
    running: {
      head: null,
      foot: t('licensing.document.foot', { number: license.number }),
      pageOf: t('licensing.document.page_of', { page: '{page}', pages: '{pages}' }),
      onPage: '{page}',
      byCode: t('licensing.document.by_code', { count: '{count}' }),
      cover: false,
    },
    mark: license.test ? t('licensing.document.test_mark') : null,
    blocks: [
      { kind: 'brand' },
      heading(1, t('licensing.document.title')),
      paragraph(named('licensing.document.lead', { count, beneficiary: strong(text(beneficiary)) }), 'lead'),
      ...(license.test ? [paragraph(strong(t('licensing.document.test')))] : []),
      facts(
        [t('licensing.document.number'), code(license.number)],
        [t('licensing.document.beneficiary'), strong(text(beneficiary))],
        license.company === '' ? null : [t('licensing.document.company'), text(license.company)],
        [t('licensing.document.email'), text(license.email)],
        [t('licensing.document.licensor'), text(license.licensor)],
        [t('licensing.document.granted'), words.instant(license.grantedAt).utc],
        [t('licensing.document.price'), price],
      ),
      heading(2, t('licensing.document.reports')),
      ...license.reports.map((report, index): Block => reportBlock(words, text, report, rosetteOf(index))),
      paragraph(t('licensing.document.root_text'), 'annex'),
      heading(2, t(clauseId(license.terms, 'title'))),
      { kind: 'list', ordered: true, items: clauses.map((name) => [clause(name)]) },
      {
        kind: 'together',
        blocks: [
          heading(2, t('licensing.document.verify')),
          {
            kind: 'columns',
            shares: [80, 20],
            columns: [
              [
                paragraph(named('licensing.document.verify_page', { url: code(license.verifyUrl) })),
                paragraph(t('licensing.document.verify_tools')),
                { kind: 'lines', text: `pdfsig ${licenseFileName(license.number, words.locale)}` },
              ],
              [{ kind: 'figure', picture: { file: qr, alt: t('licensing.document.qr') }, width: 26 }],
            ],
          },
          paragraph(
            named('licensing.document.made', { at: words.instant(license.madeAt).utc, software: code(license.software) }),
            'small',
          ),
        ],
      },
    ],
    attachments: [],
    files: [{ name: qr, content: Buffer.from(renderSVG(license.verifyUrl, { border: 4 })) }, ...rosettes],
  }
}

export const licenseFileName = (number: string, locale: string): string => `licence-${number}.${locale}.pdf`

/** @throws Error for a version whose text is not here any more */
function clauseId(version: string, name: (typeof clauses)[number] | 'title'): LicenseMessageId {
  if (version !== '2026-11') throw new Error(`the text of licences of ${version} is not here`)
  return `licensing.terms.2026-11.${name}`
}

function reportBlock({ t, instant }: LicenseWords, text: (value: string) => Inline, report: LicenseReport, file: string): Block {
  const { utc, paris } = instant(report.capturedAt.toISOString())
  const lines = facts(
    [t('licensing.document.report'), text(report.pageUrl)],
    [t('licensing.document.captured'), [utc, lineBreak, paris]],
    [t('licensing.document.root'), code(report.root)],
  )
  const rosette: Block = { kind: 'figure', picture: { file, alt: report.root.slice(0, 16) }, width: 24 }
  return { kind: 'columns', shares: [82, 18], columns: [[lines], [rosette]] }
}
