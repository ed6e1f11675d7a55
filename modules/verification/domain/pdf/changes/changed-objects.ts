import { equalBytes } from '../../../../../kernel/bytes.ts'
import { malformed } from '../../encoding/der.ts'
import type { PdfDocument, Place } from '../document/document.ts'
import type { View } from '../document/view.ts'
import { isDictionary, isList, isReference, isString, nameOf } from '../document/syntax.ts'
import type { PdfValue } from '../document/syntax.ts'

const mostChanged = 20_000
const deepest = 64

/** Object numbers of the later revision whose object is another, and how. Containers of the file's structure are none. */
export async function changedObjects(
  document: PdfDocument,
  signed: View,
  later: View,
): Promise<Map<number, 'added' | 'changed' | 'removed'>> {
  const found = new Map<number, 'added' | 'changed' | 'removed'>()
  const known = new Set(signed.sections.map(({ at }) => at))
  const touched = new Set<number>()
  for (const section of later.sections)
    if (!known.has(section.at)) for (const number of section.places.keys()) touched.add(number)
  for (const number of touched) {
    const [was, is] = [signed.place(number), later.place(number)]
    if (was !== undefined && is !== undefined && samePlace(was, is, signed, later)) continue
    const [before, after] = [await signed.object(number), await later.object(number)]
    if (isStructure(after) && (before === undefined || isStructure(before))) continue
    if (before === undefined && after === undefined) continue
    if (before === undefined) found.set(number, 'added')
    else if (after === undefined) found.set(number, 'removed')
    else if (!(await sameObject(document, signed, later, before, after))) found.set(number, 'changed')
    if (found.size > mostChanged) malformed('too many changes')
  }
  return found
}

const isStructure = (value: PdfValue | undefined): boolean =>
  isDictionary(value) && value.stream !== undefined && ['XRef', 'ObjStm'].includes(nameOf(value.entries.get('Type')) ?? '')

function samePlace(a: Place, b: Place, signed: View, later: View): boolean {
  if (a.kind === 'free' || b.kind === 'free') return a.kind === b.kind
  if (a.kind === 'offset' || b.kind === 'offset') return a.kind === 'offset' && b.kind === 'offset' && a.offset === b.offset
  if (a.container !== b.container || a.index !== b.index) return false
  const [one, other] = [signed.place(a.container), later.place(b.container)]
  return one?.kind === 'offset' && other?.kind === 'offset' && one.offset === other.offset
}

async function sameObject(document: PdfDocument, signed: View, later: View, a: PdfValue, b: PdfValue): Promise<boolean> {
  if (!sameShallow(a, b)) return false
  if (!isDictionary(a) || !isDictionary(b) || a.stream === undefined || b.stream === undefined) return true
  return equalBytes(await document.rawStream(a, signed.resolve), await document.rawStream(b, later.resolve))
}

/** Equal as written; references are equal when they name the same object. */
export function sameShallow(a: PdfValue | undefined, b: PdfValue | undefined, depth = 0): boolean {
  if (depth > deepest) return false
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (isReference(a)) return isReference(b) && a.reference === b.reference && a.generation === b.generation
  if (isString(a)) return isString(b) && a.asItStands === b.asItStands && equalBytes(a.octets, b.octets)
  if (isList(a)) return isList(b) && a.length === b.length && a.every((each, i) => sameShallow(each, b[i], depth + 1))
  if (isDictionary(a)) {
    if (!isDictionary(b) || a.entries.size !== b.entries.size || a.ambiguous || b.ambiguous) return false
    if ((a.stream === undefined) !== (b.stream === undefined)) return false
    return [...a.entries].every(([key, value]) => b.entries.has(key) && sameShallow(value, b.entries.get(key), depth + 1))
  }
  return nameOf(a) !== undefined && nameOf(a) === nameOf(b)
}
