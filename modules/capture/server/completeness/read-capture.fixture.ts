/** A capture's pieces read back by means of their own: ZIP by unzip, records by gunzip at the offsets that the pieces give. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, open, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { captureStatic, defaultCaptureLimits, type CaptureLimits, type CaptureResult } from '../index.ts'
import type { NameResolver } from '../network/index.ts'
import type { Reconciliation } from '../record/index.ts'

const run = promisify(execFile)
export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

export type WarcRecord = { readonly fields: ReadonlyMap<string, string>; readonly block: Buffer }

export type HarEntry = {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: readonly { name: string; value: string }[]
  }
  readonly response: {
    readonly status: number
    readonly headers: readonly { name: string; value: string }[]
    readonly cookies: readonly { name: string; value: string }[]
    readonly content: {
      readonly size: number
      readonly text?: string
      readonly _sha256?: string | null
      readonly _wireSha256?: string
    }
    readonly _trailers?: readonly { name: string; value: string }[]
  }
  readonly _resourceType: string | null
  readonly _fromCache: boolean
}

export type ReadCapture = {
  readonly result: CaptureResult
  readonly reconciliation: Reconciliation
  readonly records: readonly WarcRecord[]
  readonly har: readonly HarEntry[]
  readonly dom: string
  fileOf(path: string): string
  /** Every full-page image below the other, as one. */
  page(): Promise<{ readonly height: number; pixel(x: number, y: number): string }>
  remove(): Promise<void>
}

export async function captureForReading(
  url: string,
  options: {
    readonly allow: readonly string[]
    readonly limits?: Partial<CaptureLimits>
    /** Names that lead to 127.0.0.1; everything else does not exist. */
    readonly names?: readonly string[]
  },
): Promise<ReadCapture> {
  const workDir = await mkdtemp(join(tmpdir(), 'probant-completeness-'))
  const resolver: NameResolver = {
    resolve: (name) =>
      options.names?.includes(name) === true
        ? Promise.resolve({ addresses: [{ address: '127.0.0.1', ttl: 60 }], servers: ['192.0.2.53'] })
        : Promise.reject(new Error('no such name')),
  }
  const result = await captureStatic(
    {
      evidenceId: 'completeness',
      url,
      locale: 'en',
      workDir,
      limits: { ...defaultCaptureLimits, ...options.limits },
      allowAddresses: options.allow,
      includeTlsKeys: true,
      onProgress: () => undefined,
    },
    {
      clock: systemClock,
      log: silentLog,
      signal: new AbortController().signal,
      isolationOverride: false,
      ...(options.names === undefined ? {} : { resolver }),
    },
  )
  const fileOf = (path: string): string => {
    const found = result.files.find((file) => file.path === path)
    if (found === undefined) throw new Error(`no piece ${path}`)
    return found.file
  }
  const unzipped = join(workDir, 'unzipped')
  await mkdir(unzipped)
  await run('unzip', ['-q', fileOf('capture/archive.wacz'), '-d', unzipped])
  const har = JSON.parse(await readFile(fileOf('capture/network.har'), 'utf8')) as { log: { entries: HarEntry[] } }
  return {
    result,
    reconciliation: JSON.parse(await readFile(fileOf('environment/reconciliation.json'), 'utf8')) as Reconciliation,
    records: await readWarc(join(unzipped, 'archive/data.warc.gz')),
    har: har.log.entries,
    dom: await readFile(fileOf('capture/dom.html'), 'utf8'),
    fileOf,
    page: async () => {
      const images = result.facts.images.filter(({ kind }) => kind === 'full_page')
      const pngs = await Promise.all(images.map(async ({ path }) => PNG.sync.read(await readFile(fileOf(path)))))
      const tops = pngs.map((_, i) => pngs.slice(0, i).reduce((sum, { height }) => sum + height, 0))
      return {
        height: pngs.reduce((sum, { height }) => sum + height, 0),
        pixel: (x, y) => {
          const i = tops.findLastIndex((top) => top <= y)
          const png = pngs[i]
          const at = ((y - (tops[i] ?? 0)) * 1280 + x) * 4
          return png === undefined ? 'none' : [...png.data.subarray(at, at + 3)].join()
        },
      }
    },
    remove: () => rm(workDir, { recursive: true, force: true }),
  }
}

/** Records of a WARC whose every record is a gzip member, each found by the length its own head gives. */
async function readWarc(file: string): Promise<readonly WarcRecord[]> {
  const bytes = gunzipSync(await readFile(file))
  const records: WarcRecord[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n\r\n', at)
    const lines = bytes.toString('utf8', at, end).split('\r\n').slice(1)
    const fields = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]))
    const length = Number(fields.get('Content-Length'))
    records.push({ fields, block: bytes.subarray(end + 4, end + 4 + length) })
    at = end + 4 + length + 4
  }
  return records
}

