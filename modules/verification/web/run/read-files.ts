import { foundInInput, foundInTransfer } from '../../../../ui/files/found-files.ts'
import type { DossierFile } from '../../domain/dossier/dropped/dossier-units.ts'

/** A file that the reader chose, dropped or pasted, with the folders it came in. */
export type GivenFile = { readonly path: string; readonly file: Blob }

const mostFiles = 100_000

export function fileOfBlob(path: string, blob: Blob, read = readSlices(blob)): DossierFile {
  return { path, size: blob.size, read }
}

function readSlices(blob: Blob): DossierFile['read'] {
  return async (offset, length) => {
    const bytes = new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer())
    if (bytes.length !== length) throw new RangeError('the file became shorter while it was read')
    return bytes
  }
}

export function filesOfInput(files: readonly File[]): GivenFile[] {
  return foundInInput(files.slice(0, mostFiles)).map(({ path, file }) => ({ path, file }))
}

/** What was dropped or pasted: files, and folders with everything under them. To be called while the event lasts. */
export async function filesOfTransfer(transfer: DataTransfer): Promise<GivenFile[]> {
  let unreadable: string | null = null
  const batches = foundInTransfer(transfer, (path) => {
    unreadable = path
  })
  const found: GivenFile[] = []
  for await (const batch of batches) {
    if (unreadable !== null) throw new TypeError(`${String(unreadable)} could not be read`)
    for (const { path, file } of batch) {
      found.push({ path, file })
      if (found.length === mostFiles) return found
    }
  }
  if (unreadable !== null) throw new TypeError(`${String(unreadable)} could not be read`)
  return found
}
