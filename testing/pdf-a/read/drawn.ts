import { isDictionary, isList, latin, nameOf } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfDictionary, PdfValue } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { MalformedError } from '../../../modules/verification/domain/encoding/der.ts'
import { nameOfObject } from './archive.ts'
import type { Archive } from './archive.ts'
import { operatorsOf } from './operators.ts'
import type { Operator } from './operators.ts'

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
  /** Glyphs of a Type 3 font are drawn with the resources of the font. */
  const addGlyphs = async (font: PdfValue | undefined, page: PdfDictionary): Promise<void> => {
    if ((await archive.nameAt(font, 'Subtype')) !== 'Type3') return
    const resources = await archive.dictionary(font, 'Resources')
    for (const glyph of (await archive.dictionary(font, 'CharProcs'))?.entries.values() ?? []) {
      const stream = await archive.view.resolve(glyph)
      if (!isDictionary(stream) || stream.stream === undefined || seen.has(stream)) continue
      seen.add(stream)
      await add({ object: nameOfObject(glyph, 'glyph'), octets: await octetsOf(archive, stream), resources, page })
    }
  }
  const add = async (drawn: Drawn): Promise<void> => {
    found.push(drawn)
    for (const [kind, name] of shownBy(drawn.octets)) {
      const each = (await archive.dictionary(drawn.resources, kind))?.entries.get(name)
      if (kind === 'XObject') {
        if ((await archive.nameAt(each, 'Subtype')) === 'Form') await addForm(each, drawn.page)
      } else if (kind === 'Pattern') await addForm(each, drawn.page)
      else await addGlyphs(each, drawn.page)
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

const drawing: Readonly<Record<string, string>> = { Do: 'XObject', scn: 'Pattern', SCN: 'Pattern', Tf: 'Font' }

/** What draws in its turn, by the kind of resource and its name; of contents that cannot be read, nothing: another clause says so. */
function shownBy(octets: Uint8Array): Iterable<readonly [kind: string, name: string]> {
  const names = new Map<string, readonly [string, string]>()
  try {
    for (const { name, operands } of operatorsOf(octets)) {
      const kind = Object.hasOwn(drawing, name) ? drawing[name] : undefined
      const shown = nameOf(operands[name === 'Tf' ? 0 : operands.length - 1])
      if (kind !== undefined && shown !== undefined) names.set(`${kind} ${shown}`, [kind, shown])
    }
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
  }
  return names.values()
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

/** One operator of what is drawn, with the resource that it names. */
export type Step = Operator & { readonly drawn: Drawn; readonly used: PdfValue | undefined }
/** A clause, and in which words it is broken. */
export type Said = readonly [clause: string, words: string]
