import { malformed } from '../der.ts'
import { changedObjects, sameShallow } from './changed-objects.ts'
import type { PdfDocument } from './document.ts'
import type { View } from './view.ts'
import { fullName, inheritedValue } from './field-tree.ts'
import { surveySigned } from './survey-signed.ts'
import { isDictionary, isList, isReference, nameOf } from './syntax.ts'
import type { PdfDictionary, PdfValue } from './syntax.ts'

/**
 * What a later revision did to what was signed. `validation_data`: certificates and revocation data (DSS). `timestamp`: a document
 * timestamp. `signature`: another signature in a field. `metadata`: title, author, dates. `form`: a field was filled. `annotation`: a
 * note, a link or anything drawn over the page. `content`: anything else, the page itself among it.
 */
export type ChangeKind = 'validation_data' | 'timestamp' | 'signature' | 'metadata' | 'form' | 'annotation' | 'content'
export type Change = {
  readonly kind: ChangeKind
  /** Object number, or 0 for the file's trailer. */ readonly object: number
  readonly what: string
}

export type Comparison = { readonly changes: readonly Change[]; readonly filled: readonly string[] }

const mostSeen = 200_000
const deepest = 64

/**
 * Compares a signed revision with a later one, object by object through what their cross-references lead to and not by where bytes
 * stand: a shadow attack (Mladenov et al., NDSS 2021) may point back at an object that was signed but not shown. What is not known
 * to be harmless is `content`. @throws MalformedError
 */
