import { isDictionary, isReference } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfValue } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { dictionariesOf, nameOfObject } from '../read/archive.ts'
import type { Archive, Finding } from '../read/archive.ts'

/** §6.4.1: fields and widgets act on nothing and need no appearance made. §6.4.2: no XFA. */
export async function interactiveForm(archive: Archive): Promise<Finding[]> {
  const found: Finding[] = []
  const form = await archive.dictionary(archive.catalog, 'AcroForm')
  const of = (clause: string, object: string, words: string): void => void found.push({ clause, object, words })
  if ((await archive.get(archive.catalog, 'NeedsRendering')) === true) of('6.4.2', 'catalog', 'NeedsRendering is set')
  if (form !== undefined) {
    const needs = await archive.get(form, 'NeedAppearances')
    if (needs !== undefined && needs !== false) of('6.4.1', 'form', 'NeedAppearances is not false')
    if (form.entries.has('XFA')) of('6.4.2', 'form', 'the form has XFA')
  }
  const acting = new Map<string, string>()
  const look = async (value: PdfValue | undefined, object: string): Promise<void> => {
    const dictionary = await archive.view.resolve(value)
    if (!isDictionary(dictionary)) return
    for (const key of ['A', 'AA']) if (dictionary.entries.has(key)) acting.set(`${object} ${key}`, object)
  }
  const seen = new Set<number>()
  const walk = async (fields: readonly PdfValue[]): Promise<void> => {
    for (const field of fields) {
      if (isReference(field) && (seen.has(field.reference) || seen.add(field.reference).size > 100_000)) continue
      await look(field, nameOfObject(field, 'form'))
      await walk(await archive.list(field, 'Kids'))
    }
  }
  await walk(await archive.list(form, 'Fields'))
  for (const { object, dictionary } of dictionariesOf(archive))
    if ((await archive.nameAt(dictionary, 'Subtype')) === 'Widget') await look(dictionary, object)
  for (const [key, object] of acting) of('6.4.1', object, `a field or its widget has ${key.split(' ').at(-1) ?? ''}`)
  return found
}
