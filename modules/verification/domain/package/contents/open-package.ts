import { toHex } from '../../../../../kernel/bytes.ts'
import { MalformedError } from '../../encoding/der.ts'
import { isLitter } from '../../file/package-folder.ts'
import { digestPart } from '../../file/digest-part.ts'
import type { Digest } from '../../file/digest-part.ts'
import type { PackageSource } from '../../file/package-source.ts'
import type { Readable } from '../../file/readable.ts'
import type { VerifyDeps } from '../../known/verify-deps.ts'
import { isSafePath } from '../../manifest/read-manifest.ts'
import { readZip } from '../../zip/read-zip.ts'
import type { ZipEntry, ZipFlaw } from '../../zip/read-zip.ts'
import { contentOf } from '../../zip/read-inflated.ts'

export type OpenedEntry = Readable & {
  readonly path: string
  /** Computed here, lower-case hexadecimal. */
  readonly sha256: string
  /** By its name and its content what a system leaves in folders, or a tool in what it packs. */
  readonly isLitter?: true
}

export type OpenedPackage = {
  /** By path, in the order of the container. */
  readonly entries: ReadonlyMap<string, OpenedEntry>
  readonly flaws: readonly { readonly reason: ZipFlaw | 'crc' | 'name' | 'unreadable'; readonly path?: string }[]
  readonly isZip: boolean
  /** A ZIP file that somebody made of the same files again: a remark, never a flaw. */
  readonly remade: boolean
}

/** Not wrong in itself, but packed in a way that is not unpacked here. */
export function isUnread(reason: string): boolean {
  return reason === 'encrypted' || reason === 'method' || reason === 'too_large'
}

/** Reads the container and hashes every entry once. @throws VerificationStopped */
export async function openPackage(source: PackageSource, deps: VerifyDeps): Promise<OpenedPackage> {
  const flaws: { reason: OpenedPackage['flaws'][number]['reason']; path?: string }[] = []
  let remade = false
  const found: { path: string; readable: Readable; zip?: ZipEntry }[] = []
  if (source.kind === 'zip') {
    const reading = await readZip(source.file)
    flaws.push(...reading.flaws)
    remade = reading.remade
    if (flaws.some(({ reason }) => isUnread(reason))) return { entries: new Map(), flaws, isZip: true, remade: false }
    for (const zip of reading.entries) found.push({ path: zip.path, readable: contentOf(source.file, zip), zip })
  } else {
    for (const file of source.files) found.push({ path: file.path, readable: file })
  }
  const total = found.reduce((sum, { readable }) => sum + readable.size, 0)
  let done = 0
  const entries = new Map<string, OpenedEntry>()
  for (const { path, readable, zip } of found) {
    if (!isSafePath(path) && !isLitter(path)) flaws.push({ reason: 'name', path })
    let size = 0
    const digest = await digestReadable(readable, deps, (count) => {
      size += count
      done += count
      deps.onProgress?.(done, total)
    })
    if (zip !== undefined && (zip.crc32 !== digest.crc32 || size !== zip.size)) flaws.push({ reason: 'crc', path })
    const entry = { size, read: (offset: number, length: number) => readable.read(offset, length) }
    entries.set(path, {
      path,
      ...entry,
      sha256: toHex(digest.sha256),
      ...((isLitter(path) || path === jarManifest) && isLeftBySystem(path, await entry.read(0, Math.min(size, 1024)))
        ? { isLitter: true }
        : {}),
    })
  }
  return { entries, flaws, isZip: source.kind === 'zip', remade }
}

/** Of what cannot be unpacked to its end, as much as can be. */
async function digestReadable(readable: Readable, deps: VerifyDeps, onBytes: (count: number) => void): Promise<Digest> {
  let whole = 0
  try {
    return await digestPart(readable, [{ offset: 0, length: readable.size }], deps, (count) => {
      whole += count
      onBytes(count)
    })
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
    return await digestPart(readable, [{ offset: 0, length: whole }], deps)
  }
}

const jarManifest = 'META-INF/MANIFEST.MF'

/**
 * What systems leave, by its first octets: AppleDouble, Finder’s and Explorer’s records; and the manifest that Java’s `jar` adds, by all
 * of them. Names alone are what a stranger chose.
 */
function isLeftBySystem(path: string, head: Uint8Array): boolean {
  if (path === jarManifest)
    return /^Manifest-Version: 1\.0\r\n(?:Created-By: [^\r\n]{1,200}\r\n)?\r\n$/.test(new TextDecoder().decode(head))
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const begins = (hex: string): boolean => toHex(head).startsWith(hex)
  if (name.startsWith('._')) return begins('00051607')
  if (name === '.ds_store') return begins('0000000142756431')
  if (name === 'desktop.ini') return /^(?:fffe|efbbbf)?(?:0d00|0a00|0d|0a)*5b/.test(toHex(head))
  return name === '.localized' ? head.length === 0 : begins('d0cf11e0a1b11ae1')
}
