import { isDictionary, isList, latin, nameOf } from '../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfDictionary, PdfValue } from '../../modules/verification/domain/pdf/document/syntax.ts'
import { MalformedError } from '../../modules/verification/domain/encoding/der.ts'
import { nameOfObject } from './archive.ts'
import type { Archive } from './archive.ts'
import { operatorsOf } from './operators.ts'

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
    await add({
      object: nameOfObject(value, 'form'),
      octets: await octetsOf(archive, form),
      resources: await archive.dictionary(form, 'Resources'),
      page,
    })
  }
  const add = async (drawn: Drawn): Promise<void> => {
    found.push(drawn)
    const forms = await archive.dictionary(drawn.resources, 'XObject')
    for (const name of shownBy(drawn.octets)) {
      const each = forms?.entries.get(name)
      if ((await archive.nameAt(each, 'Subtype')) === 'Form') await addForm(each, drawn.page)
    }
  }
  for (const { object, page, resources } of await pagesOf(archive)) {
    const contents = await archive.get(page, 'Contents')
    const parts: Uint8Array[] = []
    for (const each of isList(contents) ? contents : [contents]) {
      const stream = await archive.view.resolve(each)
      if (isDictionary(stream)) parts.push(await octetsOf(archive, stream), Uint8Array.of(10))
    }
    await add({ object, octets: Buffer.concat(parts), resources, page })
    for (const annotation of await archive.list(page, 'Annots')) {
      const normal = await archive.get(await archive.dictionary(annotation, 'AP'), 'N')
      if (!isDictionary(normal)) continue
      if (normal.stream !== undefined) await addForm((await archive.dictionary(annotation, 'AP'))?.entries.get('N'), page)
      else for (const state of normal.entries.values()) await addForm(state, page)
    }
  }
  return found
}

/** Names of what is shown; of contents that cannot be read, none: another clause says so. */
function shownBy(octets: Uint8Array): ReadonlySet<string> {
  const names = new Set<string>()
  try {
    for (const { name, operands } of operatorsOf(octets)) if (name === 'Do') names.add(nameOf(operands[0]) ?? '')
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
  }
  return names
}

async function octetsOf(archive: Archive, stream: PdfDictionary): Promise<Uint8Array> {
  return await archive.document.stream(stream, archive.view.resolve)
}

/** With the resources that each has itself: those of the nodes above it are none to PDF/A (§6.2.2). */
async function pagesOf(archive: Archive) {
  const found: { object: string; page: PdfDictionary; resources: PdfDictionary | undefined }[] = []
  const walk = async (value: PdfValue | undefined, depth: number): Promise<void> => {
    const node = await archive.view.resolve(value)
    if (!isDictionary(node) || depth > 32) return
    if (node.entries.has('Kids')) for (const kid of await archive.list(node, 'Kids')) await walk(kid, depth + 1)
    else found.push({ object: nameOfObject(value, 'page'), page: node, resources: await archive.dictionary(node, 'Resources') })
  }
  await walk(archive.catalog.entries.get('Pages'), 0)
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
