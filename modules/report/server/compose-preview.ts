import type { PrintedDocument } from '../../../platform/print/document/blocks.ts'
import type { Locale } from '../../../kernel/locale.ts'
import { reportWords } from './words/report-words.ts'
import type { ReportInput } from './content/read-content.ts'

export function composePreview(input: ReportInput, locale: Locale): PrintedDocument {
  const words = reportWords(locale)
  return {
    language: words.tag,
    title: words.t('report.file_title', { id: input.subject.evidence_id }),
    subject: '',
    date: new Date(input.seal.signed_at),
    look: 'report',
    running: { head: null, foot: '', pageOf: '', onPage: '', cover: true },
    mark: words.t('report.preview.mark'),
    blocks: [{ kind: 'heading', level: 1, text: words.t('report.file_title', { id: input.subject.evidence_id }) }],
    attachments: [],
    files: [],
  }
}
