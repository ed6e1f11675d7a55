/** The certificate of a deposit, from its facts and proofs to the signed PDF. */
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locale } from '../../../../kernel/locale.ts'
import { sealRosette } from '../../../../kernel/seal-rosette.ts'
import type { PrintJob } from '../../../../platform/browser/print-pdf.ts'
import { finishPdf } from '../../../../platform/print/finish-pdf.ts'
import { headingsOf } from '../../../../platform/print/name-bookmarks.ts'
import type { Attachment, CertificateEdition, CertificateFacts } from './page/certificate-facts.ts'
import { certificatePage } from './page/certificate-page.ts'
import { type CertificateMessageId, certificateWords } from './page/certificate-words.ts'
import { depositRecord } from './deposit-record.ts'
import { renderCertificate } from './render-certificate.ts'

export type CertificateInput = {
  readonly facts: CertificateFacts
  readonly edition: CertificateEdition
  /** Proofs, as they are downloaded. */
  readonly proofs: readonly Attachment[]
}

export type CertificateDeps = {
  /** `platform/browser/print-pdf.ts`: tags, bookmarks; no script, no way out. */
  readonly printPdf: (job: PrintJob) => Promise<{ readonly refused: readonly string[] }>
  /** `reason` in the language of the document. */
  readonly signPdf: (pdf: Uint8Array, reason: string) => Promise<Uint8Array>
  /** A folder of this certificate alone, made when absent and removed again. */
  readonly workDir: string
  readonly signal: AbortSignal
}

/** @throws what printing and signing throw; nothing is left in the folder. */
export async function makeCertificate(input: CertificateInput, locale: Locale, deps: CertificateDeps): Promise<Uint8Array> {
  deps.signal.throwIfAborted()
  const { facts, edition } = input
  const words = certificateWords(locale)
  const { t } = words
  const files = [depositRecord(facts, edition), ...input.proofs].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const attached = files.map(({ name }) => name)
  const html = await renderCertificate(certificatePage(words, facts), edition, { attached, rosette: sealRosette })
  await mkdir(deps.workDir, { recursive: true })
  const outFile = join(deps.workDir, `certificate.${locale}.pdf`)
  try {
    const { refused } = await deps.printPdf({ html, outFile })
    if (refused.length > 0) throw new Error(`the certificate asked for what it does not hold: ${refused.join(', ')}`)
    const finished = await finishPdf(await readFile(outFile), {
      title: t('certificate.file_title', { id: facts.id }),
      subject: t('certificate.subject', { sha256: facts.sha256, date: words.instant(facts.signedAt).utc }),
      language: words.tag,
      creator: edition.software,
      date: new Date(edition.madeAt),
      identity: `${facts.id} ${edition.edition} ${locale}`,
      headings: headingsOf(html),
      attachments: files.map((file) => ({ ...file, description: t(describedAs(file.name)) })),
    })
    return await deps.signPdf(finished, t('certificate.sign_reason'))
  } finally {
    await rm(deps.workDir, { recursive: true, force: true })
  }
}

function describedAs(name: string): CertificateMessageId {
  if (name === 'deposit.json') return 'certificate.attachment.deposit'
  if (name.endsWith('.tsr')) return 'certificate.attachment.tsr'
  if (name.endsWith('-ca.pem')) return 'certificate.attachment.ca'
  if (name.endsWith('.ers')) return 'certificate.attachment.ers'
  if (name.endsWith('.ots')) return 'certificate.attachment.ots'
  if (name.endsWith('.chainpoint.json')) return 'certificate.attachment.chainpoint'
  if (name.endsWith('.p7s')) return 'certificate.attachment.signature'
  if (name === 'anchor-header.json') return 'certificate.attachment.header'
  return name === 'log-proof.txt' ? 'certificate.attachment.log' : 'certificate.attachment.other'
}
