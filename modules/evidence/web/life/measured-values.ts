import { formatExact } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'

type Scalar = string | number | boolean | null

/**
 * Values for the sentences of the checklist, as the reader's language writes them: instants with their zone, yes and no, and
 * "not measured" for what is absent, so that a sentence never shows a hole. Text of the machine or the page is made visible.
 */
export function useMeasuredValues(): (data: Readonly<Record<string, Scalar>>) => Record<string, string | number> {
  const text = useText()
  const locale = useLocale()
  const inWords = (value: Scalar): string | number => {
    if (value === null || value === '') return text('evidence.value.not_measured')
    if (typeof value === 'boolean') return text(value ? 'evidence.value.yes' : 'evidence.value.no')
    // Counts stay numbers, for the plurals; a fraction is written as the reader's language does.
    if (typeof value === 'number')
      return Number.isInteger(value) ? value : new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }).format(value)
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value) ? formatExact(value, locale) : visible(value)
  }
  return (data) => Object.fromEntries(Object.entries(data).map(([name, value]) => [name, inWords(value)]))
}
