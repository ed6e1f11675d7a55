import { formatDay, formatMoney } from '../../../../ui/intl/format.ts'
import { useLocale } from '../../../../ui/intl/text.tsx'

/** Amounts and days as the page's language writes them. */
export function useMoney(): { readonly money: (cents: number) => string; readonly day: (day: string) => string } {
  const locale = useLocale()
  return { money: (cents) => formatMoney(cents, 'EUR', locale), day: (day) => formatDay(day, locale) }
}
