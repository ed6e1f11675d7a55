/** A viewer at the other end of a line of so many octets a second, on a clock that the test moves. */
import { liveFrame, liveFrameHead, type LiveOutput } from '../../../contract/live.ts'
import type { Viewer } from '../viewers/viewer.ts'

export type Received = { kind: number; flags: number; number: number; timeUs: number; bytes: Buffer; at: number }

export function viewerOn(
  clock: { ms: number },
  given: { perSecond?: number; lineMs?: number; wants?: Partial<Viewer['wants']>; id?: string } = {},
) {
  const line = { perSecond: Infinity, lineMs: 0, ...given }
  const received: Received[] = []
  const messages: LiveOutput[] = []
  const closed: number[] = []
  const waiting: { at: number; bytes: Buffer }[] = []
  let freeAt = 0
  let [octets, most] = [0, 0]
  const viewer: Viewer = {
    id: given.id ?? 'one',
    role: 'controller',
    witness: null,
    wants: { video: 'h264', audio: false, touch: false, ...given.wants },
    send: (message) => messages.push(message),
    sendBytes: (bytes) => {
      freeAt = Math.max(freeAt, clock.ms) + (bytes.length / line.perSecond) * 1000
      waiting.push({ at: freeAt + line.lineMs, bytes: Buffer.from(bytes) })
      octets += bytes.length
      most = Math.max(most, octets)
      return octets
    },
    waiting: () => octets,
    close: (code) => closed.push(code),
  }
  return {
    viewer,
    line,
    received,
    messages,
    closed,
    most: () => most,
    pictures: () => received.filter(({ kind }) => kind === liveFrame.video || kind === liveFrame.jpeg),
    /** What has arrived by now is decoded, and acknowledged at once. */
    arrive: (acknowledge: (viewer: Viewer, number: number) => void) => {
      while (waiting[0] !== undefined && waiting[0].at <= clock.ms) {
        const { bytes, at } = waiting.shift() as { bytes: Buffer; at: number }
        octets -= bytes.length
        const one = {
          kind: bytes.readUInt8(0),
          flags: bytes.readUInt8(1),
          number: bytes.readUInt32BE(2),
          timeUs: Number(bytes.readBigUInt64BE(6)),
          bytes: bytes.subarray(liveFrameHead),
          at,
        }
        received.push(one)
        if (one.kind === liveFrame.video || one.kind === liveFrame.jpeg) acknowledge(viewer, one.number)
      }
    },
  }
}
