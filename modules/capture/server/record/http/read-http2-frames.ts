/** Splits one direction of an HTTP/2 connection into frames (RFC 9113 §4), and joins header blocks over CONTINUATION. */

export const http2Preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')

export type Http2Frame = { readonly type: number; readonly flags: number; readonly stream: number; readonly payload: Buffer }

export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
} as const

const maxBlockBytes = 1 << 20
const maxContinuations = 1024

export type FrameSplitter = {
  /** False when the bytes are malformed. A HEADERS frame is given whole: its CONTINUATIONs are joined into its payload. */
  push(bytes: Buffer): boolean
  pending(): boolean
}

/** Removes padding and priority (§6.1, §6.2); null when the padding is longer than the frame. */
export function unpad(frame: Http2Frame, priority: boolean): Buffer | null {
  let payload = frame.payload
  let padding = 0
  if ((frame.flags & 8) !== 0) {
    padding = payload[0] ?? 256
    payload = payload.subarray(1)
  }
  if (priority && (frame.flags & 32) !== 0) {
    if (payload.length < 5) return null
    payload = payload.subarray(5)
  }
  return padding > payload.length ? null : payload.subarray(0, payload.length - padding)
}

export function createFrameSplitter(expectPreface: boolean, onFrame: (frame: Http2Frame) => boolean): FrameSplitter {
  let pending: Buffer = Buffer.alloc(0)
  let preface = expectPreface
  let block: { flags: number; stream: number; parts: Buffer[]; bytes: number } | null = null

  const onWire = (frame: Http2Frame): boolean => {
    if (block !== null) {
      if (frame.type !== frameTypes.continuation || frame.stream !== block.stream) return false
      block.parts.push(Buffer.from(frame.payload))
      block.bytes += frame.payload.length
      if (block.bytes > maxBlockBytes || block.parts.length > maxContinuations) return false
      if ((frame.flags & 4) === 0) return true
      const { flags, stream, parts } = block
      block = null
      return onFrame({ type: frameTypes.headers, flags, stream, payload: Buffer.concat(parts) })
    }
    if (frame.type === frameTypes.continuation) return false
    if (frame.type !== frameTypes.headers) return onFrame(frame)
    const fragment = unpad(frame, true)
    if (fragment === null || frame.stream === 0) return false
    if ((frame.flags & 4) !== 0) return onFrame({ ...frame, payload: fragment })
    block = { flags: frame.flags, stream: frame.stream, parts: [Buffer.from(fragment)], bytes: fragment.length }
    return true
  }

  return {
    push(bytes) {
      let data: Buffer = pending.length === 0 ? bytes : Buffer.concat([pending, bytes])
      if (preface) {
        if (data.length < http2Preface.length) {
          pending = Buffer.from(data)
          return true
        }
        if (!data.subarray(0, http2Preface.length).equals(http2Preface)) return false
        preface = false
        data = data.subarray(http2Preface.length)
      }
      while (data.length >= 9) {
        const length = data.readUIntBE(0, 3)
        if (data.length < 9 + length) break
        const frame = {
          type: data.readUInt8(3),
          flags: data.readUInt8(4),
          stream: data.readUInt32BE(5) & 0x7fff_ffff,
          payload: data.subarray(9, 9 + length),
        }
        if (!onWire(frame)) return false
        data = data.subarray(9 + length)
      }
      pending = Buffer.from(data)
      return true
    },
    pending: () => pending.length > 0 || block !== null,
  }
}
