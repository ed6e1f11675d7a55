import type { Locale } from '../../../../kernel/locale.ts'
import type { MailSample } from '../../../../platform/mail/mail-sample.ts'
import { writePayoutMail } from './mail-payout.ts'

const payout = {
  id: '01932f6e-7c3a-7d1e-8f00-6b1f5d3c2a10',
  grossCents: 12_345,
  referenceText: 'PBT-7K3M9Q2X4B',
  failure: null,
  test: false,
}

/** On each occasion; about nobody. */
export function samplePayoutMails(locale: Locale, publicUrl: string): MailSample[] {
  const addressee = { address: 'zoe@example.org', name: 'Zoë d’Artagnan', locale, brand: 'probant' }
  return (['success', 'failed', 'returned'] as const).map((occasion) => ({
    subject: `payout.mail.${occasion}.subject`,
    mail: writePayoutMail({ publicUrl }, addressee, payout, occasion),
  }))
}
