import { faultOfFile, fileKindOf, headBytes, measurePixels, type FileFault, type Measures } from './file-check.ts'

/** Long side at which pictures are measured: the same for all, so that the measures compare. */
const measured = 1000

/** What can be told of a file before it leaves the browser. A PDF is not decoded here: the server renders it. */
export async function inspectFile(
  file: Blob,
): Promise<{ readonly fault: FileFault } | { readonly fault: null; readonly measures: Measures | null }> {
  const kind = fileKindOf(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()))
  const fault = faultOfFile(file.size, kind)
  if (fault !== null) return { fault }
  if (kind === 'application/pdf') return { fault: null, measures: null }
  let picture: ImageBitmap
  try {
    picture = await createImageBitmap(file)
  } catch {
    return { fault: 'undecodable' }
  }
  const { width, height } = picture
  const scale = Math.min(1, measured / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  pen?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  const pixels = pen?.getImageData(0, 0, canvas.width, canvas.height)
  if (pixels === undefined) return { fault: null, measures: null }
  return { fault: null, measures: { width, height, ...measurePixels(pixels.data, canvas.width, canvas.height) } }
}
