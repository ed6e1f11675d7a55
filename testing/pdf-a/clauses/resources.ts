import { nameOf } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfValue } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { Archive } from '../read/archive.ts'
import type { Drawn } from '../read/drawn.ts'
import type { Operator } from '../read/operators.ts'

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

/** The resource that an operator names; `missing`: §6.2.2, what is drawn has it among its own. */
export async function resourceOf(
  archive: Archive,
  { resources }: Drawn,
  { name: operator, operands }: Operator,
): Promise<{ readonly used: PdfValue | undefined; readonly missing: string | undefined }> {
  const kind = Object.hasOwn(named, operator) ? named[operator] : undefined
  const name = nameOf(operator === 'Tf' ? operands[0] : operands.at(-1))
  if (kind === undefined || name === undefined || (kind === 'ColorSpace' && spacesWithoutResource.has(name)))
    return { used: undefined, missing: undefined }
  const used = await archive.get(await archive.dictionary(resources, kind), name)
  return { used, missing: used === undefined ? `${kind} ${name}` : undefined }
}
