import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  longestSide,
  mostPixels,
  readFileFacts,
  type FileFault,
  type ImageFacts,
  type MediaType,
} from '../../domain/file-facts.ts'
import { mostDocumentPages } from '../../domain/identity-document.ts'
import { longestPageSide, readPixels } from './pixels.ts'
import { JailFailed, runJailed, type Bounds, type Jailed } from './run-jailed.ts'

export type RenderedPage = {
  readonly mediaType: 'image/jpeg'
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}
export type RenderFault = FileFault | 'dimensions' | 'pages' | 'encrypted'
export type Rendered =
  | { readonly mediaType: MediaType; readonly pages: readonly RenderedPage[] }
  | { readonly fault: RenderFault }

/** 200 dots to the inch of an A4 page, as scanners make them. */
const pdfPageSide = 2400
/** Of a page of ours in JPEG; the largest page of noise is less. */
const mostPageBytes = 24 * 1024 * 1024

/**
 * Makes pictures of a file, so that nobody ever opens the file itself. Each page passes two jails: one decodes the file and lets out colours alone, the
 * other makes a JPEG of these; whatever took over the first could only choose colours.
 * @throws JailFailed
 */
export async function renderFile(file: Buffer, bounds: Bounds = {}): Promise<Rendered> {
  const facts = readFileFacts(file)
  if ('fault' in facts) return facts
  if (facts.mediaType === 'application/pdf') return await renderPdf(file, bounds)
  const { width, height } = facts
  if (width > longestSide || height > longestSide || width * height > mostPixels) return { fault: 'dimensions' }
  const page = await renderPage(file, decodeImage(facts), bounds)
  return page === null ? { fault: 'unreadable' } : { mediaType: facts.mediaType, pages: [page] }
}

async function renderPdf(file: Buffer, bounds: Bounds): Promise<Rendered> {
  const run = runJailed(['/usr/bin/pdfinfo', '-'], bounds)
  run.stdin.end(file)
  const [text, { ok, said }] = await Promise.all([readText(run), run.ended])
  if (/Incorrect password/i.test(said)) return { fault: 'encrypted' }
  const count = Number(/^Pages:\s+(\d{1,9})$/m.exec(text)?.[1] ?? 0)
  if (!ok || count < 1) return { fault: 'unreadable' }
  if (count > mostDocumentPages) return { fault: 'pages' }
  const pages: RenderedPage[] = []
  for (let number = 1; number <= count; number += 1) {
    const which = ['-f', String(number), '-l', String(number), '-scale-to', String(pdfPageSide)]
    const page = await renderPage(file, ['/usr/bin/pdftoppm', '-q', ...which, '-'], bounds)
    if (page === null) return { fault: 'unreadable' }
    pages.push(page)
  }
  return { mediaType: 'application/pdf', pages }
}

const ffmpeg = ['/usr/bin/ffmpeg', '-v', 'error', '-nostdin', '-xerror', '-err_detect', 'explode', '-threads', '1'] as const
const decoders = {
  'image/jpeg': ['jpeg_pipe', 'mjpeg'],
  'image/png': ['png_pipe', 'png'],
  'image/webp': ['webp_pipe', 'webp'],
} as const
/** By Exif's orientation, from 1 on. */
const turns = ['', 'hflip', 'hflip,vflip', 'vflip', 'transpose=0', 'transpose=1', 'transpose=3', 'transpose=2'] as const

/** One format and no other: what else the file may be as well is not looked for. Transparent parts become white. */
function decodeImage({ mediaType, orientation }: ImageFacts): string[] {
  const [format, codec] = decoders[mediaType]
  const side = String(longestPageSide)
  const filters = [`scale=w='min(iw,${side})':h='min(ih,${side})':force_original_aspect_ratio=decrease`]
  const turn = turns[orientation - 1] ?? ''
  if (turn !== '') filters.push(turn)
  const onWhite = 'format=gbrap,split[a][b];[a]lutrgb=r=maxval:g=maxval:b=maxval:a=maxval[c];[c][b]overlay=format=gbrp'
  if (mediaType !== 'image/jpeg') filters.push(onWhite)
  const input = ['-noautorotate', '-max_pixels', String(mostPixels), '-f', format, '-c:v', codec, '-i', 'pipe:0']
  const drawn = ['-filter_complex', `[0:v:0]${filters.join(',')},format=rgb24[out]`, '-map', '[out]', '-frames:v', '1']
  return [...ffmpeg, ...input, ...drawn, '-f', 'image2pipe', '-c:v', 'ppm', 'pipe:1']
}

/** @returns null when the decoder is not content with the file, or what it gives is no page */
async function renderPage(file: Buffer, decoder: readonly string[], bounds: Bounds): Promise<RenderedPage | null> {
  const decoding = runJailed(decoder, bounds)
  decoding.stdin.end(file)
  let encoding: Jailed | null = null
  try {
    const pixels = await readPixels(decoding.stdout)
    if (pixels === null) return null
    const { width, height, colours } = pixels
    // It reads to the end of its input: one that stopped at the last colour would close the pipe while we still do.
    const size = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-video_size', `${width}x${height}`, '-i', 'pipe:0']
    encoding = runJailed([...ffmpeg, ...size, '-bitexact', '-c:v', 'mjpeg', '-q:v', '3', '-f', 'mjpeg', 'pipe:1'])
    const [, bytes] = await Promise.all([
      pipeline(Readable.from(colours, { objectMode: false }), encoding.stdin),
      readBytes(encoding, mostPageBytes),
    ])
    const [decoded, encoded] = await Promise.all([decoding.ended, encoding.ended])
    if (!decoded.ok || bytes === null) return null
    // Colours cannot be wrong: it is ours that failed.
    if (!encoded.ok) throw new JailFailed(`no picture was made of a page: ${encoded.said.trim()}`)
    return { mediaType: 'image/jpeg', width, height, bytes }
  } catch (error) {
    // A pipe broke or the picture did not hold what it said; should it have been a jail that failed, that is what is told.
    decoding.kill()
    encoding?.kill()
    await Promise.all([decoding.ended, encoding?.ended])
    if (error instanceof RangeError || (error as NodeJS.ErrnoException).code !== undefined) return null
    throw error
  } finally {
    decoding.kill()
    encoding?.kill()
    await decoding.ended
  }
}

async function readBytes(run: Jailed, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of run.stdout as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > most) {
      run.kill()
      return null
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const readText = async (run: Jailed) => (await readBytes(run, 64 * 1024))?.toString('latin1') ?? ''
