/** A session as the witness records it, small and made by hand: a PCAP of two connections, dated at three moments, with one image. */
import { createHash, randomBytes } from 'node:crypto'
import type { Piece } from '../modules/verification/server/index.ts'
import {
  checkpointFormat,
  sessionRecordFormat,
  sessionRecordPath,
  writeSessionRecord,
  writeStatement,
  type CheckpointStatement,
} from '../modules/verification/server/index.ts'

export type SessionPiece = { path: string; role: Piece['role']; bytes: Uint8Array }
type Stamp = (digest: Uint8Array) => Promise<{ token: Uint8Array; caPem: string }>

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

/** Payload that passed: stream, direction (1 to the origin), text. */
export const passed: readonly (readonly [stream: number, direction: 1 | 2, text: string])[] = [
  [0, 1, 'GET /'],
  [0, 2, 'HTTP/1.1 200'],
  [1, 1, 'GET /b'],
  [0, 2, 'body one'],
  [0, 2, 'body two'],
  [1, 2, 'an answer'],
]

/** Classic PCAP, nanoseconds, raw IPv4: SYN of each connection when it is first met, then one packet for each payload. */
export function pcapOf(payloads: typeof passed): Buffer {
  const head = Buffer.alloc(24)
  head.writeUInt32LE(0xa1b23c4d, 0)
  head.writeUInt16LE(2, 4)
  head.writeUInt16LE(4, 6)
  head.writeUInt32LE(262_144, 16)
  head.writeUInt32LE(101, 20)
  const parts: Buffer[] = [head]
  const packet = (stream: number, direction: 1 | 2, flags: number, payload: Buffer): void => {
    const bytes = Buffer.alloc(16 + 40 + payload.length)
    bytes.writeUInt32LE(40 + payload.length, 8)
    bytes.writeUInt32LE(40 + payload.length, 12)
    const ends = [[192, 0, 2, 1, 65_535 - stream], [198, 51, 100, 7, 443]] as const // prettier-ignore
    const [from, to] = direction === 1 ? ends : ends.toReversed()
    bytes[16] = 0x45
    bytes.writeUInt16BE(40 + payload.length, 18)
    bytes.writeUInt16BE(0x4000, 22)
    bytes[25] = 6
    bytes.set(from?.slice(0, 4) ?? [], 28)
    bytes.set(to?.slice(0, 4) ?? [], 32)
    bytes.writeUInt16BE(from?.[4] ?? 0, 36)
    bytes.writeUInt16BE(to?.[4] ?? 0, 38)
    bytes[48] = 0x50
    bytes[49] = flags
    payload.copy(bytes, 56)
    parts.push(bytes)
  }
  const met = new Set<number>()
  for (const [stream, direction, text] of payloads) {
    if (!met.has(stream)) packet(stream, 1, 0x02, Buffer.alloc(0))
    met.add(stream)
    packet(stream, direction, 0x18, Buffer.from(text))
  }
  return Buffer.concat(parts)
}

/** Decision 0022, written out: the whole row of runs of the first `bytes` octets is built, then hashed. */
export function rollingHashOf(payloads: typeof passed, bytes: number): string {
  const runs: { stream: number; direction: 1 | 2; text: string }[] = []
  let left = bytes
  for (const [stream, direction, text] of payloads) {
    const part = text.slice(0, left)
    left -= part.length
    const last = runs.at(-1)
    if (part === '') continue
    if (last !== undefined && last.stream === stream && last.direction === direction) last.text += part
    else runs.push({ stream, direction, text: part })
  }
  const row = runs.map(({ stream, direction, text }) => {
    const around = Buffer.alloc(13)
    around.writeUInt32BE(stream, 0)
    around.writeUInt8(direction, 4)
    around.writeBigUInt64BE(BigInt(text.length), 5)
    return Buffer.concat([around.subarray(0, 5), Buffer.from(text), around.subarray(5)])
  })
  return sha256(Buffer.concat(row))
}

export async function recordedSession(
  stamp: Stamp,
  options: {
    subject: { evidence_id: string; requested_url: string }
    /** Of each statement, as it is before it is hashed and dated. */
    alter?: (statement: CheckpointStatement) => CheckpointStatement
    /** What stands in the PCAP, when it is not what was dated. */
    recorded?: typeof passed
    image?: Uint8Array
  },
): Promise<SessionPiece[]> {
  const total = passed.reduce((sum, [, , text]) => sum + text.length, 0)
  const image = Buffer.from('an image')
  const session = randomBytes(32).toString('hex')
  const pieces: SessionPiece[] = [
    { path: 'capture/network.pcap', role: 'pcap', bytes: pcapOf(options.recorded ?? passed) },
    { path: 'capture/viewport.png', role: 'viewport_screenshot', bytes: options.image ?? image },
  ]
  const checkpoints = []
  let previous: string | null = null
  // The one in the middle ends within a run.
  for (const [i, [reason, bytes]] of (
    [
      ['start', 0],
      ['screenshot', 29],
      ['end', total],
    ] as const
  ).entries()) {
    const statement = (options.alter ?? ((same) => same))({
      format: checkpointFormat,
      ...options.subject,
      session,
      index: i + 1,
      reason,
      at: new Date(Date.now()).toISOString(),
      bytes,
      rolling_hash: rollingHashOf(passed, bytes),
      images: reason === 'screenshot' ? [{ path: 'capture/viewport.png', sha256: sha256(image) }] : [],
      previous,
    })
    const digest = sha256(writeStatement(statement))
    const { token, caPem } = await stamp(new Uint8Array(Buffer.from(digest, 'hex')))
    const path = `capture/timestamps/0${i + 1}-${reason}.tsr`
    pieces.push({ path, role: 'session_timestamp', bytes: token })
    if (i === 0) pieces.push({ path: 'capture/timestamps/ca-1.pem', role: 'session_timestamp', bytes: Buffer.from(caPem) })
    checkpoints.push({ statement, sha256: digest, token: path, ca: 'capture/timestamps/ca-1.pem', error: null })
    previous = digest
  }
  const record = writeSessionRecord({ format: sessionRecordFormat, pcap: 'capture/network.pcap', checkpoints })
  return [...pieces, { path: sessionRecordPath, role: 'session_timestamp', bytes: Buffer.from(record) }]
}
