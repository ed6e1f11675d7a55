/**
 * What one viewer is sent, and how far behind it is. Nothing waits for a viewer: over 250 ms of backlog the pictures until the next
 * that can be decoded by itself are left out, so that what it is owed stays bounded; one that stays behind is sent less, by the
 * level below. Backlog is the age of the oldest picture that is not acknowledged, less what the line takes by itself.
 */
import { liveClose, liveFrame, liveFrameHead, liveFlag } from '../../../contract/live.ts'
import { recentMost, slowSide, type SlowSide } from '../../../domain/slow-side.ts'
import type { Viewer } from '../viewers/viewer.ts'
import { mostRepeated, type PictureStream, type StreamPicture } from './picture-stream.ts'

export const levels = ['full', 'fewer_frames', 'coarser'] as const
export type Level = (typeof levels)[number]

export const laneLimits = {
  backlogMs: 250,
  /** The group that is repeated on joining may take this long. */
  repeatMs: 2_000,
  /** Of a viewer that reads nothing. */
  silentMs: 30_000,
  /** In this process, for one viewer, besides a group that is repeated. */
  waitingBytes: 512 << 10,
  /** Octets of a group that is repeated to one who had fallen behind. */
  shortGroup: 32 << 10,
  /** Falling behind twice in this time is a line that is too slow; so long without, and a level up is tried. */
  againMs: 10_000,
  /** A level up takes so much less than the line carries; known from pictures of this size, whose way takes no less than that. */
  spare: 1.3,
  measuredBy: 8 << 10,
  shortestMs: 10,
  /** What was late in this time may be why it fell behind. */
  recentMs: 4_000,
  firstRecoveryMs: 15_000,
  lastRecoveryMs: 120_000,
} as const

/** Before anything was acknowledged: a line around the world. */
const unknownLineMs = 400

export type Lane = {
  readonly viewer: Viewer
  readonly level: Level
  /** Why it fell behind the last time. */
  readonly side: SlowSide
  /** Takes the pictures of this stream from here on; its group is repeated now, or when the line allows. */
  attach(stream: PictureStream, level: Level): void
  /** The same at its next picture that stands by itself; those of the stream before are sent until then. */
  attachNext(stream: PictureStream, level: Level): void
  uses(stream: PictureStream): boolean
  picture(stream: PictureStream, picture: StreamPicture): void
  sound(kind: 'audioConfig' | 'audio', bytes: Uint8Array, timeUs: number): void
  /** @param heldMs from its arrival at the device to its being drawn, as the device measured it */
  acknowledge(number: number, heldMs?: number): void
  /** Other pictures follow from here on: the decoder is configured again. */
  interrupt(stream: PictureStream): void
  /**
   * The level that this line asks for now. Asked at each picture of the encoder; closes a viewer that reads nothing.
   * @param rateOf octets a second that a level takes, where that is known
   */
  wanted(rateOf?: (level: Level) => number | null): Level
}

