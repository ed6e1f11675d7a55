/** Less than this is asked for by itself. */
const worthStreaming = 1024 * 1024

type Stream = { readonly reader: ReadableStreamBYOBReader; at: number; busy: boolean }

/** Chromium collects the stream of a file that nothing but a pending read knows, and that read never ends: what is read is held here. */
const beingRead = new Set<Stream>()
/** Of several files read by turns; each has some megabytes read ahead. */
const mostStreams = 4

/**
 * Random access to a file that was chosen. Who reads on where the last long read ended gets the next octets of the same byte stream, which
 * a browser reads ahead: asking for each slice by itself takes several times as long.
 */
export function readBlob(blob: Blob): (offset: number, length: number) => Promise<Uint8Array> {
  let stream: Stream | null = null
  const open = (offset: number): Stream | null => {
    if (stream !== null) drop(stream)
    try {
      stream = { reader: blob.slice(offset).stream().getReader({ mode: 'byob' }), at: offset, busy: false }
    } catch {
      // A browser without byte streams.
      return null
    }
    beingRead.add(stream)
    const idle = [...beingRead].filter(({ busy }) => !busy)
    for (const one of idle.slice(0, Math.max(0, idle.length - mostStreams))) drop(one)
    return stream
  }
  const readOn = async (from: Stream, length: number): Promise<Uint8Array> => {
    from.busy = true
    try {
      let bytes = new Uint8Array(length)
      let had = 0
      while (had < length) {
        const { done, value } = await from.reader.read(bytes.subarray(had))
        if (done) throw shorter()
        bytes = new Uint8Array(value.buffer)
        had += value.length
      }
      from.at += length
      if (from.at >= blob.size) drop(from)
      return bytes
    } catch (error) {
      drop(from)
      throw error
    } finally {
      from.busy = false
    }
  }
  return async (offset, length) => {
    const going = stream !== null && beingRead.has(stream) ? stream : null
    if (going !== null && !going.busy && going.at === offset && length > 0) return await readOn(going, length)
    if (length >= worthStreaming && going?.busy !== true) {
      const opened = open(offset)
      if (opened !== null) return await readOn(opened, length)
    }
    const bytes = new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer())
    if (bytes.length !== length) throw shorter()
    return bytes
  }
}

function drop(one: Stream): void {
  beingRead.delete(one)
  // Of a stream that has ended or failed there is nothing to let go.
  one.reader.cancel().catch(() => undefined)
}

const shorter = (): Error => new RangeError('the file became shorter while it was read')
