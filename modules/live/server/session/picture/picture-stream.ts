/** Pictures of one quality, with the group that is not over: what somebody who joins needs to see the present at once. */

export type StreamPicture = { readonly bytes: Uint8Array; readonly timeUs: number; readonly key: boolean }

export type PictureStream = {
  /** AVCDecoderConfigurationRecord; null for JPEG, or before the first. */
  config: Uint8Array | null
  /** From the last picture that can be decoded by itself; empty when it is not known, or too long to be repeated. */
  readonly group: readonly StreamPicture[]
  /** Octets a second over its last whole group; null before one is over. */
  readonly rate: number | null
  add(picture: StreamPicture): void
  /** No picture follows from those before. */
  interrupt(): void
}

/** More than this nobody is made to wait for: who joins waits for the next group instead. */
export const mostRepeated = 4 << 20

export function pictureStream(): PictureStream {
  let group: StreamPicture[] = []
  let octets = 0
  let beganUs: number | null = null
  let rate: number | null = null
  return {
    config: null,
    get group() {
      return group
    },
    get rate() {
      return rate
    },
    add: (picture) => {
      if (picture.key) {
        if (beganUs !== null && picture.timeUs > beganUs) rate = (octets * 1_000_000) / (picture.timeUs - beganUs)
        ;[group, octets, beganUs] = [[], 0, picture.timeUs]
      } else if (beganUs === null) return
      octets += picture.bytes.length
      if (octets > mostRepeated) group = []
      else if (picture.key || group.length > 0) group.push(picture)
    },
    interrupt: () => {
      ;[group, beganUs] = [[], null]
    },
  }
}
