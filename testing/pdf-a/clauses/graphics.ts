import { isDictionary, isList, nameOf } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfDictionary } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { dictionariesOf } from '../read/archive.ts'
import type { Archive, Finding } from '../read/archive.ts'

const blendModes = new Set(
  'Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion Hue Saturation Color Luminosity'.split(
    ' ',
  ),
)

/** §6.2.3, §6.2.5, §6.2.8–10: what output intents, graphics states, images and forms may not say. */
export async function graphics(archive: Archive): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { object, dictionary } of dictionariesOf(archive)) {
    const subtype = await archive.nameAt(dictionary, 'Subtype')
    const each =
      subtype === 'Image'
        ? image(dictionary)
        : subtype === 'Form'
          ? await form(archive, dictionary)
          : dictionary.stream !== undefined && subtype === 'PS'
            ? [['6.2.9', 'a PostScript XObject']]
            : (await archive.nameAt(dictionary, 'Type')) === 'ExtGState' || dictionary.entries.has('BM')
              ? await state(archive, dictionary)
              : []
    for (const [clause = '', words = ''] of each) found.push({ clause, object, words })
  }
  return [...found, ...(await intents(archive))]
}

function image(dictionary: PdfDictionary): string[][] {
  const has = ['Alternates', 'OPI'].filter((key) => dictionary.entries.has(key))
  if (dictionary.entries.get('Interpolate') === true) has.push('Interpolate true')
  return has.map((key) => ['6.2.8', `an image has ${key}`])
}

async function form(archive: Archive, dictionary: PdfDictionary): Promise<string[][]> {
  const has = ['OPI', 'PS', 'Ref'].filter((key) => dictionary.entries.has(key))
  if ((await archive.nameAt(dictionary, 'Subtype2')) === 'PS') has.push('Subtype2 PS')
  return has.map((key) => ['6.2.9', `a form has ${key}`])
}

async function state(archive: Archive, dictionary: PdfDictionary): Promise<string[][]> {
  const has = ['TR', 'HTP'].filter((key) => dictionary.entries.has(key))
  if (!['Default', undefined].includes(await archive.nameAt(dictionary, 'TR2'))) has.push('TR2')
  const given = await archive.get(dictionary, 'BM')
  const modes = isList(given) ? await Promise.all(given.map(archive.view.resolve)) : given === undefined ? [] : [given]
  const unknown = modes.filter((mode) => !blendModes.has(nameOf(mode) ?? ''))
  return [
    ...has.map((key) => ['6.2.5', `a graphics state has ${key}`]),
    ...unknown.map((mode) => ['6.2.10', `the blend mode ${String(nameOf(mode))}`]),
  ]
}

async function intents(archive: Archive): Promise<Finding[]> {
  const profiles = new Set<string>()
  for (const intent of await archive.list(archive.catalog, 'OutputIntents')) {
    const whole = await archive.view.resolve(intent)
    const profile = isDictionary(whole) ? whole.entries.get('DestOutputProfile') : undefined
    if (profile !== undefined) profiles.add(JSON.stringify(profile))
  }
  return profiles.size < 2 ? [] : [{ clause: '6.2.3', object: 'catalog', words: 'output intents have several profiles' }]
}
