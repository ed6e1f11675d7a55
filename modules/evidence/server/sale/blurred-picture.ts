import { PNG } from 'pngjs'
import { listFiles } from '../files/file-store.ts'
import type { EvidenceDeps } from '../record/deps.ts'

/** Cells of the picture, from left to right: at the size of a screen each is some thirty pixels of the page, and no letter is left. */
export const blurredWidth = 40
const largestBytes = 24 * 1024 * 1024
const mostPixels = 12_000_000

/** What was seen at first, with so few pixels that nobody reads it, however it is enlarged; null: there is no such picture. */
export async function blurredPictureOf(deps: Pick<EvidenceDeps, 'db' | 'blobs'>, id: string): Promise<Buffer | null> {
  const files = await listFiles(deps.db, id)
  const seen = files.find(({ role, mediaType }) => role === 'viewport_screenshot' && mediaType === 'image/png')
  if (seen === undefined || seen.bytes > largestBytes) return null
  return blur(await deps.blobs.scope(id).read(seen.sha256, { maxBytes: largestBytes }))
}

/** Each cell is the mean of the pixels that it stands for. @returns null for what is no picture, or too large a one */
export function blur(png: Uint8Array): Buffer | null {
  const bytes = Buffer.from(png)
  const size = sizeOf(bytes)
  if (size === null || size.width * size.height > mostPixels || size.width < 1) return null
  const { width, height, data } = PNG.sync.read(bytes)
  const columns = Math.min(blurredWidth, width)
  const rows = Math.max(1, Math.round((columns * height) / width))
  const small = new PNG({ width: columns, height: rows })
  for (let y = 0; y < rows; y += 1)
    for (let x = 0; x < columns; x += 1) {
      const [left, right] = [Math.floor((x * width) / columns), Math.max(1, Math.floor(((x + 1) * width) / columns))]
      const [top, below] = [Math.floor((y * height) / rows), Math.max(1, Math.floor(((y + 1) * height) / rows))]
      const sums = [0, 0, 0]
      for (let row = top; row < below; row += 1)
        for (let column = left; column < right; column += 1)
          for (let colour = 0; colour < 3; colour += 1)
            sums[colour] = (sums[colour] ?? 0) + (data[(row * width + column) * 4 + colour] ?? 0)
      const count = Math.max(1, (right - left) * (below - top))
      for (let colour = 0; colour < 3; colour += 1)
        small.data[(y * columns + x) * 4 + colour] = Math.round((sums[colour] ?? 0) / count)
      small.data[(y * columns + x) * 4 + 3] = 255
    }
  return PNG.sync.write(small)
}

/** IHDR is the first chunk (PNG §5.6): its size stands before anything is decoded. */
function sizeOf(bytes: Buffer): { readonly width: number; readonly height: number } | null {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return null
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}
