import { isString } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { within } from '../archive.ts'
import type { Archive, Finding } from '../archive.ts'

/** §6.1.6: hexadecimal strings have an even number of digits, and nothing else. */
export function strings({ objects }: Archive): Finding[] {
  const found: Finding[] = []
  for (const { name, value, written } of objects) {
    for (const each of within(value)) {
      if (!isString(each) || !each.hexadecimal) continue
      const digits = written(each)
        .slice(1, -1)
        .replaceAll(/[\0\t\n\f\r ]/g, '')
      if (digits.length % 2 !== 0)
        found.push({ clause: '6.1.6', object: name, words: 'a hexadecimal string has an odd number of digits' })
    }
  }
  return found
}
