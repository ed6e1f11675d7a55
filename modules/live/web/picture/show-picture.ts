import { readFrame } from './codec.ts'
import { drawPictures, type PictureReport } from './draw-picture.ts'
import type { ToPictureWorker } from './picture.worker.ts'

export type ShownPicture = {
  /** A binary message that holds a picture; it is given away. */
  readonly message: (message: ArrayBuffer) => void
  readonly restart: () => void
  readonly close: () => void
}

/** The oldest profile that an encoder of ours may use; whoever decodes it decodes the stream. */
const baseline = { codec: 'avc1.42c01f', optimizeForLatency: true } as const

/** Which kind of picture to ask for. Firefox for Android, older Safari and builds without H.264 get images one by one. */
export async function pictureKind(): Promise<'h264' | 'jpeg'> {
  if (typeof VideoDecoder === 'undefined') return 'jpeg'
  try {
    return (await VideoDecoder.isConfigSupported(baseline)).supported === true ? 'h264' : 'jpeg'
  } catch {
    return 'jpeg'
  }
}

/** Draws onto a canvas that nothing has drawn on yet, in a worker where the browser has what that needs. */
export function showPicture(canvas: HTMLCanvasElement, report: (report: PictureReport) => void): ShownPicture {
  if (typeof OffscreenCanvas === 'undefined' || !('transferControlToOffscreen' in canvas)) return showInPage(canvas, report)
  const worker = new Worker(new URL('./picture.worker.ts', import.meta.url), { type: 'module' })
  const send = (message: ToPictureWorker, transfer: Transferable[] = []) => worker.postMessage(message, transfer)
  worker.addEventListener('message', ({ data }: MessageEvent<PictureReport>) => report(data))
  const offscreen = canvas.transferControlToOffscreen()
  send({ type: 'canvas', canvas: offscreen }, [offscreen])
  return {
    message: (message) => send({ type: 'message', message }, [message]),
    restart: () => send({ type: 'restart' }),
    close: () => worker.terminate(),
  }
}

function showInPage(canvas: HTMLCanvasElement, report: (report: PictureReport) => void): ShownPicture {
  const context = canvas.getContext('2d', { alpha: false })
  if (context === null) return { message: () => undefined, restart: () => undefined, close: () => undefined }
  const drawing = drawPictures(context, report)
  return {
    message(message) {
      const frame = readFrame(message)
      if (frame !== null) drawing.frame(frame)
    },
    restart: () => drawing.restart(),
    close: () => drawing.close(),
  }
}