/** The record that stands at a place of the archive, by that place alone. */
export async function recordAt(
  capture: ReadCapture,
  place: { readonly offset: number; readonly length: number },
): Promise<WarcRecord> {
  const handle = await open(join(capture.fileOf('capture/archive.wacz'), '..', 'unzipped', 'archive/data.warc.gz'))
  try {
    const member = Buffer.alloc(place.length)
    await handle.read(member, 0, place.length, place.offset)
    const bytes = gunzipSync(member)
    const end = bytes.indexOf('\r\n\r\n')
    const lines = bytes.toString('utf8', 0, end).split('\r\n').slice(1)
    const fields = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]))
    return { fields, block: bytes.subarray(end + 4, end + 4 + Number(fields.get('Content-Length'))) }
  } finally {
    await handle.close()
  }
}

/** HTTP message of a record: head with its empty line, and the body without chunked framing. */
export function messageOf(block: Buffer): { readonly head: string; readonly wire: Buffer; readonly entity: Buffer } {
  const end = block.indexOf('\r\n\r\n') + 4
  const head = block.toString('latin1', 0, end)
  const wire = block.subarray(end)
  if (!/^transfer-encoding:[ \t]*chunked/im.test(head)) return { head, wire, entity: wire }
  const parts: Buffer[] = []
  for (let at = 0; at < wire.length;) {
    const line = wire.indexOf('\r\n', at)
    const size = Number.parseInt(wire.toString('latin1', at, line), 16)
    if (size === 0) break
    parts.push(wire.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
  return { head, wire, entity: Buffer.concat(parts) }
}

/**
 * SHA-256 of every body that is not empty, of requests and of answers, as tshark reassembles them from the packets with the keys;
 * sorted. Transfer coding removed, content coding left.
 * @param port of a TLS server; 0 for plain HTTP.
 * @param untilClosed paths whose answers end with their connection.
 */
export async function bodiesByTshark(
  capture: ReadCapture,
  protocol: 'http/1.1' | 'h2',
  port: number,
  untilClosed: readonly string[],
): Promise<readonly string[]> {
  const pcap = capture.fileOf('capture/network.pcap')
  const keys =
    port === 0 ? [] : ['-d', `tcp.port==${port},tls`, '-o', `tls.keylog_file:${capture.fileOf('capture/tls-keys.log')}`]
  const options = ['-r', pcap, '-o', 'http.decompress_body:FALSE', ...keys]
  const tshark = async (args: readonly string[]) => (await run('tshark', [...options, ...args], { maxBuffer: 1 << 29 })).stdout
  const fieldsOf = async (filter: string, names: readonly string[]) =>
    (await tshark(['-Y', filter, '-T', 'fields', ...names.flatMap((name) => ['-e', name])]))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t'))
  if (protocol === 'http/1.1') {
    const out = join(pcap, '..', 'objects')
    await tshark(['-q', '--export-objects', `http,${out}`])
    const bodies = await Promise.all((await readdir(out)).map((name) => readFile(join(out, name))))
    // It exports no body that it was told to leave encoded, nor one that TLS ends; their bytes it shows all the same.
    for (const [data = ''] of await fieldsOf('http.response and http.content_encoding', ['data.data']))
      bodies.push(Buffer.from(data, 'hex'))
    if (port !== 0) {
      const filter = `http.request.uri in {${untilClosed.map((path) => JSON.stringify(path)).join()}}`
      for (const [stream = ''] of await fieldsOf(filter, ['tcp.stream'])) {
        // Lines of one side are indented by a tab; the side that answers begins with an answer.
        const followed = (await tshark(['-q', '-z', `follow,tls,raw,${stream}`])).split('\n')
        const side = (line: RegExp) =>
          Buffer.from(
            followed
              .filter((one) => line.test(one))
              .join('')
              .replaceAll('\t', ''),
            'hex',
          )
        const sides = [side(/^[0-9a-f]+$/), side(/^\t[0-9a-f]+$/)]
        const received = sides.find((bytes) => bytes.toString('latin1', 0, 5) === 'HTTP/') ?? Buffer.alloc(0)
        const head = received.lastIndexOf('HTTP/1.')
        bodies.push(received.subarray(received.indexOf('\r\n\r\n', head) + 4))
      }
    }
    return bodies
      .filter(({ length }) => length > 0)
      .map(sha256)
      .toSorted()
  }
  // Whole bodies stand at the frame that ends their stream; before it, frames show their own part, which is overwritten here.
  const places = await fieldsOf('http2.data.data', ['tcp.stream', 'tcp.srcport'])
  const packets = JSON.parse(await tshark(['-Y', 'http2.data.data', '-T', 'json', '--no-duplicate-keys', '-J', 'http2'])) as {
    _source: { layers: { http2: unknown } }
  }[]
  const bodies = new Map<string, string>()
  for (const [i, packet] of packets.entries())
    for (const layer of [packet._source.layers.http2].flat() as Record<string, unknown>[])
      for (const frame of [layer['http2.stream']].flat() as Record<string, unknown>[]) {
        const fragments = frame['http2.body.fragments'] as Record<string, unknown> | undefined
        const data = fragments?.['http2.body.reassembled.data'] ?? frame['http2.data.data']
        if (typeof data !== 'string' || data === '') continue
        bodies.set([...(places[i] ?? []), frame['http2.streamid']].join(), sha256(Buffer.from(data.replaceAll(':', ''), 'hex')))
      }
  return [...bodies.values()].toSorted()
}
