import { MalformedError } from '../../../modules/verification/domain/encoding/der.ts'
import { isDictionary, isList, isString, latin, nameOf } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfValue } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { clauseOf, within } from '../archive.ts'
import type { Archive, Finding } from '../archive.ts'
import { drawnOf, outputColours } from '../drawn.ts'
import type { Drawn } from '../drawn.ts'
import { inlineValue, isDefined, operatorsOf } from '../operators.ts'
import { beyond } from './limits.ts'
import { isLanguage } from './logical-structure.ts'
import { isOdd } from './strings.ts'

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
      add(clauseOf(error.message, '6.2.2'), `its contents cannot be read: ${error.message}`)
    }
  }
  return found
}

type Said = [clause: string, words: string]

/** What names a resource, and of which kind. */
const named: Readonly<Record<string, string>> = {
  Tf: 'Font',
  Do: 'XObject',
  gs: 'ExtGState',
  sh: 'Shading',
  cs: 'ColorSpace',
  CS: 'ColorSpace',
  scn: 'Pattern',
  SCN: 'Pattern',
  BDC: 'Properties',
  DP: 'Properties',
}
const spacesWithoutResource = new Set(['DeviceGray', 'DeviceRGB', 'DeviceCMYK', 'Pattern'])

async function look(archive: Archive, drawn: Drawn, output: string | undefined): Promise<Said[]> {
  const said: Said[] = []
  let state = { font: undefined as PdfValue | undefined, mode: 0 }
  const saved: (typeof state)[] = []
  const fonts = new Set<PdfValue>()
  const spaces = await archive.dictionary(drawn.resources, 'ColorSpace')
  for (const { name, operands } of operatorsOf(drawn.octets)) {
    if (!isDefined(name)) said.push(['6.2.2', `the operator ${name} is not one of ISO 32000-1`])
    said.push(...written(drawn, operands))
    const used = await resource(archive, drawn, name, operands, said)
    if (name === 'q') {
      saved.push({ ...state })
      if (saved.length > 28) said.push(['6.1.13', 'q is nested deeper than 28'])
    } else if (name === 'Q') state = saved.pop() ?? state
    else if (name === 'Tr') state.mode = Number(operands[0])
    else if (name === 'Tf') state.font = used
    else if (['Tj', 'TJ', "'", '"'].includes(name) && state.mode !== 3 && state.font !== undefined) fonts.add(state.font)
    else if (name === 'BI') said.push(...inline(operands))
    const device = await deviceOf(archive, name, operands, used)
    // Known by a default for it among the resources, or by the profile of the document.
    const isKnown = device === 'Gray' ? output !== undefined : output?.trim() === device
    if (device !== undefined && !isKnown && spaces?.entries.has(`Default${device}`) !== true)
      said.push(['6.2.4.3', `Device${device} is used, and no profile says what it is`])
    if (output === undefined && (await blends(archive, name, used)))
      if ((await archive.get(await archive.dictionary(drawn.page, 'Group'), 'CS')) === undefined)
        said.push(['6.2.10', 'there is transparency on a page that names no colours to blend in'])
  }
  for (const font of fonts)
    if (!(await isEmbedded(archive, font))) said.push(['6.2.11.4.1', 'a font that is shown is not embedded'])
  return said
}

/** What holds of objects in the file holds of operands. */
function written({ octets }: Drawn, operands: readonly PdfValue[]): Said[] {
  const said: Said[] = []
  for (const operand of operands) {
    for (const each of within(operand)) {
      for (const words of beyond(each)) said.push(['6.1.13', words])
      if (isString(each) && each.hexadecimal && isOdd(latin(octets.subarray(each.start, each.end))))
        said.push(['6.1.6', 'a hexadecimal string has an odd number of digits'])
      const language = isDictionary(each) ? each.entries.get('Lang') : undefined
      if (isString(language) && !isLanguage(language)) said.push(['6.7.4', 'the language is no language tag'])
    }
  }
  return said
}

async function resource(archive: Archive, { resources }: Drawn, operator: string, operands: readonly PdfValue[], said: Said[]) {
  const kind = Object.hasOwn(named, operator) ? named[operator] : undefined
  const name = nameOf(operator === 'Tf' ? operands[0] : operands.at(-1))
  if (kind === undefined || name === undefined || (kind === 'ColorSpace' && spacesWithoutResource.has(name))) return undefined
  const found = await archive.get(await archive.dictionary(resources, kind), name)
  if (found === undefined) said.push(['6.2.2', `the ${kind} ${name} is not in its resources`])
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
    if (!inlineFilters.has(nameOf(filter) ?? ''))
      said.push(['6.1.10', `an inline image has the filter ${String(nameOf(filter))}`])
  if (inlineValue(operands, 'I', 'Interpolate') === true) said.push(['6.2.8', 'an inline image is interpolated'])
  return said
}

/** The device whose colours an operator sets or shows. */
async function deviceOf(archive: Archive, name: string, operands: readonly PdfValue[], used: PdfValue | undefined) {
  const space =
    name === 'Do' && (await archive.nameAt(used, 'Subtype')) === 'Image'
      ? await archive.nameAt(used, 'ColorSpace')
      : name === 'cs' || name === 'CS'
        ? (nameOf(used) ?? nameOf(operands[0]))
        : name === 'BI'
          ? nameOf(inlineValue(operands, 'CS', 'ColorSpace'))
          : name
  return space !== undefined && Object.hasOwn(devices, space) ? devices[space] : undefined
}

/** ISO 32000-1 §11: something of what is drawn lets what is under it be seen. */
async function blends(archive: Archive, name: string, used: PdfValue | undefined): Promise<boolean> {
  if (name === 'Do')
    return (
      isDictionary(await archive.get(used, 'SMask')) ||
      (await archive.nameAt(await archive.dictionary(used, 'Group'), 'S')) === 'Transparency'
    )
  if (name !== 'gs') return false
  const mode = await archive.nameAt(used, 'BM')
  const opacities = [await archive.get(used, 'ca'), await archive.get(used, 'CA')]
  return (
    isDictionary(await archive.get(used, 'SMask')) ||
    (mode !== undefined && mode !== 'Normal' && mode !== 'Compatible') ||
    opacities.some((each) => typeof each === 'number' && each < 1)
  )
}
