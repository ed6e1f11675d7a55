import { formatMoney } from '../../../../ui/intl/format.ts'
import { useLocale } from '../../../../ui/intl/text.tsx'

/** Amounts as the page's language writes them. */
export function useMoney(): (cents: number) => string {
  const locale = useLocale()
  return (cents) => formatMoney(cents, 'EUR', locale)
}