export async function compareRevisions(document: PdfDocument, signed: View, later: View): Promise<Comparison> {
  const changes: Change[] = []
  const filled: string[] = []
  const add = (kind: ChangeKind, object: number, what: string): void => {
    if (changes.length < 1000) changes.push({ kind, object, what })
  }
  const changed = await changedObjects(document, signed, later)
  if (changed.size === 0 && sameTrailer(signed, later)) return { changes, filled }
  /** Objects whose change was explained, and new ones that an explained change uses. */
  const explained = new Set<number>()
  const old = await surveySigned(signed, changed)

  compareTrailers()
  const root = signed.trailer.get('Root')
  const [before, after] = [await signed.resolve(root), await later.resolve(later.trailer.get('Root'))]
  if (!isDictionary(before) || !isDictionary(after) || !isReference(root)) malformed('no catalog')
  explained.add(root.reference)
  await compareCatalogs(before, after, root.reference)
  for (const [number, state] of changed) {
    if (state === 'added' || explained.has(number)) continue
    await explainChanged(number)
  }
  // A signed page may name an object that does not exist yet: who adds it later decides what the page shows.
  for (const [number, state] of changed)
    if (state === 'added' && old.referenced.has(number)) add('content', number, 'filled_reference')
  return { changes, filled }

  function compareTrailers(): void {
    if (!sameShallow(signed.trailer.get('Encrypt'), later.trailer.get('Encrypt'))) add('content', 0, 'encrypt')
    // A catalog of another number is compared like one that was changed; one that stood there already was something else.
    const root = later.trailer.get('Root')
    if (isReference(root) && !sameShallow(signed.trailer.get('Root'), root)) {
      if (changed.get(root.reference) === 'added') explained.add(root.reference)
      else add('content', root.reference, 'root')
    }
    if (!sameShallow(signed.trailer.get('Info'), later.trailer.get('Info'))) {
      add('metadata', 0, 'info')
      explain(later.trailer.get('Info'))
    }
  }
  function explain(value: PdfValue | undefined): void {
    if (isReference(value)) explained.add(value.reference)
  }

  async function compareCatalogs(before: PdfDictionary, after: PdfDictionary, number: number): Promise<void> {
    for (const key of new Set([...before.entries.keys(), ...after.entries.keys()])) {
      const [was, is] = [before.entries.get(key), after.entries.get(key)]
      if (key === 'DSS') await compareDss(was, is)
      else if (key === 'AcroForm') await compareForms(was, is)
      else if (key === 'Metadata') await compareMetadata(was, is)
      else if (key === 'Extensions') {
        if (!sameShallow(was, is) || (isReference(is) && changed.has(is.reference))) {
          // Names of extensions in use: they draw nothing (§7.12).
          add('validation_data', number, 'extensions')
          explain(is)
        }
      } else if (!sameShallow(was, is)) {
        // A version or an application's own data draws nothing; the structure tree is read aloud.
        const kind = { Version: 'metadata', PieceInfo: 'metadata', StructTreeRoot: 'annotation', MarkInfo: 'annotation' } as const
        add(key in kind ? kind[key as keyof typeof kind] : 'content', number, `catalog ${key}`)
        await adoptNew(is)
      }
    }
  }

  async function compareMetadata(was: PdfValue | undefined, is: PdfValue | undefined): Promise<void> {
    if (sameShallow(was, is) && !(isReference(is) && changed.has(is.reference))) return
    const stream = await later.resolve(is)
    if (is === undefined || (isDictionary(stream) && stream.stream !== undefined))
      add('metadata', isReference(is) ? is.reference : 0, 'metadata')
    else add('content', 0, 'catalog Metadata')
    if (isReference(is) && (changed.get(is.reference) === 'added' || sameShallow(was, is))) explain(is)
  }

  /** Only streams and lists of streams stand in a DSS (EN 319 142-1 §5.4.2): whatever else is there is not validation data. */
  async function compareDss(was: PdfValue | undefined, is: PdfValue | undefined): Promise<void> {
    if (is === undefined) {
      if (was !== undefined) add('validation_data', 0, 'dss_removed')
      return
    }
    const wasInDss = new Set<number>()
    await collect(signed, was, wasInDss)
    const nowInDss = new Set<number>()
    const odd = await collect(later, is, nowInDss)
    let differs = !sameShallow(was, is)
    for (const number of nowInDss) {
      const state = changed.get(number)
      if (state === undefined) continue
      differs = true
      if (state === 'added' || wasInDss.has(number)) explained.add(number)
    }
    if (odd) add('content', isReference(is) ? is.reference : 0, 'dss')
    else if (differs) add('validation_data', isReference(is) ? is.reference : 0, 'dss')
  }

  /** Objects of a DSS; answers whether something else than the format allows stands in it. */
  async function collect(view: View, value: PdfValue | undefined, into: Set<number>): Promise<boolean> {
    let odd = false
    const step = async (given: PdfValue | undefined): Promise<PdfValue | undefined> => {
      if (isReference(given)) into.add(given.reference)
      if (into.size > mostSeen) malformed('too many objects')
      return await view.resolve(given)
    }
    const streams = async (given: PdfValue | undefined): Promise<void> => {
      const list = await step(given)
      for (const each of isList(list) ? list : list === undefined || list === null ? [] : [list]) {
        const stream = await step(each)
        if (!isDictionary(stream) || stream.stream === undefined) odd = true
      }
    }
    const dictionary = await step(value)
    if (!isDictionary(dictionary)) return value !== undefined
    for (const [key, held] of dictionary.entries) {
      if (['Certs', 'OCSPs', 'CRLs'].includes(key)) await streams(held)
      else if (key === 'VRI') {
        const all = await step(held)
        if (!isDictionary(all)) odd = true
        else
          for (const [hash, each] of all.entries) {
            if (hash === 'Type') continue
            const one = await step(each)
            if (!isDictionary(one)) odd = true
            else
              for (const [name, data] of one.entries) {
                if (['Cert', 'CRL', 'OCSP', 'TS'].includes(name)) await streams(data)
                else if (name !== 'Type' && name !== 'TU') odd = true
              }
          }
      } else if (key !== 'Type') odd = true
    }
    return odd
  }

  async function compareForms(was: PdfValue | undefined, is: PdfValue | undefined): Promise<void> {
    const [before, after] = [await signed.resolve(was), await later.resolve(is)]
    if (was === undefined && is === undefined) return
    if (
      !isDictionary(after) ||
      (was !== undefined && !isDictionary(before)) ||
      ('stream' in after && after.stream !== undefined)
    ) {
      add('content', 0, 'catalog AcroForm')
      return
    }
    if (isReference(is) && (changed.get(is.reference) === 'added' || sameShallow(was, is))) explained.add(is.reference)
    const held = isDictionary(before) ? before.entries : new Map<string, PdfValue>()
    const number = isReference(is) ? is.reference : 0
    for (const key of new Set([...held.keys(), ...after.entries.keys()])) {
      const [one, other] = [held.get(key), after.entries.get(key)]
      if (key === 'Fields') await compareLists(one, other, number, async (added) => await explainNewField(added))
      else if (key === 'SigFlags') continue
      else if (key === 'DR') await compareResources(one, other, number, 0)
      else if (!sameShallow(one, other)) {
        // A first form brings its default appearance, which draws nothing by itself.
        if (one !== undefined || key !== 'DA') add(key === 'NeedAppearances' ? 'form' : 'content', number, `form ${key}`)
        await adoptNew(other)
      }
    }
  }

  /** Fonts of a form may be added; one that a field may already use stays what it was. */
  async function compareResources(
    was: PdfValue | undefined,
    is: PdfValue | undefined,
    owner: number,
    depth: number,
  ): Promise<void> {
    if (isReference(is) && (changed.get(is.reference) === 'added' || sameShallow(was, is))) explained.add(is.reference)
    if (was === undefined) return await adoptNew(is)
    const [before, after] = [await signed.resolve(was), await later.resolve(is)]
    if (!isDictionary(before) || !isDictionary(after)) {
      if (!sameShallow(before, after)) add('content', owner, 'form DR')
      return
    }
    for (const key of new Set([...before.entries.keys(), ...after.entries.keys()])) {
      const [one, other] = [before.entries.get(key), after.entries.get(key)]
      if (one === undefined) await adoptNew(other)
      else if (depth === 0) await compareResources(one, other, owner, 1)
      else if (!sameShallow(one, other)) add('content', owner, 'form DR')
    }
  }

  /** Elements may be added to a list and never taken away, replaced or reordered. */
  async function compareLists(
    was: PdfValue | undefined,
    is: PdfValue | undefined,
    owner: number,
    onNew: (element: PdfValue) => Promise<void>,
  ): Promise<void> {
    const [before, after] = [await signed.resolve(was), await later.resolve(is)]
    const [first, second] = [isList(before) ? before : [], isList(after) ? after : []]
    if (isReference(is) && (changed.get(is.reference) === 'added' || sameShallow(was, is))) explained.add(is.reference)
    let at = 0
    for (const each of second) {
      if (at < first.length && sameShallow(first[at], each)) at += 1
      else await onNew(each)
    }
    if (at < first.length) add('content', owner, 'list_shortened')
  }

  /** A field that was not there: a signature's, or one that draws what it likes. */
  async function explainNewField(value: PdfValue): Promise<void> {
    const number = isReference(value) ? value.reference : 0
    if (number !== 0 && changed.get(number) !== 'added' && !old.fields.has(number)) {
      add('content', number, 'new_field')
      return
    }
    const field = await later.resolve(value)
    if (!isDictionary(field)) return
    const type = nameOf(await later.resolve(field.entries.get('FT')))
    if (type !== 'Sig') {
      add(field.entries.has('Kids') ? 'content' : 'annotation', number, 'new_field')
      await adoptNew(value)
      return
    }
    await explainSignatureField(field, number)
  }

  async function explainSignatureField(field: PdfDictionary, number: number): Promise<void> {
    const value = await later.resolve(field.entries.get('V'))
    const isTimestamp = isDictionary(value) && nameOf(await later.resolve(value.entries.get('SubFilter'))) === 'ETSI.RFC3161'
    const rectangle = await later.resolve(field.entries.get('Rect'))
    const isVisible =
      isList(rectangle) && rectangle.length === 4 && rectangle[0] !== rectangle[2] && rectangle[1] !== rectangle[3]
    // Anybody gets a timestamp from a known authority: drawn over the page, it would say what its owner likes.
    if (isTimestamp && isVisible && field.entries.has('AP')) add('annotation', number, 'visible_timestamp')
    else add(isTimestamp ? 'timestamp' : 'signature', number, isDictionary(value) ? 'signature' : 'empty_field')
    if (number !== 0) await adoptNew({ reference: number, generation: 0 })
    else await adoptNew(field)
  }

  /** New objects that an explained change leads to; objects that were there are not excused by being named again. */
  async function adoptNew(value: PdfValue | undefined, depth = 0): Promise<void> {
    if (depth > deepest || value === undefined) return
    if (isReference(value)) {
      if (changed.get(value.reference) !== 'added' || explained.has(value.reference)) return
      explained.add(value.reference)
      await adoptNew(await later.object(value.reference), depth + 1)
    } else if (isList(value)) for (const each of value) await adoptNew(each, depth + 1)
    else if (isDictionary(value)) for (const each of value.entries.values()) await adoptNew(each, depth + 1)
  }

  async function explainChanged(number: number): Promise<void> {
    const [was, is] = [await signed.object(number), await later.object(number)]
    if (is === undefined) return add('content', number, 'removed')
    const info = later.trailer.get('Info')
    if (isReference(info) && info.reference === number && isDictionary(is) && isDictionary(was))
      return add('metadata', number, 'info')
    if (old.annotationLists.has(number)) return await compareAnnotations(was, is, number)
    if (!isDictionary(was) || !isDictionary(is) || (was.stream === undefined) !== (is.stream === undefined) || is.ambiguous)
      return add('content', number, 'object')
    const differing = [...new Set([...was.entries.keys(), ...is.entries.keys()])].filter(
      (key) => !sameShallow(was.entries.get(key), is.entries.get(key)),
    )
    if (was.stream !== undefined) {
      // The appearance of a field that was filled, drawn again in its place: nothing else may use it.
      const owners = old.owners.get(number) ?? new Set<number>()
      const isAppearance = owners.size > 0 && [...owners].every((owner) => old.fields.has(owner))
      if (isAppearance) await adoptNew(is)
      return add(isAppearance ? 'form' : 'content', number, 'stream')
    }
    const type = nameOf(was.entries.get('Type'))
    if (type === 'Page' && differing.every((key) => ['Annots', 'Tabs', 'LastModified', 'AcroForm'].includes(key))) {
      await compareAnnotations(was.entries.get('Annots'), is.entries.get('Annots'), number)
      return
    }
    if (old.fields.has(number)) return await explainField(was, is, differing, number)
    if (type === 'Annot' || old.annotations.has(number)) {
      add('annotation', number, 'annotation_changed')
      return
    }
    // What is read aloud, not drawn (§14.7).
    const isStructure = type === 'StructTreeRoot' || type === 'StructElem'
    add(isStructure ? 'annotation' : 'content', number, type === undefined ? 'object' : `object ${type}`)
    if (isStructure) for (const key of differing) await adoptNew(is.entries.get(key))
  }

  async function compareAnnotations(was: PdfValue | undefined, is: PdfValue | undefined, number: number): Promise<void> {
    const [before, after] = [await signed.resolve(was), await later.resolve(is)]
    if ((before !== undefined && !isList(before)) || (after !== undefined && after !== null && !isList(after)))
      return add('content', number, 'annotations')
    const kept = (isList(after) ? after : []).filter((each) => isList(before) && before.some((one) => sameShallow(one, each)))
    if (isList(before) && kept.length < before.length) add('annotation', number, 'annotation_removed')
    if (isReference(is)) explain(is)
    for (const each of isList(after) ? after : []) {
      if (kept.includes(each)) continue
      const annotation = await later.resolve(each)
      if (isReference(each) && explained.has(each.reference)) continue
      if (isReference(each) && changed.get(each.reference) !== 'added') {
        // A field that was without a widget on a page, or an object that was something else.
        add(old.fields.has(each.reference) ? 'annotation' : 'content', number, 'annotation_moved')
        continue
      }
      if (isDictionary(annotation) && nameOf(await later.resolve(annotation.entries.get('FT'))) === 'Sig')
        await explainSignatureField(annotation, isReference(each) ? each.reference : 0)
      else {
        add('annotation', number, 'annotation_added')
        await adoptNew(each)
      }
    }
  }

  async function explainField(was: PdfDictionary, is: PdfDictionary, differing: readonly string[], number: number) {
    const type = nameOf(await inheritedValue(signed, was, 'FT'))
    const harmless = ['V', 'AS', 'AP', 'M', 'F', 'I', 'RV', 'MK', 'Kids']
    if (differing.some((key) => !harmless.includes(key))) return add('annotation', number, 'field_changed')
    if (differing.includes('Kids')) {
      await compareLists(was.entries.get('Kids'), is.entries.get('Kids'), number, async (added) => await explainNewField(added))
      if (differing.length === 1) return
    }
    if (type === 'Sig') {
      if ((await signed.resolve(was.entries.get('V'))) !== undefined && differing.includes('V'))
        return add('content', number, 'signature_replaced')
      if ((await signed.resolve(was.entries.get('V'))) !== undefined) return add('annotation', number, 'signature_redrawn')
      return await explainSignatureField(is, number)
    }
    add('form', number, 'filled')
    filled.push(await fullName(later, is))
    for (const key of differing) await adoptNew(is.entries.get(key))
  }
}

function sameTrailer(signed: View, later: View): boolean {
  return ['Root', 'Encrypt', 'Info'].every((key) => sameShallow(signed.trailer.get(key), later.trailer.get(key)))
}
