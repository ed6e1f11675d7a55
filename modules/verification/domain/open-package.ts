import { toHex } from '../../../kernel/bytes.ts'
import { digestPart } from './package-source.ts'
import type { PackageSource, Readable, VerifyDeps } from './package-source.ts'
import { isSafePath } from './read-manifest.ts'
import { readZip } from './read-zip.ts'
import type { ZipEntry, ZipFlaw } from './read-zip.ts'

export type OpenedEntry = Readable & {
  readonly path: string
  /** Computed here, lower-case hexadecimal. */
  readonly sha256: string
}

export type OpenedPackage = {
  /** By path, in the order of the container. */
  readonly entries: ReadonlyMap<string, OpenedEntry>
  readonly flaws: readonly { readonly reason: ZipFlaw | 'crc' | 'name' | 'unreadable'; readonly path?: string }[]
  readonly isZip: boolean
}

/** Reads the container and hashes every entry once. @throws VerificationStopped */
export async function openPackage(source: PackageSource, deps: VerifyDeps): Promise<OpenedPackage> {
  const flaws: { reason: OpenedPackage['flaws'][number]['reason']; path?: string }[] = []
  const found: { path: string; readable: Readable; zip?: ZipEntry }[] = []
  if (source.kind === 'zip') {
    const reading = await readZip(source.file)
    flaws.push(...reading.flaws)
    for (const zip of reading.entries) {
      const readable = { size: zip.size, read: (offset: number, length: number) => source.file.read(zip.dataAt + offset, length) }
      found.push({ path: zip.path, readable, zip })
    }
  } else {
    for (const file of source.files) found.push({ path: file.path, readable: file })
  }
  const total = found.reduce((sum, { readable }) => sum + readable.size, 0)
  let done = 0
  const entries = new Map<string, OpenedEntry>()
  for (const { path, readable, zip } of found) {
    if (!isSafePath(path)) flaws.push({ reason: 'name', path })
    const digest = await digestPart(readable, [{ offset: 0, length: readable.size }], deps, (count) => {
      done += count
      deps.onProgress?.(done, total)
    })
    if (zip !== undefined && zip.crc32 !== digest.crc32) flaws.push({ reason: 'crc', path })
    entries.set(path, {
      path,
      size: readable.size,
      sha256: toHex(digest.sha256),
      read: (offset, length) => readable.read(offset, length),
    })
  }
  return { entries, flaws, isZip: source.kind === 'zip' }
}
