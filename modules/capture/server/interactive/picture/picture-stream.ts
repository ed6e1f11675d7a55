/** Pictures of one quality, with the group that is not over: what somebody who joins needs to see the present at once. */

export type StreamPicture = { readonly bytes: Uint8Array; readonly timeUs: number; readonly key: boolean }

export type PictureStream = {
  /** AVCDecoderConfigurationRecord; null for JPEG, or before the first. */
  config: Uint8Array | null
  /** From the last picture that can be decoded by itself; empty when it is not known, or too long to be repeated. */
  readonly group: readonly StreamPicture[]
  add(picture: StreamPicture): void
  /** No picture follows from those before. */
  interrupt(): void
}

/** More than this nobody is made to wait for: who joins waits for the next group instead. */
export const mostRepeated = 4 << 20

export function pictureStream(): PictureStream {
  let group: StreamPicture[] = []
  let octets = 0
  return {
    config: null,
    get group() {
      return group
    },
    add: (picture) => {
      if (picture.key) [group, octets] = [[], 0]
      else if (group.length === 0) return
      octets += picture.bytes.length
      if (octets > mostRepeated) group = []
      else group.push(picture)
    },
    interrupt: () => {
      group = []
    },
  }
}