/** @param late by how many milliseconds our own side was late, of late */
export function openLane(viewer: Viewer, now: () => number, late: () => number = () => 0): Lane {
  const limits = laneLimits
  let stream: PictureStream | null = null
  let next: { readonly stream: PictureStream; readonly level: Level } | null = null
  let level: Level = 'full'
  /** Nothing can be decoded until a picture that stands by itself. */
  let broken = true
  let configured: Uint8Array | null = null
  let [pictures, packets] = [0, 0]
  let owed: { readonly number: number; readonly at: number; readonly repeated: boolean; readonly alone: number | null }[] = []
  let lineMs = unknownLineMs
  let measured = false
  /** Octets a second; null: not known. */
  let carries: number | null = null
  let blockedAt: number | null = null
  let fellBehindAt = -Infinity
  let side: SlowSide = 'ours'
  const held = recentMost(limits.recentMs)
  let wants: Level = 'full'
  let changedAt = now()
  let raised = false
  let recoveryMs: number = limits.firstRecoveryMs

  const backlog = (): number => {
    const oldest = owed[0]
    if (oldest === undefined) return 0
    const age = now() - oldest.at - lineMs
    return Math.max(0, oldest.repeated ? age - limits.repeatMs : age)
  }
  const isFull = (): boolean => viewer.waiting() > limits.waitingBytes + (owed[0]?.repeated === true ? mostRepeated : 0)
  const isBehind = (): boolean => backlog() > limits.backlogMs || isFull()

  const send = (kind: number, number: number, timeUs: number, flags: number, bytes: Uint8Array): void => {
    const message = Buffer.allocUnsafe(liveFrameHead + bytes.length)
    message.writeUInt8(kind, 0)
    message.writeUInt8(flags, 1)
    message.writeUInt32BE(number, 2)
    message.writeBigUInt64BE(BigInt(Math.max(0, Math.round(timeUs))), 6)
    message.set(bytes, liveFrameHead)
    viewer.sendBytes(message)
  }
  const show = ({ bytes, timeUs, key }: StreamPicture, repeated: boolean): void => {
    const config = stream?.config ?? null
    if (config !== null && config !== configured) {
      send(liveFrame.videoConfig, 0, timeUs, 0, config)
      configured = config
    }
    pictures = (pictures + 1) >>> 0
    // What is sent behind a repeated group arrives behind it.
    const alone = owed.length === 0 ? bytes.length : null
    owed.push({ number: pictures, at: now(), repeated: repeated || owed[0]?.repeated === true, alone })
    const flags = (key ? liveFlag.key : 0) | (repeated ? liveFlag.repeated : 0)
    send(config === null ? liveFrame.jpeg : liveFrame.video, pictures, timeUs, flags, bytes)
  }
  /** Asked for less. Twice in a while, or straight after a level up: the line is too slow for this. */
  const fallBehind = (): void => {
    const at = now()
    const again = at - fellBehindAt < limits.againMs || at - changedAt < limits.againMs
    fellBehindAt = at
    side = slowSide({ took: at - (owed[0]?.at ?? at), least: lineMs, ours: late(), held: held.most(at) })
    broken = true
    if (next !== null) {
      // More was about to be sent: not on this line, for now.
      next = null
      wants = level
    }
    const below = levels[levels.indexOf(level) + 1]
    if (!again || below === undefined || wants !== level) return
    if (raised && at - changedAt < limits.againMs) recoveryMs = Math.min(limits.lastRecoveryMs, recoveryMs * 2)
    wants = below
  }
  const take = (from: PictureStream, atLevel: Level): void => {
    if (atLevel !== level) {
      changedAt = now()
      raised = levels.indexOf(atLevel) < levels.indexOf(level)
    }
    stream = from
    next = null
    level = atLevel
    wants = atLevel
    broken = true
    configured = null
  }
  const repeat = (group: readonly StreamPicture[]): void => {
    for (const [i, picture] of group.entries()) show(picture, i < group.length - 1)
    broken = group.length === 0
  }

  return {
    viewer,
    get level() {
      return level
    },
    get side() {
      return side
    },
    attach: (from, atLevel) => {
      take(from, atLevel)
      if (!isBehind()) repeat(from.group)
    },
    attachNext: (from, atLevel) => {
      next = { stream: from, level: atLevel }
    },
    uses: (each) => each === stream || each === next?.stream,
    picture: (from, picture) => {
      if (next !== null && from === next.stream && picture.key && !isBehind()) take(next.stream, next.level)
      if (from !== stream) return
      if (isBehind()) {
        if (!broken || picture.key) fallBehind()
        return
      }
      if (broken && !picture.key) {
        // A group that is short is repeated sooner than its next one comes.
        if (octetsOf(from.group) <= limits.shortGroup) repeat(from.group)
        return
      }
      broken = false
      show(picture, false)
    },
    sound: (kind, bytes, timeUs) => {
      if (kind === 'audioConfig') send(liveFrame.audioConfig, 0, timeUs, 0, bytes)
      else if (!isFull() && backlog() <= 4 * limits.backlogMs) {
        packets = (packets + 1) >>> 0
        send(liveFrame.audio, packets, timeUs, liveFlag.key, bytes)
      }
    },
    acknowledge: (number, heldMs = 0) => {
      const at = owed.findIndex((each) => each.number === number)
      const one = owed[at]
      if (one === undefined) return
      owed = owed.slice(at + 1)
      if (one.repeated) return
      held.add(heldMs, now())
      // The least that the line took; a line that becomes longer is believed slowly.
      const took = now() - one.at
      lineMs = measured ? Math.min(took, lineMs + 0.2) : Math.min(took, unknownLineMs)
      measured = true
      // A large picture with nothing before it measures what the line carries.
      if (one.alone !== null && one.alone >= limits.measuredBy)
        carries = (one.alone * 1000) / Math.max(limits.shortestMs, took - lineMs)
    },
    interrupt: (from) => {
      if (from !== stream) return
      broken = true
      configured = null
    },
    wanted: (rateOf = () => null) => {
      const at = now()
      const oldest = owed[0]
      blockedAt = isFull() ? (blockedAt ?? at) : null
      if (
        (oldest !== undefined && at - oldest.at > limits.silentMs) ||
        (blockedAt !== null && at - blockedAt > limits.silentMs)
      ) {
        viewer.close(liveClose.lost, 'reads nothing')
        return level
      }
      const above = levels[levels.indexOf(level) - 1]
      const calm = at - Math.max(fellBehindAt, changedAt) > recoveryMs
      if (above === undefined || wants !== level || !calm || isBehind()) return wants
      const rate = rateOf(above)
      if (rate === null || carries === null || carries > rate * limits.spare) wants = above
      return wants
    },
  }
}

const octetsOf = (group: readonly StreamPicture[]): number => group.reduce((sum, { bytes }) => sum + bytes.length, 0)
