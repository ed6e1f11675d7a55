import { isString } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { within } from '../read/archive.ts'
import type { Archive, Finding } from '../read/archive.ts'

/** §6.1.6: hexadecimal strings have an even number of digits, and nothing else. */
export function strings({ objects }: Archive): Finding[] {
  const found: Finding[] = []
  for (const { name, value, written } of objects) {
    for (const each of within(value)) {
      if (!isString(each) || !each.hexadecimal) continue
      if (isOdd(written(each)))
        found.push({ clause: '6.1.6', object: name, words: 'a hexadecimal string has an odd number of digits' })
    }
  }
  return found
}

/** @param written a hexadecimal string with its delimiters */
export const isOdd = (written: string): boolean => written.replaceAll(/[<>\0\t\n\f\r ]/g, '').length % 2 !== 0
