import { composeMail } from '../../../../platform/mail/compose-mail.ts'
import type { MailBrand } from '../../../../platform/mail/mail-brand.ts'
import type { Mail, Mailer } from '../../../../platform/mail/mailer.ts'
import { createMessages, type MessageId, type MessageValues } from '../../../../platform/messages/messages.ts'
import { plainText } from '../../../../platform/print/hostile-text.ts'
import { paidByTest } from '../../../billing/server/index.ts'
import { findReachable, type Notified } from '../../../account/server/index.ts'
import type { LicensingDeps } from '../keep/deps.ts'
import { findLicense, type LicenseRow } from '../keep/license-store.ts'

export type LicenseMailDeps = Pick<LicensingDeps, 'db'> & {
  readonly mailer: Mailer
  readonly publicUrl: string
  readonly mailBrand?: (brand: string) => MailBrand | null
}

const longest = 100

/** None where an account is not open any more. */
export async function mailLicense(
  deps: LicenseMailDeps,
  id: string,
  to: 'seller' | 'buyer',
  occasion: 'granted' | 'revoked',
): Promise<void> {
  const license = await findLicense(deps.db, id)
  if (license?.number == null) return
  const addressee = await findReachable(deps.db, to === 'seller' ? license.sellerId : license.buyerId)
  if (addressee === null) return
  const test = await paidByTest(deps.db, license.invoiceId)
  await deps.mailer.send(writeLicenseMail(deps, addressee, { ...license, number: license.number, test }, to, occasion))
}

export function writeLicenseMail(
  deps: Pick<LicenseMailDeps, 'publicUrl' | 'mailBrand'>,
  addressee: Notified,
  license: Pick<LicenseRow, 'firstName' | 'lastName' | 'netCents' | 'feeCents'> & {
    readonly number: string
    /** It was paid, and no money moved. */
    readonly test: boolean
    readonly reports: readonly { readonly pageUrl: string }[]
  },
  to: 'seller' | 'buyer',
  occasion: 'granted' | 'revoked',
): Mail {
  const { address, locale, name } = addressee
  const messages = createMessages(locale)
  const euros = (cents: number) =>
    new Intl.NumberFormat(locale === 'fr' ? 'fr-FR' : 'en-GB', { style: 'currency', currency: 'EUR' }).format(cents / 100)
  const values: MessageValues = {
    name: plainText(name, longest),
    number: license.number,
    report: plainText(hostOf(license.reports[0]?.pageUrl ?? ''), longest),
    beneficiary: plainText(`${license.firstName} ${license.lastName}`, longest),
    price: euros(license.netCents),
    fee: euros(license.feeCents),
    earned: euros(license.netCents - license.feeCents),
  }
  const say = (part: 'subject' | 'text' | 'link') =>
    messages.format(`licensing.mail.${to}_${occasion}.${part}` as MessageId, values)
  const brand = deps.mailBrand?.(addressee.brand) ?? null
  const site = brand?.publicUrl ?? deps.publicUrl
  const link = `${site}/${locale}/evidences/licenses/${to === 'seller' ? '?side=sold' : ''}`
  return composeMail({
    to: address,
    locale,
    subject: say('subject'),
    parts: [
      { text: say('text') },
      ...(license.test ? [{ text: messages.format('licensing.mail.test') }] : []),
      { link, label: say('link') },
    ],
    brand,
  })
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : address)
