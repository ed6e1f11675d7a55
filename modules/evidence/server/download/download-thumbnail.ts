import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { DomainError } from '../../../../kernel/errors.ts'
import { makeThumbnail } from '../../../../platform/pictures/make-thumbnail.ts'
import { readPngSize, UnreadablePng } from '../../../../platform/pictures/read-png-rows.ts'
import type { EvidenceDeps } from '../record/deps.ts'
import { downloadPiece, type Download } from './download-files.ts'

/** Of a row of a list, on a screen of two pixels to the point. */
const width = 144
/** As a row shows it: height of its width. */
const shape = 0.625
const largestBytes = 24 * 1024 * 1024
/** Of three to six kilobytes each: what the last lists showed. */
const mostKept = 1000

/**
 * Pictures of lists, made of the captured ones when they are asked for: nothing is kept of them but in memory, so that an evidence whose
 * files are deleted leaves no copy. One is made at a time: a list is looked at while others capture.
 */
export function createThumbnails(deps: EvidenceDeps): (id: string, path: string) => Promise<Download> {
  const kept = new Map<string, Buffer>()
  let last: Promise<unknown> = Promise.resolve()
  const make = async (key: string, piece: Download): Promise<Buffer> => {
    const before = kept.get(key)
    if (before !== undefined) return before
    const made = await thumbnailOf(piece)
    kept.set(key, made)
    // The first that was put in is the first that goes.
    for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - mostKept))) kept.delete(oldest)
    return made
  }
  return async (id, path) => {
    // Whether it may be seen is asked each time, and never what is kept.
    const piece = await downloadPiece(deps, id, path)
    if (piece.mediaType !== 'image/png' || piece.bytes > largestBytes) throw new DomainError('not_found', 'evidence.not_found')
    const key = `${id} ${piece.etag}`
    const making = last.then(async () => await make(key, piece))
    last = making.catch(() => undefined)
    const jpeg = await making
    return {
      bytes: jpeg.length,
      mediaType: 'image/jpeg',
      fileName: piece.fileName.replace(/\.png$/, '.jpg'),
      etag: createHash('sha256').update(jpeg).digest('hex'),
      open: (start, end) => Promise.resolve(Readable.from([jpeg.subarray(start, end)], { objectMode: false })),
    }
  }
}

/** @throws DomainError not_found: what was kept is no picture that can be read */
async function thumbnailOf(piece: Download): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of await piece.open(0, piece.bytes)) parts.push(part as Buffer)
  const png = Buffer.concat(parts)
  try {
    const size = await readPngSize(png)
    return await makeThumbnail(png, { width, rows: Math.round(size.width * shape) })
  } catch (error) {
    if (error instanceof UnreadablePng) throw new DomainError('not_found', 'evidence.not_found')
    throw error
  }
}
