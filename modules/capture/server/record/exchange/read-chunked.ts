/** Chunked transfer coding (RFC 9112 §7.1), read as it comes. */

export type ChunkedReader = {
  /**
   * Feeds bytes; gives how many belong to the coding (less than given only when its end is inside), or -1 when it is malformed.
   */
  push(bytes: Buffer): number
  done(): boolean
  /** Trailer section as sent, without its final empty line. */
  trailer(): Buffer
}

const maxLineBytes = 16 * 1024
const maxTrailerBytes = 64 * 1024

/** `onData` takes entity bytes, `onFraming` the rest, in order. */
export function createChunkedReader(onData: (bytes: Buffer) => void, onFraming: (bytes: Buffer) => void): ChunkedReader {
  let state: 'size' | 'data' | 'data_end' | 'trailer' | 'done' = 'size'
  let line: Buffer = Buffer.alloc(0)
  let left = 0
  let trailer: Buffer = Buffer.alloc(0)

  /** One line ended by LF (CR before it optional, as browsers take it); null when it is not whole yet. */
  const takeLine = (bytes: Buffer, offset: number): { text: Buffer; next: number } | null => {
    const end = bytes.indexOf(10, offset)
    const part = bytes.subarray(offset, end === -1 ? bytes.length : end + 1)
    onFraming(part)
    line = Buffer.concat([line, part])
    if (end === -1) return null
    const text = line
    line = Buffer.alloc(0)
    return { text, next: end + 1 }
  }

  const onLine = (text: Buffer): boolean => {
    const bare = text.toString('latin1').replace(/\r?\n$/, '')
    if (state === 'size') {
      const match = /^([0-9a-fA-F]{1,12})[ \t]*(?:;.*)?$/.exec(bare)
      if (match === null) return false
      left = Number.parseInt(match[1] ?? '', 16)
      state = left === 0 ? 'trailer' : 'data'
    } else if (state === 'data_end') {
      if (bare !== '') return false
      state = 'size'
    } else if (bare === '') state = 'done'
    else {
      trailer = Buffer.concat([trailer, text])
      if (trailer.length > maxTrailerBytes) return false
    }
    return true
  }

  return {
    push(bytes) {
      let offset = 0
      while (offset < bytes.length && state !== 'done') {
        if (state === 'data') {
          const part = bytes.subarray(offset, offset + left)
          onData(part)
          left -= part.length
          offset += part.length
          if (left === 0) state = 'data_end'
          continue
        }
        const taken = takeLine(bytes, offset)
        if (taken === null) {
          if (line.length > maxLineBytes) return -1
          return bytes.length
        }
        offset = taken.next
        if (!onLine(taken.text)) return -1
      }
      return offset
    },
    done: () => state === 'done',
    trailer: () => trailer,
  }
}
