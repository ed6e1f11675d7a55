import type { DossierFile } from './dossier-units.ts'
import { readAnyZip, readEntry } from './zip/read-any-zip.ts'
import type { AnyEntry } from './zip/read-any-zip.ts'

const largestEntry = 32 << 20
const largestTogether = 128 << 20
const mostEntries = 200

/**
 * The entries of a ZIP file that is none of the known kinds, as files: whoever sends a file with its proof often packs them. Bounded;
 * what is beyond is listed, and cannot be read. An archive in an archive is a document.
 */
export async function filesOfArchive(archive: DossierFile): Promise<DossierFile[]> {
  let entries: readonly AnyEntry[]
  try {
    entries = (await readAnyZip(archive)).entries
  } catch {
    // It cannot be read: said when its own turn comes.
    return []
  }
  let left = largestTogether
  return entries
    .filter(({ path }) => !path.endsWith('/'))
    .slice(0, mostEntries)
    .map((entry) => {
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
}
