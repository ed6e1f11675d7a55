import type { Locale } from '../../../kernel/locale.ts'
import { formatDay } from '../../../ui/intl/format.ts'
import { visible } from '../../../ui/intl/visible.ts'

/** A day that was typed, in words, as it is compared with a card; what is none as it stands. */
export function typedDay(value: string, locale: Locale): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? formatDay(value, locale) : visible(value)
}
