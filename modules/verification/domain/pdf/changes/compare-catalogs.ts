import { malformed } from '../../encoding/der.ts'
import { sameShallow } from './changed-objects.ts'
import { compareForms } from './compare-forms.ts'
import { add, adoptNew, explain, explainHolder } from './revision-changes.ts'
import type { Revisions } from './revision-changes.ts'
import { isDictionary, isList, isReference } from '../document/syntax.ts'
import type { PdfDictionary, PdfValue } from '../document/syntax.ts'
import type { View } from '../document/view.ts'

const mostSeen = 200_000

export function compareTrailers(revisions: Revisions): void {
  const { changed, explained, later, signed } = revisions
  if (!sameShallow(signed.trailer.get('Encrypt'), later.trailer.get('Encrypt'))) add(revisions, 'content', 0, 'encrypt')
  // A catalog of another number is compared like one that was changed; one that stood there already was something else.
  const root = later.trailer.get('Root')
  if (isReference(root) && !sameShallow(signed.trailer.get('Root'), root)) {
    if (changed.get(root.reference) === 'added') explained.add(root.reference)
    else add(revisions, 'content', root.reference, 'root')
  }
  if (!sameShallow(signed.trailer.get('Info'), later.trailer.get('Info'))) {
    add(revisions, 'metadata', 0, 'info')
    explain(revisions, later.trailer.get('Info'))
  }
}

export async function compareCatalogs(
  revisions: Revisions,
  before: PdfDictionary,
  after: PdfDictionary,
  number: number,
): Promise<void> {
  const { changed } = revisions
  for (const key of new Set([...before.entries.keys(), ...after.entries.keys()])) {
    const [was, is] = [before.entries.get(key), after.entries.get(key)]
    if (key === 'DSS') await compareDss(revisions, was, is)
    else if (key === 'AcroForm') await compareForms(revisions, was, is)
    else if (key === 'Metadata') await compareMetadata(revisions, was, is)
    else if (key === 'Extensions') {
      if (!sameShallow(was, is) || (isReference(is) && changed.has(is.reference))) {
        // Names of extensions in use: they draw nothing (§7.12).
        add(revisions, 'validation_data', number, 'extensions')
        explain(revisions, is)
      }
    } else if (!sameShallow(was, is)) {
      // A version or an application's own data draws nothing; the structure tree is read aloud.
      const kind = { Version: 'metadata', PieceInfo: 'metadata', StructTreeRoot: 'annotation', MarkInfo: 'annotation' } as const
      add(revisions, key in kind ? kind[key as keyof typeof kind] : 'content', number, `catalog ${key}`)
      await adoptNew(revisions, is)
    }
  }
}

async function compareMetadata(revisions: Revisions, was: PdfValue | undefined, is: PdfValue | undefined): Promise<void> {
  const { changed, later } = revisions
  if (sameShallow(was, is) && !(isReference(is) && changed.has(is.reference))) return
  const stream = await later.resolve(is)
  if (is === undefined || (isDictionary(stream) && stream.stream !== undefined))
    add(revisions, 'metadata', isReference(is) ? is.reference : 0, 'metadata')
  else add(revisions, 'content', 0, 'catalog Metadata')
  explainHolder(revisions, was, is)
}

/** Only streams and lists of streams stand in a DSS (EN 319 142-1 §5.4.2): whatever else is there is not validation data. */
async function compareDss(revisions: Revisions, was: PdfValue | undefined, is: PdfValue | undefined): Promise<void> {
  const { changed, explained, later, signed } = revisions
  if (is === undefined) {
    if (was !== undefined) add(revisions, 'validation_data', 0, 'dss_removed')
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
  if (odd) add(revisions, 'content', isReference(is) ? is.reference : 0, 'dss')
  else if (differs) add(revisions, 'validation_data', isReference(is) ? is.reference : 0, 'dss')
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
