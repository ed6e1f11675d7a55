import { readFrame } from './codec.ts'
import { drawPictures, type PictureReport } from './draw-picture.ts'

export type ToPictureWorker =
  | { readonly type: 'canvas'; readonly canvas: OffscreenCanvas }
  | { readonly type: 'message'; readonly message: ArrayBuffer }
  | { readonly type: 'restart' }

/** Away from the page's thread: typing and dialogs do not hold up the picture. */
let drawing: ReturnType<typeof drawPictures> | null = null

addEventListener('message', ({ data }: MessageEvent<ToPictureWorker>) => {
  if (data.type === 'canvas') {
    const context = data.canvas.getContext('2d', { alpha: false })
    if (context !== null) drawing = drawPictures(context, (report: PictureReport) => postMessage(report))
  } else if (data.type === 'restart') drawing?.restart()
  else {
    const frame = readFrame(data.message)
    if (frame !== null) drawing?.frame(frame)
  }
})
