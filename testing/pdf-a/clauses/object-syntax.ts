import { isDictionary } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfValue } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { Archive, ArchivedObject, Finding } from '../read/archive.ts'

/** §6.1.9: one white space within `12 0 obj`; line ends before the number and `endobj`, and after `obj` and `endobj`. */
export function objectSyntax({ text, objects }: Archive): Finding[] {
  return objects.flatMap((object) => flawsOf(text, object).map((words) => ({ clause: '6.1.9', object: object.name, words })))
}

function flawsOf(text: string, { place, value }: ArchivedObject): string[] {
  if (place === undefined) return []
  const flaws: string[] = []
  // An entry may point at white space before the number.
  const start = place.start + (/^[\0\t\n\f\r ]*/.exec(text.slice(place.start, place.start + 16))?.[0].length ?? 0)
  if (!/^\d+[\0\t\n\f\r ]\d+[\0\t\n\f\r ]obj[\r\n]/.test(text.slice(start, start + 32)))
    flaws.push('its number, generation and obj are not apart by one white space, or no line end follows')
  if (!/[\r\n]/.test(text[start - 1] ?? '')) flaws.push('no line end stands before its number')
  const from = endOf(text, place.end, value)
  const match = /^([\0\t\n\f\r ]*)endobj([\s\S]?)/.exec(text.slice(from, from + 64))
  if (match === null) flaws.push('endobj does not follow it')
  else {
    if (!/[\r\n]$/.test(match[1] ?? '')) flaws.push('no line end stands before endobj')
    if (!/[\r\n]/.test(match[2] ?? '')) flaws.push('no line end follows endobj')
  }
  return flaws
}

/** Of a stream, whose Length another clause looks at, the word that comes next. */
function endOf(text: string, end: number, value: PdfValue): number {
  if (!isDictionary(value)) return end
  return value.stream === undefined ? value.end : text.indexOf('endstream', end) + 'endstream'.length
}
