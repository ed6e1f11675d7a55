import { isList, nameOf } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { Said, Step } from '../read/drawn.ts'
import { inlineValue } from '../read/operators.ts'

const inlineFilters = new Set(
  'ASCIIHexDecode AHx ASCII85Decode A85 FlateDecode Fl RunLengthDecode RL CCITTFaxDecode CCF DCTDecode DCT'.split(' '),
)

/** §6.1.10 and §6.2.8: filters that PDF/A has, and nothing interpolated. */
export function inlineImages({ name, operands }: Step): Said[] {
  if (name !== 'BI') return []
  const said: Said[] = []
  const given = inlineValue(operands, 'F', 'Filter')
  for (const filter of given === undefined ? [] : isList(given) ? given : [given])
    if (!inlineFilters.has(nameOf(filter) ?? ''))
      said.push(['6.1.10', `an inline image has the filter ${String(nameOf(filter))}`])
  if (inlineValue(operands, 'I', 'Interpolate') === true) said.push(['6.2.8', 'an inline image is interpolated'])
  return said
}
