import type { Locale } from '../../../../../kernel/locale.ts'
import type { MailSample } from '../../../../../platform/mail/mail-sample.ts'
import { writeNotification, type Told } from './write-notification.ts'

const until = new Date('2026-12-21T10:12:00Z')
const told: readonly Told[] = [
  { kind: 'report_ready', keptUntil: until },
  { kind: 'draft_ending', until, waits: 'decision' },
  { kind: 'draft_ending', until, waits: 'payment' },
  { kind: 'download_reminder', until },
  { kind: 'anchored', height: 925_123, at: until, network: 'main' },
  { kind: 'proof_weakening', until, ended: false, anchored: true },
]

/** One of each kind, about nobody. */
export function sampleEvidenceMails(locale: Locale, publicUrl: string): MailSample[] {
  return told.map((each) => ({
    subject: `evidence.mail.${each.kind}.subject`,
    mail: writeNotification({
      to: { address: 'zoe@example.org', name: 'Zoë d’Artagnan', locale, brand: 'probant' },
      told: each,
      evidence: { requestedUrl: 'https://shop.example.com/catalogue/autumn/lamp?colour=red', label: 'Lampe – contrefaçon' },
      people: each.kind === 'report_ready' ? { kind: 'made_by', name: 'Constance Bonacieux' } : null,
      page: `${publicUrl}/${locale}/capture/01932f6e-7c3a-7d1e-8f00-6b1f5d3c2a10/`,
      ending: { page: `${publicUrl}/${locale}/by-mail/notifications/?key=${'k'.repeat(64)}`, oneClick: `${publicUrl}/by-mail/` },
      brand: null,
    }),
  }))
}
