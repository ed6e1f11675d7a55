/** The cipher suites that can be opened: every one that Chromium offers, and their near kin (IANA TLS Cipher Suites). */

export type CipherSuite = {
  readonly code: number
  /** IANA name. */
  readonly name: string
  readonly kind: 'tls13' | 'gcm' | 'chacha' | 'cbc'
  /** Name in node:crypto. */
  readonly cipher: 'aes-128-gcm' | 'aes-256-gcm' | 'chacha20-poly1305' | 'aes-128-cbc' | 'aes-256-cbc'
  readonly keyBytes: 16 | 32
  /** Hash of HKDF (TLS 1.3) or of the PRF (TLS 1.2). */
  readonly hash: 'sha256' | 'sha384'
  /** HMAC of CBC suites. */
  readonly mac: 'sha1' | 'sha256' | 'sha384' | null
}

type Row = readonly [number, string, CipherSuite['kind'], CipherSuite['cipher'], CipherSuite['hash'], CipherSuite['mac']]

const rows: readonly Row[] = [
  [0x1301, 'TLS_AES_128_GCM_SHA256', 'tls13', 'aes-128-gcm', 'sha256', null],
  [0x1302, 'TLS_AES_256_GCM_SHA384', 'tls13', 'aes-256-gcm', 'sha384', null],
  [0x1303, 'TLS_CHACHA20_POLY1305_SHA256', 'tls13', 'chacha20-poly1305', 'sha256', null],
  [0xc02b, 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'gcm', 'aes-128-gcm', 'sha256', null],
  [0xc02f, 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'gcm', 'aes-128-gcm', 'sha256', null],
  [0xc02c, 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'gcm', 'aes-256-gcm', 'sha384', null],
  [0xc030, 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'gcm', 'aes-256-gcm', 'sha384', null],
  [0x009c, 'TLS_RSA_WITH_AES_128_GCM_SHA256', 'gcm', 'aes-128-gcm', 'sha256', null],
  [0x009d, 'TLS_RSA_WITH_AES_256_GCM_SHA384', 'gcm', 'aes-256-gcm', 'sha384', null],
  [0x009e, 'TLS_DHE_RSA_WITH_AES_128_GCM_SHA256', 'gcm', 'aes-128-gcm', 'sha256', null],
  [0x009f, 'TLS_DHE_RSA_WITH_AES_256_GCM_SHA384', 'gcm', 'aes-256-gcm', 'sha384', null],
  [0xcca8, 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'chacha', 'chacha20-poly1305', 'sha256', null],
  [0xcca9, 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'chacha', 'chacha20-poly1305', 'sha256', null],
  [0xccaa, 'TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'chacha', 'chacha20-poly1305', 'sha256', null],
  [0x002f, 'TLS_RSA_WITH_AES_128_CBC_SHA', 'cbc', 'aes-128-cbc', 'sha256', 'sha1'],
  [0x0035, 'TLS_RSA_WITH_AES_256_CBC_SHA', 'cbc', 'aes-256-cbc', 'sha256', 'sha1'],
  [0xc009, 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA', 'cbc', 'aes-128-cbc', 'sha256', 'sha1'],
  [0xc00a, 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA', 'cbc', 'aes-256-cbc', 'sha256', 'sha1'],
  [0xc013, 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'cbc', 'aes-128-cbc', 'sha256', 'sha1'],
  [0xc014, 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA', 'cbc', 'aes-256-cbc', 'sha256', 'sha1'],
  [0x003c, 'TLS_RSA_WITH_AES_128_CBC_SHA256', 'cbc', 'aes-128-cbc', 'sha256', 'sha256'],
  [0x003d, 'TLS_RSA_WITH_AES_256_CBC_SHA256', 'cbc', 'aes-256-cbc', 'sha256', 'sha256'],
  [0xc023, 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256', 'cbc', 'aes-128-cbc', 'sha256', 'sha256'],
  [0xc024, 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384', 'cbc', 'aes-256-cbc', 'sha384', 'sha384'],
  [0xc027, 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256', 'cbc', 'aes-128-cbc', 'sha256', 'sha256'],
  [0xc028, 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384', 'cbc', 'aes-256-cbc', 'sha384', 'sha384'],
]

const suites = new Map<number, CipherSuite>(
  rows.map(([code, name, kind, cipher, hash, mac]) => [
    code,
    { code, name, kind, cipher, keyBytes: cipher.startsWith('aes-128') ? 16 : 32, hash, mac },
  ]),
)

export function cipherSuiteOf(code: number): CipherSuite | undefined {
  return suites.get(code)
}
