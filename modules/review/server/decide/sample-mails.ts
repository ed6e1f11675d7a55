import type { Locale } from '../../../../kernel/locale.ts'
import type { MailSample } from '../../../../platform/mail/mail-sample.ts'
import { writeEnding } from '../retention/remind-ending.ts'
import { writeDecision } from './send-decision.ts'

/** Of each kind, about nobody. */
export function sampleReviewMails(locale: Locale, publicUrl: string): MailSample[] {
  const reader = { email: 'zoe@example.org', firstName: 'Zoë', locale, brand: 'probant' }
  const kindOf = () => 'passport' as const
  const decided = { verdicts: [], missing: [], note: null, kindOf, stands: false }
  return [
    { subject: 'review.mail.accepted_subject', mail: writeDecision({ publicUrl }, reader, { ...decided, outcome: 'accepted' }) },
    {
      subject: 'review.mail.refused_subject',
      mail: writeDecision({ publicUrl }, reader, {
        ...decided,
        outcome: 'refused',
        verdicts: [
          { documentId: 'one', outcome: 'refused', expiresOn: null, reason: 'unreadable', note: 'The number cannot be read.' },
        ],
        missing: ['registration_proof'],
        note: 'Please send both pages of the passport.',
        stands: true,
      }),
    },
    ...(['2026-12-21', '2026-11-24', '2026-11-20'] as const).map((endsOn, i) => ({
      subject: `review.mail.ending_subject.${['ahead', 'today', 'ended'][i] ?? ''}`,
      mail: writeEnding({ publicUrl }, reader, endsOn, '2026-11-24'),
    })),
  ]
}
