/**
 * What the tunnel keeps of each connection (decision 0020). The bytes are in `file`; everything else is here and is
 * JSON-safe. "Client" is our side of the wire to the origin, "server" is the origin.
 */

/** Why a request got no connection. A subset of the capture's failure codes, so that it can be passed on as it is. */
export type RefusalCode =
  | 'unparseable_address'
  | 'private_address'
  | 'port_refused'
  | 'unknown_host'
  | 'connection_refused'
  | 'connection_failed'
  | 'timeout'
  | 'too_large'

export type Refusal = {
  readonly code: RefusalCode
  /** Which rule or error it was: a reason of `classifyAddress`, a DNS or system error code (`ENOTFOUND`), the limit's name. */
  readonly reason: string
  /** The address that the rule hit, when one did. */
  readonly address: string | null
}

/** Why a connection was ended by the tunnel before its own end. */
export type CutReason =
  | 'bytes_per_connection'
  | 'bytes_total'
  | 'idle_timeout'
  | 'record_failed'
  | 'request_malformed'
  | 'origin_changed'
  | 'session_closed'

export type DialAttempt = {
  readonly address: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** `connected`, `abandoned` (another address answered first), `timeout`, or the system's error code (`ECONNREFUSED`). */
  readonly outcome: string
}

export type ConnectionRecord = {
  /** `conn-0001`…, numbered by request, refused ones included; unique within the session. */
  readonly id: string
  /** 0-based, in the order in which origins accepted: tshark's `tcp.stream` in the PCAP. Null when none was opened. */
  readonly stream: number | null
  /** `connect`: an opaque CONNECT tunnel; `http`: plain HTTP asked in absolute form (RFC 9112 §3.2.2). */
  readonly kind: 'connect' | 'http'
  readonly state: 'pending' | 'open' | 'closed' | 'refused'
  /** Name or address that the browser asked for: lower case, no brackets, no trailing dot. */
  readonly host: string
  readonly port: number
  /** Vetted, pinned, dialled and checked again after the connection. Null when refused. */
  readonly remote_address: string | null
  readonly remote_port: number | null
  /** The address is not global and was reached because the operator allowed this very `ip:port`. */
  readonly allowed_exception: boolean
  readonly attempts: readonly DialAttempt[]
  /** Instants in milliseconds since the epoch. */
  readonly requested_at: number
  readonly opened_at: number | null
  readonly closed_at: number | null
  /** Place of the opening in the session's order of events (see `record-file.ts`). */
  readonly opened_sequence: number | null
  /** Bytes to the origin and from it. */
  readonly bytes_sent: number
  readonly bytes_received: number
  /** `server_name` of the TLS ClientHello as it passed in clear; null when there was none (RFC 6066 §3). */
  readonly sni: string | null
  /** The ClientHello named another host than the one that was asked for. */
  readonly sni_mismatch: boolean
  readonly refusal: Refusal | null
  readonly cut: CutReason | null
  /** Who ended first; null while open or refused. */
  readonly ended_by: 'client' | 'server' | 'tunnel' | null
  /** Absolute path of the recorded bytes; null when no connection was opened. Read with `readRecordFile`. */
  readonly file: string | null
}

export type DnsRecord = {
  readonly name: string
  readonly asked_at: number
  readonly answered_at: number
  /** Every A and AAAA answer, vetted together. `ttl` in seconds; null where the source gives none. */
  readonly addresses: readonly {
    readonly address: string
    readonly family: 4 | 6
    readonly ttl: number | null
    readonly global: boolean
  }[]
  /** Name servers asked; empty for names that are not asked (localhost, RFC 6761 §6.3). */
  readonly servers: readonly string[]
  /** Error code of the resolver (`ENOTFOUND`, `ETIMEOUT`…), else null. */
  readonly error: string | null
}

export type TunnelLimits = {
  /** Requests for a connection in the whole session, refused ones included. */
  readonly requests: number
  /** Connections open at one time. */
  readonly concurrent: number
  /** Distinct names resolved in the session. */
  readonly names: number
  readonly bytesPerConnection: number
  readonly bytesTotal: number
  /** Longest request head, in bytes. */
  readonly headBytes: number
  readonly dnsTimeoutMs: number
  readonly connectTimeoutMs: number
  readonly idleTimeoutMs: number
}

export const defaultTunnelLimits: TunnelLimits = {
  requests: 5_000,
  concurrent: 512,
  names: 1_000,
  bytesPerConnection: 1024 * 1024 * 1024,
  bytesTotal: 1536 * 1024 * 1024,
  // Chromium's own bound on a head is 256 KiB.
  headBytes: 256 * 1024,
  dnsTimeoutMs: 10_000,
  connectTimeoutMs: 20_000,
  idleTimeoutMs: 120_000,
}

export type TunnelTotals = {
  readonly requests: number
  readonly opened: number
  readonly refused: number
  readonly open: number
  readonly bytes_sent: number
  readonly bytes_received: number
}

/** State of the rolling hash at one moment (decision 0022): what a timestamp taken during the session covers. */
export type RollingHash = {
  /** Lower-case hexadecimal SHA-256. */
  readonly sha256: string
  /** Payload bytes of all connections, both directions, that it covers. */
  readonly bytes: number
  /** Milliseconds since the epoch. */
  readonly at: number
}
