import { isDictionary, isList, isString } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfDictionary, PdfString, PdfValue } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { textOf } from '../../../modules/verification/domain/pdf/document/find-signatures.ts'
import { viewOf, createCache } from '../../../modules/verification/domain/pdf/document/view.ts'
import { dictionariesOf } from '../read/archive.ts'
import { structureTypes } from './structure-types.ts'
import type { Archive, Finding } from '../read/archive.ts'

/**
 * §6.7 of level A: the newest catalog says that the document is tagged and has its structure; languages are ones; annotations that
 * name an element of the structure are in it. A widget need not be: that is asked by ISO 14289, of those that are shown.
 */
export async function logicalStructure(archive: Archive): Promise<Finding[]> {
  const found: Finding[] = []
  const marks = await archive.dictionary(archive.catalog, 'MarkInfo')
  if ((await archive.get(marks, 'Marked')) !== true)
    found.push({ clause: '6.7.2.2', object: 'catalog', words: 'MarkInfo does not say that the document is marked' })
  const root = await archive.dictionary(archive.catalog, 'StructTreeRoot')
  if (root === undefined) found.push({ clause: '6.7.3.3', object: 'catalog', words: 'there is no tree of its structure' })
  else found.push(...(await unparented(archive, root)), ...(await structureTypes(archive, root)))
  return [...found, ...(await languages(archive))]
}

/** §6.7.4. That a document has one is advised; that an update takes it away is a loss. */
async function languages(archive: Archive): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { object, dictionary } of dictionariesOf(archive)) {
    const language = await archive.view.resolve(dictionary.entries.get('Lang'))
    if (isString(language) && !isLanguage(language))
      found.push({ clause: '6.7.4', object, words: 'the language is no language tag' })
  }
  const { document, view } = archive
  const first = viewOf(document, view.sections.slice(-1), createCache())
  const before = await first.resolve(first.trailer.get('Root')).catch(() => undefined)
  if (isDictionary(before) && before.entries.has('Lang') && !archive.catalog.entries.has('Lang'))
    found.push({ clause: '6.7.4', object: 'catalog', words: 'an update leaves out the language' })
  return found
}

export const isLanguage = ({ octets }: PdfString): boolean => /^(?:[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)?$/.test(textOf(octets))

/** ISO 32000-1 §14.7.4.4: what has StructParent is found by it in the parent tree. */
async function unparented(archive: Archive, root: PdfDictionary): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { object, dictionary } of dictionariesOf(archive)) {
    const key = dictionary.entries.get('StructParent')
    if (typeof key !== 'number') continue
    const parent = await archive.view.resolve(await inTree(archive, root.entries.get('ParentTree'), key, 0))
    if (!isDictionary(parent))
      found.push({ clause: '6.7.3.3', object, words: `its StructParent ${key} leads to no element of the structure` })
  }
  return found
}

async function inTree(archive: Archive, node: PdfValue | undefined, key: number, depth: number): Promise<PdfValue | undefined> {
  if (depth > 16) return undefined
  const numbers = await archive.get(node, 'Nums')
  if (isList(numbers)) {
    for (let i = 0; i + 1 < numbers.length; i += 2) if (numbers[i] === key) return numbers[i + 1]
  }
  for (const kid of await archive.list(node, 'Kids')) {
    const found = await inTree(archive, kid, key, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
