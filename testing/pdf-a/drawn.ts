import { isDictionary, isList, latin, nameOf } from '../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfDictionary, PdfValue } from '../../modules/verification/domain/pdf/document/syntax.ts'
import { nameOfObject } from './archive.ts'
import type { Archive } from './archive.ts'

/** What draws: a page's contents, or a form that a page, an appearance or another form shows. */
export type Drawn = {
  readonly object: string
  readonly octets: Uint8Array
  readonly resources: PdfDictionary | undefined
  /** The page on which it is. */
  readonly page: PdfDictionary
}

/** Everything that is drawn on the pages and as appearances of annotations, each stream once. */
export async function drawnOf(archive: Archive): Promise<readonly Drawn[]> {
  const found: Drawn[] = []
  const seen = new Set<PdfDictionary>()
  const addForm = async (value: PdfValue | undefined, page: PdfDictionary): Promise<void> => {
    const form = await archive.view.resolve(value)
    if (!isDictionary(form) || form.stream === undefined || seen.has(form)) return
    seen.add(form)
    const resources = await archive.dictionary(form, 'Resources')
    found.push({ object: nameOfObject(value, 'form'), octets: await octetsOf(archive, form), resources, page })
    await addForms(resources, page)
  }
  const addForms = async (resources: PdfDictionary | undefined, page: PdfDictionary): Promise<void> => {
    for (const each of (await archive.dictionary(resources, 'XObject'))?.entries.values() ?? [])
      if ((await archive.nameAt(each, 'Subtype')) === 'Form') await addForm(each, page)
  }
  for (const { object, page, resources } of await pagesOf(archive)) {
    const contents = await archive.get(page, 'Contents')
    const parts: Uint8Array[] = []
    for (const each of isList(contents) ? contents : [contents]) {
      const stream = await archive.view.resolve(each)
      if (isDictionary(stream)) parts.push(await octetsOf(archive, stream), Uint8Array.of(10))
    }
    found.push({ object, octets: Buffer.concat(parts), resources, page })
    await addForms(resources, page)
    for (const annotation of await archive.list(page, 'Annots')) {
      const normal = await archive.get(await archive.dictionary(annotation, 'AP'), 'N')
      if (!isDictionary(normal)) continue
      if (normal.stream !== undefined) await addForm((await archive.dictionary(annotation, 'AP'))?.entries.get('N'), page)
      else for (const state of normal.entries.values()) await addForm(state, page)
    }
  }
  return found
}

async function octetsOf(archive: Archive, stream: PdfDictionary): Promise<Uint8Array> {
  return await archive.document.stream(stream, archive.view.resolve)
}

async function pagesOf(archive: Archive) {
  const found: { object: string; page: PdfDictionary; resources: PdfDictionary | undefined }[] = []
  const walk = async (value: PdfValue | undefined, inherited: PdfDictionary | undefined, depth: number): Promise<void> => {
    const node = await archive.view.resolve(value)
    if (!isDictionary(node) || depth > 32) return
    const resources = (await archive.dictionary(node, 'Resources')) ?? inherited
    if (node.entries.has('Kids')) for (const kid of await archive.list(node, 'Kids')) await walk(kid, resources, depth + 1)
    else found.push({ object: nameOfObject(value, 'page'), page: node, resources })
  }
  await walk(archive.catalog.entries.get('Pages'), undefined, 0)
  return found
}

/** Of the output intent of PDF/A: `RGB `, `CMYK` or `GRAY` (ICC.1, header, octets 16 to 19). */
export async function outputColours(archive: Archive): Promise<string | undefined> {
  for (const intent of await archive.list(archive.catalog, 'OutputIntents')) {
    if (nameOf(await archive.get(intent, 'S')) !== 'GTS_PDFA1') continue
    const profile = await archive.dictionary(intent, 'DestOutputProfile')
    if (profile?.stream !== undefined) return latin((await octetsOf(archive, profile)).subarray(16, 20))
  }
  return undefined
}
