/** `multipart/x-mixed-replace` as ffmpeg writes it (`-f mpjpeg`): JPEG files with their length before them. */
const largestHead = 512
const largestPicture = 8 << 20

/** Takes the stream in any pieces; memory is bounded by one picture. @throws RangeError when it is no such stream */
export function mpjpegReader(onPicture: (jpeg: Buffer) => void): (piece: Buffer) => void {
  let held: Buffer = Buffer.alloc(0)
  return (piece) => {
    held = held.length === 0 ? piece : Buffer.concat([held, piece])
    for (;;) {
      const end = held.indexOf('\r\n\r\n')
      if (end === -1) {
        if (held.length > largestHead) throw new RangeError('no head')
        return
      }
      const length = Number(/content-length: ?(\d{1,9})/i.exec(held.toString('latin1', 0, end))?.[1])
      if (end > largestHead || !(length <= largestPicture)) throw new RangeError('no length')
      if (held.length < end + 4 + length) return
      onPicture(Buffer.from(held.subarray(end + 4, end + 4 + length)))
      held = held.subarray(end + 4 + length)
    }
  }
}
