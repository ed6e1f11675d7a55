/**
 * What a file is, by its bytes alone: neither its name nor what its sender said of it counts. Only what is needed before a decoder sees it; whether it
 * is whole, the decoder tells, in its jail.
 */
export const imageTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
export type ImageType = (typeof imageTypes)[number]
export type MediaType = ImageType | 'application/pdf'

export type ImageFacts = {
  readonly mediaType: ImageType
  readonly width: number
  readonly height: number
  /** Exif 2.32 §4.6.5.1.6: how it is to be turned to be upright, 1 to 8; 1: it is. */
  readonly orientation: number
}
export type FileFault =
  /** None of the four. */
  | 'type'
  /** Its pictures move: a page is one picture. */
  | 'animated'
  /** Cut off, or its own tables contradict each other. */
  | 'unreadable'
export type FileFacts = ImageFacts | { readonly mediaType: 'application/pdf' } | { readonly fault: FileFault }

/** A decoder takes memory for each pixel, whatever the file's size: 64 million are a photograph of any telephone's usual mode. */
export const mostPixels = 64_000_000
export const longestSide = 16_384

const unreadable = { fault: 'unreadable' } as const
const text = (bytes: Uint8Array, from: number, length: number) =>
  String.fromCharCode(...bytes.subarray(from, Math.min(from + length, bytes.length)))
const startsWith = (bytes: Uint8Array, ...octets: readonly number[]) => octets.every((octet, index) => bytes[index] === octet)

export function readFileFacts(bytes: Uint8Array): FileFacts {
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return readJpeg(bytes)
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return readPng(bytes)
  if (text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 4) === 'WEBP') return readWebp(bytes)
  if (text(bytes, 0, 5) === '%PDF-') {
    // ISO 32000-2 §7.5.5: the last line. What was cut off lacks it, and readers would guess what stood there.
    return text(bytes, Math.max(0, bytes.length - 1024), 1024).includes('%%EOF') ? { mediaType: 'application/pdf' } : unreadable
  }
  return { fault: 'type' }
}

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function image(mediaType: ImageType, width: number, height: number, orientation: number): FileFacts {
  return width > 0 && height > 0 ? { mediaType, width, height, orientation } : unreadable
}

/** ITU-T T.81 §B.1.1.2: segments up to the frame header, which has the dimensions. */
function readJpeg(bytes: Uint8Array): FileFacts {
  const data = view(bytes)
  let orientation = 1
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return unreadable
    const marker = bytes[at + 1] ?? 0
    // Fill bytes, and markers that stand alone.
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2
    else {
      const length = data.getUint16(at + 2)
      if (length < 2 || marker === 0xd9 || marker === 0xda) return unreadable
      if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
        return image('image/jpeg', data.getUint16(at + 7), data.getUint16(at + 5), orientation)
      if (marker === 0xe1 && text(bytes, at + 4, 6) === 'Exif\0\0')
        orientation = orientationOf(bytes.subarray(at + 10, at + 2 + length))
      at += 2 + length
    }
  }
  return unreadable
}

/** PNG (Third Edition) §5: chunks up to the last one. */
function readPng(bytes: Uint8Array): FileFacts {
  const data = view(bytes)
  let [width, height, orientation] = [0, 0, 1]
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = data.getUint32(at)
    const type = text(bytes, at + 4, 4)
    if (at + 12 + length > bytes.length) return unreadable
    if (type === 'IHDR' && length === 13) [width, height] = [data.getUint32(at + 8), data.getUint32(at + 12)]
    if (type === 'acTL') return { fault: 'animated' }
    if (type === 'eXIf') orientation = orientationOf(bytes.subarray(at + 8, at + 8 + length))
    if (type === 'IEND') return image('image/png', width, height, orientation)
    at += 12 + length
  }
  return unreadable
}

/** RFC 9649 §2.7: one picture, in its plain or its extended form. */
function readWebp(bytes: Uint8Array): FileFacts {
  const data = view(bytes)
  if (bytes.length < 30 || data.getUint32(4, true) + 8 > bytes.length) return unreadable
  const end = data.getUint32(4, true) + 8
  let [width, height, orientation] = [0, 0, 1]
  for (let at = 12; at + 8 <= end;) {
    const type = text(bytes, at, 4)
    const length = data.getUint32(at + 4, true)
    const from = at + 8
    if (from + length > end) return unreadable
    if (type === 'VP8X' && length >= 10) {
      if (((bytes[from] ?? 0) & 0x02) !== 0) return { fault: 'animated' }
      width = 1 + (data.getUint32(from + 4, true) & 0xff_ff_ff)
      height = 1 + ((data.getUint32(from + 6, true) >>> 8) & 0xff_ff_ff)
    } else if (type === 'ANIM' || type === 'ANMF') return { fault: 'animated' }
    else if (width === 0 && type === 'VP8 ' && length >= 10) {
      width = data.getUint16(from + 6, true) & 0x3f_ff
      height = data.getUint16(from + 8, true) & 0x3f_ff
    } else if (width === 0 && type === 'VP8L' && length >= 5) {
      const packed = data.getUint32(from + 1, true)
      width = 1 + (packed & 0x3f_ff)
      height = 1 + ((packed >>> 14) & 0x3f_ff)
    } else if (type === 'EXIF') orientation = orientationOf(bytes.subarray(from, from + length))
    at = from + length + (length % 2)
  }
  return image('image/webp', width, height, orientation)
}

/** Tag 0x0112 of the first directory of a TIFF structure (TIFF 6.0 §2); what makes no sense turns nothing. */
function orientationOf(given: Uint8Array): number {
  const tiff = text(given, 0, 6) === 'Exif\0\0' ? given.subarray(6) : given
  const order = text(tiff, 0, 2)
  if (tiff.length < 14 || (order !== 'II' && order !== 'MM')) return 1
  const little = order === 'II'
  const data = view(tiff)
  const start = data.getUint32(4, little)
  if (start + 2 > tiff.length) return 1
  const entries = data.getUint16(start, little)
  for (let index = 0; index < entries; index += 1) {
    const at = start + 2 + index * 12
    if (at + 12 > tiff.length) return 1
    if (data.getUint16(at, little) !== 0x01_12) continue
    const value = data.getUint16(at + 8, little)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}
