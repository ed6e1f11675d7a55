import type { Placeholder } from '../../domain/letter.ts'
import { placeholderNames, type DisputeWords } from './dispute-words.ts'

/** The letter that nobody has written himself yet: without the paragraphs for which nothing is given. It is its sender's, who may change each word. */
export function letterTemplate(words: DisputeWords, values: Readonly<Record<Placeholder, string | null>>): string {
  const { t } = words
  const names = placeholderNames(words)
  const braced = Object.fromEntries(Object.entries(names).map(([id, name]) => [id, `{${name}}`]))
  return [
    t('dispute.letter.greeting'),
    t('dispute.letter.seen', braced),
    t('dispute.letter.claim', braced),
    t('dispute.letter.delay', braced),
    ...(values.amount === null ? [] : [t('dispute.letter.amount', braced)]),
    ...(values.offer === null ? [] : [t('dispute.letter.offer', braced)]),
    t('dispute.letter.otherwise'),
    t('dispute.letter.exhibits'),
    t('dispute.letter.closing'),
  ].join('\n\n')
}
