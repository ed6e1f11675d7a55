import { isDictionary, isString, latin } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { within } from '../read/archive.ts'
import type { Said, Step } from '../read/drawn.ts'
import { beyond } from './limits.ts'
import { isLanguage } from './logical-structure.ts'
import { isOdd } from './strings.ts'

/** §6.1.6, §6.1.13, §6.7.4: what holds of objects in the file holds of operands. */
export function operandsOf({ drawn: { octets }, operands }: Step): Said[] {
  const said: Said[] = []
  for (const operand of operands) {
    for (const each of within(operand)) {
      for (const words of beyond(each)) said.push(['6.1.13', words])
      if (isString(each) && each.hexadecimal && isOdd(latin(octets.subarray(each.start, each.end))))
        said.push(['6.1.6', 'a hexadecimal string has an odd number of digits'])
      const language = isDictionary(each) ? each.entries.get('Lang') : undefined
      if (isString(language) && !isLanguage(language)) said.push(['6.7.4', 'the language is no language tag'])
    }
  }
  return said
}
