import type { PrintedDocument } from '../../../../../platform/print/document/printed-document.ts'
import type { DocumentWords } from '../words/document-words.ts'

/** What stands at the foot of every page of a paper of the seller. */
export const runningOf = ({ t }: Pick<DocumentWords, 't'>, seller: string, title: string): PrintedDocument['running'] => ({
  head: null,
  foot: t('billing.document.foot', { seller, title }),
  pageOf: t('billing.document.page_of', { page: '{page}', pages: '{pages}' }),
  onPage: '{page}',
  byCode: t('billing.document.by_code', { count: '{count}' }),
  cover: false,
})
