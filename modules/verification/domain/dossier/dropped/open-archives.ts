import type { DossierFile } from './dossier-units.ts'
import { packageFolders } from '../../file/package-folder.ts'
import { contentOf, isBomb } from '../../zip/read-inflated.ts'
import { readAnyZip, readEntry } from '../../zip/read-any-zip.ts'
import type { AnyZip } from '../../zip/read-any-zip.ts'

const largestEntry = 32 << 20
const largestTogether = 128 << 20
const mostEntries = 200

/**
 * The entries of a ZIP file that is none of the known kinds, as files: whoever sends a file with its proof often packs them. Bounded;
 * what is beyond, and what this reader and another may take for two things, is listed and cannot be read. An archive in an archive is a
 * document.
 */
export async function filesOfArchive(archive: DossierFile): Promise<{ files: DossierFile[]; left_out: number }> {
  let zip: AnyZip
  try {
    zip = await readAnyZip(archive)
  } catch {
    // It cannot be read: said when its own turn comes.
    return { files: [], left_out: 0 }
  }
  let left = largestTogether
  // An unpacked package is one thing, however many files it has, and is hashed as it is read.
  const packages = isBomb(archive.size, zip.entries) ? [] : packageFolders(zip.entries.map(({ path }) => path))
  const isSealed = (path: string): boolean => packages.some((folder) => path.startsWith(folder))
  const readable = zip.entries.map((entry): DossierFile => {
    if (isSealed(entry.path)) {
      const content = contentOf(archive, entry)
      const read = async (at: number, length: number): Promise<Uint8Array> => await content.read(at, length)
      return { path: `${archive.path}/${entry.path}`, size: content.size, read }
    }
    const fits = entry.size <= Math.min(left, largestEntry)
    if (fits) left -= entry.size
    let bytes: Promise<Uint8Array> | undefined
    return {
      path: `${archive.path}/${entry.path}`,
      size: entry.size,
      read: async (offset, length) => {
        if (!fits) throw new RangeError('longer than is opened here')
        bytes ??= readEntry(archive, entry, largestEntry)
        const whole = await bytes
        if (offset + length > whole.length) throw new RangeError('past the end')
        return whole.subarray(offset, offset + length)
      },
    }
  })
  const known = new Set(zip.entries.map(({ path }) => path))
  const refused = zip.flaws.flatMap(({ path }) =>
    path === undefined || known.has(path) || !known.add(path) ? [] : [refusedFile(`${archive.path}/${path}`)],
  )
  const files = [...readable, ...refused].filter(({ path, size }) => !path.endsWith('/') || size > 0)
  const sealed = files.filter(({ path }) => isSealed(path.slice(archive.path.length + 1)))
  const loose = files.filter(({ path }) => !isSealed(path.slice(archive.path.length + 1)))
  return { files: [...sealed, ...loose.slice(0, mostEntries)], left_out: Math.max(0, loose.length - mostEntries) }
}

/** Its size is not to be believed; that it is not empty makes it be read. */
function refusedFile(path: string): DossierFile {
  return { path, size: 1, read: () => Promise.reject(new RangeError('not read in one way')) }
}
