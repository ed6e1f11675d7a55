import { MalformedError } from '../encoding/der.ts'
import type { Readable } from '../file/readable.ts'
import { openDocument } from './document/document.ts'
import type { PdfDocument } from './document/document.ts'
import { textOf } from './document/find-signatures.ts'
import { openView } from './open-view.ts'
import { isDictionary, isList, isReference, isString } from './document/syntax.ts'
import type { PdfValue } from './document/syntax.ts'
import type { View } from './document/view.ts'

export type PdfAttachment = { readonly name: string; readonly bytes: Uint8Array }
/** `left_out`: how many there are that were not opened: too many, too long, or written in a way that is not read here. */
export type PdfAttachments = { readonly files: readonly PdfAttachment[]; readonly left_out: number }

const mostAttachments = 64
const largestAttachment = 16 << 20
const largestTogether = 48 << 20
const mostNodes = 512
const deepestNode = 16
/** One that cannot be opened may have cost as much as one that is too long: a bomb is decoded to where it is refused. */
const mostRefused = 4

/**
 * The files that a PDF holds (ISO 32000-2 §7.11.4): those that its newest revision names for the whole document, by the tree of names
 * (§7.9.6) or as associated files (§14.13). Bounded whatever it is given; one that asks for a password or cannot be read holds none.
 * @throws VerificationStopped, and what reading the file throws
 */
export async function readAttachments(
  file: Readable,
  signal: { readonly aborted: boolean } | undefined,
): Promise<PdfAttachments> {
  const none: PdfAttachments = { files: [], left_out: 0 }
  try {
    const { document, view, isLocked } = await openView(openDocument(file, signal))
    return isLocked ? none : await open(document, view, await specifications(view))
  } catch (error) {
    if (error instanceof MalformedError || error instanceof RangeError) return none
    throw error
  }
}

/** File specifications, each once, in the order in which they are found. @throws MalformedError */
async function specifications(view: View): Promise<PdfValue[]> {
  const catalog = await view.resolve(view.trailer.get('Root'))
  if (!isDictionary(catalog)) return []
  const found: PdfValue[] = []
  const seen = new Set<number>()
  const add = (value: PdfValue | undefined): void => {
    if (value === undefined || (isReference(value) && seen.has(value.reference))) return
    if (isReference(value)) seen.add(value.reference)
    found.push(value)
  }
  let nodes = 0
  async function walk(given: PdfValue | undefined, depth: number): Promise<void> {
    if (isReference(given)) {
      if (seen.has(given.reference)) return
      seen.add(given.reference)
    }
    nodes += 1
    const node = nodes > mostNodes || depth > deepestNode ? undefined : await view.resolve(given)
    if (!isDictionary(node)) return
    const names = await view.resolve(node.entries.get('Names'))
    if (isList(names)) for (let i = 1; i < names.length; i += 2) add(names[i])
    const kids = await view.resolve(node.entries.get('Kids'))
    if (isList(kids)) for (const kid of kids) await walk(kid, depth + 1)
  }
  const names = await view.resolve(catalog.entries.get('Names'))
  if (isDictionary(names)) await walk(names.entries.get('EmbeddedFiles'), 0)
  const associated = await view.resolve(catalog.entries.get('AF'))
  if (isList(associated)) for (const each of associated) add(each)
  return found
}

async function open(document: PdfDocument, view: View, found: readonly PdfValue[]): Promise<PdfAttachments> {
  const files: PdfAttachment[] = []
  let left = largestTogether
  let refused = 0
  for (const given of found.slice(0, mostAttachments)) {
    if (refused === mostRefused) break
    const file = await openOne(document, view, given, Math.min(left, largestAttachment))
    if (file === undefined) refused += 1
    else {
      left -= file.bytes.length
      files.push(file)
    }
  }
  return { files, left_out: found.length - files.length }
}

async function openOne(document: PdfDocument, view: View, given: PdfValue, most: number): Promise<PdfAttachment | undefined> {
  try {
    const specification = await view.resolve(given)
    if (!isDictionary(specification)) return undefined
    const name = (await view.resolve(specification.entries.get('UF'))) ?? (await view.resolve(specification.entries.get('F')))
    const streams = await view.resolve(specification.entries.get('EF'))
    if (!isString(name) || !isDictionary(streams)) return undefined
    const stream = await view.resolve(streams.entries.get('UF') ?? streams.entries.get('F'))
    if (!isDictionary(stream)) return undefined
    // A folder in a name leads nowhere: it is told apart from those that the reader gave.
    return { name: textOf(name.octets).replaceAll(/[/\\]/g, '_'), bytes: await document.stream(stream, view.resolve, most) }
  } catch (error) {
    if (error instanceof MalformedError || error instanceof RangeError) return undefined
    throw error
  }
}
