import type { Locale } from '../../../../kernel/locale.ts'
import type { MailSample } from '../../../../platform/mail/mail-sample.ts'
import { writeBackupWarning } from './jobs.ts'

/** Where there is an old one, and where there is none. */
export function sampleBackupMails(locale: Locale): MailSample[] {
  return [new Date('2026-11-20T02:00:00Z'), null].map((newest) => ({
    subject: 'backup.mail.subject',
    mail: writeBackupWarning({ email: 'zoe@example.org', locale }, { to: 's3://backups.example.org/probant', newest }),
  }))
}
