import { composeMail } from '../../../../platform/mail/compose-mail.ts'
import type { MailBrand } from '../../../../platform/mail/mail-brand.ts'
import type { Mail, Mailer } from '../../../../platform/mail/mailer.ts'
import { createMessages, type MessageId, type MessageValues } from '../../../../platform/messages/messages.ts'
import { plainText } from '../../../../platform/print/hostile-text.ts'
import { findReachable, type Notified } from '../../../account/server/index.ts'
import { isTest, type PayoutDeps } from '../keep/deps.ts'
import { findPayout, type Payout } from '../keep/payout-store.ts'

export type PayoutMailDeps = Pick<PayoutDeps, 'db' | 'publicUrl' | 'provider'> & {
  readonly mailer: Mailer
  readonly mailBrand?: (brand: string) => MailBrand | null
}

const longest = 100

/** With a way to the statement; none where an account is not open any more. */
export async function mailPayout(deps: PayoutMailDeps, id: string, occasion: 'success' | 'failed' | 'returned'): Promise<void> {
  const payout = await findPayout(deps.db, id)
  if (payout === null) return
  const addressee = await findReachable(deps.db, payout.userId)
  if (addressee === null) return
  await deps.mailer.send(writePayoutMail(deps, addressee, { ...payout, test: isTest(deps, payout) }, occasion))
}

export function writePayoutMail(
  deps: Pick<PayoutMailDeps, 'publicUrl' | 'mailBrand'>,
  addressee: Notified,
  payout: Pick<Payout, 'id' | 'grossCents' | 'referenceText' | 'failure'> & {
    /** No money moved. */
    readonly test: boolean
  },
  occasion: 'success' | 'failed' | 'returned',
): Mail {
  const { address, locale, name } = addressee
  const messages = createMessages(locale)
  const euros = new Intl.NumberFormat(locale === 'fr' ? 'fr-FR' : 'en-GB', { style: 'currency', currency: 'EUR' })
  const values: MessageValues = {
    name: plainText(name, longest),
    amount: euros.format(payout.grossCents / 100),
    reference: payout.referenceText,
    why: occasion === 'failed' ? messages.format(`payout.failure.${payout.failure ?? 'other'}` as MessageId) : '',
  }
  const say = (part: 'subject' | 'text' | 'link') => messages.format(`payout.mail.${occasion}.${part}` as MessageId, values)
  const brand = deps.mailBrand?.(addressee.brand) ?? null
  const link = `${brand?.publicUrl ?? deps.publicUrl}/${locale}/account/payout/${payout.id}/`
  return composeMail({
    to: address,
    locale,
    subject: say('subject'),
    parts: [
      { text: say('text') },
      ...(payout.test ? [{ text: messages.format('payout.mail.test') }] : []),
      { link, label: say('link') },
    ],
    brand,
  })
}
