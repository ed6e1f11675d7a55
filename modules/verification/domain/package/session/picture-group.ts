/**
 * How the pictures and the sound of `capture/session.mp4` stand in the timeline (docs/package-format.md, decision 0213): a
 * line `video` for each group, that is a picture that can be decoded by itself and what follows until the next.
 */

/** `data.group` of a line `video`. */
export type PictureGroup = {
  /** From 1. */
  readonly group: number
  /** Number of its first picture in the recording, from 0, and how many; likewise its packets of sound. */
  readonly first_frame: number
  readonly frames: number
  readonly first_packet: number
  readonly packets: number
  /** Times of its first and its last picture, microseconds since the recording began. */
  readonly from_us: number
  readonly last_us: number
  /** SHA-256 of what a decoder is configured with: contents of `avcC`, then of `dOps`, as they stand in the file. */
  readonly config: string
  /** SHA-256 of the lines of its pictures, `<time> <SHA-256 of the sample>` and a line feed each; times in units of the track. */
  readonly video: string
  readonly audio: string
  /** SHA-256 of four lines: the chain of the group before (empty for the first), then `config`, `video` and `audio`. */
  readonly chain: string
}

/** Units of time of the tracks: RFC 7845 has Opus at 48 kHz whatever its source. */
export const videoTimescale = 1_000_000
export const audioTimescale = 48_000

export const sampleLine = (time: number, sha256: string): string => `${time} ${sha256}\n`

export const chainLines = (previous: string, group: Pick<PictureGroup, 'config' | 'video' | 'audio'>): string =>
  `${previous}\n${group.config}\n${group.video}\n${group.audio}\n`
