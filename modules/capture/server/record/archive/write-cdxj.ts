/** CDXJ index of a WARC, and its compressed two-level form ("ZipNum"), as replay tools read them. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { WarcEntry } from './write-warc.ts'

/** Sort-friendly URI: host labels reversed, `www.` dropped, lower case, query sorted. The form that webrecorder tools look up. */
export function surtOf(url: string): string {
  if (!/^https?:/i.test(url)) return url
  const plain = url.toLowerCase().replace(/^(https?:\/\/)www\d*\./, '$1')
  if (!URL.canParse(plain)) return url
  const parsed = new URL(plain)
  const query = parsed.search === '' ? '' : `?${parsed.search.slice(1).split('&').toSorted().join('&')}`
  const port = parsed.port === '' ? '' : `:${parsed.port}`
  return `${parsed.hostname.split('.').toReversed().join(',')}${port})${parsed.pathname}${query}`
}

const timestampOf = (at: number): string => new Date(Math.floor(at)).toISOString().replace(/[-:T]/g, '').slice(0, 14)

/** Sorted lines, each with its line break. */
export function cdxjLines(entries: readonly WarcEntry[], filename: string): string[] {
  return entries
    .map((entry) => {
      const fields = {
        url: entry.url,
        mime: entry.media_type,
        status: entry.status,
        digest: `sha256:${entry.payload_sha256}`,
        length: entry.length,
        offset: entry.offset,
        filename,
      }
      return `${surtOf(entry.url)} ${timestampOf(entry.at)} ${JSON.stringify(fields)}\n`
    })
    .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

const linesPerBlock = 1024

/** `index.cdx.gz` (a gzip member for each block of lines) and `index.idx` (first key, place and digest of each block). */
export function compressIndex(lines: readonly string[]): { cdx: Buffer; idx: Buffer } {
  const blocks: Buffer[] = []
  const index = [`!meta 0 ${JSON.stringify({ format: 'cdxj-gzip-1.0', filename: 'index.cdx.gz' })}\n`]
  let offset = 0
  for (let at = 0; at < lines.length || at === 0; at += linesPerBlock) {
    const part = lines.slice(at, at + linesPerBlock)
    const block = gzipSync(Buffer.from(part.join('')))
    const [surt = '', timestamp = ''] = (part[0] ?? '').split(' ', 2)
    const digest = `sha256:${createHash('sha256').update(block).digest('hex')}`
    if (part.length > 0)
      index.push(`${surt} ${timestamp} ${JSON.stringify({ offset, length: block.length, digest, filename: 'index.cdx.gz' })}\n`)
    blocks.push(block)
    offset += block.length
  }
  return { cdx: Buffer.concat(blocks), idx: Buffer.from(index.join('')) }
}
