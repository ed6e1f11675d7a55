import { malformed } from '../../encoding/der.ts'
import type { PdfDocument } from './document.ts'
import type { View } from './view.ts'
import { isDictionary, isList, isReference, isString, nameOf } from './syntax.ts'
import type { PdfDictionary, PdfValue } from './syntax.ts'

export type FieldSignature = {
  /** Full name of the field (ISO 32000-2 §12.7.4.2). Hostile text. */
  readonly field: string
  /** Object number of the field; undefined when it is written in its parent. */
  readonly fieldNumber: number | undefined
  readonly dictionary: PdfDictionary
  readonly isTimestamp: boolean
  readonly subFilter: string
}

const mostFields = 20_000
const deepestField = 32

/**
 * Signatures and document timestamps by the form of the newest revision (§12.7.5.5), as every reader lists them: a dictionary that no
 * field names is none. @throws MalformedError
 */
export async function findSignatures(view: View): Promise<FieldSignature[]> {
  const catalog = await view.resolve(view.trailer.get('Root'))
  if (!isDictionary(catalog)) malformed('no catalog')
  const form = await view.resolve(catalog.entries.get('AcroForm'))
  if (!isDictionary(form)) return []
  const found: FieldSignature[] = []
  const seen = new Set<number>()
  const values = new Set<number>()
  let fields = 0
  async function walk(given: PdfValue | undefined, inherited: { type: string | undefined; name: string }, depth: number) {
    const number = isReference(given) ? given.reference : undefined
    if (number !== undefined) {
      if (seen.has(number)) return
      seen.add(number)
    }
    fields += 1
    if (fields > mostFields || depth > deepestField) malformed('too many fields')
    const field = await view.resolve(given)
    if (!isDictionary(field)) return
    const own = field.entries.get('T')
    const part = isString(own) ? textOf(own.octets) : ''
    const name = inherited.name === '' ? part : part === '' ? inherited.name : `${inherited.name}.${part}`
    const type = nameOf(await view.resolve(field.entries.get('FT'))) ?? inherited.type
    const given2 = field.entries.get('V')
    const value = await view.resolve(given2)
    if (type === 'Sig' && isDictionary(value)) {
      const isNew = !isReference(given2) || !values.has(given2.reference)
      if (isReference(given2)) values.add(given2.reference)
      if (isNew) found.push(await signatureOf(view, name, number, value))
    }
    const kids = await view.resolve(field.entries.get('Kids'))
    if (isList(kids)) for (const kid of kids) await walk(kid, { type, name }, depth + 1)
  }
  const roots = await view.resolve(form.entries.get('Fields'))
  if (isList(roots)) for (const root of roots) await walk(root, { type: undefined, name: '' }, 0)
  return found
}

async function signatureOf(view: View, field: string, fieldNumber: number | undefined, dictionary: PdfDictionary) {
  const subFilter = nameOf(await view.resolve(dictionary.entries.get('SubFilter'))) ?? ''
  // §12.8.5: the format says what it is; `Type` is optional, and some write another.
  return { field, fieldNumber, dictionary, subFilter, isTimestamp: subFilter === 'ETSI.RFC3161' }
}

/** A text string (§7.9.2.2): UTF-16BE or UTF-8 by its mark, else PDFDocEncoding, of which the ASCII part is read. */
export function textOf(octets: Uint8Array): string {
  if (octets[0] === 0xef && octets[1] === 0xbb && octets[2] === 0xbf)
    return new TextDecoder().decode(octets.subarray(3)).slice(0, 500)
  let text = ''
  if (octets[0] === 0xfe && octets[1] === 0xff) {
    for (let i = 2; i + 1 < octets.length && text.length < 500; i += 2)
      text += String.fromCharCode((octets[i] ?? 0) * 256 + (octets[i + 1] ?? 0))
  } else for (const octet of octets.subarray(0, 500)) text += String.fromCharCode(octet)
  return text
}

export type Gap = {
  readonly start: number
  readonly end: number
  /** Where what it covers ends. */ readonly coveredTo: number
  /** The same without a line end that the signature left out. */ readonly exactEnd: number
}

/** What is wrong with what a signature says it covers; each is one way to sign less than what is shown (USF, SWA). */
export type RangeFlaw =
  | 'range_absent'
  | 'not_four_numbers'
  | 'not_from_start'
  | 'gap_is_not_contents'
  | 'past_the_end'
  | 'ends_inside'
  | 'indirect'
  | 'ambiguous'

/**
 * The gap of a signature: `ByteRange` starts at the first octet, leaves out exactly the value of `Contents`, and ends where a revision
 * ends (ISO 32000-2 §12.8.1, EN 319 142-1 §5.1).
 */
export async function gapOf(document: PdfDocument, dictionary: PdfDictionary): Promise<Gap | RangeFlaw> {
  if (dictionary.ambiguous) return 'ambiguous'
  const range = dictionary.entries.get('ByteRange')
  const contents = dictionary.entries.get('Contents')
  if (range === undefined || contents === undefined) return 'range_absent'
  if (isReference(range) || isReference(contents)) return 'indirect'
  if (!isList(range) || range.length !== 4 || !isString(contents)) return 'not_four_numbers'
  const [from, start, end, rest] = range
  if (![from, start, end, rest].every((each) => typeof each === 'number' && Number.isSafeInteger(each) && each >= 0))
    return 'not_four_numbers'
  if (from !== 0) return 'not_from_start'
  const covered = (end as number) + (rest as number)
  const gap = { start: start as number, end: end as number, coveredTo: covered, exactEnd: covered }
  if (gap.coveredTo > document.size) return 'past_the_end'
  if (gap.start !== contents.start || gap.end !== contents.end || !contents.hexadecimal) return 'gap_is_not_contents'
  const tail = String.fromCharCode(...(await document.read(Math.max(0, gap.coveredTo - 16), Math.min(16, gap.coveredTo))))
  const after = String.fromCharCode(...(await document.read(gap.coveredTo, Math.min(2, document.size - gap.coveredTo))))
  if (!/%%EOF[\0\t\n\f\r ]*$/.test(tail)) return 'ends_inside'
  // A line end left uncovered changes nothing.
  return { ...gap, coveredTo: gap.coveredTo + (tail.endsWith('F') ? (/^(?:\r\n|\r|\n)/.exec(after)?.[0].length ?? 0) : 0) }
}
