/** WACZ 1.1.1 (specs.webrecorder.net/wacz/1.1.1): WARC, index, pages and digests in a ZIP that replay tools open by range. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { hashFile } from '../../../../../platform/files/hash-file.ts'
import { ZipFile } from 'yazl'
import type { Exchange } from '../exchange/exchange.ts'
import { cdxjLines, compressIndex } from './write-cdxj.ts'
import { writeWarc } from './write-warc.ts'
import type { WarcEntry } from './write-warc.ts'

export type WaczPage = {
  readonly url: string
  readonly title: string
  /** Milliseconds since the epoch: the start of the exchange that brought the page. */
  readonly at: number
}

/** Signature of the archive by its maker (WACZ Signing and Verification 0.1.0); absent where nobody signs the WACZ itself. */
export type WaczSignedData = Readonly<Record<string, string>>

export type WaczSummary = {
  readonly bytes: number
  readonly warc_bytes: number
  readonly records: readonly WarcEntry[]
  /** SHA-256 of datapackage.json, hexadecimal. */
  readonly datapackage_sha256: string
}

const warcName = 'data.warc.gz'

type Resource = { readonly name: string; readonly path: string; readonly hash: string; readonly bytes: number }

async function describeFile(path: string, file: string): Promise<Resource> {
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    hash: `sha256:${await hashFile(file)}`,
    bytes: (await stat(file)).size,
  }
}

function describeBytes(path: string, bytes: Buffer): Resource {
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    hash: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    bytes: bytes.length,
  }
}

/**
 * @param input.workDir folder for the WARC while it is written; what is put there is removed.
 * @param input.sign given the `sha256:…` of datapackage.json and its `created`, gives `signedData`; null when nobody signs.
 * @throws when a file can't be written or read, or `signal` aborts.
 */
export async function writeWacz(input: {
  readonly exchanges: readonly Exchange[]
  readonly pages: readonly WaczPage[]
  readonly created: Date
  /** `probant/0.1.0` */
  readonly software: string
  readonly outFile: string
  readonly workDir: string
  readonly signal?: AbortSignal
  readonly sign?: (hash: string, created: string) => Promise<WaczSignedData | null>
}): Promise<WaczSummary> {
  await mkdir(input.workDir, { recursive: true })
  const warcFile = join(input.workDir, warcName)
  // py-wacz reads `created` with this very format.
  const created = input.created.toISOString().replace(/\.\d+Z$/, 'Z')
  try {
    const records = await writeWarc({
      exchanges: input.exchanges,
      outFile: warcFile,
      filename: warcName,
      software: input.software,
      created: input.created,
      ...(input.signal === undefined ? {} : { signal: input.signal }),
    })
    const { cdx, idx } = compressIndex(cdxjLines(records, warcName))
    const pages = Buffer.from(
      [
        { format: 'json-pages-1.0', id: 'pages', title: 'All Pages' },
        ...input.pages.map(({ url, title, at }, position) => ({
          id: `page-${position + 1}`,
          url,
          ts: new Date(Math.floor(at)).toISOString(),
          title,
        })),
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    )
    const warc = await describeFile(`archive/${warcName}`, warcFile)
    const main = input.pages[0]
    const datapackage = Buffer.from(
      JSON.stringify(
        {
          profile: 'data-package',
          resources: [
            describeBytes('pages/pages.jsonl', pages),
            warc,
            describeBytes('indexes/index.cdx.gz', cdx),
            describeBytes('indexes/index.idx', idx),
          ],
          wacz_version: '1.1.1',
          software: input.software,
          created,
          ...(main === undefined ? {} : { mainPageUrl: main.url, mainPageDate: new Date(Math.floor(main.at)).toISOString() }),
        },
        null,
        2,
      ),
    )
    const hash = createHash('sha256').update(datapackage).digest('hex')
    const signedData = input.sign === undefined ? null : await input.sign(`sha256:${hash}`, created)
    const digest = Buffer.from(
      JSON.stringify(
        { path: 'datapackage.json', hash: `sha256:${hash}`, ...(signedData === null ? {} : { signedData }) },
        null,
        2,
      ),
    )

    const zip = new ZipFile()
    // yazl writes local time: this is 1980-01-01T00:00:00 wherever it runs.
    const options = { compress: false, mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true }
    zip.addFile(warcFile, `archive/${warcName}`, options)
    zip.addBuffer(cdx, 'indexes/index.cdx.gz', options)
    zip.addBuffer(idx, 'indexes/index.idx', options)
    zip.addBuffer(pages, 'pages/pages.jsonl', options)
    zip.addBuffer(datapackage, 'datapackage.json', options)
    zip.addBuffer(digest, 'datapackage-digest.json', options)
    zip.end()
    await pipeline(
      zip.outputStream,
      createWriteStream(input.outFile, { mode: 0o600 }),
      ...(input.signal === undefined ? [] : [{ signal: input.signal }]),
    )
    return { bytes: (await stat(input.outFile)).size, warc_bytes: warc.bytes, records, datapackage_sha256: hash }
  } finally {
    await rm(warcFile, { force: true })
  }
}
