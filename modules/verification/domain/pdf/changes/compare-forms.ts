import { sameShallow } from './changed-objects.ts'
import { fullName, inheritedValue } from './field-tree.ts'
import { add, adoptNew, explain, explainHolder } from './revision-changes.ts'
import type { Revisions } from './revision-changes.ts'
import { isDictionary, isList, isReference, nameOf } from '../document/syntax.ts'
import type { PdfDictionary, PdfValue } from '../document/syntax.ts'

/** The form of a document (ISO 32000-2 §12.7.3). */
export async function compareForms(revisions: Revisions, was: PdfValue | undefined, is: PdfValue | undefined): Promise<void> {
  const { later, signed } = revisions
  const [before, after] = [await signed.resolve(was), await later.resolve(is)]
  if (was === undefined && is === undefined) return
  if (!isDictionary(after) || (was !== undefined && !isDictionary(before)) || ('stream' in after && after.stream !== undefined)) {
    add(revisions, 'content', 0, 'catalog AcroForm')
    return
  }
  explainHolder(revisions, was, is)
  const held = isDictionary(before) ? before.entries : new Map<string, PdfValue>()
  const number = isReference(is) ? is.reference : 0
  for (const key of new Set([...held.keys(), ...after.entries.keys()])) {
    const [one, other] = [held.get(key), after.entries.get(key)]
    if (key === 'Fields')
      await compareLists(revisions, one, other, number, async (added) => await explainNewField(revisions, added))
    else if (key === 'SigFlags') continue
    else if (key === 'DR') await compareResources(revisions, one, other, number, 0)
    else if (!sameShallow(one, other)) {
      // A first form brings its default appearance, which draws nothing by itself.
      if (one !== undefined || key !== 'DA') add(revisions, key === 'NeedAppearances' ? 'form' : 'content', number, `form ${key}`)
      await adoptNew(revisions, other)
    }
  }
}

/** Fonts of a form may be added; one that a field may already use stays what it was. */
async function compareResources(
  revisions: Revisions,
  was: PdfValue | undefined,
  is: PdfValue | undefined,
  owner: number,
  depth: number,
): Promise<void> {
  const { later, signed } = revisions
  explainHolder(revisions, was, is)
  if (was === undefined) return await adoptNew(revisions, is)
  const [before, after] = [await signed.resolve(was), await later.resolve(is)]
  if (!isDictionary(before) || !isDictionary(after)) {
    if (!sameShallow(before, after)) add(revisions, 'content', owner, 'form DR')
    return
  }
  for (const key of new Set([...before.entries.keys(), ...after.entries.keys()])) {
    const [one, other] = [before.entries.get(key), after.entries.get(key)]
    if (one === undefined) await adoptNew(revisions, other)
    else if (depth === 0) await compareResources(revisions, one, other, owner, 1)
    else if (!sameShallow(one, other)) add(revisions, 'content', owner, 'form DR')
  }
}

/** Elements may be added to a list and never taken away, replaced or reordered. */
async function compareLists(
  revisions: Revisions,
  was: PdfValue | undefined,
  is: PdfValue | undefined,
  owner: number,
  onNew: (element: PdfValue) => Promise<void>,
): Promise<void> {
  const { later, signed } = revisions
  const [before, after] = [await signed.resolve(was), await later.resolve(is)]
  const [first, second] = [isList(before) ? before : [], isList(after) ? after : []]
  explainHolder(revisions, was, is)
  let at = 0
  for (const each of second) {
    if (at < first.length && sameShallow(first[at], each)) at += 1
    else await onNew(each)
  }
  if (at < first.length) add(revisions, 'content', owner, 'list_shortened')
}

/** A field that was not there: a signature's, or one that draws what it likes. */
async function explainNewField(revisions: Revisions, value: PdfValue): Promise<void> {
  const { changed, later, old } = revisions
  const number = isReference(value) ? value.reference : 0
  if (number !== 0 && changed.get(number) !== 'added' && !old.fields.has(number)) {
    add(revisions, 'content', number, 'new_field')
    return
  }
  const field = await later.resolve(value)
  if (!isDictionary(field)) return
  const type = nameOf(await later.resolve(field.entries.get('FT')))
  if (type !== 'Sig') {
    add(revisions, field.entries.has('Kids') ? 'content' : 'annotation', number, 'new_field')
    await adoptNew(revisions, value)
    return
  }
  await explainSignatureField(revisions, field, number)
}

