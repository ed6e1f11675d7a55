import type { Block } from '../../../../../kernel/document/blocks.ts'
import { heading, paragraph } from '../../../../../platform/print/document/inlines.ts'
import { datedBy } from '../../../domain/dated-by.ts'
import type { CertificatePage } from '../page/certificate-page.ts'

/** What follows from it and what does not, for whoever has never seen one. */
export function worth(page: CertificatePage): Block {
  const { t, facts } = page
  const { anchor } = facts
  // The earliest date that does not rest on us, where there is one.
  const first = datedBy(facts.stamps, ({ genTime }) => genTime)
  const proves = [
    first !== undefined &&
      t(first.embedded ? 'certificate.proves_date_own' : 'certificate.proves_date', { at: page.instant(first.genTime).utc }),
    anchor?.block != null && anchor.network === 'main' && t('certificate.proves_block', { height: String(anchor.block.height) }),
    t('certificate.proves_same'),
    t('certificate.proves_signed'),
  ]
  const not = [
    t(facts.stored === null ? 'certificate.not_content' : 'certificate.not_content_stored'),
    t('certificate.not_author'),
    t('certificate.not_first'),
    t('certificate.not_declared'),
  ]
  const list = (lines: readonly (string | false)[]): Block => ({
    kind: 'list',
    ordered: false,
    items: lines.flatMap((line) => (line === false ? [] : [[paragraph(line)]])),
  })
  return {
    kind: 'boxes',
    boxes: [
      [heading(3, t('certificate.proves')), list(proves)],
      [heading(3, t('certificate.proves_not')), list(not)],
    ],
  }
}
