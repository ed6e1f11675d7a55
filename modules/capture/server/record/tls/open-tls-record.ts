/** Key schedules and record protection of TLS 1.3 (RFC 8446 §5.2, §7) and TLS 1.2 (RFC 5246 §6.2.3, 5288, 7905, 7366). */
import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import type { CipherSuite } from './tls-cipher-suites.ts'

export type OpenedRecord = { readonly type: number; readonly bytes: Buffer }

/** Opens records of one direction in order; null when the record does not authenticate. */
export type RecordOpener = {
  open(type: number, fragment: Buffer): OpenedRecord | null
  /** TLS 1.3: the opener of the next generation of keys (RFC 8446 §7.2). */
  update(): RecordOpener
}

const tagBytes = 16

/** HKDF-Expand-Label with an empty context (RFC 8446 §7.1); every secret here is at most one hash long. */
export function expandLabel(hash: 'sha256' | 'sha384', secret: Uint8Array, label: string, length: number): Buffer {
  const full = Buffer.from(`tls13 ${label}`, 'latin1')
  const info = Buffer.concat([Buffer.from([length >> 8, length & 255, full.length]), full, Buffer.from([0])])
  let out = Buffer.alloc(0)
  let block = Buffer.alloc(0)
  for (let i = 1; out.length < length; i += 1) {
    block = createHmac(hash, secret)
      .update(block)
      .update(info)
      .update(Buffer.from([i]))
      .digest()
    out = Buffer.concat([out, block])
  }
  return out.subarray(0, length)
}

/** P_hash of TLS 1.2 (RFC 5246 §5). */
export function prf(hash: 'sha256' | 'sha384', secret: Uint8Array, label: string, seed: Uint8Array, length: number): Buffer {
  const full = Buffer.concat([Buffer.from(label, 'latin1'), seed])
  const out: Buffer[] = []
  let a: Buffer = full
  for (let produced = 0; produced < length;) {
    a = createHmac(hash, secret).update(a).digest()
    const block = createHmac(hash, secret).update(a).update(full).digest()
    out.push(block)
    produced += block.length
  }
  return Buffer.concat(out).subarray(0, length)
}

/** The static IV exclusive-or the 64-bit sequence number (RFC 8446 §5.3, RFC 7905 §2). */
function nonceOf(iv: Buffer, sequence: number): Buffer {
  const nonce = Buffer.from(iv)
  nonce.writeUInt32BE((nonce.readUInt32BE(4) ^ Math.floor(sequence / 0x1_0000_0000)) >>> 0, 4)
  nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ (sequence % 0x1_0000_0000)) >>> 0, 8)
  return nonce
}

function openAead(suite: CipherSuite, key: Buffer, nonce: Buffer, aad: Buffer, sealed: Buffer): Buffer | null {
  if (sealed.length < tagBytes) return null
  try {
    const decipher =
      suite.cipher === 'chacha20-poly1305'
        ? createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes })
        : createDecipheriv(suite.cipher === 'aes-128-gcm' ? 'aes-128-gcm' : 'aes-256-gcm', key, nonce, {
            authTagLength: tagBytes,
          })
    decipher.setAAD(aad, { plaintextLength: sealed.length - tagBytes })
    decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
    const plain = decipher.update(sealed.subarray(0, sealed.length - tagBytes))
    decipher.final()
    return plain
  } catch {
    return null
  }
}

/** @param secret traffic secret of one direction and one epoch. */
export function createTls13Opener(suite: CipherSuite, secret: Buffer): RecordOpener {
  const key = expandLabel(suite.hash, secret, 'key', suite.keyBytes)
  const iv = expandLabel(suite.hash, secret, 'iv', 12)
  let sequence = 0
  return {
    open(type, fragment) {
      const aad = Buffer.from([type, 3, 3, fragment.length >> 8, fragment.length & 255])
      const inner = openAead(suite, key, nonceOf(iv, sequence), aad, fragment)
      if (inner === null) return null
      sequence += 1
      let end = inner.length
      while (end > 0 && inner[end - 1] === 0) end -= 1
      // Only padding: no content type, which the peer must refuse (RFC 8446 §5.4).
      if (end === 0) return null
      return { type: inner[end - 1] ?? 0, bytes: inner.subarray(0, end - 1) }
    },
    update: () => createTls13Opener(suite, expandLabel(suite.hash, secret, 'traffic upd', secret.length)),
  }
}

