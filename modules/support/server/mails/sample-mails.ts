import type { Locale } from '../../../../kernel/locale.ts'
import type { MailSample } from '../../../../platform/mail/mail-sample.ts'
import { writeNewsletterQuestion } from '../newsletter/ask-newsletter.ts'
import { writeAnswer, writeForOperator, writeReceipt, type Found } from './send-mails.ts'

const id = '01932f6e-7c3a-7d1e-8f00-6b1f5d3c2a10'
const at = new Date('2026-11-20T10:12:00Z')

/** Of each kind, about nobody: to whoever has an account and to whoever has none. */
export function sampleSupportMails(locale: Locale, publicUrl: string): MailSample[] {
  const found = (userId: string | null): Found => ({
    request: {
      id,
      reference: 'A7K3M9',
      userId,
      name: 'Zoë d’Artagnan',
      email: 'zoe@example.org',
      title: 'The capture of our shop stops at half of the page',
      locale,
      status: 'open',
      createdAt: at,
      changedAt: at,
    },
    message: {
      id,
      requestId: id,
      author: 'sender',
      staffId: null,
      text: 'Hello,\n\nthe picture of the page ends in the middle of the list.\nWhat can I do?',
      createdAt: at,
    },
    brand: null,
  })
  const files = [{ name: 'capture.png' }, { name: 'notes.txt' }]
  return [
    { subject: 'support.mail.received_subject', mail: writeReceipt({ publicUrl }, found(id)) },
    { subject: 'support.mail.received_subject', mail: writeReceipt({ publicUrl }, found(null)) },
    { subject: 'support.mail.answer_subject', mail: writeAnswer({ publicUrl }, found(id)) },
    { subject: 'support.mail.answer_subject', mail: writeAnswer({ publicUrl }, found(null)) },
    {
      subject: 'support.mail.operator_subject',
      mail: writeForOperator({ publicUrl, supportAddress: 'support@example.org' }, found(null), files),
    },
    {
      subject: 'support.mail.newsletter_subject',
      mail: writeNewsletterQuestion(
        { publicUrl, secret: 'shown to nobody' },
        { id, address: 'zoe@example.org', locale, askedAt: at },
      ),
    },
  ]
}
