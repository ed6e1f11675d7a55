/**
 * Exchanges → WARC 1.1 (ISO 28500:2017), one gzip member per record. Heads and bodies are those of the wire, chunked framing
 * included; the payload digest is over the bytes that follow the head in the block, as every common reader computes it.
 */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { fieldOf } from '../http/connection-context.ts'
import { readBlocks } from '../../../../../platform/files/read-blocks.ts'
import { writeStoredGzip } from './write-stored-gzip.ts'
import type { Exchange, ExchangeBody } from '../exchange/exchange.ts'
import { readWireBody } from '../exchange/read-body.ts'

/** Where the response of an exchange stands in the WARC. */
export type WarcEntry = {
  readonly connection_id: string
  readonly index: number
  readonly url: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly status: number
  readonly media_type: string
  /** SHA-256 (hexadecimal) of the payload as it was written. */
  readonly payload_sha256: string
  readonly record_id: string
  readonly offset: number
  /** Bytes of the gzip member. */
  readonly length: number
}

type Block = { readonly head: Uint8Array; readonly body: ExchangeBody | null }
type Fields = readonly (readonly [string, string])[]

/** RFC 9562 §5.8 (version 8): a UUID made from a hash, so that the same record always has the same name. */
function recordId(...parts: readonly string[]): string {
  const bytes = createHash('sha256').update(parts.join('\0')).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `<urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}>`
}

const emptySha256 = createHash('sha256').digest('hex')

/** Of the whole block; that of the payload was taken when its bytes were read from the wire. */
async function digestsOf(block: Block): Promise<{ block: string; payload: string; length: number }> {
  const whole = createHash('sha256').update(block.head)
  if (block.body === null) return { block: whole.digest('hex'), payload: emptySha256, length: block.head.length }
  const { raw, wire_sha256, wire_bytes } = block.body
  if (raw.kind === 'bytes') whole.update(raw.bytes)
  else for await (const part of readBlocks(raw.file)) whole.update(part)
  return { block: whole.digest('hex'), payload: wire_sha256, length: block.head.length + wire_bytes }
}

const quickBytes = 8 * 1024 * 1024
/** Longer bodies are compressed and written in pieces of this length. */
const longBytes = 256 * 1024

const packed = /^(?:image\/(?!svg|bmp|x-ms-bmp)|video\/|audio\/|font\/|application\/(?:octet-stream|zip|gzip|pdf|x-))/i

/** Content that is compressed already gains nothing from effort and is only wrapped; very long content gets little. */
function levelOf(block: Block, encoded: boolean, mediaType: string): number {
  if ((block.body?.wire_bytes ?? 0) > 4096 && (encoded || packed.test(mediaType))) return 0
  return (block.body?.wire_bytes ?? 0) > quickBytes ? 1 : 6
}

const isoOf = (at: number): string => new Date(Math.floor(at)).toISOString()

/** Line breaks never reach a WARC header: URLs are percent-encoded, and nothing else here comes from the page. */
const headerSafe = (value: string): string => value.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character))

function truncationOf(body: ExchangeBody): Fields {
  if (body.truncated === null) return []
  return [
    [
      'WARC-Truncated',
      body.truncated === 'body_over_limit' ? 'length' : body.truncated === 'connection_cut' ? 'disconnect' : 'unspecified',
    ],
  ]
}

/** IIPC WARC proposal "WARC-Protocol": the layers as spoken; an HTTP/2 head is thereby known to be written, not raw. */
function protocolFields(exchange: Exchange): Fields {
  const fields: [string, string][] = [['WARC-Protocol', exchange.protocol]]
  if (exchange.tls !== null) {
    fields.push(
      ['WARC-Protocol', exchange.tls.version === 'TLSv1.3' ? 'tls/1.3' : 'tls/1.2'],
      ['WARC-Cipher-Suite', exchange.tls.cipher],
    )
  }
  return fields
}

/**
 * Heads of interim answers, as on the wire, and HTTP/2 trailers, written as fields; those of HTTP/1 are in the body's chunked framing.
 */
function extrasOf(exchange: Exchange): readonly (readonly [part: string, bytes: Uint8Array])[] {
  const { request, response } = exchange
  const trailersOf = (part: string, fields: Exchange['request']['trailers']) =>
    exchange.protocol !== 'h2' || fields.length === 0
      ? []
      : [[part, Buffer.from(fields.map(({ name, value }) => `${name}: ${value}\r\n`).join(''), 'latin1')] as const]
  return [
    ...(response?.interim ?? []).map((head, position) => [`interim-${position}`, head] as const),
    ...trailersOf('request-trailers', request.trailers),
    ...trailersOf('response-trailers', response?.trailers ?? []),
  ]
}

