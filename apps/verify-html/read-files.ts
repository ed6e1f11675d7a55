import type { PackageSource, Readable } from '../../modules/verification/domain/package-source.ts'

const mostFiles = 100_000

export function readableOf(blob: Blob): Readable {
  return {
    size: blob.size,
    read: async (offset, length) => {
      const bytes = new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer())
      if (bytes.length !== length) throw new RangeError('the file is shorter than it was')
      return bytes
    },
  }
}

/** One file is a ZIP; files of a chosen folder carry their path, whose first part is the folder's own name. */
export function sourceOfFiles(files: readonly File[]): PackageSource | undefined {
  const [first] = files
  if (first === undefined) return undefined
  if (files.length === 1 && first.webkitRelativePath === '') return { kind: 'zip', file: readableOf(first) }
  return folderOf(files.map((file) => ({ path: file.webkitRelativePath.split('/').slice(1).join('/') || file.name, file })))
}

function folderOf(files: readonly { path: string; file: File }[]): PackageSource {
  return { kind: 'folder', files: files.slice(0, mostFiles).map(({ path, file }) => ({ ...readableOf(file), path })) }
}

/** What was dropped: a file, or a folder with everything under it. Entries must be asked for before the event ends. */
export async function sourceOfDrop(items: DataTransferItemList): Promise<PackageSource | undefined> {
  const dropped = Array.from(items, (item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }))
  const [first] = dropped
  if (dropped.length === 1 && first?.file && first.entry?.isDirectory !== true) return sourceOfFiles([first.file])
  const found: { path: string; file: File }[] = []
  const single = dropped.length === 1
  for (const { entry } of dropped) if (entry !== null) await collect(entry, '', single, found)
  return found.length === 0 ? undefined : folderOf(found)
}

async function collect(
  entry: FileSystemEntry,
  under: string,
  isRoot: boolean,
  found: { path: string; file: File }[],
): Promise<void> {
  const path = isRoot ? '' : under === '' ? entry.name : `${under}/${entry.name}`
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
    for (const child of batch) await collect(child, path, false, found)
  }
}
