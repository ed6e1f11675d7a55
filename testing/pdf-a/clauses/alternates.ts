import { dictionariesOf } from '../read/archive.ts'
import type { Archive, Finding } from '../read/archive.ts'

/** §6.10: no alternate presentations and no steps of one. §6.11: nothing required of a reader. */
export async function alternates(archive: Archive): Promise<Finding[]> {
  const found: Finding[] = []
  if ((await archive.get(await archive.dictionary(archive.catalog, 'Names'), 'AlternatePresentations')) !== undefined)
    found.push({ clause: '6.10', object: 'catalog', words: 'there are alternate presentations' })
  for (const { object, dictionary } of dictionariesOf(archive))
    if ((await archive.nameAt(dictionary, 'Type')) === 'Page' && dictionary.entries.has('PresSteps'))
      found.push({ clause: '6.10', object, words: 'a page has PresSteps' })
  if (archive.catalog.entries.has('Requirements'))
    found.push({ clause: '6.11', object: 'catalog', words: 'the catalog has Requirements' })
  return found
}
