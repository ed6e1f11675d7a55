/** Files as people, and others, send them: made by ffmpeg, or octet by octet where no honest program would. */
import { execFileSync } from 'node:child_process'
import { crc32, deflateSync } from 'node:zlib'

const ffmpeg = (filter: string, ...output: readonly string[]): Buffer =>
  execFileSync('/usr/bin/ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', filter, ...output, 'pipe:1'], {
    maxBuffer: 64 * 1024 * 1024,
  })

export const jpeg = (filter = 'testsrc=size=320x200'): Buffer =>
  ffmpeg(filter, '-frames:v', '1', '-q:v', '2', '-pix_fmt', 'yuvj444p', '-f', 'mjpeg')
export const png = (filter = 'testsrc=size=320x200'): Buffer =>
  ffmpeg(filter, '-frames:v', '1', '-c:v', 'png', '-f', 'image2pipe')
export const apng = (): Buffer => ffmpeg('testsrc=size=32x20:duration=0.2', '-f', 'apng')
export const webp = (filter = 'testsrc=size=320x200'): Buffer => ffmpeg(filter, '-frames:v', '1', '-c:v', 'libwebp', '-f', 'webp')
export const animatedWebp = (): Buffer => ffmpeg('testsrc=size=32x20:duration=0.2', '-c:v', 'libwebp_anim', '-f', 'webp')

/** Red and green above, blue and white below; 48 × 32. */
export const quarters = (): Buffer =>
  jpeg('color=white:size=48x32,format=rgb24,drawbox=0:0:24:16:red:fill,drawbox=24:0:24:16:lime:fill,drawbox=0:16:24:16:blue:fill')

/** Colour of each quarter of a picture of that width: top left, top right, bottom left, bottom right. */
export function coloursOf(picture: Uint8Array, width: number): { height: number; quarters: string } {
  const arguments_ = ['-v', 'error', '-i', 'pipe:0', '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1']
  const colours = execFileSync('/usr/bin/ffmpeg', arguments_, { input: picture, maxBuffer: 64 * 1024 * 1024 })
  const height = colours.length / 3 / width
  const at = (x: number, y: number) => {
    const from = (Math.floor(y * height) * width + Math.floor(x * width)) * 3
    const [r = 0, g = 0, b = 0] = colours.subarray(from, from + 3)
    const key = `${r > 128 ? 1 : 0}${g > 128 ? 1 : 0}${b > 128 ? 1 : 0}`
    return { '100': 'r', '010': 'g', '001': 'b', '111': 'w', '000': 'k' }[key] ?? '?'
  }
  return { height, quarters: at(0.25, 0.25) + at(0.75, 0.25) + at(0.25, 0.75) + at(0.75, 0.75) }
}

/** A TIFF structure with an orientation, and a comment that names a place. */
function tiff(orientation: number): Buffer {
  const comment = Buffer.from('48.8584 N 2.2945 E\0')
  const entry = (tag: number, type: number, count: number, value: number) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16LE(tag, 0)
    bytes.writeUInt16LE(type, 2)
    bytes.writeUInt32LE(count, 4)
    bytes.writeUInt32LE(value, 8)
    return bytes
  }
  const head = Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 2, 0])
  const after = head.length + 24 + 4
  return Buffer.concat([
    head,
    entry(0x01_0e, 2, comment.length, after),
    entry(0x01_12, 3, 1, orientation),
    Buffer.alloc(4),
    comment,
  ])
}

export function withExif(picture: Buffer, orientation: number): Buffer {
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff(orientation)])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(exif.length + 2, 2)
  return Buffer.concat([picture.subarray(0, 2), head, exif, picture.subarray(2)])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const typed = Buffer.concat([Buffer.from(type), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([head, typed, sum])
}

/** Black and white, one bit a pixel; `rows`: how many there truly are. */
export function bitPng(width: number, height: number, rows = height): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 1
  const data = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * rows))
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([magic, pngChunk('IHDR', head), pngChunk('IDAT', data), pngChunk('IEND', Buffer.alloc(0))])
}

/** Says that it has 16,384 pixels a side. */
export function hugeWebp(): Buffer {
  const body = Buffer.from(`WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\x3f\0\xff\x3f\0VP8L\x05\0\0\0\x2f\xff\xff\xff\x0f\0`, 'latin1')
  const head = Buffer.from('RIFF\0\0\0\0')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

export type PdfParts = {
  readonly pages?: number
  /** Entries of the catalogue, of each page, and of the trailer. */
  readonly catalog?: string
  readonly page?: string
  readonly trailer?: string
  /** What is drawn on each page. */
  readonly content?: string
  /** Content packed with Flate. */
  readonly packed?: Buffer
}

/** Each page is red above and has its number below. */
export function pdf({ pages = 1, catalog = '', page = '', trailer = '', content, packed }: PdfParts = {}): Buffer {
  const objects: Uint8Array[] = []
  const kids = Array.from({ length: pages }, (_, index) => `${3 + index * 2} 0 R`).join(' ')
  const text = (body: string) => Buffer.from(body, 'latin1')
  objects.push(text(`<< /Type /Catalog /Pages 2 0 R ${catalog} >>`), text(`<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`))
  for (let number = 1; number <= pages; number += 1) {
    const drawn = content ?? `1 0 0 rg 0 421 595 421 re f BT 0 g /F1 40 Tf 72 72 Td (Page ${number}) Tj ET`
    const font = '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'
    objects.push(text(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${font} /Contents ${2 + number * 2} 0 R ${page} >>`))
    const stream = packed ?? text(drawn)
    const filter = packed === undefined ? '' : '/Filter /FlateDecode'
    objects.push(Buffer.concat([text(`<< /Length ${stream.length} ${filter} >>\nstream\n`), stream, text('\nendstream')]))
  }
  const parts: Uint8Array[] = [text('%PDF-1.7\n')]
  const offsets: number[] = []
  for (const [index, object] of objects.entries()) {
    offsets.push(parts.reduce((sum, each) => sum + each.length, 0))
    parts.push(text(`${index + 1} 0 obj\n`), object, text('\nendobj\n'))
  }
  const start = parts.reduce((sum, each) => sum + each.length, 0)
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  const end = `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer << /Root 1 0 R /Size ${count} ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.concat([...parts, text(end)])
}
