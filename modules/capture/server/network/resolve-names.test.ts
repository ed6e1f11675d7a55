import { createSocket, type Socket } from 'node:dgram'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { dialAddress, orderAddresses } from './dial-address.ts'
import { createNameBook, dnsResolver } from './resolve-names.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

/** A name server (RFC 1035 §4.1) that answers A with 192.0.2.7 and AAAA with nothing; `gone` is NXDOMAIN, `mute` silence. */
async function nameServer(): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = []
  const socket: Socket = createSocket('udp4')
  socket.on('message', (query, peer) => {
    const labels: string[] = []
    let at = 12
    while ((query[at] ?? 0) > 0) {
      const length = query[at] ?? 0
      labels.push(query.subarray(at + 1, at + 1 + length).toString('latin1'))
      at += 1 + length
    }
    const type = query.readUInt16BE(at + 1)
    const name = labels.join('.').toLowerCase()
    asked.push(`${name}/${type}`)
    if (labels[0] === 'mute') return
    const question = query.subarray(12, at + 5)
    const missing = labels[0] === 'gone'
    const answers =
      type === 1 && !missing ? Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 1, 44, 0, 4, 192, 0, 2, 7]) : Buffer.alloc(0)
    const head = Buffer.from([
      query[0] ?? 0,
      query[1] ?? 0,
      0x81,
      missing ? 0x83 : 0x80,
      0,
      1,
      0,
      answers.length > 0 ? 1 : 0,
      0,
      0,
      0,
      0,
    ])
    socket.send(Buffer.concat([head, question, answers]), peer.port, peer.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  cleanups.push(() => socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

test('the resolver asks for A and AAAA with TTL; what fails is an answer with its code', async () => {
  const { address, asked } = await nameServer()
  const book = createNameBook({
    resolver: dnsResolver({ servers: [address], timeoutMs: 5_000 }),
    clock: systemClock,
    own: [],
    maxNames: 3,
    timeoutMs: 300,
    signal: new AbortController().signal,
  })
  const [first, second] = await Promise.all([book.lookUp('www.example'), book.lookUp('www.example')])
  expect(first).toBe(second)
  expect(first).toMatchObject({
    name: 'www.example',
    error: null,
    servers: [address],
    addresses: [{ address: '192.0.2.7', family: 4, ttl: 300, global: false }],
  })
  expect(asked.toSorted()).toEqual(['www.example/1', 'www.example/28'])
  expect(await book.lookUp('gone.example')).toMatchObject({ error: 'ENOTFOUND', addresses: [] })
  expect(await book.lookUp('mute.example')).toMatchObject({ error: 'ETIMEOUT', addresses: [] })
  expect(await book.lookUp('fourth.example')).toMatchObject({ error: 'too_many_names' })
  expect(book.records().map(({ name }) => name)).toEqual(['www.example', 'gone.example', 'mute.example'])
})

test('addresses are tried IPv6 first, families in turn, none twice', () => {
  expect(orderAddresses(['1.1.1.1', '2.2.2.2', '::1', '1.1.1.1', '::2', '::3'])).toEqual([
    '::1',
    '1.1.1.1',
    '::2',
    '2.2.2.2',
    '::3',
  ])
})

test('an address that refuses gives way to the next; every attempt is recorded', async () => {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve))
  cleanups.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const options = { timeoutMs: 5_000, now: () => 1, signal: new AbortController().signal }
  const reached = await dialAddress(['127.0.0.1', '::1', '127.0.0.2'], port, options)
  expect(reached).toMatchObject({ ok: true, address: '127.0.0.2' })
  expect(reached.attempts).toEqual([
    { address: '::1', at: 1, outcome: 'ECONNREFUSED' },
    { address: '127.0.0.1', at: 1, outcome: 'ECONNREFUSED' },
    { address: '127.0.0.2', at: 1, outcome: 'connected' },
  ])
  if (reached.ok) reached.socket.destroy()
  expect(await dialAddress(['127.0.0.1', '::1'], port, options)).toMatchObject({
    ok: false,
    refusal: { code: 'connection_refused', reason: 'ECONNREFUSED' },
  })
  expect(await dialAddress([], port, options)).toMatchObject({
    ok: false,
    refusal: { code: 'connection_failed', reason: 'no_address' },
  })
  expect(await dialAddress(['127.0.0.1'], port, { ...options, signal: AbortSignal.abort() })).toMatchObject({
    ok: false,
    refusal: { reason: 'session_closed' },
  })
})
