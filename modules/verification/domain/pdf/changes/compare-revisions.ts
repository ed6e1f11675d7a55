import { malformed } from '../../encoding/der.ts'
import { changedObjects, sameShallow } from './changed-objects.ts'
import { compareCatalogs, compareTrailers } from './compare-catalogs.ts'
import { compareAnnotations, explainField } from './compare-forms.ts'
import type { PdfDocument } from '../document/document.ts'
import { add, adoptNew } from './revision-changes.ts'
import type { Comparison, Revisions } from './revision-changes.ts'
import { surveySigned } from './survey-signed.ts'
import { isDictionary, isReference, nameOf } from '../document/syntax.ts'
import type { View } from '../document/view.ts'

/**
 * Compares a signed revision with a later one, object by object through what their cross-references lead to and not by where bytes
 * stand: a shadow attack (Mladenov et al., NDSS 2021) may point back at an object that was signed but not shown. What is not known
 * to be harmless is `content`. @throws MalformedError
 */
export async function compareRevisions(document: PdfDocument, signed: View, later: View): Promise<Comparison> {
  const changed = await changedObjects(document, signed, later)
  if (changed.size === 0 && sameTrailer(signed, later)) return { changes: [], filled: [] }
  const old = await surveySigned(signed, changed)
  const revisions: Revisions = { signed, later, changed, old, explained: new Set(), changes: [], filled: [] }
  const { explained, changes, filled } = revisions
  compareTrailers(revisions)
  const root = signed.trailer.get('Root')
  const [before, after] = [await signed.resolve(root), await later.resolve(later.trailer.get('Root'))]
  if (!isDictionary(before) || !isDictionary(after) || !isReference(root)) malformed('no catalog')
  explained.add(root.reference)
  await compareCatalogs(revisions, before, after, root.reference)
  for (const [number, state] of changed) {
    if (state === 'added' || explained.has(number)) continue
    await explainChanged(revisions, number)
  }
  // A signed page may name an object that does not exist yet: who adds it later decides what the page shows.
  for (const [number, state] of changed)
    if (state === 'added' && old.referenced.has(number)) add(revisions, 'content', number, 'filled_reference')
  return { changes, filled }
}

async function explainChanged(revisions: Revisions, number: number): Promise<void> {
  const { later, old, signed } = revisions
  const [was, is] = [await signed.object(number), await later.object(number)]
  if (is === undefined) return add(revisions, 'content', number, 'removed')
  const info = later.trailer.get('Info')
  if (isReference(info) && info.reference === number && isDictionary(is) && isDictionary(was))
    return add(revisions, 'metadata', number, 'info')
  if (old.annotationLists.has(number)) return await compareAnnotations(revisions, was, is, number)
  if (!isDictionary(was) || !isDictionary(is) || (was.stream === undefined) !== (is.stream === undefined) || is.ambiguous)
    return add(revisions, 'content', number, 'object')
  const differing = [...new Set([...was.entries.keys(), ...is.entries.keys()])].filter(
    (key) => !sameShallow(was.entries.get(key), is.entries.get(key)),
  )
  if (was.stream !== undefined) {
    // The appearance of a field that was filled, drawn again in its place: nothing else may use it.
    const owners = old.owners.get(number) ?? new Set<number>()
    const isAppearance = owners.size > 0 && [...owners].every((owner) => old.fields.has(owner))
    if (isAppearance) await adoptNew(revisions, is)
    return add(revisions, isAppearance ? 'form' : 'content', number, 'stream')
  }
  const type = nameOf(was.entries.get('Type'))
  if (type === 'Page' && differing.every((key) => ['Annots', 'Tabs', 'LastModified', 'AcroForm'].includes(key))) {
    await compareAnnotations(revisions, was.entries.get('Annots'), is.entries.get('Annots'), number)
    return
  }
  if (old.fields.has(number)) return await explainField(revisions, was, is, differing, number)
  if (type === 'Annot' || old.annotations.has(number)) {
    add(revisions, 'annotation', number, 'annotation_changed')
    return
  }
  // What is read aloud, not drawn (§14.7).
  const isStructure = type === 'StructTreeRoot' || type === 'StructElem'
  add(revisions, isStructure ? 'annotation' : 'content', number, type === undefined ? 'object' : `object ${type}`)
  if (isStructure) for (const key of differing) await adoptNew(revisions, is.entries.get(key))
}

function sameTrailer(signed: View, later: View): boolean {
  return ['Root', 'Encrypt', 'Info'].every((key) => sameShallow(signed.trailer.get(key), later.trailer.get(key)))
}
