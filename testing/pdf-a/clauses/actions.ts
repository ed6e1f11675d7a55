import { isDictionary, isList, nameOf } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfDictionary, PdfValue } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { dictionariesOf } from '../read/archive.ts'
import type { Archive, Finding } from '../read/archive.ts'

const permitted = new Set(['GoTo', 'GoToR', 'GoToE', 'Thread', 'URI', 'Named', 'SubmitForm'])
const permittedNames = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage'])

/** §6.5.1: which actions there may be. §6.5.2: none upon events of the document or of a page; those of fields are §6.4.1's. */
export async function actions(archive: Archive): Promise<Finding[]> {
  const found = new Map<string, Finding>()
  const add = (clause: string, object: string, words: string): void =>
    void found.set(`${clause} ${object} ${words}`, { clause, object, words })
  if (archive.catalog.entries.has('AA')) add('6.5.2', 'catalog', 'the catalog has AA')
  const known = new Set<PdfDictionary>()
  for (const { object, dictionary } of dictionariesOf(archive)) {
    const type = await archive.nameAt(dictionary, 'Type')
    if (type === 'Page' && dictionary.entries.has('AA')) add('6.5.2', object, 'a page has AA')
    for (const action of await actionsOf(archive, dictionary)) {
      if (known.has(action)) continue
      known.add(action)
      const kind = (await archive.nameAt(action, 'S')) ?? ''
      if (!permitted.has(kind)) add('6.5.1', object, `the action ${kind}`)
      const name = await archive.nameAt(action, 'N')
      if (kind === 'Named' && !permittedNames.has(name ?? '')) add('6.5.1', object, `the named action ${String(name)}`)
    }
  }
  const scripts = await archive.dictionary(await archive.dictionary(archive.catalog, 'Names'), 'JavaScript')
  if (scripts !== undefined) add('6.5.1', 'catalog', 'the action JavaScript')
  return [...found.values()]
}

/** What a dictionary does, by itself, next and upon its events. What else has the key A, attributes of structure, has no S. */
async function actionsOf(archive: Archive, dictionary: PdfDictionary): Promise<readonly PdfDictionary[]> {
  const given: (PdfValue | undefined)[] = ['A', 'OpenAction', 'Next'].map((key) => dictionary.entries.get(key))
  const events = await archive.dictionary(dictionary, 'AA')
  if (events !== undefined) given.push(...events.entries.values())
  const found: PdfDictionary[] = []
  for (const value of given) {
    const whole = await archive.view.resolve(value)
    for (const each of isList(whole) ? await Promise.all(whole.map(archive.view.resolve)) : [whole])
      if (isDictionary(each) && nameOf(await archive.view.resolve(each.entries.get('S'))) !== undefined && !each.entries.has('O'))
        found.push(each)
  }
  return found
}
