import { useCallback } from 'react'
import type { Locale } from '../../../../kernel/locale.ts'
import { useLocale, useText, type MessageId } from '../../../../ui/intl/text.tsx'
import { tell, type TimelineLine } from './timeline.ts'

type Format = ReturnType<typeof useText>

/** Lists ask for the same sentences again and again. Gone with the lines themselves. */
const kept = new WeakMap<TimelineLine, { readonly format: Format; readonly sentence: string }>()

function sentenceOf(line: TimelineLine, format: Format, locale: Locale): string {
  const known = kept.get(line)
  if (known?.format === format) return known.sentence
  const { id, values } = tell(line, locale)
  const sentence = format(id as MessageId, values)
  kept.set(line, { format, sentence })
  return sentence
}

/** The sentence of a line in the language of the page. */
export function useLineText(): (line: TimelineLine) => string {
  const text = useText()
  const locale = useLocale()
  return useCallback((line) => sentenceOf(line, text, locale), [text, locale])
}
