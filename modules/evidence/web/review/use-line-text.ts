import { useCallback } from 'react'
import { useIntl, type IntlShape } from 'react-intl'
import type { MessageId } from '../../../../ui/intl/text.tsx'
import { tell, type TimelineLine } from './timeline.ts'

type Format = IntlShape['formatMessage']

/** Lists ask for the same sentences again and again. Gone with the lines themselves. */
const kept = new WeakMap<TimelineLine, { readonly format: Format; readonly sentence: string }>()

function sentenceOf(line: TimelineLine, format: Format): string {
  const known = kept.get(line)
  if (known?.format === format) return known.sentence
  const { id, values } = tell(line)
  const sentence = format({ id: id as MessageId }, values)
  kept.set(line, { format, sentence })
  return sentence
}

/** The sentence of a line in the language of the page. */
export function useLineText(): (line: TimelineLine) => string {
  const { formatMessage } = useIntl()
  return useCallback((line) => sentenceOf(line, formatMessage), [formatMessage])
}
