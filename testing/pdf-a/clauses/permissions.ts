import type { Archive, Finding } from '../read/archive.ts'
import { dictionariesOf } from '../read/archive.ts'
import { isList } from '../../../modules/verification/domain/pdf/document/syntax.ts'

/** §6.1.12: a permissions dictionary has UR3 and DocMDP alone, and with DocMDP no reference of a signature has a digest. */
export async function permissions(archive: Archive): Promise<Finding[]> {
  const granted = await archive.dictionary(archive.catalog, 'Perms')
  if (granted === undefined) return []
  const of = (object: string, words: string): Finding => ({ clause: '6.1.12', object, words })
  const found = [...granted.entries.keys()]
    .filter((key) => key !== 'UR3' && key !== 'DocMDP')
    .map((key) => of('permissions', `the permissions dictionary has the key ${key}`))
  if (!granted.entries.has('DocMDP')) return found
  for (const { object, dictionary } of dictionariesOf(archive)) {
    const references = await archive.view.resolve(dictionary.entries.get('Reference'))
    if (!dictionary.entries.has('ByteRange') || !isList(references)) continue
    for (const reference of references)
      for (const key of ['DigestLocation', 'DigestMethod', 'DigestValue'])
        if ((await archive.get(reference, key)) !== undefined) found.push(of(object, `a reference of a signature has ${key}`))
  }
  return found
}
