/** The list of files that an image of the product carries, as `sha256sum` writes one, and what became of them. Pure. */

/** Where the list stands in an image; it cannot list itself. */
export const imageListPath = '/usr/share/probant/image.sha256'

export type ListedFile = { readonly sha256: string; readonly path: string }

/** What a process measured of the image that it runs from. */
export type ImageMeasurement = {
  /** Digest of the image as whoever started the process states it: no image holds its own. */
  readonly digest_as_stated: string | null
  /** SHA-256 of the image's list of its files. */
  readonly list_sha256: string
  /** SHA-256 of such a list of the same files as they are: the same as long as none of them changed. */
  readonly files_sha256: string
  readonly files: number
  /** Listed files that are others now or gone, and files that are not listed: some of their paths. */
  readonly changed: readonly string[]
  readonly added: readonly string[]
  readonly measured_at: string
}

/** @returns null for what is no such list */
export function readImageList(text: string): readonly ListedFile[] | null {
  const listed: ListedFile[] = []
  for (const line of text.split('\n').slice(0, -1)) {
    // coreutils begins a line with a backslash where the name was escaped.
    const { escaped, sha256, path } = /^(?<escaped>\\?)(?<sha256>[0-9a-f]{64}) {2}(?<path>[^\n]+)$/.exec(line)?.groups ?? {}
    if (sha256 === undefined || path === undefined) return null
    const name = escaped === '' ? path : path.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))
    listed.push({ sha256, path: name })
  }
  return listed.length === 0 || !text.endsWith('\n') ? null : listed
}

/** The list as `readImageList` reads it. */
export function writeImageList(files: readonly ListedFile[]): string {
  return files
    .map(({ sha256, path }) => {
      const escaped = path.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
      return `${escaped === path ? '' : '\\'}${sha256}  ${escaped}\n`
    })
    .join('')
}