export type Tls12Input = {
  readonly suite: CipherSuite
  readonly master: Buffer
  readonly clientRandom: Buffer
  readonly serverRandom: Buffer
  readonly encryptThenMac: boolean
}

const macBytes = { sha1: 20, sha256: 32, sha384: 48 } as const

export function createTls12Openers(input: Tls12Input): { client: RecordOpener; server: RecordOpener } {
  const { suite } = input
  const macLength = suite.mac === null ? 0 : macBytes[suite.mac]
  // CBC of TLS 1.2 sends its IV with each record, so none is derived.
  const ivLength = suite.kind === 'gcm' ? 4 : suite.kind === 'chacha' ? 12 : 0
  const seed = Buffer.concat([input.serverRandom, input.clientRandom])
  const block = prf(suite.hash, input.master, 'key expansion', seed, 2 * (macLength + suite.keyBytes + ivLength))
  let offset = 0
  const take = (length: number): Buffer => block.subarray(offset, (offset += length))
  const macs = { client: take(macLength), server: take(macLength) }
  const keys = { client: take(suite.keyBytes), server: take(suite.keyBytes) }
  const ivs = { client: take(ivLength), server: take(ivLength) }
  const make = (side: 'client' | 'server'): RecordOpener =>
    suite.kind === 'cbc'
      ? cbcOpener(suite, keys[side], macs[side], input.encryptThenMac)
      : aeadOpener(suite, keys[side], ivs[side])
  return { client: make('client'), server: make('server') }
}

function recordPrefix(sequence: number, type: number, length: number): Buffer {
  const prefix = Buffer.alloc(13)
  prefix.writeUInt32BE(Math.floor(sequence / 0x1_0000_0000), 0)
  prefix.writeUInt32BE(sequence % 0x1_0000_0000, 4)
  prefix.writeUInt8(type, 8)
  prefix.writeUInt16BE(0x0303, 9)
  prefix.writeUInt16BE(length, 11)
  return prefix
}

function aeadOpener(suite: CipherSuite, key: Buffer, iv: Buffer): RecordOpener {
  let sequence = 0
  const explicit = suite.kind === 'gcm' ? 8 : 0
  const opener: RecordOpener = {
    open(type, fragment) {
      const length = fragment.length - explicit - tagBytes
      if (length < 0) return null
      const nonce = explicit === 8 ? Buffer.concat([iv, fragment.subarray(0, 8)]) : nonceOf(iv, sequence)
      const bytes = openAead(suite, key, nonce, recordPrefix(sequence, type, length), fragment.subarray(explicit))
      if (bytes === null) return null
      sequence += 1
      return { type, bytes }
    },
    update: () => opener,
  }
  return opener
}

function cbcOpener(suite: CipherSuite, key: Buffer, macKey: Buffer, encryptThenMac: boolean): RecordOpener {
  let sequence = 0
  const mac = suite.mac ?? 'sha1'
  const macLength = macBytes[mac]
  const verified = (type: number, bytes: Buffer, given: Buffer): boolean =>
    timingSafeEqual(
      createHmac(mac, macKey)
        .update(recordPrefix(sequence, type, bytes.length))
        .update(bytes)
        .digest(),
      given,
    )
  const opener: RecordOpener = {
    open(type, fragment) {
      const sealed = encryptThenMac ? fragment.subarray(0, Math.max(0, fragment.length - macLength)) : fragment
      if (sealed.length < 32 || sealed.length % 16 !== 0) return null
      if (encryptThenMac && !verified(type, sealed, fragment.subarray(sealed.length))) return null
      let padded: Buffer
      try {
        const decipher = createDecipheriv(
          suite.cipher === 'aes-128-cbc' ? 'aes-128-cbc' : 'aes-256-cbc',
          key,
          sealed.subarray(0, 16),
        )
        padded = decipher.setAutoPadding(false).update(sealed.subarray(16))
      } catch {
        return null
      }
      const padding = padded[padded.length - 1] ?? 255
      const end = padded.length - padding - 1 - (encryptThenMac ? 0 : macLength)
      if (end < 0 || !padded.subarray(padded.length - padding - 1).every((byte) => byte === padding)) return null
      const bytes = padded.subarray(0, end)
      if (!encryptThenMac && !verified(type, bytes, padded.subarray(end, end + macLength))) return null
      sequence += 1
      return { type, bytes }
    },
    update: () => opener,
  }
  return opener
}
