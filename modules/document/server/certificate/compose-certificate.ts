/** The certificate as a printed document. */
import { renderSVG } from 'uqr'
import { sealRosette } from '../../../../kernel/seal-rosette.ts'
import type { Block } from '../../../../kernel/document/blocks.ts'
import type { AttachedFile, PrintedDocument } from '../../../../platform/print/document/printed-document.ts'
import { code, heading, paragraph, strong } from '../../../../platform/print/document/inlines.ts'
import type { CertificateEdition } from './page/certificate-facts.ts'
import type { CertificatePage } from './page/certificate-page.ts'
import { dated } from './sections/dated.ts'
import { deposited } from './sections/deposited.ts'
import { shareCode, verify } from './sections/verify.ts'
import { worth } from './sections/worth.ts'

const rosetteFile = 'rosette.svg'

/** @param attachments files that will be inside, in the order of their names */
export function composeCertificate(
  page: CertificatePage,
  edition: CertificateEdition,
  attachments: readonly AttachedFile[],
): PrintedDocument {
  const { t, facts } = page
  const attached = attachments.map(({ name }) => name)
  const short = (facts.root.slice(0, 16).match(/.{4}/g) ?? []).join(' ')
  const rosette = { file: rosetteFile, alt: t('certificate.rosette', { root: short }) }
  const drawings = [
    [rosetteFile, sealRosette(facts.root, { size: 125, title: rosette.alt })],
    ...(facts.shareUrl === null ? [] : [[shareCode, renderSVG(facts.shareUrl, { border: 4 })]]),
  ] as const
  return {
    look: 'certificate',
    language: page.tag,
    title: t('certificate.file_title', { id: facts.id }),
    subject: t('certificate.subject', { sha256: facts.sha256, date: page.instant(facts.signedAt).utc }),
    date: new Date(edition.madeAt),
    running: {
      head: null,
      foot: t('certificate.foot', { id: facts.id }),
      pageOf: t('certificate.page_of', { page: '{page}', pages: '{pages}' }),
      onPage: '{page}',
      byCode: t('certificate.by_code', { count: '{count}' }),
      cover: false,
    },
    mark: null,
    blocks: [head(page, rosette), ...deposited(page), ...dated(page), worth(page), verify(page, edition, attached)],
    attachments,
    files: drawings.map(([name, svg]) => ({ name, content: Buffer.from(svg) })),
  }
}

function head(page: CertificatePage, rosette: { readonly file: string; readonly alt: string }): Block {
  const { t, facts } = page
  const { name } = facts
  return {
    kind: 'columns',
    shares: [81, 19],
    columns: [
      [
        { kind: 'brand' },
        heading(1, t('certificate.title')),
        paragraph(
          name === null ? t('certificate.nameless') : page.sentence('certificate.name', { name: strong(page.text(name)) }),
          'lead',
        ),
        paragraph(page.sentence('certificate.id', { id: code(facts.id) }), 'annex'),
      ],
      [{ kind: 'figure', picture: rosette, width: 30 }],
    ],
  }
}
