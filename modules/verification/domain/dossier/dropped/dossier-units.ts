import { isLitter, packageFolders } from '../../file/package-folder.ts'
import type { Readable } from '../../file/readable.ts'

export type DossierFile = Readable & {
  /** With the folders that it came in, `/` between; the name alone when it was given alone. */
  readonly path: string
}

/** What is verified as one thing: a file, or the files of an unpacked package with their paths below its folder. */
export type DossierUnit =
  | { readonly form: 'file'; readonly name: string; readonly file: DossierFile }
  | { readonly form: 'folder'; readonly name: string; readonly files: readonly DossierFile[] }

/** The folder of an unpacked package stays one thing; every other file is one of its own. */
export function dossierUnits(files: readonly DossierFile[]): DossierUnit[] {
  const packages = packageFolders(files.map(({ path }) => path))
  const units: DossierUnit[] = packages.map((folder) => ({
    form: 'folder',
    name: folder.replace(/\/$/, ''),
    files: files
      .filter(({ path }) => path.startsWith(folder))
      .map((file) => ({
        path: file.path.slice(folder.length),
        size: file.size,
        read: (offset, length) => file.read(offset, length),
      })),
  }))
  for (const file of files) {
    if (packages.some((folder) => file.path.startsWith(folder)) || isLitter(file.path)) continue
    units.push({ form: 'file', name: file.path, file })
  }
  return units
}

/** Reads bytes that are at hand as a file. */
export function fileOfBytes(path: string, bytes: Uint8Array): DossierFile {
  return {
    path,
    size: bytes.length,
    read: async (offset, length) => {
      if (offset + length > bytes.length) throw new RangeError('past the end')
      return bytes.subarray(offset, offset + length)
    },
  }
}
