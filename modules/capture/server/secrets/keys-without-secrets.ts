/**
 * Which TLS keys may be a piece of a session that had secrets: those of connections that were read to their end and in which nothing
 * was masked. With them nobody reads more than the web archive shows; the others would show what was taken out (decision 0232).
 */
import type { RecordReading } from '../record/index.ts'

export type KeptKeys = {
  /** NSS key log: the lines that are kept, in their order. */
  readonly text: string
  /** Connections by their ids in the record. */
  readonly kept: readonly string[]
  readonly leftOut: readonly string[]
}

const linePattern = /^[A-Z0-9_]{1,40} ([0-9a-fA-F]{64}) ([0-9a-fA-F]{2,192})$/

/** @param masked connections in which something was masked */
export function keysWithoutSecrets(
  keyLog: string,
  reading: Pick<RecordReading, 'connections' | 'losses'>,
  masked: ReadonlySet<string>,
): KeptKeys {
  const withLoss = new Set(reading.losses.map(({ connection_id }) => connection_id))
  const encrypted = reading.connections.filter(({ client_random }) => client_random !== null)
  const clean = encrypted.filter((one) => one.tls !== null && !masked.has(one.connection_id) && !withLoss.has(one.connection_id))
  const ofRandom = new Map(clean.map(({ client_random, connection_id }) => [client_random, connection_id]))
  const lines = keyLog.split(/\r?\n/).flatMap((line) => {
    const [, random = '', secret = ''] = linePattern.exec(line.trim()) ?? []
    return random === ''
      ? []
      : [{ line: line.trim(), id: ofRandom.get(random.toLowerCase()) ?? null, secret: secret.toLowerCase() }]
  })
  // Connections of TLS 1.2 that resume one another share a master secret (RFC 5246 §7.3): the line of one opens the other.
  const closed = new Set(lines.flatMap(({ id, secret }) => (id === null ? [secret] : [])))
  const shut = new Set(lines.flatMap(({ id, secret }) => (id !== null && closed.has(secret) ? [id] : [])))
  const open = lines.filter(({ id }) => id !== null && !shut.has(id))
  const kept = new Set(open.flatMap(({ id }) => (id === null ? [] : [id])))
  return {
    text: open.map(({ line }) => `${line}\n`).join(''),
    kept: [...kept],
    leftOut: encrypted.flatMap(({ connection_id }) => (kept.has(connection_id) ? [] : [connection_id])),
  }
}
