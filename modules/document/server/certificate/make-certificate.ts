/** The certificate of a deposit, from its facts and proofs to the signed PDF. */
import type { Locale } from '../../../../kernel/locale.ts'
import type { PrintedDocument } from '../../../../platform/print/document/printed-document.ts'
import { composeCertificate } from './compose-certificate.ts'
import type { Attachment, CertificateEdition, CertificateFacts } from './page/certificate-facts.ts'
import { certificatePage } from './page/certificate-page.ts'
import { type CertificateMessageId, certificateWords } from './page/certificate-words.ts'
import { depositRecord } from './deposit-record.ts'

export type CertificateInput = {
  readonly facts: CertificateFacts
  readonly edition: CertificateEdition
  /** Proofs, as they are downloaded. */
  readonly proofs: readonly Attachment[]
}

export type CertificateDeps = {
  /** `platform/print/typeset`. */
  readonly typeset: (document: PrintedDocument) => Promise<Uint8Array>
  /** `reason` in the language of the document. */
  readonly signPdf: (pdf: Uint8Array, reason: string) => Promise<Uint8Array>
  readonly signal: AbortSignal
}

/** @throws what typesetting and signing throw */
export async function makeCertificate(input: CertificateInput, locale: Locale, deps: CertificateDeps): Promise<Uint8Array> {
  deps.signal.throwIfAborted()
  const { facts, edition } = input
  const words = certificateWords(locale)
  const { t } = words
  const files = [depositRecord(facts, edition), ...input.proofs].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const attachments = files.map((file) => ({ ...file, description: t(describedAs(file.name)) }))
  const pdf = await deps.typeset(composeCertificate(certificatePage(words, facts), edition, attachments))
  return await deps.signPdf(pdf, t('certificate.sign_reason'))
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
