import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Locale, locales } from '../../../../kernel/locale.ts'
import { type PackageEntry, asicMimetype } from './write-package.ts'

/** An entry whose digest is known, so that it can be covered, stored and checked. */
export type LaidOutEntry = PackageEntry & {
  readonly mediaType: string
  /** Lower-case hexadecimal. */
  readonly sha256: string
}

/** A small entry that was made here and is held in memory. */
export type MadeEntry = LaidOutEntry & { readonly data: Uint8Array }

export type PackageParts = {
  /** `manifest.json` and `seal/…` as the sealing made them, in its order. */
  readonly sealedFiles: readonly { readonly path: string; readonly media_type: string; readonly bytes: Uint8Array }[]
  readonly reports: Readonly<Record<Locale, Uint8Array>>
  readonly verifyHtml: Uint8Array
  readonly readme: Uint8Array
  /** In the order of the manifest. */
  readonly pieces: readonly LaidOutEntry[]
}

export type LayOutDeps = {
  /** ASiC manifest and token over entries (docs/package-format.md, META-INF). */
  readonly coverEntries: (input: {
    readonly number: 1 | 2
    readonly entries: readonly { readonly path: string; readonly sha256: string }[]
  }) => Promise<readonly { readonly path: string; readonly bytes: Uint8Array }[]>
}

export type PackageLayout = {
  /** `mimetype`, manifest, README, reports, seal, verifier. */
  readonly core: readonly MadeEntry[]
  readonly pieces: readonly LaidOutEntry[]
  /** `META-INF/ASiCManifest001.xml`, its token and that one's chain: cover `core` but for `mimetype`. */
  readonly coverOfCore: readonly MadeEntry[]
  /** `META-INF/ASiCManifest002.xml`, its token and that one's chain: cover the pieces; only in the full package. */
  readonly coverOfPieces: readonly MadeEntry[]
  /** Everything, for `full=true`. */
  full(): readonly LaidOutEntry[]
  /** Report, proofs and verifier, for `full=false`: the pieces are withheld. */
  short(): readonly LaidOutEntry[]
}

export function entryOfBytes(path: string, mediaType: string, data: Uint8Array): MadeEntry {
  const from = (start: number): Readable =>
    Readable.from(start < data.length ? [data.subarray(start)] : [], { objectMode: false })
  return {
    path,
    mediaType,
    data,
    bytes: data.length,
    crc32: crc32(data),
    sha256: createHash('sha256').update(data).digest('hex'),
    open: async () => from(0),
    openAt: async (start) => from(start),
  }
}

/** Of the files under `META-INF/`. */
export function coverMediaType(path: string): string {
  if (path.endsWith('.pem')) return 'application/x-pem-file'
  return path.endsWith('.xml') ? 'application/xml' : 'application/vnd.etsi.timestamp-token'
}

/** Puts the parts in the order of the format and has them covered. @throws what `coverEntries` throws. */
export async function layOutPackage(parts: PackageParts, deps: LayOutDeps): Promise<PackageLayout> {
  const sealed = parts.sealedFiles.map((file) => entryOfBytes(file.path, file.media_type, file.bytes))
  const manifest = sealed.filter((entry) => entry.path === 'manifest.json')
  if (manifest.length !== 1) throw new RangeError('a package has one manifest.json')
  const mimetype = entryOfBytes('mimetype', 'text/plain', Buffer.from(asicMimetype, 'latin1'))
  const covered = [
    ...manifest,
    entryOfBytes('README.txt', 'text/plain; charset=utf-8', parts.readme),
    ...locales.map((locale) => entryOfBytes(`report.${locale}.pdf`, 'application/pdf', parts.reports[locale])),
    ...sealed.filter((entry) => entry.path !== 'manifest.json'),
    entryOfBytes('verify.html', 'text/html; charset=utf-8', parts.verifyHtml),
  ]
  const cover = async (number: 1 | 2, entries: readonly LaidOutEntry[]): Promise<MadeEntry[]> => {
    const made = await deps.coverEntries({ number, entries: entries.map(({ path, sha256 }) => ({ path, sha256 })) })
    return made.map((file) => entryOfBytes(file.path, coverMediaType(file.path), file.bytes))
  }
  const core = [mimetype, ...covered]
  const coverOfCore = await cover(1, covered)
  const coverOfPieces = await cover(2, parts.pieces)
  return {
    core,
    pieces: parts.pieces,
    coverOfCore,
    coverOfPieces,
    full: () => [...core, ...parts.pieces, ...coverOfCore, ...coverOfPieces],
    short: () => [...core, ...coverOfCore],
  }
}
