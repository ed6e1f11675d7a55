import { largestDocumentBytes } from '../domain/identity-document.ts'

/** Told by its first bytes, as the server does; `heic`: what telephones may keep photographs in, and nobody else reads. */
export type FileKind = 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf' | 'heic'

export type FileFault = 'empty' | 'too_large' | 'heic' | 'type' | 'undecodable'

/** How many bytes `fileKindOf` looks at. */
export const headBytes = 1024

const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))

export function fileKindOf(head: Uint8Array): FileKind | null {
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'image/jpeg'
  if (ascii(head, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === 'WEBP') return 'image/webp'
  if (ascii(head, 4, 8) === 'ftyp' && /^(?:hei[cxms]|hev[cx]|mif1|msf1|avif)$/.test(ascii(head, 8, 12))) return 'heic'
  // ISO 32000-1, annex H: readers look for the header in the first 1024 bytes.
  return ascii(head, 0, headBytes).includes('%PDF-') ? 'application/pdf' : null
}

/** What is known before a file is decoded. */
export function faultOfFile(bytes: number, kind: FileKind | null): FileFault | null {
  if (bytes === 0) return 'empty'
  if (bytes > largestDocumentBytes) return 'too_large'
  if (kind === null) return 'type'
  return kind === 'heic' ? 'heic' : null
}

/** Of a picture. `brightness`: mean luma, 0 to 1 (ITU-R BT.601). `sharpness`: variance of the Laplacian of the luma, 0 to 255 a step. */
export type Measures = {
  readonly width: number
  readonly height: number
  readonly brightness: number
  readonly sharpness: number
}

/** @param rgba four bytes a pixel, row by row */
export function measurePixels(rgba: Uint8ClampedArray, width: number, height: number): Omit<Measures, 'width' | 'height'> {
  const luma = new Float32Array(width * height)
  let total = 0
  for (let i = 0; i < luma.length; i += 1) {
    const value = 0.299 * (rgba[i * 4] ?? 0) + 0.587 * (rgba[i * 4 + 1] ?? 0) + 0.114 * (rgba[i * 4 + 2] ?? 0)
    luma[i] = value
    total += value
  }
  let sum = 0
  let squares = 0
  let counted = 0
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x
      const value =
        4 * (luma[at] ?? 0) - (luma[at - 1] ?? 0) - (luma[at + 1] ?? 0) - (luma[at - width] ?? 0) - (luma[at + width] ?? 0)
      sum += value
      squares += value * value
      counted += 1
    }
  }
  const mean = counted === 0 ? 0 : sum / counted
  return {
    brightness: luma.length === 0 ? 0 : total / luma.length / 255,
    sharpness: counted === 0 ? 0 : squares / counted - mean * mean,
  }
}

export type FileWarning = 'small' | 'dark' | 'soft'

/** Below these a reviewer may not be able to read it: said before it is sent, never refused for it. */
export const advised = { longSide: 800, brightness: 0.25, sharpness: 15 } as const

export function warningsOf(measures: Measures): readonly FileWarning[] {
  return [
    ...(Math.max(measures.width, measures.height) < advised.longSide ? (['small'] as const) : []),
    ...(measures.brightness < advised.brightness ? (['dark'] as const) : []),
    ...(measures.sharpness < advised.sharpness ? (['soft'] as const) : []),
  ]
}
