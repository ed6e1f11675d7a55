import { h264Codec, type LiveFrame } from './codec.ts'

/** Numbers of contract/live.ts, which brings the schema library along and has no place in a worker. */
export const pictureFrame = { videoConfig: 1, video: 2, jpeg: 5 } as const

export type PictureReport =
  /** Decoded and drawn; what the session is told. */
  | { readonly type: 'drawn'; readonly number: number; readonly time: number }
  /** This browser does not decode what is sent: another kind of picture has to be asked for. */
  | { readonly type: 'unsupported' }

type Context =
  | Pick<CanvasRenderingContext2D, 'drawImage' | 'canvas'>
  | Pick<OffscreenCanvasRenderingContext2D, 'drawImage' | 'canvas'>

/** More pictures than this wait for the decoder: at the next one that can be decoded by itself, those before it are let go. */
const mostWaiting = 6
const mostFailures = 3

/**
 * Draws pictures as they come, each as soon as it is decoded; the last one stands until the next. One of the past, behind which another is
 * being decoded already, is not drawn: who comes back sees the present sooner. Runs in the page or in a worker.
 */
export function drawPictures(context: Context, report: (report: PictureReport) => void) {
  let decoder: VideoDecoder | null = null
  let config: VideoDecoderConfig | null = null
  let waitsForKey = true
  let failures = 0
  /** By time stamp: which it was. */
  const given = new Map<number, { readonly number: number; readonly repeated: boolean }>()
  let latest = -1
  let latestJpeg = -1

  function makeDecoder(): VideoDecoder {
    const made: VideoDecoder = new VideoDecoder({
      output(frame) {
        const { timestamp } = frame
        const one = given.get(timestamp)
        for (const known of given.keys()) if (known <= timestamp) given.delete(known)
        const isPast = one?.repeated === true && latest > timestamp
        if (!isPast) context.drawImage(frame, 0, 0, context.canvas.width, context.canvas.height)
        frame.close()
        failures = 0
        if (one !== undefined && !isPast) report({ type: 'drawn', number: one.number, time: timestamp })
      },
      error() {
        // It closed itself; a new one begins with the next picture that can be decoded by itself.
        if (decoder !== made) return
        decoder = null
        failures += 1
        if (failures >= mostFailures) report({ type: 'unsupported' })
      },
    })
    return made
  }

  function start(): void {
    if (config === null) return
    given.clear()
    waitsForKey = true
    if (decoder === null || decoder.state === 'closed') decoder = makeDecoder()
    else decoder.reset()
    decoder.configure(config)
  }

  function configure(record: Uint8Array<ArrayBuffer>): void {
    const codec = h264Codec(record)
    if (codec === null) return
    config = { codec, description: record.slice(), optimizeForLatency: true }
    try {
      start()
    } catch {
      report({ type: 'unsupported' })
    }
  }

  function decode(frame: LiveFrame): void {
    if (config === null) return
    if (frame.key && (decoder === null || decoder.decodeQueueSize > mostWaiting)) start()
    if (decoder === null || (waitsForKey && !frame.key)) return
    waitsForKey = false
    given.set(frame.time, { number: frame.number, repeated: frame.repeated })
    latest = frame.time
    try {
      decoder.decode(new EncodedVideoChunk({ type: frame.key ? 'key' : 'delta', timestamp: frame.time, data: frame.bytes }))
    } catch {
      waitsForKey = true
    }
  }

  async function drawJpeg(frame: LiveFrame): Promise<void> {
    const image = await createImageBitmap(new Blob([frame.bytes], { type: 'image/jpeg' })).catch(() => null)
    if (image === null) return
    // Two may be decoded at once: an older one never covers a newer one.
    if (frame.time > latestJpeg) {
      latestJpeg = frame.time
      context.drawImage(image, 0, 0, context.canvas.width, context.canvas.height)
    }
    image.close()
    report({ type: 'drawn', number: frame.number, time: frame.time })
  }

  return {
    frame(frame: LiveFrame): void {
      if (frame.kind === pictureFrame.videoConfig) configure(frame.bytes)
      else if (frame.kind === pictureFrame.video) decode(frame)
      else if (frame.kind === pictureFrame.jpeg) void drawJpeg(frame)
    },
    /** The stream begins anew: another connection, from any picture. */
    restart(): void {
      waitsForKey = true
      latestJpeg = -1
      given.clear()
    },
    close(): void {
      if (decoder !== null && decoder.state !== 'closed') decoder.close()
      decoder = null
      config = null
    },
  }
}
