/**
 * Reads one recorded TLS connection with the browser's key log: TLS 1.3 (RFC 8446) and TLS 1.2 (RFC 5246). It works after the
 * fact, in order of arrival, and holds one record and one handshake message at a time. It never throws: what can't be read is
 * a named loss, after which the connection gives nothing more.
 */
import { createTls12Openers, createTls13Opener } from './open-tls-record.ts'
import type { RecordOpener } from './open-tls-record.ts'
import type { LossReason, TlsFacts } from '../exchange/exchange.ts'
import type { KeyLog, KeyLogLabel } from './parse-key-log.ts'
import {
  readCertificate,
  readClientHello,
  readCompressedCertificate,
  readEncryptedExtensions,
  readServerHello,
} from './read-tls-handshake.ts'
import type { ClientHello, ServerHello } from './read-tls-handshake.ts'
import { cipherSuiteOf } from './tls-cipher-suites.ts'
import type { CipherSuite } from './tls-cipher-suites.ts'

export type Side = 'client' | 'server'

export type TlsReader = {
  push(from: Side, bytes: Uint8Array, at: number): void
  /** After the last bytes. */
  end(): void
  /** Null until the ServerHello. `certificate_sha256` is filled by the caller, who hashes the chain. */
  facts(): Omit<TlsFacts, 'certificate_sha256'> | null
  /** Hexadecimal in lower case; null before the ClientHello. */
  clientRandom(): string | null
  sni(): string | null
  /** DER, leaf first; null when none was sent (resumption) or it could not be read. */
  chain(): readonly Buffer[] | null
  alert(): { from: Side; code: number } | null
}

export type TlsReaderInput = {
  readonly keyLog: KeyLog
  /** Decrypted application data, in order of arrival. The bytes are only lent for the call. */
  readonly onData: (from: Side, bytes: Buffer, at: number) => void
  readonly onLoss: (reason: LossReason, detail: string) => void
}

const maxFragmentBytes = 16384 + 2048
const maxHandshakeBytes = 1 << 20
const maxQueuedBytes = 4 << 20

type Direction = {
  pending: Buffer
  handshake: Buffer
  opener: RecordOpener | null
  /** Records are in clear until then. */
  encrypted: boolean
}

