/** What the recorded bytes say: HTTP exchanges, the TLS that carried them, and every loss by name. */

export type HeaderField = {
  /** As sent: case kept (HTTP/2 sends lower case). Bytes as Latin-1 code points (RFC 9110 §5.5). */
  readonly name: string
  readonly value: string
}

/** Bytes kept in memory when few, else a file in the spool folder. */
export type SpooledBytes =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'file'; readonly file: string; readonly length: number }

export type ExchangeBody = {
  /**
   * The message body exactly as on the wire: with chunked framing when `transfer` is `chunked`, and always with its content
   * encoding. Read it with `readWireBody`, without framing with `readEntity`, decoded with `readContent` (read-body.ts).
   */
  readonly raw: SpooledBytes
  readonly transfer: 'identity' | 'chunked'
  /** Bytes on the wire: chunked framing included, HTTP/2 frame heads and padding excluded. */
  readonly wire_bytes: number
  /** Without transfer coding, still content-encoded: what Content-Length counts. */
  readonly entity_bytes: number
  /** SHA-256, lower-case hexadecimal, of the entity. */
  readonly entity_sha256: string
  /** SHA-256 of the bytes on the wire: of `raw`. The same as `entity_sha256` unless `transfer` is `chunked`. */
  readonly wire_sha256: string
  /** After content decoding (gzip, br, zstd, deflate); null when it can't be decoded or goes past the limit. */
  readonly content: { readonly bytes: number; readonly sha256: string } | null
  /** Why the body is not whole; null when it is. */
  readonly truncated: LossReason | null
}

export type ExchangeRequest = {
  readonly method: string
  /** Request target as sent (`/path?query`, `*`, or authority for CONNECT). */
  readonly target: string
  /**
   * Request line and header fields with the final empty line. HTTP/1: the very bytes of the wire. HTTP/2: written from the
   * decoded field list in its order, pseudo-fields turned into the request line and `host` (decision 0031).
   */
  readonly head: Uint8Array
  /** In the order of the wire, repeats kept; HTTP/2 pseudo-fields included with their colon. */
  readonly fields: readonly HeaderField[]
  readonly body: ExchangeBody
  readonly trailers: readonly HeaderField[]
}

export type ExchangeResponse = {
  readonly status: number
  /** Reason phrase of HTTP/1; empty in HTTP/2, which has none. */
  readonly reason: string
  readonly head: Uint8Array
  readonly fields: readonly HeaderField[]
  readonly body: ExchangeBody
  readonly trailers: readonly HeaderField[]
  /** Heads of interim (1xx) responses that came before, as on the wire. */
  readonly interim: readonly Uint8Array[]
}

export type TlsFacts = {
  readonly version: 'TLSv1.2' | 'TLSv1.3'
  /** IANA name. */
  readonly cipher: string
  readonly alpn: string | null
  readonly sni: string | null
  readonly resumed: boolean
  readonly early_data: boolean
  /** SHA-256 of the leaf certificate; of the session's first connection when resumed without one: then null. */
  readonly certificate_sha256: string | null
}

/** When bytes of a stream passed: those from `offset` on passed at `at` or later. Offsets rise; milliseconds since the epoch. */
export type PassedAt = { readonly offset: number; readonly at: number }

/** What passed after an upgrade, one body for each direction, with the instants of its parts. */
export type UpgradedStream = {
  readonly protocol: string
  readonly sent: ExchangeBody
  readonly received: ExchangeBody
  readonly sent_at: readonly PassedAt[]
  readonly received_at: readonly PassedAt[]
}

export type Exchange = {
  readonly connection_id: string
  /** HTTP/2 stream id, or 0-based position on an HTTP/1 connection. */
  readonly index: number
  readonly protocol: 'http/1.0' | 'http/1.1' | 'h2'
  /** Absolute URL: scheme by whether TLS was used (`wss`/`ws` when upgraded to WebSocket), no fragment. */
  readonly url: string
  readonly request: ExchangeRequest
  /** Null when no response was recorded: then a loss says why. */
  readonly response: ExchangeResponse | null
  /** Opaque bytes after `101 Switching Protocols`, or of an RFC 8441 tunnel; null for a plain exchange. */
  readonly upgraded: UpgradedStream | null
  /** Milliseconds since the epoch at which the bytes passed the tunnel. */
  readonly started_at: number
  readonly request_finished_at: number
  /** First byte of the final response's head; null without response. */
  readonly response_started_at: number | null
  readonly finished_at: number
  readonly remote_address: string
  readonly remote_port: number
  readonly tls: TlsFacts | null
}

/** Every way in which a part of the record can be unreadable. Reported by name, never thrown. */
export type LossReason =
  | 'connection_cut'
  | 'record_unreadable'
  | 'tls_keys_missing'
  | 'tls_record_damaged'
  | 'tls_truncated'
  | 'tls_unsupported'
  | 'tls_malformed'
  | 'protocol_unknown'
  | 'http1_malformed'
  | 'http1_ambiguous_length'
  | 'http2_malformed'
  | 'http2_stream_reset'
  | 'response_missing'
  | 'body_incomplete'
  | 'body_over_limit'
  | 'too_many_exchanges'
  | 'content_undecodable'
  | 'content_over_limit'

export type Loss = {
  readonly connection_id: string
  readonly reason: LossReason
  /** URL of the exchange, when the loss concerns a single known one. */
  readonly url: string | null
  /** Technical detail in English for the log; may quote nothing of the page. */
  readonly detail: string
}

/** Certificates as the server sent them on one full handshake. */
export type ConnectionCertificates = {
  readonly connection_id: string
  readonly host: string
  readonly port: number
  readonly sni: string | null
  /** DER, leaf first, in the order of the wire. */
  readonly chain: readonly Uint8Array[]
}

export type ConnectionReading = {
  readonly connection_id: string
  readonly host: string
  readonly port: number
  readonly remote_address: string
  readonly protocol: 'http/1' | 'h2' | null
  readonly tls: TlsFacts | null
  /** Of the ClientHello, hexadecimal in lower case: by it a key log names the connection. Null without TLS. */
  readonly client_random: string | null
  /** First fatal TLS alert that passed, e.g. the browser refusing a certificate; null when none. A fact, not a loss. */
  readonly tls_alert: { readonly from: 'client' | 'server'; readonly code: number } | null
  readonly client_bytes: number
  readonly server_bytes: number
  readonly exchanges: number
}

export type RecordLimits = {
  /** Longest entity kept; the rest is hashed no further and the body says `body_over_limit`. */
  readonly body_bytes: number
  /** Largest decoded content that is hashed (a decompression bomb stops here). */
  readonly content_bytes: number
  /** A body is kept in memory up to this size. */
  readonly inline_bytes: number
  /** All bodies in memory together. */
  readonly inline_total_bytes: number
  readonly exchanges: number
}

export const defaultRecordLimits: RecordLimits = {
  body_bytes: 1024 * 1024 * 1024,
  content_bytes: 2 * 1024 * 1024 * 1024,
  inline_bytes: 32 * 1024,
  inline_total_bytes: 16 * 1024 * 1024,
  exchanges: 20_000,
}

export type RecordReading = {
  /** In order of start. */
  readonly exchanges: readonly Exchange[]
  readonly connections: readonly ConnectionReading[]
  readonly certificates: readonly ConnectionCertificates[]
  readonly losses: readonly Loss[]
}
