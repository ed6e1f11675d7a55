import type { Locale } from '../../../../kernel/locale.ts'
import type { MailSample } from '../../../../platform/mail/mail-sample.ts'
import { notices } from '../mails/mail-jobs.ts'
import { writeAddressTaken, writeConfirmation, writeKeyEnding, writeNotice, writeReset, type Addressee } from './send-mails.ts'

const at = new Date('2026-11-20T10:12:00Z')
const token = 'k'.repeat(43)

/** One of each kind, about nobody. */
export function sampleIdentityMails(locale: Locale, publicUrl: string): MailSample[] {
  const user: Addressee = { id: '01932f6e-7c3a-7d1e-8f00-6b1f5d3c2a10', firstName: 'Zoë', locale, brand: 'probant' }
  const site = { publicUrl }
  const to = 'zoe@example.org'
  const session = { browser: 'Firefox 145, Windows', network: '203.0.113.0/24' }
  return [
    {
      subject: 'identity.mail.confirm_account_subject',
      mail: writeConfirmation(site, user, to, { isNew: true, at, token, code: '314159' }),
    },
    {
      subject: 'identity.mail.confirm_address_subject',
      mail: writeConfirmation(site, user, to, { isNew: false, at, token, code: null }),
    },
    { subject: 'identity.mail.taken_subject', mail: writeAddressTaken(site, user, to) },
    { subject: 'identity.mail.reset_subject', mail: writeReset(site, user, to, token) },
    ...notices.map((notice) => ({
      subject: `identity.mail.${notice}_subject`,
      mail:
        notice === 'api_key_ending'
          ? writeKeyEnding(site, user, to, { name: 'Nightly deposits', hint: 'pbk_7K3M', expiresAt: at })
          : writeNotice(site, user, to, { notice, at, session: notice === 'new_sign_in' ? session : null }),
    })),
  ]
}
