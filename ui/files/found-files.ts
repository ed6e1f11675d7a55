/** A file that somebody chose, dropped or pasted, with the folders it came in. */
export type FoundFile = {
  readonly path: string
  readonly file: File
  /** Looks at it once more, where the browser lets a page: what was dropped. Its size and time may have changed meanwhile. */
  readonly again: (() => Promise<File>) | null
}

/** Files of a chosen folder carry their path, whose first part is the folder's own name. */
const chosen = (file: File): FoundFile => ({
  path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
  file,
  again: null,
})

export function foundInInput(files: Iterable<File>): FoundFile[] {
  return Array.from(files, chosen)
}

/** Each when it is asked for: of a hundred thousand the paths alone take a while. */
export function* foundOneByOne(files: Iterable<File>): Generator<FoundFile, void> {
  for (const file of files) yield chosen(file)
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((resolve, reject) => entry.file(resolve, reject))

/**
 * What was dropped or pasted: files, and folders with everything under them, a hundred at a time, as the browser reads them: a folder
 * of a hundred thousand is never held whole. To be called while the event lasts, and read through after it.
 * @param onUnreadable a file or folder that the browser found and could not open
 */
export function foundInTransfer(
  transfer: DataTransfer,
  onUnreadable: (path: string) => void = () => undefined,
): AsyncGenerator<readonly FoundFile[], void> {
  // Entries must be asked for before the event ends.
  const given = Array.from(transfer.items, (item) =>
    item.kind === 'file' ? { entry: item.webkitGetAsEntry(), file: item.getAsFile() } : { entry: null, file: null },
  )
  return walk(given, onUnreadable)
}

async function* walk(
  given: readonly { readonly entry: FileSystemEntry | null; readonly file: File | null }[],
  onUnreadable: (path: string) => void,
): AsyncGenerator<readonly FoundFile[], void> {
  const plain = given.flatMap(({ entry, file }) => {
    if (entry?.isDirectory === true || file === null) return []
    return [{ path: file.name, file, again: entry === null ? null : () => fileOf(entry as FileSystemFileEntry) }]
  })
  if (plain.length > 0) yield plain
  const folders = given.flatMap(({ entry }) => (entry?.isDirectory === true ? [{ entry, path: entry.name }] : []))
  // Depth first, so that what waits is a branch of the tree and not a level of it.
  folders.reverse()
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const { path } = next
    const reader = (next.entry as FileSystemDirectoryEntry).createReader()
    for (;;) {
      // A reader answers a hundred entries at a time, and none when it is done.
      let batch: FileSystemEntry[]
      try {
        batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
      } catch {
        onUnreadable(path)
        break
      }
      if (batch.length === 0) break
      const found = await Promise.all(
        batch.map(async (entry): Promise<FoundFile | null> => {
          const at = `${path}/${entry.name}`
          if (entry.isDirectory) {
            folders.push({ entry, path: at })
            return null
          }
          try {
            const again = () => fileOf(entry as FileSystemFileEntry)
            return { path: at, file: await again(), again }
          } catch {
            onUnreadable(at)
            return null
          }
        }),
      )
      yield found.filter((each) => each !== null)
    }
  }
}
