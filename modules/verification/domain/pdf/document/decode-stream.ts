import { malformed } from '../../encoding/der.ts'
import { inflateZlib } from '../../encoding/inflate.ts'
import { isDictionary, isList, nameOf } from './syntax.ts'
import type { PdfDictionary, PdfValue, Resolve } from './syntax.ts'

/** The filters of a stream, outermost first (ISO 32000-2 §7.4). */
export async function filtersOf(
  dictionary: PdfDictionary,
  resolve: Resolve,
): Promise<{ readonly name: string | undefined; readonly parameters: PdfValue | undefined }[]> {
  const filter = await resolve(dictionary.entries.get('Filter'))
  const parameters = await resolve(dictionary.entries.get('DecodeParms'))
  const filters = isList(filter) ? filter : filter === undefined || filter === null ? [] : [filter]
  const found = []
  for (const [i, each] of filters.slice(0, mostFilters).entries()) {
    const given = isList(parameters) ? await resolve(parameters[i]) : i === 0 ? parameters : undefined
    found.push({ name: nameOf(await resolve(each)), parameters: given })
  }
  return found
}

/** One more than are read. */
const mostFilters = 3
export const largestStream = 64 << 20

/** @param raw in clear: what deciphered it is passed over. @throws MalformedError */
export async function decode(
  raw: Uint8Array,
  dictionary: PdfDictionary,
  resolve: Resolve,
  most = largestStream,
): Promise<Uint8Array> {
  const filters = await filtersOf(dictionary, resolve)
  if (filters[0]?.name === 'Crypt') filters.shift()
  const [first, second] = filters
  if (first === undefined) return raw
  if (second !== undefined || !['FlateDecode', 'Fl'].includes(first.name ?? '')) malformed('an unusual filter')
  const given = first.parameters
  const bytes = inflateZlib(raw, most)
  if (!isDictionary(given)) return bytes
  const number = async (key: string, usual: number): Promise<number> => {
    const value = await resolve(given.entries.get(key))
    return typeof value === 'number' && value >= 0 && value < 65_536 ? value : usual
  }
  const predictor = await number('Predictor', 1)
  if (predictor < 10) return predictor === 1 ? bytes : malformed('an unusual predictor')
  const pixel = Math.ceil(((await number('Colors', 1)) * (await number('BitsPerComponent', 8))) / 8)
  return unpredict(bytes, Math.ceil((pixel * ((await number('Columns', 1)) * 8)) / 8), pixel)
}

/** PNG filters (ISO/IEC 15948 §9), which cross-reference streams use. */
function unpredict(bytes: Uint8Array, columns: number, pixel: number): Uint8Array {
  if (columns === 0 || pixel === 0) malformed('predictor')
  const rows = Math.floor(bytes.length / (columns + 1))
  const out = new Uint8Array(rows * columns)
  for (let row = 0; row < rows; row += 1) {
    const kind = bytes[row * (columns + 1)] ?? 0
    if (kind > 4) malformed('predictor')
    for (let i = 0; i < columns; i += 1) {
      const place = row * columns + i
      const left = i >= pixel ? (out[place - pixel] as number) : 0
      const above = row > 0 ? (out[place - columns] as number) : 0
      const corner = row > 0 && i >= pixel ? (out[place - columns - pixel] as number) : 0
      const guess =
        kind === 1 ? left : kind === 2 ? above : kind === 3 ? (left + above) >> 1 : kind === 4 ? paeth(left, above, corner) : 0
      out[place] = (bytes[row * (columns + 1) + 1 + i] as number) + guess
    }
  }
  return out
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? above : corner
}
