/** Whether reports are paid for, and who sells them. */
import { isValidIBAN } from 'ibantools'
import { address, integer, oneOf } from './parsers.ts'
import { setting } from './setting.ts'

const required = 'none: required with `PROBANT_BILLING=on`'

/** @param is a pattern of the whole value, or whether it is one */
const said = (
  name: string,
  meaning: string,
  accepts: string,
  is: RegExp | ((value: string) => boolean),
  fallbackText = required,
) =>
  setting({
    name: `PROBANT_SELLER_${name}`,
    accepts,
    parse(this: void, value: string): string {
      const fits = is instanceof RegExp ? is.test(value) : is(value)
      if (!fits || /\p{Cc}/u.test(value)) throw new RangeError(`must be ${accepts}`)
      return value
    },
    fallback: undefined as string | undefined,
    fallbackText,
    meaning,
  })
const words = /^\S.{0,199}$/u
const text = 'text of at most 200 characters'

export const billing = {
  billing: setting({
    name: 'PROBANT_BILLING',
    ...oneOf('off', 'on'),
    fallback: 'off',
    fallbackText: '`off`',
    meaning:
      'Whether reports are paid for. `off`: agreeing to a preview finalises it at once, and there are no calls of subscriptions and invoices but the list of plans. `on` needs every setting of the seller below.',
  }),
  sellerName: said('NAME', 'Name of the seller, as invoices print it.', text, words),
  sellerLegalForm: said('LEGAL_FORM', 'Its legal form: `SARL`, `SAS`.', text, words),
  sellerCapital: said('CAPITAL', 'Its share capital, with the currency.', text, words),
  sellerSiren: said('SIREN', 'Its number in the French register of businesses.', 'nine digits', /^\d{9}$/),
  sellerVatId: said(
    'VAT_ID',
    'Its VAT number: `FR` and eleven characters.',
    '`FR` and eleven digits or letters',
    /^FR[0-9A-Z]{2}\d{9}$/,
  ),
  sellerRegister: said('REGISTER', 'Where it is registered: `RCS Marseille`.', text, words),
  sellerAddress: said('ADDRESS', 'Street and number of its seat.', text, words),
  sellerZip: said('ZIP', 'Postal code of its seat.', 'five digits', /^\d{5}$/),
  sellerCity: said('CITY', 'Town of its seat.', text, words),
  sellerIban: said(
    'IBAN',
    'Account to which transfers are made.',
    'an IBAN without spaces, with its right check digits',
    isValidIBAN,
  ),
  sellerBic: said(
    'BIC',
    'Bank of that account, which invoices to be paid by transfer name beside it.',
    'a BIC of 8 or 11 characters',
    /^[A-Z]{6}[0-9A-Z]{2}(?:[0-9A-Z]{3})?$/,
    'none: banks find it by the account',
  ),
  extrasLimit: setting({
    name: 'PROBANT_EXTRAS_LIMIT',
    ...integer(0, 1_000_000, 'EUR'),
    fallback: 2000,
    fallbackText: '`2000`',
    meaning:
      'Up to how much, VAT included, a subscriber whose bank account may be debited owes for what his plan does not include, before and after the invoice of the month; what goes beyond is paid at once. `0`: everything is.',
  }),
  licenseFee: setting({
    name: 'PROBANT_LICENSE_FEE',
    ...integer(0, 90, '%'),
    fallback: 20,
    fallbackText: '`20`',
    meaning:
      'The platform’s share of the price of a licence, in percent of the price without VAT. Sellers see it before they offer a report.',
  }),
  referralRate: setting({
    name: 'PROBANT_REFERRAL_RATE',
    ...integer(0, 50, '%'),
    fallback: 10,
    fallbackText: '`10`',
    meaning:
      'What whoever referred a customer earns of what that customer pays, in percent of the price without VAT. Earnings keep the rate at which they were earned.',
  }),
  referralMonths: setting({
    name: 'PROBANT_REFERRAL_MONTHS',
    ...integer(1, 120, 'months'),
    fallback: 12,
    fallbackText: '`12`',
    meaning: 'For how many months from his first invoice a customer who was referred brings something.',
  }),
  payouts: setting({
    name: 'PROBANT_PAYOUTS',
    ...oneOf('provider', 'transfer'),
    fallback: 'provider',
    fallbackText: '`provider`',
    meaning:
      'Who pays what was earned: the payment provider, or the operator by transfers of his own bank, which he marks as done or failed at `/admin/payouts/`. Payouts that have begun end as they began.',
  }),
  payoutMinimum: setting({
    name: 'PROBANT_PAYOUT_MINIMUM',
    ...integer(1, 1000, 'EUR'),
    fallback: 20,
    fallbackText: '`20`',
    meaning: 'Less than so many euros are not paid out, and wait for another month.',
  }),
  payoutDelay: setting({
    name: 'PROBANT_PAYOUT_DELAY',
    ...integer(0, 400, 'days'),
    fallback: 60,
    fallbackText: '`60`',
    meaning:
      'How many days after the payment of a customer what was earned by it can be paid out. Direct debits may be taken back without a reason for eight weeks; what goes back later is taken off the next payout.',
  }),
  viesUrl: setting({
    name: 'PROBANT_VIES_URL',
    ...address(['https:', 'http:']),
    fallback: 'https://ec.europa.eu/taxation_customs/vies/rest-api',
    fallbackText: '`https://ec.europa.eu/taxation_customs/vies/rest-api`',
    meaning:
      'The register of VAT numbers of the European Union, which is asked about the number of each firm outside France. While it does not answer, nothing is invoiced to such a firm. `http://` is for the machine itself alone.',
  }),
} as const
