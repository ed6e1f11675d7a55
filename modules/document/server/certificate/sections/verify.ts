import type { Block, Inlines } from '../../../../../kernel/document/blocks.ts'
import { code, heading, paragraph } from '../../../../../platform/print/document/inlines.ts'
import type { CertificateEdition } from '../page/certificate-facts.ts'
import type { CertificatePage } from '../page/certificate-page.ts'
import { detachCommand, otsCommand, pdfCommand, signatureCommand, sumCommand, timestampCommand } from '../page/verify-commands.ts'

/** The picture of the address where a deposit is shown. */
export const shareCode = 'share.svg'

/** Together on one page, with what stands at the end. @param attached names of the files inside the certificate */
export function verify(page: CertificatePage, edition: CertificateEdition, attached: readonly string[]): Block {
  const { t, facts } = page
  const { verifierUrl, shareUrl, id } = facts
  const file = t('certificate.file')
  const step = (said: Inlines, command?: string): readonly Block[] => [
    paragraph(said),
    ...(command === undefined ? [] : [{ kind: 'lines', text: command } as const]),
  ]
  const steps: Block = {
    kind: 'list',
    ordered: true,
    items: [
      step(
        verifierUrl === null
          ? t('certificate.verify_site_none')
          : page.sentence('certificate.verify_site', { url: code(verifierUrl) }),
      ),
      step(t('certificate.verify_tools'), `${detachCommand(id)}\n${sumCommand(file)}`),
      ...facts.stamps.map((stamp, index) =>
        step(
          t('certificate.verify_stamp', { count: facts.stamps.length, number: index + 1 }),
          timestampCommand(facts, stamp, file),
        ),
      ),
      step(t('certificate.verify_signature'), signatureCommand),
      ...(attached.includes('document.ots') ? [step(t('certificate.verify_ots'), otsCommand(file))] : []),
      step(t('certificate.verify_pdf'), pdfCommand(id)),
    ],
  }
  return {
    kind: 'together',
    blocks: [
      heading(2, t('certificate.verify')),
      shareUrl === null ? steps : { kind: 'columns', shares: [82, 18], columns: [[steps], shared(page, shareUrl)] },
      paragraph(
        page.sentence('certificate.attached', {
          names: attached.map((name, index) => [index === 0 ? '' : ', ', code(name)]),
        }),
        'annex',
      ),
      paragraph(`${t('certificate.not_officer')} ${t('certificate.paper')}`, 'grave'),
      paragraph(
        page.sentence('certificate.made', {
          edition: edition.edition,
          at: page.instant(edition.madeAt).utc,
          software: code(edition.software),
        }),
        'small',
      ),
    ],
  }
}

function shared({ t }: CertificatePage, url: string): readonly Block[] {
  return [
    { kind: 'figure', picture: { file: shareCode, alt: t('certificate.share_alt') }, width: 26 },
    paragraph([t('certificate.share'), ' ', code(url)], 'small'),
  ]
}
