import type { Locale } from '../../../kernel/locale.ts'
import { sampleAccountMails } from '../../../modules/account/server/index.ts'
import { sampleBackupMails } from '../../../modules/backup/server/index.ts'
import { sampleBillingMails } from '../../../modules/billing/server/index.ts'
import { sampleDocumentMails } from '../../../modules/document/server/index.ts'
import { sampleEvidenceMails } from '../../../modules/evidence/server/index.ts'
import { sampleIdentityMails } from '../../../modules/identity/server/index.ts'
import { sampleLicensingMails } from '../../../modules/licensing/server/index.ts'
import { samplePayoutMails } from '../../../modules/payout/server/index.ts'
import { sampleReviewMails } from '../../../modules/review/server/index.ts'
import { sampleSupportMails } from '../../../modules/support/server/index.ts'
import type { MailSample } from '../../../platform/mail/mail-sample.ts'
import { writeTrialMail } from '../../../platform/mail/trial-mail.ts'

/** Every mail that the product sends, as it is written, in the order of the modules. */
export function sampleMails(locale: Locale, publicUrl: string): MailSample[] {
  return [
    ...sampleIdentityMails(locale, publicUrl),
    ...sampleAccountMails(locale, publicUrl),
    ...sampleEvidenceMails(locale, publicUrl),
    ...sampleDocumentMails(locale, publicUrl),
    ...sampleReviewMails(locale, publicUrl),
    ...sampleBillingMails(locale, publicUrl),
    ...sampleLicensingMails(locale, publicUrl),
    ...samplePayoutMails(locale, publicUrl),
    ...sampleSupportMails(locale, publicUrl),
    ...sampleBackupMails(locale),
    { subject: 'setup.mail.subject', mail: writeTrialMail('zoe@example.org', locale, publicUrl) },
  ]
}
