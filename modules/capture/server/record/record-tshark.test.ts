/** The tunnel's record read by us and, as PCAP with the same keys, by tshark: the same bodies. */
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, expect, it } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { defaultTunnelLimits, startTunnel, writePcap } from '../network/index.ts'
import { recordedConnections } from '../network/record-file.ts'
import { reconstructExchanges } from './http/reconstruct-exchanges.ts'
import { createTlsIdentity } from './tls-identity.fixture.ts'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const folder = mkdtempSync(join(tmpdir(), 'probant-tshark-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('reads the same body as tshark and as was served, from the same record', async () => {
  const body = randomBytes(1_500_001)
  const identity = createTlsIdentity('ec')
  const server = createServer({ key: identity.key, cert: identity.cert }, (_, response) => {
    response.setHeader('connection', 'close').end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socketPath = join(folder, 'out.sock')
  const tunnel = await startTunnel({
    socketPath,
    recordDir: join(folder, 'record'),
    resolver: { resolve: () => Promise.resolve({ addresses: [{ address: '127.0.0.1', ttl: 60 }], servers: ['192.0.2.53'] }) },
    allowAddresses: [`127.0.0.1:${port}`],
    ownAddresses: [],
    limits: defaultTunnelLimits,
    clock: systemClock,
    log: silentLog,
    signal: new AbortController().signal,
  })
  const raw = connect(socketPath)
  raw.write(`CONNECT tls.test:${port} HTTP/1.1\r\nHost: tls.test:${port}\r\n\r\n`)
  await once(raw, 'data')
  const socket = connectTls({ socket: raw, servername: 'tls.test', rejectUnauthorized: false })
  let keyLog = ''
  socket.on('keylog', (line: Buffer) => (keyLog += line.toString()))
  socket.write('GET /body.bin HTTP/1.1\r\nHost: tls.test\r\n\r\n')
  for await (const part of socket) expect(part).toBeInstanceOf(Buffer)
  await tunnel.close()
  server.close()
  const pcap = join(folder, 'network.pcap')
  const keys = join(folder, 'keys.log')
  writeFileSync(keys, keyLog)
  await writePcap({ records: tunnel.connections(), outFile: pcap })
  const reading = await reconstructExchanges({
    connections: recordedConnections(tunnel.connections()),
    keyLog,
    spoolDir: join(folder, 'spool'),
  })
  const out = join(folder, 'objects')
  execFileSync(
    'tshark',
    ['-q', '-r', pcap, '-o', `tls.keylog_file:${keys}`, '-d', `tcp.port==${port},tls`, '--export-objects', `http,${out}`],
    { stdio: 'ignore' },
  )
  const exported = readdirSync(out).map((name) => sha256(readFileSync(join(out, name))))
  expect(reading.losses).toEqual([])
  expect(reading.exchanges.map(({ response }) => response?.body.entity_sha256)).toEqual([sha256(body)])
  expect(exported).toEqual([sha256(body)])
})
