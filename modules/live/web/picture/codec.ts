/** RFC 6381 §3.3 name of an AVCDecoderConfigurationRecord (ISO/IEC 14496-15 §5.3.3.1): profile, constraints and level. */
export function h264Codec(record: Uint8Array): string | null {
  if (record.length < 7 || record[0] !== 1) return null
  const hex = (value: number | undefined) => (value ?? 0).toString(16).padStart(2, '0')
  return `avc1.${hex(record[1])}${hex(record[2])}${hex(record[3])}`
}

/** What `OpusHead` (RFC 7845 §5.1) says of the channels; sound is always played at 48 kHz. */
export function opusChannels(head: Uint8Array): number | null {
  if (head.length < 19 || new TextDecoder().decode(head.subarray(0, 8)) !== 'OpusHead') return null
  const channels = head[9] ?? 0
  return channels >= 1 && channels <= 2 ? channels : null
}

export type LiveFrame = {
  readonly kind: number
  readonly key: boolean
  /** Of the past: what those that follow are decoded from. */
  readonly repeated: boolean
  readonly number: number
  /** Microseconds since the recording began. */
  readonly time: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

const head = 14

/** One binary message of the session (contract/live.ts); null when it is too short to be one. */
export function readFrame(message: ArrayBuffer): LiveFrame | null {
  if (message.byteLength < head) return null
  const view = new DataView(message)
  return {
    kind: view.getUint8(0),
    key: (view.getUint8(1) & 1) !== 0,
    repeated: (view.getUint8(1) & 2) !== 0,
    number: view.getUint32(2),
    time: view.getUint32(6) * 2 ** 32 + view.getUint32(10),
    bytes: new Uint8Array(message, head),
  }
}

/** Pieces of an upload: octet 0 is 32, 1–4 the number of the upload, 5–6 that of its file. */
export function uploadChunk(kind: number, upload: number, file: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const message = new Uint8Array(7 + bytes.length)
  const view = new DataView(message.buffer)
  view.setUint8(0, kind)
  view.setUint32(1, upload)
  view.setUint16(5, file)
  message.set(bytes, 7)
  return message
}
