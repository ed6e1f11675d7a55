import type { PdfDocument } from './document/document.ts'
import { readSections, startOfCrossReference } from './document/document.ts'
import { decipherDocument } from './encryption/decipher-document.ts'
import { readEncryption } from './encryption/read-encryption.ts'
import { createCache, viewOf } from './document/view.ts'
import type { ObjectCache, View } from './document/view.ts'

export type OpenView = {
  /** In clear. */
  readonly document: PdfDocument
  readonly cache: ObjectCache
  readonly view: View
  /** Encrypted, and it does not open without a password: strings and streams are not what they say. */
  readonly isLocked: boolean
}

/** The newest revision of a document; of one that is encrypted, in clear where nothing need be known to open it. @throws MalformedError */
export async function openView(file: PdfDocument): Promise<OpenView> {
  const sections = await readSections(file, await startOfCrossReference(file, file.size))
  const view = viewOf(file, sections, createCache())
  const isEncrypted = (view.trailer.get('Encrypt') ?? null) !== null
  const encryption = isEncrypted ? await readEncryption(view) : undefined
  const document = encryption === undefined ? file : decipherDocument(file, encryption)
  const cache = createCache()
  return { document, cache, view: viewOf(document, sections, cache), isLocked: isEncrypted && encryption === undefined }
}
