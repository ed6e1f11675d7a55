import { formatDay, formatMoney } from '../../../../ui/intl/format.ts'
import { useLocale } from '../../../../ui/intl/text.tsx'

const dayBefore = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)

/** Amounts and days as the page's language writes them. */
export function useMoney(): {
  readonly money: (cents: number) => string
  readonly day: (day: string) => string
  /** From the first day to the last one, which is the day before the next stretch begins. */
  readonly span: (from: string, to: string) => { readonly from: string; readonly to: string }
} {
  const locale = useLocale()
  const day = (each: string) => formatDay(each, locale)
  return {
    money: (cents) => formatMoney(cents, 'EUR', locale),
    day,
    span: (from, to) => ({ from: day(from), to: day(dayBefore(to)) }),
  }
}
