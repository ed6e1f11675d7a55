import type { Readable } from '../file/readable.ts'
import { glanceLength, isContainerType, isPackage, proofInContainer, recognise } from './recognise.ts'
import type { ItemKind } from './recognise.ts'
import { ifReadable } from '../zip/if-readable.ts'
import { readAnyZip, readEntry } from '../zip/read-any-zip.ts'
import type { AnyZip } from '../zip/read-any-zip.ts'

/**
 * What a file is, by both its ends; of an archive by its whole directory, since what proves may stand anywhere in it and is over some of
 * its files only. A file that cannot be read is a document: that is said when its turn comes.
 */
export async function recogniseFile(file: Readable): Promise<ItemKind> {
  try {
    const head = await file.read(0, Math.min(glanceLength, file.size))
    const from = Math.max(0, file.size - glanceLength)
    const kind = recognise({ size: file.size, head, tail: from === 0 ? head : await file.read(from, file.size - from) })
    return kind === 'archive' || kind === 'asic' ? await kindOfZip(file, kind) : kind
  } catch {
    return 'document'
  }
}

async function kindOfZip(file: Readable, seen: ItemKind): Promise<ItemKind> {
  const zip = await readAnyZip(file)
  if (isPackage([...zip.entries, ...zip.flaws].flatMap(({ path }) => path ?? []))) return 'package'
  return seen === 'asic' || (await isContainer(file, zip)) ? 'asic' : seen
}

async function isContainer(file: Readable, { entries, flaws }: AnyZip): Promise<boolean> {
  if ([...entries, ...flaws].some(({ path }) => path !== undefined && proofInContainer.test(path))) return true
  const mark = entries.find(({ path }) => path.toLowerCase() === 'mimetype')
  const bytes = mark === undefined ? undefined : await ifReadable(readEntry(file, mark, 256))
  return bytes !== undefined && isContainerType(bytes)
}
