import type { MessageValues } from '../print-words.ts'
import type { Inlines } from '../../../kernel/document/blocks.ts'

/** Characters of private use hold the places of what is more than words until the sentence is there: no text of ours has them. */
const firstPlace = 0xe000

/**
 * A sentence in which some values are more than words: text from outside, references, digests. None of them turns the sentence round it.
 * @param format makes it of the values; strings are words of ours
 */
export function sentence(
  format: (values: MessageValues) => string,
  values: Readonly<Record<string, Inlines | number | boolean>>,
): Inlines {
  const held: Inlines[] = []
  const plain = Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value !== 'object') return [name, value]
      held.push(value)
      return [name, String.fromCodePoint(firstPlace + held.length - 1)]
    }),
  )
  return format(plain)
    .split(/([\ue000-\ue0ff])/)
    .map((part) => held[(part.codePointAt(0) ?? 0) - firstPlace] ?? part)
}
