import { isDictionary, isList, isReference } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfDictionary, PdfValue } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { inheritedValue } from '../../../modules/verification/domain/pdf/changes/field-tree.ts'
import { nameOf } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { dictionariesOf, nameOfObject } from '../read/archive.ts'
import type { Archive, Finding } from '../read/archive.ts'

const permitted = new Set(
  'Text Link FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink Popup FileAttachment Widget PrinterMark TrapNet Watermark Redact'.split(
    ' ',
  ),
)

type Annotation = { readonly object: string; readonly dictionary: PdfDictionary }

/** §6.3, and §5.1 of what a page lists: types, flags and appearances of annotations, those of fields that no page names included. */
export async function annotations(archive: Archive): Promise<Finding[]> {
  const found: Finding[] = []
  for (const annotation of await annotationsOf(archive)) {
    const type = (await archive.nameAt(annotation.dictionary, 'Subtype')) ?? ''
    const of = (clause: string, words: string): Finding => ({ clause, object: annotation.object, words })
    if (!permitted.has(type)) found.push(of('6.3.1', `an annotation of the type ${type}`))
    if (type !== 'Popup') for (const words of await flags(archive, annotation)) found.push(of('6.3.2', words))
    for (const words of await appearance(archive, annotation, type)) found.push(of('6.3.3', words))
    if (!(await isListed(archive, annotation))) found.push(of('5.1', 'the page that an annotation names does not list it'))
  }
  return found
}

async function annotationsOf(archive: Archive): Promise<readonly Annotation[]> {
  const found = new Map<PdfDictionary | number, Annotation>()
  const add = async (value: PdfValue, object: string): Promise<void> => {
    const dictionary = await archive.view.resolve(value)
    if (!isDictionary(dictionary)) return
    found.set(isReference(value) ? value.reference : dictionary, { object: nameOfObject(value, object), dictionary })
  }
  for (const { object, dictionary } of dictionariesOf(archive)) {
    const listed = await archive.view.resolve(dictionary.entries.get('Annots'))
    if (isList(listed)) for (const each of listed) await add(each, object)
  }
  for (const { name, number, value } of archive.objects)
    if (isDictionary(value) && nameOf(value.entries.get('Subtype')) === 'Widget')
      await add({ reference: number, generation: 0 }, name)
  return [...found.values()]
}

/** ISO 32000-1 §7.7.3.3: a page lists all annotations that are associated with it; one names its page by P (§12.5.2). */
async function isListed(archive: Archive, { dictionary }: Annotation): Promise<boolean> {
  if (!dictionary.entries.has('P')) return true
  for (const each of await archive.list(await archive.dictionary(dictionary, 'P'), 'Annots'))
    if ((await archive.view.resolve(each)) === dictionary) return true
  return false
}

async function flags(archive: Archive, { dictionary }: Annotation): Promise<string[]> {
  const given = await archive.get(dictionary, 'F')
  if (typeof given !== 'number') return ['an annotation has no flags']
  const set = [
    [1, 'Invisible'],
    [2, 'Hidden'],
    [32, 'NoView'],
    [256, 'ToggleNoView'],
  ] as const
  const words = set.filter(([bit]) => (given & bit) !== 0).map(([, name]) => `the flag ${name} is set`)
  return (given & 4) === 0 ? [...words, 'the flag Print is not set'] : words
}

async function appearance(archive: Archive, { dictionary }: Annotation, type: string): Promise<string[]> {
  const shown = await archive.dictionary(dictionary, 'AP')
  if (shown === undefined) {
    const [a, b, c, d] = await Promise.all((await archive.list(dictionary, 'Rect')).map(archive.view.resolve))
    const isNowhere = typeof a === 'number' && typeof b === 'number' && a === c && b === d
    return isNowhere || type === 'Popup' || type === 'Link' ? [] : ['an annotation that has a size has no appearance']
  }
  if (shown.entries.size !== 1 || !shown.entries.has('N')) return ['an appearance has other keys than N']
  const normal = await archive.dictionary(shown, 'N')
  const isStream = normal?.stream !== undefined
  const isButton = type === 'Widget' && nameOf(await inheritedValue(archive.view, dictionary, 'FT')) === 'Btn'
  if (isButton) return isStream || normal === undefined ? ['the appearance of a button is no dictionary of its states'] : []
  return isStream ? [] : ['an appearance is no stream']
}
