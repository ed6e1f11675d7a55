import { useCallback } from 'react'
import { useIntl, type IntlShape } from 'react-intl'
import type { Locale } from '../../../../kernel/locale.ts'
import { useLocale, type MessageId } from '../../../../ui/intl/text.tsx'
import { tell, type TimelineLine } from './timeline.ts'

type Format = IntlShape['formatMessage']

/** Lists ask for the same sentences again and again. Gone with the lines themselves. */
const kept = new WeakMap<TimelineLine, { readonly format: Format; readonly sentence: string }>()

function sentenceOf(line: TimelineLine, format: Format, locale: Locale): string {
  const known = kept.get(line)
  if (known?.format === format) return known.sentence
  const { id, values } = tell(line, locale)
  const sentence = format({ id: id as MessageId }, values)
  kept.set(line, { format, sentence })
  return sentence
}

/** The sentence of a line in the language of the page. */
export function useLineText(): (line: TimelineLine) => string {
  const { formatMessage } = useIntl()
  const locale = useLocale()
  return useCallback((line) => sentenceOf(line, formatMessage, locale), [formatMessage, locale])
}
