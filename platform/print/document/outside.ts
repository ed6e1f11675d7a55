import { cut, partsOf } from '../hostile-text.ts'
import type { Inline } from '../../../kernel/document/blocks.ts'

/** Text from outside, cut after `limit` characters. @param leftOutWords says how many more there are */
export function outside(text: string, limit: number, leftOutWords: (count: number) => string, mono = false): Inline {
  const { text: shown, leftOut } = cut(text, limit)
  return { kind: 'outside', parts: partsOf(shown), leftOut: leftOut > 0 ? leftOutWords(leftOut) : null, mono }
}
