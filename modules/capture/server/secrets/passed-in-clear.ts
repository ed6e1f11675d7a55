/** Whether the recording itself shows a secret: in a name that was asked for, or on a connection without encryption. */
import { recordedConnections, type ConnectionRecord } from '../network/index.ts'
import type { SecretMasker } from './mask-secrets.ts'

/** A TLS record of a handshake (RFC 8446 §5.1): from there on everything is encrypted but names, which are looked at for themselves. */
const handshake = 22

export async function passedInClear(
  records: readonly ConnectionRecord[],
  masker: SecretMasker,
  signal: AbortSignal,
): Promise<boolean> {
  if (records.some(({ host, sni }) => [host, sni ?? ''].some((name) => masker.maskText(name).times > 0))) return true
  for (const connection of recordedConnections(records))
    for (const side of ['client', 'server'] as const) {
      signal.throwIfAborted()
      const encrypted = { known: false, yes: false }
      async function* octets(): AsyncGenerator<Uint8Array> {
        for await (const { from, bytes } of connection.chunks()) {
          if (from === 'client' && !encrypted.known && bytes.length > 0) {
            encrypted.known = true
            encrypted.yes = bytes[0] === handshake
          }
          if (encrypted.yes) return
          if (from === side) yield bytes
        }
      }
      let times = 0
      try {
        for await (const _part of masker.maskStream(octets(), (count) => (times = count)));
      } catch (error) {
        // A record that is damaged cannot be looked through: nobody can say that no secret is in it.
        if (error instanceof RangeError) return true
        throw error
      }
      if (times > 0) return true
    }
  return false
}