export function createTlsReader(input: TlsReaderInput): TlsReader {
  const newDirection = (): Direction => ({ pending: Buffer.alloc(0), handshake: Buffer.alloc(0), opener: null, encrypted: false })
  const directions: Record<Side, Direction> = { client: newDirection(), server: newDirection() }
  const life = { dead: false }
  let clientHello: ClientHello | null = null
  let serverHello: ServerHello | null = null
  let suite: CipherSuite | null = null
  let version: TlsFacts['version'] | null = null
  let alpn: string | null = null
  let chain: readonly Buffer[] | null = null
  let alert: { from: Side; code: number } | null = null
  let keysMissing = false
  // Early data (RFC 8446 §4.2.10): whether it was taken is known at EncryptedExtensions; the client's records wait until then.
  let early: 'none' | 'undecided' | 'accepted' | 'rejected' = 'none'
  let earlyAccepted = false
  let queue: { type: number; fragment: Buffer; at: number }[] = []
  let queuedBytes = 0
  let tls12: { client: RecordOpener; server: RecordOpener } | null = null

  const lose = (reason: LossReason, detail: string): void => {
    if (life.dead) return
    life.dead = true
    for (const side of ['client', 'server'] as const) directions[side] = newDirection()
    queue = []
    input.onLoss(reason, detail)
  }

  const secretOf = (label: KeyLogLabel): Buffer | undefined =>
    clientHello === null ? undefined : input.keyLog.secret(label, clientHello.random)

  /** Keys of the next epoch of one side; without them the connection is lost at its next encrypted record. */
  const install = (from: Side, label: KeyLogLabel): void => {
    const secret = secretOf(label)
    if (suite === null || secret === undefined) keysMissing = true
    directions[from].opener = suite === null || secret === undefined ? null : createTls13Opener(suite, secret)
    directions[from].encrypted = true
  }

  const onServerHello = (hello: ServerHello): void => {
    if (clientHello === null) return lose('tls_malformed', 'ServerHello before ClientHello')
    if (serverHello !== null) return lose('tls_unsupported', 'renegotiation')
    const found = cipherSuiteOf(hello.cipherSuite)
    if (hello.version !== 0x0304 && hello.version !== 0x0303)
      return lose('tls_unsupported', `version 0x${hello.version.toString(16)}`)
    if (found === undefined || (found.kind === 'tls13') !== (hello.version === 0x0304)) {
      return lose('tls_unsupported', `cipher suite 0x${hello.cipherSuite.toString(16)}`)
    }
    if (hello.helloRetryRequest) {
      // Early data is refused by a retry, and the client's second hello comes in clear.
      if (early === 'undecided') early = 'rejected'
      return
    }
    serverHello = hello
    suite = found
    version = hello.version === 0x0304 ? 'TLSv1.3' : 'TLSv1.2'
    if (version === 'TLSv1.2') {
      alpn = hello.alpn
      early = 'none'
      return
    }
    install('server', 'SERVER_HANDSHAKE_TRAFFIC_SECRET')
    if (early === 'undecided') return
    install('client', 'CLIENT_HANDSHAKE_TRAFFIC_SECRET')
  }

  const onEncryptedExtensions = (body: Buffer): void => {
    const read = readEncryptedExtensions(body)
    if (read === null) return lose('tls_malformed', 'EncryptedExtensions')
    alpn = read.alpn
    if (early === 'undecided') {
      early = read.earlyData ? 'accepted' : 'rejected'
      earlyAccepted = read.earlyData
      install('client', read.earlyData ? 'CLIENT_EARLY_TRAFFIC_SECRET' : 'CLIENT_HANDSHAKE_TRAFFIC_SECRET')
      const waiting = queue
      queue = []
      queuedBytes = 0
      for (const record of waiting) onRecord('client', record.type, record.fragment, record.at)
    }
  }

  const onHandshake = (from: Side, type: number, body: Buffer): void => {
    if (type === 1 && from === 'client') {
      if (version !== null) return lose('tls_unsupported', 'renegotiation')
      const hello = readClientHello(body)
      if (hello === null) return lose('tls_malformed', 'ClientHello')
      if (clientHello === null && hello.earlyData) early = 'undecided'
      clientHello = hello
    } else if (type === 2 && from === 'server') {
      const hello = readServerHello(body)
      if (hello === null) return lose('tls_malformed', 'ServerHello')
      onServerHello(hello)
    } else if (type === 8 && from === 'server') onEncryptedExtensions(body)
    else if ((type === 11 || type === 25) && from === 'server' && version !== null && chain === null) {
      const message = type === 11 ? body : readCompressedCertificate(body)
      chain = message === null ? null : readCertificate(message, version)
      if (chain === null) lose('tls_malformed', 'Certificate')
    } else if (version === 'TLSv1.3') {
      if (type === 5 && from === 'client' && early === 'accepted') {
        early = 'none'
        install('client', 'CLIENT_HANDSHAKE_TRAFFIC_SECRET')
      } else if (type === 20) install(from, from === 'client' ? 'CLIENT_TRAFFIC_SECRET_0' : 'SERVER_TRAFFIC_SECRET_0')
      else if (type === 24) directions[from].opener = directions[from].opener?.update() ?? null
    }
  }

  const onHandshakeBytes = (from: Side, bytes: Buffer): void => {
    const direction = directions[from]
    direction.handshake = direction.handshake.length === 0 ? Buffer.from(bytes) : Buffer.concat([direction.handshake, bytes])
    while (!life.dead && direction.handshake.length >= 4) {
      const length = direction.handshake.readUIntBE(1, 3)
      if (length > maxHandshakeBytes) return lose('tls_malformed', 'handshake message too long')
      if (direction.handshake.length < 4 + length) return
      const message = direction.handshake.subarray(0, 4 + length)
      direction.handshake = direction.handshake.subarray(4 + length)
      onHandshake(from, message.readUInt8(0), message.subarray(4))
    }
  }

  const onChangeCipherSpec = (from: Side): void => {
    // TLS 1.3 sends it for middleboxes only, and it means nothing (RFC 8446 §5).
    if (version !== 'TLSv1.2' || directions[from].encrypted) return
    directions[from].encrypted = true
    if (tls12 === null) {
      const master = secretOf('CLIENT_RANDOM')
      if (master === undefined || suite === null || clientHello === null || serverHello === null) keysMissing = true
      else {
        const randoms = { clientRandom: clientHello.random, serverRandom: serverHello.random }
        tls12 = createTls12Openers({ suite, master, ...randoms, encryptThenMac: serverHello.encryptThenMac })
      }
    }
    directions[from].opener = tls12 === null ? null : tls12[from]
  }

  const deliver = (from: Side, type: number, bytes: Buffer, at: number): void => {
    if (type === 23) {
      if (bytes.length > 0) input.onData(from, bytes, at)
    } else if (type === 22) onHandshakeBytes(from, bytes)
    else if (type === 21) {
      // close_notify and user_canceled end a connection in order; anything else is a failure (RFC 8446 §6).
      const code = bytes[1] ?? 0
      if (code !== 0 && code !== 90) alert ??= { from, code }
    } else lose('tls_malformed', `content type ${type}`)
  }

  const onRecord = (from: Side, type: number, fragment: Buffer, at: number): void => {
    if (life.dead) return
    const direction = directions[from]
    if (type === 20) return onChangeCipherSpec(from)
    if (from === 'client' && early === 'undecided' && type === 23) {
      queuedBytes += fragment.length
      if (queuedBytes > maxQueuedBytes) return lose('tls_unsupported', 'too much early data')
      queue.push({ type, fragment: Buffer.from(fragment), at })
      return
    }
    if (!direction.encrypted || (version === 'TLSv1.3' && type === 21 && fragment.length === 2)) {
      // Early data after a HelloRetryRequest: refused by the server, which skips it too (RFC 8446 §4.2.10).
      if (type === 23 && from === 'client' && early === 'rejected') return
      if (type !== 22 && type !== 21) return lose('tls_malformed', 'encrypted record before its keys')
      return deliver(from, type, fragment, at)
    }
    if (direction.opener === null) {
      // Without keys the server's flight tells nothing that is missed; what the client then sends could be a request.
      if (from === 'client' || version === 'TLSv1.2')
        lose('tls_keys_missing', 'the key log does not hold the keys of this connection')
      return
    }
    const opened = direction.opener.open(type, fragment)
    if (opened === null) {
      if (from === 'client' && early === 'rejected') return
      return lose('tls_record_damaged', `a record of the ${from} does not authenticate`)
    }
    if (from === 'client' && early === 'rejected') early = 'none'
    deliver(from, opened.type, opened.bytes, at)
  }

  return {
    push(from, bytes, at) {
      if (life.dead) return
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const held = directions[from].pending
      let data = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      while (!life.dead && data.length >= 5) {
        const type = data.readUInt8(0)
        const length = data.readUInt16BE(3)
        if (type < 20 || type > 24 || data.readUInt8(1) !== 3 || length > maxFragmentBytes)
          return lose('tls_malformed', 'not a TLS record')
        if (data.length < 5 + length) break
        onRecord(from, type, data.subarray(5, 5 + length), at)
        data = data.subarray(5 + length)
      }
      // The caller's buffer is only lent: what waits for the rest of its record is copied.
      if (!life.dead) directions[from].pending = Buffer.from(data)
    },
    end() {
      if (life.dead) return
      const torn = (['client', 'server'] as const).filter(
        (side) => directions[side].pending.length > 0 && directions[side].opener !== null,
      )
      if (torn.length > 0) lose('tls_truncated', `the last record of the ${torn.join(' and ')} is not whole`)
      else if (keysMissing && queue.length > 0) lose('tls_keys_missing', 'early data without keys')
    },
    facts: () =>
      version === null || suite === null || serverHello === null
        ? null
        : {
            version,
            cipher: suite.name,
            alpn,
            sni: clientHello?.sni ?? null,
            resumed: version === 'TLSv1.3' ? serverHello.preSharedKey : chain === null && serverHello.sessionId.length > 0,
            early_data: earlyAccepted,
          },
    clientRandom: () => clientHello?.random.toString('hex') ?? null,
    sni: () => clientHello?.sni ?? null,
    chain: () => chain,
    alert: () => alert,
  }
}
