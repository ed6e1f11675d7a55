/** `server_name` of a TLS ClientHello, read from the clear first bytes of a connection. Never throws. */

export type ClientHelloReading = { readonly state: 'more' } | { readonly state: 'done'; readonly sni: string | null }

const done = (sni: string | null): ClientHelloReading => ({ state: 'done', sni })
const maxHelloBytes = 64 * 1024

/** @param bytes everything that the client has sent so far; `more` asks to be called again with more. */
export function readClientHello(bytes: Buffer): ClientHelloReading {
  // RFC 8446 §5.1: handshake records (22); the message may span several.
  const parts: Buffer[] = []
  let offset = 0
  let gathered = 0
  while (gathered < 4 || gathered < 4 + Buffer.concat(parts).readUIntBE(1, 3)) {
    if (offset < bytes.length && bytes[offset] !== 22) return done(null)
    if (offset + 5 > bytes.length) return bytes.length > maxHelloBytes ? done(null) : { state: 'more' }
    const length = bytes.readUInt16BE(offset + 3)
    if (length === 0 || length > 16_384) return done(null)
    if (offset + 5 + length > bytes.length) return bytes.length > maxHelloBytes ? done(null) : { state: 'more' }
    parts.push(bytes.subarray(offset + 5, offset + 5 + length))
    gathered += length
    offset += 5 + length
    if (gathered > maxHelloBytes) return done(null)
  }
  const message = Buffer.concat(parts)
  if (message[0] !== 1) return done(null)
  try {
    return done(serverNameOf(message.subarray(4, 4 + message.readUIntBE(1, 3))))
  } catch {
    // A ClientHello that contradicts its own lengths (RangeError of Buffer) names nobody.
    return done(null)
  }
}

/** RFC 8446 §4.1.2, RFC 6066 §3. @throws RangeError past the end. */
function serverNameOf(hello: Buffer): string | null {
  let at = 2 + 32
  at += 1 + hello.readUInt8(at)
  at += 2 + hello.readUInt16BE(at)
  at += 1 + hello.readUInt8(at)
  if (at >= hello.length) return null
  const end = Math.min(hello.length, at + 2 + hello.readUInt16BE(at))
  at += 2
  while (at + 4 <= end) {
    const type = hello.readUInt16BE(at)
    const length = hello.readUInt16BE(at + 2)
    if (type === 0) {
      const nameLength = hello.readUInt16BE(at + 7)
      const name = hello
        .subarray(at + 9, at + 9 + nameLength)
        .toString('latin1')
        .toLowerCase()
      return hello.readUInt8(at + 6) === 0 && /^[a-z0-9._-]{1,255}$/.test(name) ? name : null
    }
    at += 4 + length
  }
  return null
}
