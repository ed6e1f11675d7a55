import type { Locale } from '../../../../kernel/locale.ts'
import type { MailSample } from '../../../../platform/mail/mail-sample.ts'
import { writeNotice, type Told } from './send-notice.ts'
import type { DepositNotice } from './notify-store.ts'

const until = new Date('2026-12-21T10:12:00Z')
const userId = '01932f6e-7c3a-7d1e-8f00-6b1f5d3c2a10'

const told: Readonly<Record<DepositNotice['kind'], Told>> = {
  draft_ending: { values: { count: 3, until }, category: 'pending' },
  anchored: { values: { count: 2, height: '925123', at: until, network: 'main' }, category: 'completed' },
  proof_weakening: { values: { count: 4, ended: 1, due: 3, until, anchors: 'some' }, category: 'completed' },
  download_reminder: {
    values: { count: 2, until },
    category: 'completed',
    named: [
      { documentId: userId, name: 'Contrat de cession – version définitive.pdf', sha256: new Uint8Array(32), keptUntil: until },
      { documentId: userId, name: null, sha256: new Uint8Array(32).fill(0x8c), keptUntil: until },
    ],
  },
}

/** One of each kind, about nobody. */
export function sampleDocumentMails(locale: Locale, publicUrl: string): MailSample[] {
  const to = { address: 'zoe@example.org', name: 'Zoë d’Artagnan', locale, brand: 'probant' }
  return (Object.keys(told) as DepositNotice['kind'][]).map((kind) => ({
    subject: `document.mail.${kind}.subject`,
    mail: writeNotice(
      { publicUrl, secret: 'shown to nobody' },
      { to, told: told[kind], kind, userId, forWhom: kind === 'anchored' ? null : 'Constance Bonacieux' },
    ),
  }))
}
