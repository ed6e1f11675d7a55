import { settings } from '../settings/settings.ts'
import { expectHttps, isThisMachine, type Values } from '../settings/values.ts'

/** As invoices print it (C. com., art. R123-237). */
export type SellerConfig = {
  readonly name: string
  readonly legalForm: string
  readonly capital: string
  readonly siren: string
  readonly vatId: string
  readonly register: string
  readonly address: string
  readonly zip: string
  readonly city: string
  readonly country: string
  readonly iban: string
  readonly bic: string | null
}

/** Who sells, who moves the money, what licences, referrals and payouts bring. */
export type MoneyConfig = {
  /** Who sells; null: nothing is paid for. */
  readonly seller: SellerConfig | null
  /** Whether customers pay by transfer alone. */
  readonly payments: 'provider' | 'transfer'
  /** Null: nobody moves money for the installation. */
  readonly mangopay: {
    readonly clientId: string
    readonly apiKey: string
    readonly baseUrl: string
    readonly seller: { readonly user: string; readonly wallet: string }
    /** Where browsers hand in cards, as a page's policy names it. */
    readonly cardAddresses: readonly string[]
  } | null
  /** The platform’s share of the price of a licence, in basis points. */
  readonly licenseFeeRate: number
  /** What a referral brings: basis points of what is paid without VAT, for so many months. */
  readonly referral: { readonly rate: number; readonly months: number }
  /** When what somebody earned is paid out, and by whom. */
  readonly payout: { readonly by: 'provider' | 'transfer'; readonly minimumCents: number; readonly delayDays: number }
  /** Cents of what a subscriber may owe for what his plan does not include. */
  readonly extrasLimit: number
  /** Register of VAT numbers; without trailing slash. */
  readonly viesUrl: string
}

export function moneyOf(values: Values, faults: string[]): MoneyConfig {
  expectHttps(values, ['viesUrl', 'mangopayUrl'], faults)
  const seller = sellerOf(values, faults)
  const mangopay = mangopayOf(values, faults)
  const viesUrl = values.viesUrl.replace(/\/+$/, '')
  return {
    seller,
    payments: values.payments,
    mangopay,
    licenseFeeRate: values.licenseFee * 100,
    referral: { rate: values.referralRate * 100, months: values.referralMonths },
    payout: {
      by: values.payments === 'transfer' ? 'transfer' : values.payouts,
      minimumCents: values.payoutMinimum * 100,
      delayDays: values.payoutDelay,
    },
    extrasLimit: values.extrasLimit * 100,
    viesUrl,
  }
}

/** Nobody sells under a name that is not told whole. */
function sellerOf(values: Values, faults: string[]): SellerConfig | null {
  if (values.billing === 'off') return null
  const said = (key: keyof Values & `seller${string}`): string => {
    if (values[key] === undefined) faults.push(`${settings[key].name} is required with PROBANT_BILLING=on`)
    return values[key] ?? ''
  }
  return {
    name: said('sellerName'),
    legalForm: said('sellerLegalForm'),
    capital: said('sellerCapital'),
    siren: said('sellerSiren'),
    vatId: said('sellerVatId'),
    register: said('sellerRegister'),
    address: said('sellerAddress'),
    zip: said('sellerZip'),
    city: said('sellerCity'),
    country: 'FR',
    iban: said('sellerIban'),
    bic: values.sellerBic ?? null,
  }
}

function mangopayOf(values: Values, faults: string[]): MoneyConfig['mangopay'] {
  const { mangopayClient: clientId, mangopayKey: apiKey, mangopayUser: user, mangopayWallet: wallet, mangopayUrl } = values
  const cardAddresses = isThisMachine(mangopayUrl) ? [new URL(mangopayUrl).origin] : values.mangopayCardAddresses
  if (values.payments === 'transfer') {
    if (clientId !== undefined) faults.push('PROBANT_PAYMENTS=transfer goes without PROBANT_MANGOPAY_CLIENT_ID')
    return null
  }
  if (clientId !== undefined && apiKey !== undefined && user !== undefined && wallet !== undefined)
    return { clientId, apiKey, baseUrl: mangopayUrl.replace(/\/+$/, ''), seller: { user, wallet }, cardAddresses }
  if ([clientId, apiKey, user, wallet].some((value) => value !== undefined))
    faults.push(
      'PROBANT_MANGOPAY_CLIENT_ID, PROBANT_MANGOPAY_API_KEY, PROBANT_MANGOPAY_USER and PROBANT_MANGOPAY_WALLET are given together',
    )
  return null
}
