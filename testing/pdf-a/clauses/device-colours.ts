import { isList, nameOf } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfValue } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { Archive } from '../read/archive.ts'
import type { Said, Step } from '../read/drawn.ts'
import { inlineValue } from '../read/operators.ts'

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
  // As inline images have them.
  RGB: 'RGB',
  CMYK: 'CMYK',
}

/** §6.2.4.3: colours of a device are known by a default for it among the resources, or by the profile of the document. */
export async function deviceColours(archive: Archive, step: Step, output: string | undefined): Promise<Said[]> {
  const device = await deviceOf(archive, step)
  const isKnown = device === 'Gray' ? output !== undefined : output?.trim() === device
  if (device === undefined || isKnown) return []
  const spaces = await archive.dictionary(step.drawn.resources, 'ColorSpace')
  return spaces?.entries.has(`Default${device}`) === true
    ? []
    : [['6.2.4.3', `Device${device} is used, and no profile says what it is`]]
}

/** The device whose colours an operator sets or shows. */
async function deviceOf(archive: Archive, { name, operands, used, drawn }: Step) {
  const spaces = await archive.dictionary(drawn.resources, 'ColorSpace')
  const inlined = inlineValue(operands, 'CS', 'ColorSpace')
  const isImage = name === 'Do' && (await archive.nameAt(used, 'Subtype')) === 'Image'
  const space = await baseOf(
    archive,
    isImage || name === 'sh'
      ? await archive.get(used, 'ColorSpace')
      : name === 'cs' || name === 'CS'
        ? (used ?? operands[0])
        : name === 'BI'
          ? (spaces?.entries.get(nameOf(inlined) ?? '') ?? inlined)
          : { name },
  )
  return space !== undefined && Object.hasOwn(devices, space) ? devices[space] : undefined
}

/** The name of a space of colours; of one that is indexed, that of the space of its table. */
async function baseOf(archive: Archive, given: PdfValue | undefined): Promise<string | undefined> {
  const space = await archive.view.resolve(given)
  if (!isList(space)) return nameOf(space)
  const [kind, base] = await Promise.all(space.slice(0, 2).map(archive.view.resolve))
  return ['Indexed', 'I', 'Pattern'].includes(nameOf(kind) ?? '') ? nameOf(base) : undefined
}
