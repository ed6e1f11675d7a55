import type { Locale } from '../../../../kernel/locale.ts'
import type { MailSample } from '../../../../platform/mail/mail-sample.ts'
import { documentWords } from '../document/words/document-words.ts'
import { noticeKinds } from '../notice/notice-store.ts'
import { writeBillingMail } from './send-billing-notice.ts'

/** One of each kind, about nobody, and that of an invoice to somebody whose account is no more. */
export function sampleBillingMails(locale: Locale, publicUrl: string): MailSample[] {
  const { money, day } = documentWords(locale)
  const to = { address: 'zoe@example.org', name: 'Zoë d’Artagnan', locale, brand: 'probant' }
  const saying = (state: string) => ({
    state,
    number: 'F2026-000123',
    amount: money(11_880),
    to_pay: money(11_880),
    due: day('2026-12-31'),
    on: day('2026-12-24'),
    suspension: day('2027-01-14'),
    plan: 'comfort',
    cycle: 'year',
    parts: 'one',
    net: money(9_900),
    last: day('2026-12-23'),
    consultation: 'WAPIAAAAYeR8',
    where: 'union',
  })
  const write = (kind: (typeof noticeKinds)[number], ended: boolean) =>
    writeBillingMail(
      { publicUrl, testPayments: false, brand: null },
      { to, kind, ended, saying: saying(kind === 'vat_checked' ? 'valid' : 'due') },
    )
  return [
    ...noticeKinds.map((kind) => ({ subject: `billing.mail.${kind}.subject`, mail: write(kind, false) })),
    { subject: 'billing.mail.invoice_issued.subject', mail: write('invoice_issued', true) },
  ]
}
