import { nameOf } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { dictionariesOf } from '../archive.ts'
import type { Archive, Finding } from '../archive.ts'

/** §6.1.8: names of fonts and of types of structure are UTF-8. Those of colourants are not looked at: signing adds none. */
export function names(archive: Archive): Finding[] {
  const found: Finding[] = []
  for (const { object, dictionary } of dictionariesOf(archive)) {
    for (const key of ['BaseFont', 'FontName', ...(dictionary.entries.has('P') ? ['S'] : [])]) {
      const name = nameOf(dictionary.entries.get(key))
      if (name !== undefined && !isUtf8(name)) found.push({ clause: '6.1.8', object, words: `the name of ${key} is not UTF-8` })
    }
  }
  return found
}

function isUtf8(name: string): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(name, (unit) => unit.charCodeAt(0)))
    return true
  } catch {
    return false
  }
}
