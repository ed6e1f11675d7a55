import type { Locale } from '../../../../kernel/locale.ts'
import type { MailSample } from '../../../../platform/mail/mail-sample.ts'
import { writeLicenseMail } from './mail-license.ts'

const license = {
  number: 'L2026-000042',
  test: false,
  firstName: 'Ada',
  lastName: 'Lovelace',
  netCents: 25_000,
  feeCents: 5_000,
  reports: [{ pageUrl: 'https://shop.example.com/catalogue/' }],
}

/** To both of its sides, as it is granted and as it is revoked; about nobody. */
export function sampleLicensingMails(locale: Locale, publicUrl: string): MailSample[] {
  const addressee = { address: 'zoe@example.org', name: 'Zoë d’Artagnan', locale, brand: 'probant' }
  return (['seller', 'buyer'] as const).flatMap((to) =>
    (['granted', 'revoked'] as const).map((occasion) => ({
      subject: `licensing.mail.${to}_${occasion}.subject`,
      mail: writeLicenseMail({ publicUrl }, addressee, license, to, occasion),
    })),
  )
}
