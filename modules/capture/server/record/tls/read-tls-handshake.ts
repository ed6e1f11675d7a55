/** Handshake messages that the record needs, read strictly: null for anything malformed (RFC 8446 §4, RFC 5246 §7.4). */
import { brotliDecompressSync, inflateSync, zstdDecompressSync } from 'node:zlib'

type Reader = { u8(): number; u16(): number; u24(): number; take(length: number): Buffer; left(): number }

/** Reading past the end throws RangeError; only `attempt` sees it. */
function readerOf(bytes: Buffer): Reader {
  let offset = 0
  const take = (length: number): Buffer => {
    if (offset + length > bytes.length) throw new RangeError('handshake message too short')
    return bytes.subarray(offset, (offset += length))
  }
  return {
    take,
    u8: () => take(1).readUInt8(),
    u16: () => take(2).readUInt16BE(),
    u24: () => take(3).readUIntBE(0, 3),
    left: () => bytes.length - offset,
  }
}

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

function readExtensions(reader: Reader): Map<number, Buffer> {
  const extensions = new Map<number, Buffer>()
  if (reader.left() === 0) return extensions
  const inner = readerOf(reader.take(reader.u16()))
  while (inner.left() > 0) {
    const type = inner.u16()
    extensions.set(type, inner.take(inner.u16()))
  }
  return extensions
}

export type ClientHello = {
  readonly random: Buffer
  readonly sessionId: Buffer
  readonly sni: string | null
  readonly earlyData: boolean
}

export function readClientHello(body: Buffer): ClientHello | null {
  return attempt(() => {
    const reader = readerOf(body)
    reader.u16()
    const random = Buffer.from(reader.take(32))
    const sessionId = Buffer.from(reader.take(reader.u8()))
    reader.take(reader.u16())
    reader.take(reader.u8())
    const extensions = readExtensions(reader)
    const name = extensions.get(0)
    let sni: string | null = null
    if (name !== undefined) {
      const list = readerOf(name)
      list.u16()
      if (list.u8() === 0) sni = list.take(list.u16()).toString('latin1')
    }
    return { random, sessionId, sni, earlyData: extensions.has(42) }
  })
}

export type ServerHello = {
  readonly random: Buffer
  readonly sessionId: Buffer
  readonly cipherSuite: number
  readonly version: number
  readonly helloRetryRequest: boolean
  readonly preSharedKey: boolean
  readonly encryptThenMac: boolean
  /** In clear in TLS 1.2 only. */
  readonly alpn: string | null
}

/** SHA-256 of "HelloRetryRequest" (RFC 8446 §4.1.3). */
const helloRetryRandom = Buffer.from('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c', 'hex')

export function readServerHello(body: Buffer): ServerHello | null {
  return attempt(() => {
    const reader = readerOf(body)
    const legacy = reader.u16()
    const random = Buffer.from(reader.take(32))
    const sessionId = Buffer.from(reader.take(reader.u8()))
    const cipherSuite = reader.u16()
    reader.u8()
    const extensions = readExtensions(reader)
    const version = extensions.get(43)
    return {
      random,
      sessionId,
      cipherSuite,
      version: version === undefined ? legacy : version.readUInt16BE(0),
      helloRetryRequest: random.equals(helloRetryRandom),
      preSharedKey: extensions.has(41),
      encryptThenMac: extensions.has(22),
      alpn: alpnOf(extensions.get(16)),
    }
  })
}

function alpnOf(extension: Buffer | undefined): string | null {
  if (extension === undefined) return null
  const reader = readerOf(extension)
  reader.u16()
  return reader.take(reader.u8()).toString('latin1')
}

export function readEncryptedExtensions(body: Buffer): { alpn: string | null; earlyData: boolean } | null {
  return attempt(() => {
    const extensions = readExtensions(readerOf(body))
    return { alpn: alpnOf(extensions.get(16)), earlyData: extensions.has(42) }
  })
}

/** DER certificates, leaf first, as sent. */
export function readCertificate(body: Buffer, version: 'TLSv1.2' | 'TLSv1.3'): Buffer[] | null {
  return attempt(() => {
    const reader = readerOf(body)
    if (version === 'TLSv1.3') reader.take(reader.u8())
    const list = readerOf(reader.take(reader.u24()))
    const chain: Buffer[] = []
    while (list.left() > 0) {
      chain.push(Buffer.from(list.take(list.u24())))
      if (version === 'TLSv1.3') list.take(list.u16())
    }
    return chain
  })
}

const maxCertificateBytes = 1 << 20

/** RFC 8879: the plain Certificate message inside. Never inflates past the announced length. */
export function readCompressedCertificate(body: Buffer): Buffer | null {
  return attempt(() => {
    const reader = readerOf(body)
    const algorithm = reader.u16()
    const length = reader.u24()
    const data = reader.take(reader.u24())
    if (length === 0 || length > maxCertificateBytes) return null
    const options = { maxOutputLength: length }
    const plain =
      algorithm === 1
        ? inflateSync(data, options)
        : algorithm === 2
          ? brotliDecompressSync(data, options)
          : algorithm === 3
            ? zstdDecompressSync(data, options)
            : null
    return plain !== null && plain.length === length ? plain : null
  })
}
