import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { drawPictures, pictureFrame, type PictureReport } from './draw-picture.ts'

/** A browser's decoder whose pictures are ready when the test says so. */
class PlayedDecoder {
  static given: PlayedDecoder
  state = 'unconfigured'
  decodeQueueSize = 0
  waiting: number[] = []
  readonly init: { output(frame: object): void }
  constructor(init: { output(frame: object): void }) {
    this.init = init
    PlayedDecoder.given = this
  }
  configure(): void {
    this.state = 'configured'
  }
  decode(chunk: { readonly timestamp: number }): void {
    this.waiting.push(chunk.timestamp)
  }
  ready(count: number): void {
    for (const timestamp of this.waiting.splice(0, count)) this.init.output({ timestamp, close: () => undefined })
  }
}

beforeEach(() => {
  vi.stubGlobal('VideoDecoder', PlayedDecoder)
  vi.stubGlobal('EncodedVideoChunk', class {
    readonly timestamp: number
    constructor({ timestamp }: { timestamp: number }) {
      this.timestamp = timestamp
    }
  }) // prettier-ignore
})
afterEach(() => void vi.unstubAllGlobals())

function start() {
  const drawn: number[] = []
  const reports: PictureReport[] = []
  const canvas = { width: 1280, height: 840 }
  const drawing = drawPictures(
    { canvas, drawImage: ({ timestamp }: { timestamp: number }) => void drawn.push(timestamp) } as never,
    (report) => reports.push(report),
  )
  const frame = (kind: number, time: number, { key = false, repeated = false } = {}) =>
    drawing.frame({ kind, key, repeated, number: time + 100, time, bytes: Uint8Array.of(1, 0x64, 0, 0x20, 0xff, 0xe1, 0) })
  frame(pictureFrame.videoConfig, 0)
  const picture = (time: number, flags = {}) => frame(pictureFrame.video, time, flags)
  return { drawn, reports, picture, ready: (count: number) => PlayedDecoder.given.ready(count) }
}

test('of what is repeated the present alone is drawn and told, and everything after it', () => {
  const { drawn, reports, picture, ready } = start()
  picture(1, { key: true, repeated: true })
  picture(2, { repeated: true })
  picture(3)
  ready(3)
  picture(4)
  picture(5)
  ready(2)
  expect(drawn).toEqual([3, 4, 5])
  expect(reports.map((report) => (report.type === 'drawn' ? [report.number, report.time] : report.type))).toEqual([
    [103, 3],
    [104, 4],
    [105, 5],
  ])
})

test('on a slow line the past is drawn as it comes', () => {
  const { drawn, picture, ready } = start()
  picture(1, { key: true, repeated: true })
  ready(1)
  picture(2, { repeated: true })
  picture(3, { repeated: true })
  ready(2)
  picture(4)
  ready(1)
  expect(drawn).toEqual([1, 3, 4])
})
