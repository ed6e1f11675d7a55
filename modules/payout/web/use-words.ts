import { formatDay, formatMoney } from '../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../ui/intl/text.tsx'
import type { EarningOnTheWire, PayoutOnTheWire } from '../contract/payouts.ts'

const tones = { pending: 'accent', success: 'good', failed: 'bad', returned: 'caution', none: 'plain' } as const
const earningTones = { accrued: 'plain', matured: 'good', clawed_back: 'caution' } as const

/** Amounts, days and states as the page's language has them. */
export function usePayoutWords() {
  const text = useText()
  const locale = useLocale()
  const money = (cents: number): string => formatMoney(cents, 'EUR', locale)
  const day = (each: string): string => formatDay(each, locale)
  /** Basis points. */
  const percent = (rate: number): string =>
    new Intl.NumberFormat(locale === 'fr' ? 'fr-FR' : 'en-GB', { style: 'percent', maximumFractionDigits: 2 }).format(
      rate / 10_000,
    )
  return {
    text,
    locale,
    money,
    day,
    percent,
    tone: ({ status }: Pick<PayoutOnTheWire, 'status'>) => tones[status],
    earningTone: ({ status }: Pick<EarningOnTheWire, 'status'>) => earningTones[status],
    /** S-20: which line of which invoice, and by which rule. */
    origin: ({ invoice, line, base_cents, rate }: EarningOnTheWire): string =>
      text('payout.page.origin', { invoice: invoice ?? '–', line, rate: percent(rate), base: money(base_cents) }),
  }
}
