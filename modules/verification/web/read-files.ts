import type { DossierFile } from '../domain/dossier-units.ts'

/** A file that the reader chose, dropped or pasted, with the folders it came in. */
export type GivenFile = { readonly path: string; readonly file: Blob }

const mostFiles = 100_000

export function fileOfBlob(path: string, blob: Blob): DossierFile {
  return {
    path,
    size: blob.size,
    read: async (offset, length) => {
      const bytes = new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer())
      if (bytes.length !== length) throw new RangeError('the file became shorter while it was read')
      return bytes
    },
  }
}

/** Files of a chosen folder carry their path, whose first part is the folder's own name. */
export function filesOfInput(files: readonly File[]): GivenFile[] {
  return files
    .slice(0, mostFiles)
    .map((file) => ({ path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath, file }))
}

/** What was dropped or pasted: files, and folders with everything under them. Entries must be asked for before the event ends. */
export async function filesOfTransfer(transfer: DataTransfer): Promise<GivenFile[]> {
  const dropped = Array.from(transfer.items, (item) =>
    item.kind === 'file' ? { entry: item.webkitGetAsEntry(), file: item.getAsFile() } : { entry: null, file: null },
  )
  const found: GivenFile[] = []
  for (const { entry, file } of dropped) {
    if (entry?.isDirectory === true) await collect(entry, '', found)
    else if (file !== null) found.push({ path: file.name, file })
  }
  return found
}

async function collect(entry: FileSystemEntry, under: string, found: GivenFile[]): Promise<void> {
  const path = under === '' ? entry.name : `${under}/${entry.name}`
  if (found.length >= mostFiles) return
  if (entry.isFile) {
    found.push({ path, file: await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)) })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  for (;;) {
    // A reader answers a hundred entries at a time, and none when it is done.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) return
    for (const child of batch) await collect(child, path, found)
  }
}
