import { isDictionary, isList, isReference } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfDictionary } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { dictionariesOf } from '../read/archive.ts'
import type { Archive, Finding } from '../read/archive.ts'

/** §6.8: an embedded file has a type, two names and a relationship, and is associated with the document or a part of it. */
export async function embeddedFiles(archive: Archive): Promise<Finding[]> {
  const found: Finding[] = []
  const associated = await associatedWith(archive)
  for (const { object, dictionary } of dictionariesOf(archive)) {
    const held = await archive.dictionary(dictionary, 'EF')
    if (held === undefined) continue
    const of = (words: string): void => void found.push({ clause: '6.8', object, words })
    for (const key of ['F', 'UF']) if (!dictionary.entries.has(key)) of(`an embedded file has no ${key}`)
    if ((await archive.nameAt(dictionary, 'AFRelationship')) === undefined) of('an embedded file has no AFRelationship')
    if (!associated.has(dictionary)) of('an embedded file is associated with nothing')
    const streams = new Set([await archive.dictionary(held, 'F'), await archive.dictionary(held, 'UF')])
    for (const stream of streams) {
      if (stream === undefined) continue
      const type = (await archive.nameAt(stream, 'Subtype')) ?? ''
      if (!/^[-\w+.]+\/[-\w+.]+$/.test(type)) of(`the type of an embedded file is “${type}”`)
    }
  }
  return found
}

async function associatedWith(archive: Archive): Promise<ReadonlySet<PdfDictionary>> {
  const found = new Set<PdfDictionary>()
  for (const { dictionary } of dictionariesOf(archive)) {
    const given = dictionary.entries.get('AF')
    const list = await archive.view.resolve(given)
    for (const each of isList(list) ? list : isReference(given) ? [given] : []) {
      const specification = await archive.view.resolve(each)
      if (isDictionary(specification)) found.add(specification)
    }
  }
  return found
}
