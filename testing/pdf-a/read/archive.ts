/** A PDF as the clauses of ISO 19005-3 look at it: its octets, what its newest revision says, and every object of that. */
import { MalformedError } from '../../../modules/verification/domain/encoding/der.ts'
import { openDocument, readSections, startOfCrossReference } from '../../../modules/verification/domain/pdf/document/document.ts'
import type { PdfDocument } from '../../../modules/verification/domain/pdf/document/document.ts'
import { isDictionary, isList, isReference, latin, nameOf } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfDictionary, PdfString, PdfValue } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { createCache, viewOf } from '../../../modules/verification/domain/pdf/document/view.ts'
import type { View } from '../../../modules/verification/domain/pdf/document/view.ts'

export type Finding = {
  /** Of ISO 19005-3:2012. */
  readonly clause: string
  /** `37 0 obj`, or the part of the file. */
  readonly object: string
  readonly words: string
}

export type ArchivedObject = {
  readonly name: string
  readonly number: number
  readonly value: PdfValue
  /** Where it stands; undefined inside an object stream. */
  readonly place: { readonly start: number; readonly end: number } | undefined
  /** A string as it is written, its delimiters included. */
  readonly written: (string: PdfString) => string
}

export type Archive = {
  readonly bytes: Uint8Array
  /** One unit for each octet. */
  readonly text: string
  readonly document: PdfDocument
  readonly view: View
  readonly catalog: PdfDictionary
  readonly objects: readonly ArchivedObject[]
  /** Objects that could not be read, and why. */
  readonly unread: readonly { readonly name: string; readonly why: string }[]
  /** The value of a key, references followed. */
  get(of: PdfValue | undefined, key: string): Promise<PdfValue | undefined>
  dictionary(of: PdfValue | undefined, key: string): Promise<PdfDictionary | undefined>
  list(of: PdfValue | undefined, key: string): Promise<readonly PdfValue[]>
  nameAt(of: PdfValue | undefined, key: string): Promise<string | undefined>
}

export const nameOfObject = (value: PdfValue | undefined, otherwise: string): string =>
  isReference(value) ? `${value.reference} ${value.generation} obj` : otherwise

/** @throws MalformedError when there is no document in it, or one that is encrypted */
export async function openArchive(bytes: Uint8Array): Promise<Archive> {
  const file = { size: bytes.length, read: async (at: number, length: number) => bytes.subarray(at, at + length) }
  const document = openDocument(file, undefined)
  const sections = await readSections(document, await startOfCrossReference(document, document.size))
  if (sections.some(({ trailer }) => trailer.has('Encrypt'))) throw new MalformedError('Encrypt is used')
  const view = viewOf(document, sections, createCache())
  const catalog = await view.resolve(view.trailer.get('Root'))
  if (!isDictionary(catalog)) throw new MalformedError('no catalog')
  const text = latin(bytes)
  const get = async (of: PdfValue | undefined, key: string): Promise<PdfValue | undefined> => {
    const whole = await view.resolve(of)
    return isDictionary(whole) ? await view.resolve(whole.entries.get(key)) : undefined
  }
  const { objects, unread } = await readObjects(document, view, text)
  return {
    bytes,
    text,
    document,
    view,
    catalog,
    objects,
    unread,
    get,
    dictionary: async (of, key) => {
      const found = await get(of, key)
      return isDictionary(found) ? found : undefined
    },
    list: async (of, key) => {
      const found = await get(of, key)
      return isList(found) ? found : []
    },
    nameAt: async (of, key) => nameOf(await get(of, key)),
  }
}

async function readObjects(document: PdfDocument, view: View, text: string): Promise<Pick<Archive, 'objects' | 'unread'>> {
  const objects: ArchivedObject[] = []
  const unread: { name: string; why: string }[] = []
  const containers = new Map<number, string>()
  for (const number of view.numbers()) {
    const place = view.place(number)
    if (place === undefined || place.kind === 'free') continue
    const name = `${number} ${place.kind === 'offset' ? place.generation : 0} obj`
    try {
      const value = (await view.object(number)) ?? null
      if (place.kind === 'offset') {
        const { end } = await document.objectAt(place.offset)
        const written = ({ start, end: to }: PdfString) => text.slice(start, to)
        objects.push({ name, number, value, place: { start: place.offset, end }, written })
      } else {
        const held = containers.get(place.container) ?? (await contentOf(document, view, place.container))
        containers.set(place.container, held)
        objects.push({ name, number, value, place: undefined, written: ({ start, end }) => held.slice(start, end) })
      }
    } catch (error) {
      if (!(error instanceof MalformedError)) throw error
      unread.push({ name, why: error.message })
    }
  }
  return { objects, unread }
}

async function contentOf(document: PdfDocument, view: View, container: number): Promise<string> {
  const holder = await view.object(container)
  return isDictionary(holder) ? latin(await document.stream(holder, view.resolve)) : ''
}

/** The value and all that is written in it, references not followed. */
export function* within(value: PdfValue): Generator<PdfValue> {
  yield value
  if (isList(value)) for (const each of value) yield* within(each)
  else if (isDictionary(value)) for (const each of value.entries.values()) yield* within(each)
}

/** Every dictionary, those of streams included, with the object in which it is written. */
export function* dictionariesOf(archive: Archive): Generator<{ readonly object: string; readonly dictionary: PdfDictionary }> {
  for (const { name, value } of archive.objects)
    for (const each of within(value)) if (isDictionary(each)) yield { object: name, dictionary: each }
}

/** Of what the strict reader refuses, the clause that names it; else that a file is one of ISO 32000-1. */
export function clauseOf(why: string, otherwise = '6.1.1'): string {
  if (why.includes('hexadecimal')) return '6.1.6'
  if (why.includes('Encrypt')) return '6.1.3'
  return why.includes('too long') ? '6.1.13' : otherwise
}