async function explainSignatureField(revisions: Revisions, field: PdfDictionary, number: number): Promise<void> {
  const { later } = revisions
  const value = await later.resolve(field.entries.get('V'))
  const isTimestamp = isDictionary(value) && nameOf(await later.resolve(value.entries.get('SubFilter'))) === 'ETSI.RFC3161'
  const rectangle = await later.resolve(field.entries.get('Rect'))
  const isVisible = isList(rectangle) && rectangle.length === 4 && rectangle[0] !== rectangle[2] && rectangle[1] !== rectangle[3]
  // Anybody gets a timestamp from a known authority: drawn over the page, it would say what its owner likes.
  if (isTimestamp && isVisible && field.entries.has('AP')) add(revisions, 'annotation', number, 'visible_timestamp')
  else add(revisions, isTimestamp ? 'timestamp' : 'signature', number, isDictionary(value) ? 'signature' : 'empty_field')
  if (number !== 0) await adoptNew(revisions, { reference: number, generation: 0 })
  else await adoptNew(revisions, field)
}

/** What is drawn over a page: nothing may be taken away, and what is new says what it is. */
export async function compareAnnotations(
  revisions: Revisions,
  was: PdfValue | undefined,
  is: PdfValue | undefined,
  number: number,
): Promise<void> {
  const { changed, explained, later, old, signed } = revisions
  const [before, after] = [await signed.resolve(was), await later.resolve(is)]
  if ((before !== undefined && !isList(before)) || (after !== undefined && after !== null && !isList(after)))
    return add(revisions, 'content', number, 'annotations')
  const kept = (isList(after) ? after : []).filter((each) => isList(before) && before.some((one) => sameShallow(one, each)))
  if (isList(before) && kept.length < before.length) add(revisions, 'annotation', number, 'annotation_removed')
  if (isReference(is)) explain(revisions, is)
  for (const each of isList(after) ? after : []) {
    if (kept.includes(each)) continue
    const annotation = await later.resolve(each)
    if (isReference(each) && explained.has(each.reference)) continue
    if (isReference(each) && changed.get(each.reference) !== 'added') {
      // A field that was without a widget on a page, or an object that was something else.
      add(revisions, old.fields.has(each.reference) ? 'annotation' : 'content', number, 'annotation_moved')
      continue
    }
    if (isDictionary(annotation) && nameOf(await later.resolve(annotation.entries.get('FT'))) === 'Sig')
      await explainSignatureField(revisions, annotation, isReference(each) ? each.reference : 0)
    else {
      add(revisions, 'annotation', number, 'annotation_added')
      await adoptNew(revisions, each)
    }
  }
}

/** @param differing keys of its dictionary. */
export async function explainField(
  revisions: Revisions,
  was: PdfDictionary,
  is: PdfDictionary,
  differing: readonly string[],
  number: number,
) {
  const { filled, later, signed } = revisions
  const type = nameOf(await inheritedValue(signed, was, 'FT'))
  const harmless = ['V', 'AS', 'AP', 'M', 'F', 'I', 'RV', 'MK', 'Kids']
  if (differing.some((key) => !harmless.includes(key))) return add(revisions, 'annotation', number, 'field_changed')
  if (differing.includes('Kids')) {
    await compareLists(
      revisions,
      was.entries.get('Kids'),
      is.entries.get('Kids'),
      number,
      async (added) => await explainNewField(revisions, added),
    )
    if (differing.length === 1) return
  }
  if (type === 'Sig') {
    const isSigned = (await signed.resolve(was.entries.get('V'))) !== undefined
    if (isSigned && differing.includes('V')) return add(revisions, 'content', number, 'signature_replaced')
    if (isSigned) return add(revisions, 'annotation', number, 'signature_redrawn')
    return await explainSignatureField(revisions, is, number)
  }
  add(revisions, 'form', number, 'filled')
  filled.push(await fullName(later, is))
  for (const key of differing) await adoptNew(revisions, is.entries.get(key))
}
