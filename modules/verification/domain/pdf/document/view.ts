import { MalformedError, malformed } from '../../encoding/der.ts'
import type { PdfDocument, Place, Section } from './document.ts'
import type { Resolve, PdfDictionary, PdfValue } from './syntax.ts'
import { createParser, isDictionary, isReference, nameOf, NeedsMore } from './syntax.ts'

/** The document as some of its sections give it: the newest entry of each object counts. */
export type View = {
  readonly sections: readonly Section[]
  readonly trailer: ReadonlyMap<string, PdfValue>
  place(number: number): Place | undefined
  numbers(): Iterable<number>
  /** The object of that number; undefined when there is none. @throws MalformedError */
  object(number: number): Promise<PdfValue | undefined>
  /** Follows references, to anything but a reference. @throws MalformedError */
  resolve: Resolve
}

/** Objects that were read, by place: views of one file share most. Bounded, because files choose how many there are. */
export type ObjectCache = { readonly objects: Map<string, PdfValue>; readonly containers: Map<number, ContainerObjects> }
type ContainerObjects = { readonly numbers: readonly number[]; readonly values: readonly PdfValue[] }
export const createCache = (): ObjectCache => ({ objects: new Map(), containers: new Map() })
const mostCached = 20_000
const mostContainers = 64

export function viewOf(document: PdfDocument, sections: readonly Section[], cache: ObjectCache): View {
  const places = new Map<number, Place>()
  for (const section of sections) for (const [number, place] of section.places) if (!places.has(number)) places.set(number, place)
  const resolve: Resolve = async (value) => {
    let found = value
    for (let hops = 0; isReference(found); hops += 1) {
      if (hops > 16) malformed('references in a circle')
      found = await object(found.reference)
    }
    return found
  }
  async function object(number: number): Promise<PdfValue | undefined> {
    const place = places.get(number)
    if (place === undefined || place.kind === 'free') return undefined
    const key = place.kind === 'offset' ? `${number} at ${place.offset}` : ''
    if (place.kind === 'offset') {
      const known = cache.objects.get(key)
      if (known !== undefined) return known
      const read = await document.objectAt(place.offset)
      if (read.number !== number) malformed('another object stands there')
      if (cache.objects.size >= mostCached) cache.objects.clear()
      cache.objects.set(key, read.value)
      return read.value
    }
    const holder = places.get(place.container)
    if (holder?.kind !== 'offset') malformed('an object stream in an object stream')
    const { numbers, values } = await container(holder.offset, place.container)
    if (numbers[place.index] !== number) malformed('another object stands there')
    return values[place.index]
  }
  async function container(offset: number, number: number): Promise<ContainerObjects> {
    const known = cache.containers.get(offset)
    if (known !== undefined) return known
    const holder = await document.objectAt(offset)
    if (holder.number !== number || !isDictionary(holder.value)) malformed('an object stream')
    const found = await readContainer(document, holder.value, resolve)
    if (cache.containers.size >= mostContainers) cache.containers.delete(cache.containers.keys().next().value as number)
    cache.containers.set(offset, found)
    return found
  }
  return {
    sections,
    trailer: sections[0]?.trailer ?? new Map<string, PdfValue>(),
    place: (number) => places.get(number),
    numbers: () => places.keys(),
    object,
    resolve,
  }
}

/** An object stream (§7.5.7). */
async function readContainer(document: PdfDocument, dictionary: PdfDictionary, resolve: Resolve): Promise<ContainerObjects> {
  if (nameOf(dictionary.entries.get('Type')) !== 'ObjStm') malformed('an object stream')
  const bytes = await document.stream(dictionary, resolve)
  const count = await resolve(dictionary.entries.get('N'))
  const first = await resolve(dictionary.entries.get('First'))
  if (typeof count !== 'number' || typeof first !== 'number' || count < 0 || count > 100_000 || first < 0 || first > bytes.length)
    malformed('an object stream')
  // A space ends the last word.
  const padded = new Uint8Array(bytes.length + 1).fill(32)
  padded.set(bytes)
  try {
    const head = createParser(padded, 0, 0, true)
    const numbers: number[] = []
    const starts: number[] = []
    for (let i = 0; i < count; i += 1) {
      const [number, start] = [head.value(), head.value()]
      if (typeof number !== 'number' || typeof start !== 'number' || start < 0 || first + start > bytes.length)
        malformed('an object stream')
      numbers.push(number)
      starts.push(start)
    }
    const values = starts.map((start) => createParser(padded, first + start, 0, true).value())
    return { numbers, values }
  } catch (error) {
    if (error instanceof NeedsMore) throw new MalformedError('an object stream ends early')
    throw error
  }
}
