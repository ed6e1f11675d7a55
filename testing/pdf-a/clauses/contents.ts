import { MalformedError } from '../../../modules/verification/domain/encoding/der.ts'
import { isDictionary, isList, nameOf } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfDictionary, PdfValue } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { Archive, Finding } from '../archive.ts'
import { drawnOf, outputColours } from '../drawn.ts'
import type { Drawn } from '../drawn.ts'
import { inlineValue, isDefined, operatorsOf } from '../operators.ts'

const inlineFilters = new Set(
  'ASCIIHexDecode AHx ASCII85Decode A85 FlateDecode Fl RunLengthDecode RL CCITTFaxDecode CCF DCTDecode DCT'.split(' '),
)
const devices: Readonly<Record<string, 'Gray' | 'RGB' | 'CMYK'>> = {
  g: 'Gray',
  G: 'Gray',
  DeviceGray: 'Gray',
  rg: 'RGB',
  RG: 'RGB',
  DeviceRGB: 'RGB',
  k: 'CMYK',
  K: 'CMYK',
  DeviceCMYK: 'CMYK',
}

/** §6.1.10, §6.1.13, §6.2.2, §6.2.4.3, §6.2.10, §6.2.11.4.1: what pages and appearances draw, with which colours and fonts. */
export async function contents(archive: Archive): Promise<Finding[]> {
  const output = await outputColours(archive)
  const found: Finding[] = []
  for (const drawn of await drawnOf(archive)) {
    const said = new Set<string>()
    const add = (clause: string, words: string): void => {
      if (!said.has(clause + words)) found.push({ clause, object: drawn.object, words })
      said.add(clause + words)
    }
    try {
      for (const each of await look(archive, drawn, output)) add(...each)
    } catch (error) {
      if (!(error instanceof MalformedError)) throw error
      add('6.2.2', `its contents cannot be read: ${error.message}`)
    }
  }
  return found
}

type Said = [clause: string, words: string]

async function look(archive: Archive, drawn: Drawn, output: string | undefined): Promise<Said[]> {
  const said: Said[] = []
  let depth = 0
  let state = { font: undefined as PdfValue | undefined, mode: 0 }
  const saved: (typeof state)[] = []
  const fonts = new Set<PdfValue>()
  for (const { name, operands } of operatorsOf(drawn.octets)) {
    if (!isDefined(name)) said.push(['6.2.2', `the operator ${name} is not one of ISO 32000-1`])
    if (name === 'q') {
      saved.push({ ...state })
      depth += 1
      if (depth > 28) said.push(['6.1.13', 'q is nested deeper than 28'])
    } else if (name === 'Q') {
      state = saved.pop() ?? state
      depth -= 1
    } else if (name === 'Tr') state.mode = Number(operands[0])
    else if (name === 'Tf') state.font = await resource(archive, drawn, 'Font', operands[0], said)
    else if (['Tj', 'TJ', "'", '"'].includes(name) && state.mode !== 3 && state.font !== undefined) fonts.add(state.font)
    else if (name === 'BI') said.push(...inline(operands))
    for (const words of await colours(archive, drawn, { name, operands }, output, said)) said.push(['6.2.4.3', words])
    if (output === undefined && (await blends(archive, drawn, name, operands, said)))
      if ((await archive.get(await archive.dictionary(drawn.page, 'Group'), 'CS')) === undefined)
        said.push(['6.2.10', 'there is transparency on a page that names no colours to blend in'])
  }
  for (const font of fonts) if (!(await isEmbedded(archive, font))) said.push(['6.2.11.4.1', 'a font that is shown is not embedded'])
  return said
}

async function resource(archive: Archive, { resources }: Drawn, kind: string, given: PdfValue | undefined, said: Said[]) {
  const name = nameOf(given) ?? ''
  const found = await archive.dictionary(await archive.dictionary(resources, kind), name)
  const isThere = found !== undefined || (await archive.get(await archive.dictionary(resources, kind), name)) !== undefined
  if (!isThere) said.push(['6.2.2', `the ${kind} ${name} is not in its resources`])
  return found
}

async function isEmbedded(archive: Archive, font: PdfValue): Promise<boolean> {
  const kind = await archive.nameAt(font, 'Subtype')
  if (kind === 'Type3') return true
  const [descendant] = kind === 'Type0' ? await archive.list(font, 'DescendantFonts') : [font]
  const descriptor = await archive.dictionary(descendant, 'FontDescriptor')
  return ['FontFile', 'FontFile2', 'FontFile3'].some((key) => descriptor?.entries.has(key) === true)
}

function inline(operands: readonly PdfValue[]): Said[] {
  const said: Said[] = []
  const given = inlineValue(operands, 'F', 'Filter')
  for (const filter of given === undefined ? [] : isList(given) ? given : [given])
    if (!inlineFilters.has(nameOf(filter) ?? '')) said.push(['6.1.10', `an inline image has the filter ${String(nameOf(filter))}`])
  if (inlineValue(operands, 'I', 'Interpolate') === true) said.push(['6.2.8', 'an inline image is interpolated'])
  return said
}

/** Colours of a device are known by a default for them among the resources, or by the profile of the document. */
async function colours(
  archive: Archive,
  drawn: Drawn,
  { name, operands }: { readonly name: string; readonly operands: readonly PdfValue[] },
  output: string | undefined,
  said: Said[],
): Promise<string[]> {
  const spaces = await archive.dictionary(drawn.resources, 'ColorSpace')
  const device = await deviceOf(archive, drawn, spaces, name, operands, said)
  if (device === undefined || spaces?.entries.has(`Default${device}`) === true) return []
  const isKnown = device === 'Gray' ? output !== undefined : output?.trim() === device
  return isKnown ? [] : [`Device${device} is used, and no profile says what it is`]
}

async function deviceOf(
  archive: Archive,
  drawn: Drawn,
  spaces: PdfDictionary | undefined,
  name: string,
  operands: readonly PdfValue[],
  said: Said[],
): Promise<'Gray' | 'RGB' | 'CMYK' | undefined> {
  if (Object.hasOwn(devices, name)) return devices[name]
  if (name === 'cs' || name === 'CS') {
    const called = nameOf(operands[0]) ?? ''
    return devices[called] ?? devices[nameOf(await archive.get(spaces, called)) ?? '']
  }
  if (name === 'Do') {
    const shown = await resource(archive, drawn, 'XObject', operands[0], said)
    return (await archive.nameAt(shown, 'Subtype')) === 'Image' ? devices[(await archive.nameAt(shown, 'ColorSpace')) ?? ''] : undefined
  }
  return undefined
}

/** ISO 32000-1 §11: something of what is drawn lets what is under it be seen. */
async function blends(archive: Archive, drawn: Drawn, name: string, operands: readonly PdfValue[], said: Said[]): Promise<boolean> {
  if (name === 'Do') {
    const shown = await resource(archive, drawn, 'XObject', operands[0], said)
    return isDictionary(await archive.get(shown, 'SMask')) || (await archive.nameAt(await archive.dictionary(shown, 'Group'), 'S')) === 'Transparency'
  }
  if (name !== 'gs') return false
  const state = await resource(archive, drawn, 'ExtGState', operands[0], said)
  const mode = await archive.nameAt(state, 'BM')
  const opacities = [await archive.get(state, 'ca'), await archive.get(state, 'CA')]
  return (
    isDictionary(await archive.get(state, 'SMask')) ||
    (mode !== undefined && mode !== 'Normal' && mode !== 'Compatible') ||
    opacities.some((each) => typeof each === 'number' && each < 1)
  )
}