/** @throws when a file can't be written or read, or `signal` aborts. */
export async function writeWarc(input: {
  readonly exchanges: readonly Exchange[]
  readonly outFile: string
  readonly filename: string
  readonly software: string
  readonly created: Date
  readonly signal?: AbortSignal
}): Promise<readonly WarcEntry[]> {
  const out = await open(input.outFile, 'w', 0o600)
  const entries: WarcEntry[] = []
  let offset = 0

  const write = async (
    fields: Fields,
    block: Block,
    length: number,
    level: number,
  ): Promise<{ offset: number; length: number }> => {
    input.signal?.throwIfAborted()
    const start = offset
    const head = `WARC/1.1\r\n${[...fields, ['Content-Length', String(length)] as const].map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
    // Only what is stored is looked at once, part by part: zlib's stream keeps parts, which then must not share their memory.
    async function* record(body: AsyncIterable<Uint8Array> | null): AsyncGenerator<Uint8Array> {
      yield Buffer.from(head, 'utf8')
      yield block.head
      if (body !== null) yield* body
      yield Buffer.from('\r\n\r\n')
    }
    const { body } = block
    if (level === 0) {
      const lent = body === null ? null : body.raw.kind === 'file' ? readBlocks(body.raw.file) : readWireBody(body)
      offset += await writeStoredGzip(record(lent), async (bytes) => {
        input.signal?.throwIfAborted()
        await out.writeFile(bytes)
      })
      return { offset: start, length: offset - start }
    }
    const long = (body?.wire_bytes ?? 0) > longBytes
    const gzip = createGzip({ level, ...(long ? { chunkSize: longBytes } : {}) })
    const compressed = pipeline(Readable.from(record(body === null ? null : readWireBody(body))), gzip)
    const written = (async () => {
      for await (const part of gzip) {
        await out.writeFile(part as Buffer)
        offset += (part as Buffer).length
      }
    })()
    await Promise.all([compressed, written])
    return { offset: start, length: offset - start }
  }

  const info = Buffer.from(
    `software: ${input.software}\r\nformat: WARC file version 1.1\r\nconformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n`,
  )
  const infoBlock: Block = { head: info, body: null }
  const infoDigest = await digestsOf(infoBlock)
  const infoId = recordId('warcinfo', input.created.toISOString(), infoDigest.block)
  try {
    await write(
      [
        ['WARC-Type', 'warcinfo'],
        ['WARC-Record-ID', infoId],
        ['WARC-Date', input.created.toISOString()],
        ['WARC-Filename', input.filename],
        ['WARC-Block-Digest', `sha256:${infoDigest.block}`],
        ['Content-Type', 'application/warc-fields'],
      ],
      infoBlock,
      infoDigest.length,
      6,
    )
    for (const exchange of input.exchanges) {
      const uri = headerSafe(exchange.url)
      const common: Fields = [
        ['WARC-Target-URI', uri],
        ['WARC-Date', isoOf(exchange.started_at)],
        ['WARC-IP-Address', exchange.remote_address],
        ['WARC-Warcinfo-ID', infoId],
        ...protocolFields(exchange),
      ]
      const key = [exchange.connection_id, String(exchange.index), uri, isoOf(exchange.started_at)]
      let responseId: string | null = null
      if (exchange.response !== null) {
        const { response } = exchange
        const block: Block = { head: response.head, body: response.body }
        const digests = await digestsOf(block)
        responseId = recordId('response', ...key, digests.block)
        const place = await write(
          [
            ['WARC-Type', 'response'],
            ['WARC-Record-ID', responseId],
            ...common,
            ['WARC-Block-Digest', `sha256:${digests.block}`],
            ['WARC-Payload-Digest', `sha256:${digests.payload}`],
            ...truncationOf(response.body),
            ['Content-Type', 'application/http; msgtype=response'],
          ],
          block,
          digests.length,
          levelOf(block, fieldOf(response.fields, 'content-encoding') !== null, fieldOf(response.fields, 'content-type') ?? ''),
        )
        entries.push({
          connection_id: exchange.connection_id,
          index: exchange.index,
          url: uri,
          at: exchange.started_at,
          status: response.status,
          media_type: /^[^;,\s"]+/.exec(fieldOf(response.fields, 'content-type') ?? '')?.[0] ?? '',
          payload_sha256: digests.payload,
          record_id: responseId,
          ...place,
        })
      }
      const block: Block = { head: exchange.request.head, body: exchange.request.body }
      const digests = await digestsOf(block)
      const requestId = recordId('request', ...key, digests.block)
      await write(
        [
          ['WARC-Type', 'request'],
          ['WARC-Record-ID', requestId],
          ...common,
          ...(responseId === null ? [] : ([['WARC-Concurrent-To', responseId]] as const)),
          ['WARC-Block-Digest', `sha256:${digests.block}`],
          ['WARC-Payload-Digest', `sha256:${digests.payload}`],
          ...truncationOf(exchange.request.body),
          ['Content-Type', 'application/http; msgtype=request'],
        ],
        block,
        digests.length,
        6,
      )
      // Interim answers and trailers have no place in the record of an answer (decision 0031).
      for (const [part, bytes] of extrasOf(exchange)) {
        const extra: Block = { head: bytes, body: null }
        const extraDigests = await digestsOf(extra)
        await write(
          [
            ['WARC-Type', 'metadata'],
            ['WARC-Record-ID', recordId('metadata', part, ...key, extraDigests.block)],
            ...common,
            ['WARC-Concurrent-To', responseId ?? requestId],
            ['WARC-Block-Digest', `sha256:${extraDigests.block}`],
            [
              'Content-Type',
              part.startsWith('interim') ? 'application/http; msgtype=response' : `application/http-fields; part=${part}`,
            ],
          ],
          extra,
          extraDigests.length,
          6,
        )
      }
      // What passed after an upgrade is no HTTP message: the raw bytes of each direction, beside the exchange that opened it.
      for (const [direction, body] of exchange.upgraded === null
        ? []
        : ([
            ['sent', exchange.upgraded.sent],
            ['received', exchange.upgraded.received],
          ] as const)) {
        const raw: Block = { head: new Uint8Array(0), body }
        const rawDigests = await digestsOf(raw)
        await write(
          [
            ['WARC-Type', 'metadata'],
            ['WARC-Record-ID', recordId('metadata', direction, ...key, rawDigests.block)],
            ...common,
            ['WARC-Concurrent-To', responseId ?? requestId],
            ['WARC-Block-Digest', `sha256:${rawDigests.block}`],
            ...truncationOf(body),
            ['Content-Type', `application/octet-stream; direction=${direction}`],
          ],
          raw,
          rawDigests.length,
          6,
        )
      }
    }
  } finally {
    await out.close()
  }
  return entries
}
