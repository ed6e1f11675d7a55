import { malformed } from '../../encoding/der.ts'
import { isDictionary, isList, isReference, nameOf } from '../document/syntax.ts'
import type { PdfValue } from '../document/syntax.ts'
import type { View } from '../document/view.ts'

const mostSeen = 200_000
const deepest = 64

/** What the signed revision has, and names: read once, whole. */
export async function surveySigned(view: View, changed: ReadonlyMap<number, 'added' | 'changed' | 'removed'>) {
  const found = {
    referenced: new Set<number>(),
    annotationLists: new Set<number>(),
    annotations: new Set<number>(),
    fields: new Set<number>(),
    /** Of each changed object, those that name it. */
    owners: new Map<number, Set<number>>(),
  }
  let seen = 0
  const note = (value: PdfValue | undefined, depth: number, owner: number): void => {
    seen += 1
    if (depth > deepest || seen > mostSeen * 20) malformed('too many objects')
    if (isReference(value)) {
      const state = changed.get(value.reference)
      if (state === 'added') found.referenced.add(value.reference)
      else if (state === 'changed') found.owners.set(value.reference, (found.owners.get(value.reference) ?? new Set()).add(owner))
    } else if (isList(value)) for (const each of value) note(each, depth + 1, owner)
    else if (isDictionary(value)) for (const each of value.entries.values()) note(each, depth + 1, owner)
  }
  let objects = 0
  for (const number of view.numbers()) {
    objects += 1
    if (objects > mostSeen) malformed('too many objects')
    const value = await view.object(number)
    note(value, 0, number)
    if (!isDictionary(value)) continue
    const annotations = value.entries.get('Annots')
    if (isReference(annotations)) found.annotationLists.add(annotations.reference)
    if (value.entries.has('Subtype') && value.entries.has('Rect')) found.annotations.add(number)
    if (
      value.entries.has('FT') ||
      (value.entries.has('Parent') && (value.entries.has('T') || nameOf(value.entries.get('Subtype')) === 'Widget'))
    )
      found.fields.add(number)
  }
  return found
}
