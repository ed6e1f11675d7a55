import { inheritedValue } from '../../../modules/verification/domain/pdf/changes/field-tree.ts'
import { isDictionary, isList, isString, nameOf } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfValue } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { dictionariesOf, within } from '../read/archive.ts'
import type { Archive, Finding } from '../read/archive.ts'

/** §6.1.13. The nesting of q and Q is looked at with contents. */
export async function limits(archive: Archive): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { name, value } of archive.objects)
    for (const each of within(value)) for (const words of beyond(each)) found.push({ clause: '6.1.13', object: name, words })
  if (archive.objects.length > 8_388_607) found.push({ clause: '6.1.13', object: 'file', words: 'too many objects' })
  return [...found, ...(await boundaries(archive))]
}

/** What of one value passes a limit. */
export function* beyond(value: PdfValue): Generator<string> {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && (value > 2_147_483_647 || value < -2_147_483_648))
      yield `the integer ${value} is too large`
    else if (Math.abs(value) > 3.403e38) yield 'a real number is too large'
    else if (value !== 0 && Math.abs(value) < 1.175e-38) yield 'a real number is too near to zero'
  } else if (isString(value)) {
    if (value.octets.length > 32_767) yield `a string of ${value.octets.length} octets is longer than 32,767`
  } else if ((nameOf(value)?.length ?? 0) > 127) yield 'a name is longer than 127 octets'
  else if (isDictionary(value))
    for (const key of value.entries.keys()) if (key.length > 127) yield 'a key is longer than 127 octets'
}

const boxes = ['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox']

async function boundaries(archive: Archive): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { object, dictionary } of dictionariesOf(archive)) {
    if ((await archive.nameAt(dictionary, 'Type')) !== 'Page') continue
    for (const box of boxes) {
      const given = await inheritedValue(archive.view, dictionary, box)
      const [a, b, c, d] = isList(given) ? await Promise.all(given.map(archive.view.resolve)) : []
      if (![a, b, c, d].every((each) => typeof each === 'number')) continue
      for (const side of [Math.abs(Number(a) - Number(c)), Math.abs(Number(b) - Number(d))])
        if (side < 3 || side > 14_400) found.push({ clause: '6.1.13', object, words: `a side of ${box} is ${side} units` })
    }
  }
  return found
}
