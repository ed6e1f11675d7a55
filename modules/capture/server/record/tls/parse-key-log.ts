/** NSS key log format (draft-ietf-tls-keylogfile): one `LABEL client_random secret` a line. */

export type KeyLogLabel =
  | 'CLIENT_RANDOM'
  | 'CLIENT_EARLY_TRAFFIC_SECRET'
  | 'CLIENT_HANDSHAKE_TRAFFIC_SECRET'
  | 'SERVER_HANDSHAKE_TRAFFIC_SECRET'
  | 'CLIENT_TRAFFIC_SECRET_0'
  | 'SERVER_TRAFFIC_SECRET_0'

export type KeyLog = {
  /** @param clientRandom 32 bytes of the ClientHello. */
  secret(label: KeyLogLabel, clientRandom: Uint8Array): Buffer | undefined
}

const linePattern = /^([A-Z0-9_]{1,40}) ([0-9a-fA-F]{64}) ([0-9a-fA-F]{2,192})$/

/** Lines that are not of the format are skipped, as the format's readers do. */
export function parseKeyLog(text: string): KeyLog {
  const secrets = new Map<string, Buffer>()
  for (const line of text.split(/\r?\n/)) {
    const match = linePattern.exec(line.trim())
    if (match === null) continue
    const [, label = '', random = '', secret = ''] = match
    if (secret.length % 2 === 0) secrets.set(`${label} ${random.toLowerCase()}`, Buffer.from(secret, 'hex'))
  }
  return {
    secret: (label, clientRandom) => secrets.get(`${label} ${Buffer.from(clientRandom).toString('hex')}`),
  }
}
