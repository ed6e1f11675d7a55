import { describe, expect, test } from 'vitest'
import type { ConnectionReading, Loss } from '../record/exchange/exchange.ts'
import { keysWithoutSecrets } from './keys-without-secrets.ts'

const randomOf = (n: number): string => n.toString(16).padStart(64, '0')
const secretOf = (n: number): string => n.toString(16).padStart(96, 'a')
const connection = (n: number, change: Partial<ConnectionReading> = {}): ConnectionReading => ({
  connection_id: `conn-${n}`,
  host: 'example.org',
  port: 443,
  remote_address: '192.0.2.1',
  protocol: 'h2',
  tls: { version: 'TLSv1.3', cipher: 'x', alpn: 'h2', sni: null, resumed: false, early_data: false, certificate_sha256: null },
  client_random: randomOf(n),
  tls_alert: null,
  client_bytes: 1,
  server_bytes: 1,
  exchanges: 1,
  ...change,
})
const line = (n: number, secret = secretOf(n), label = 'CLIENT_TRAFFIC_SECRET_0') => `${label} ${randomOf(n)} ${secret}`
const loss = (n: number): Loss => ({ connection_id: `conn-${n}`, reason: 'connection_cut', url: null, detail: '' })

describe('H-45: the keys of a session with secrets', () => {
  test('kept are those of connections that were read whole and in which nothing was masked', () => {
    const reading = {
      connections: [
        connection(1),
        connection(2),
        connection(3),
        connection(4, { tls: null }),
        connection(5, { tls: null, client_random: null }),
        connection(6),
      ],
      losses: [loss(3)],
    }
    // The seventh belongs to no connection of the record; of the sixth there are no keys.
    const log = [
      '# comment',
      ...[1, 2, 3, 4, 7].map((n) => line(n)),
      line(1, secretOf(9), 'SERVER_TRAFFIC_SECRET_0'),
      'noise',
      '',
    ].join('\r\n')
    expect(keysWithoutSecrets(log, reading, new Set(['conn-2']))).toEqual({
      text: `${line(1)}\n${line(1, secretOf(9), 'SERVER_TRAFFIC_SECRET_0')}\n`,
      kept: ['conn-1'],
      leftOut: ['conn-2', 'conn-3', 'conn-4', 'conn-6'],
    })
  })

  test('a master secret that another connection shares opens that one too (TLS 1.2, resumed): none of its lines is kept', () => {
    const reading = { connections: [connection(1), connection(2), connection(3)], losses: [] }
    const log = [
      line(1, secretOf(8), 'CLIENT_RANDOM'),
      line(2, secretOf(8).toUpperCase(), 'CLIENT_RANDOM'),
      line(2),
      line(3, secretOf(7), 'CLIENT_RANDOM'),
    ].join('\n')
    expect(keysWithoutSecrets(log, reading, new Set(['conn-1']))).toEqual({
      text: `${line(3, secretOf(7), 'CLIENT_RANDOM')}\n`,
      kept: ['conn-3'],
      leftOut: ['conn-1', 'conn-2'],
    })
    expect(keysWithoutSecrets(log, reading, new Set()).kept).toEqual(['conn-1', 'conn-2', 'conn-3'])
  })
})
