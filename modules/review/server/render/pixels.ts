/** What crosses from one jail to the next: the plainest picture there is, of which every byte is a colour (Netpbm's PPM, `P6`). */
import type { Readable } from 'node:stream'

/** Of a rendered page. */
export const longestPageSide = 4000

export type Pixels = {
  readonly width: number
  readonly height: number
  /** Exactly so many bytes as the picture has colours. */
  readonly colours: AsyncIterable<Buffer>
}

/** @returns null when it is no such picture, or a larger one than pages are */
export async function readPixels(stream: Readable): Promise<Pixels | null> {
  const chunks = stream.iterator({ destroyOnReturn: false })
  const next = async () => (await chunks.next()) as IteratorResult<Buffer>
  let head = Buffer.alloc(0)
  let match: RegExpExecArray | null = null
  while (match === null) {
    const { done, value } = await next()
    if (done === true) return null
    head = Buffer.concat([head, value])
    match = /^P6[ \n](\d{1,5})[ \n](\d{1,5})[ \n]255[ \n]/.exec(head.subarray(0, 40).toString('latin1'))
    if (match === null && head.length >= 40) return null
  }
  const [width, height] = [Number(match[1]), Number(match[2])]
  if (width < 1 || height < 1 || width > longestPageSide || height > longestPageSide) return null
  const first = head.subarray(match[0].length)
  async function* colours(): AsyncGenerator<Buffer> {
    let left = width * height * 3
    for (let chunk: Buffer | null = first; chunk !== null;) {
      left -= chunk.length
      if (left < 0) throw new RangeError('a picture has more colours than it said')
      yield chunk
      const following = await next()
      chunk = following.done === true ? null : following.value
    }
    if (left > 0) throw new RangeError('a picture has fewer colours than it said')
  }
  return { width, height, colours: colours() }
}
