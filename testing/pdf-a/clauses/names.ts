import { isList, nameOf } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfValue } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { dictionariesOf, within } from '../read/archive.ts'
import type { Archive, Finding } from '../read/archive.ts'

/** §6.1.8: names of fonts, of types of structure and of colourants are UTF-8. */
export async function names(archive: Archive): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { object, dictionary } of dictionariesOf(archive)) {
    for (const key of ['BaseFont', 'FontName', ...(dictionary.entries.has('P') ? ['S'] : [])]) {
      const name = nameOf(dictionary.entries.get(key))
      if (name !== undefined && !isUtf8(name)) found.push({ clause: '6.1.8', object, words: `the name of ${key} is not UTF-8` })
    }
  }
  for (const { name: object, value } of archive.objects)
    for (const each of within(value))
      if (isList(each))
        for (const name of await colourants(archive, each))
          if (!isUtf8(name)) found.push({ clause: '6.1.8', object, words: 'the name of a colourant is not UTF-8' })
  return found
}

/** Of a colour space, when the list is one of these. */
async function colourants(archive: Archive, list: readonly PdfValue[]): Promise<string[]> {
  const kind = nameOf(list[0])
  const given = kind === 'Separation' || kind === 'DeviceN' ? await archive.view.resolve(list[1]) : undefined
  return (isList(given) ? given : [given]).flatMap((each) => nameOf(each) ?? [])
}

function isUtf8(name: string): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(name, (unit) => unit.charCodeAt(0)))
    return true
  } catch {
    return false
  }
}
