import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../../kernel/clock.ts'
import { askTimeServer, readNtpTimestamp, readTimeAnswer } from './ask-time-server.ts'
import { closedPort, ntpReply, startUdpPeer, type Peer } from '../peers.fixture.ts'

const signal = new AbortController().signal
const deps = { clock: systemClock, signal, timeoutMs: 10_000 }

async function withPeer<T>(reply: (request: Buffer) => readonly Buffer[], use: (peer: Peer) => Promise<T>): Promise<T> {
  const peer = await startUdpPeer(reply)
  try {
    return await use(peer)
  } finally {
    await peer.close()
  }
}

describe('K-33 SNTP client', () => {
  test('asks as RFC 4330 says, and tells how far our clock is ahead, within what it claims', async () => {
    const sample = await withPeer(
      (request) => [ntpReply(request, -30)],
      async (peer) => {
        const answer = await askTimeServer(deps, peer)
        const [request] = peer.asked
        // Version 4, client; nothing else of ours is told, the transmit time being random.
        expect(request).toHaveLength(48)
        expect(request?.[0]).toBe(0x23)
        expect(request?.subarray(1, 40).every((byte) => byte === 0)).toBe(true)
        expect(answer.source).toBe(`127.0.0.1:${String(peer.port)}`)
        return answer
      },
    )
    expect(sample).toMatchObject({ error: null, address: '127.0.0.1', stratum: 2, reference: 'c0000201' })
    expect(sample.reply).toMatch(/^24/)
    expect(Math.abs((sample.offset ?? 0) - 30)).toBeLessThanOrEqual((sample.uncertainty ?? 0) + 0.01)
  })

  test.each<[string, (reply: Buffer) => void, string]>([
    ['kiss of death', (reply) => void (reply.writeUInt8(0, 1), reply.write('RATE', 12)), 'kiss_RATE'],
    ['a kiss that cannot be read', (reply) => void (reply.writeUInt8(0, 1), reply.write('<b>!', 12)), 'kiss_unreadable'],
    ['a server that is not synchronised', (reply) => void reply.writeUInt8(0xe4, 0), 'unsynchronised'],
    ['stratum 16', (reply) => void reply.writeUInt8(16, 1), 'unsynchronised'],
    ['a client’s message', (reply) => void reply.writeUInt8(0x23, 0), 'wrong_mode'],
    ['version 1', (reply) => void reply.writeUInt8(0x0c, 0), 'wrong_version'],
    ['no transmit time', (reply) => void reply.fill(0, 40), 'no_time'],
    ['a dispersion of a minute', (reply) => void reply.writeUInt16BE(60, 8), 'too_uncertain'],
    ['sent before it was received', (reply) => void reply.writeUInt32BE(reply.readUInt32BE(32) - 5, 40), 'inconsistent'],
    ['held for a day', (reply) => void reply.writeUInt32BE(reply.readUInt32BE(40) - 86_400, 32), 'inconsistent'],
  ])('%s gives no time', async (_case, change, error) => {
    const sample = await withPeer(
      (request) => [ntpReply(request, 0, change)],
      (peer) => askTimeServer(deps, peer),
    )
    expect(sample).toMatchObject({ offset: null, error })
  })

  test('forged answers before the true one are passed over; a flood of them ends it', async () => {
    const forged = (request: Buffer) => ntpReply(request, 1000, (reply) => void reply.fill(7, 24, 32))
    const short = Buffer.alloc(20)
    const sample = await withPeer(
      (request) => [forged(request), short, ntpReply(request, 0)],
      (peer) => askTimeServer(deps, peer),
    )
    expect(sample.error).toBeNull()
    expect(Math.abs(sample.offset ?? 99)).toBeLessThan(1)
    const flooded = await withPeer(
      (request) => Array.from({ length: 64 }, () => forged(request)),
      (peer) => askTimeServer(deps, peer),
    )
    expect(flooded).toMatchObject({ offset: null, error: 'flooded' })
  })

  test('a closed port, a silent server, a name that does not exist: no time, and why', async () => {
    expect((await askTimeServer(deps, await closedPort())).error).toBe('ECONNREFUSED')
    const silent = await withPeer(
      () => [],
      (peer) => askTimeServer({ ...deps, timeoutMs: 50 }, peer),
    )
    expect(silent.error).toBe('timeout')
    const nowhere = await askTimeServer({ ...deps, timeoutMs: 300 }, { host: 'nowhere.invalid', port: 123 })
    expect(nowhere).toMatchObject({ offset: null, address: null })
    expect(nowhere.error).not.toBeNull()
  })

  test('times of either era are read (RFC 4330 §3)', () => {
    const at = (seconds: number) => {
      const bytes = Buffer.alloc(8)
      bytes.writeUInt32BE(seconds)
      return new Date(readNtpTimestamp(bytes, 0)).toISOString()
    }
    expect(at(0xffff_ffff)).toBe('2036-02-07T06:28:15.000Z')
    expect(at(0)).toBe('2036-02-07T06:28:16.000Z')
    expect(at(0x8000_0000)).toBe('1968-01-20T03:14:08.000Z')
  })

  test('offset and delay by the four times of RFC 4330 §5', () => {
    const nonce = Buffer.from('0102030405060708', 'hex')
    const reply = Buffer.alloc(48)
    reply.writeUInt8(0x24, 0)
    reply.writeUInt8(1, 1)
    reply.write('GPS', 12)
    nonce.copy(reply, 24)
    const write = (unixMs: number, at: number) => {
      reply.writeUInt32BE(Math.floor(unixMs / 1000) + 2_208_988_800, at)
      reply.writeUInt32BE(Math.round(((unixMs % 1000) / 1000) * 2 ** 32), at + 4)
    }
    // Sent at 1000.0 by our clock; theirs says 1002.1 at arrival, 1002.2 at departure; back after 0.4 s.
    write(1_002_100, 32)
    write(1_002_200, 40)
    expect(readTimeAnswer(reply, { nonce, at: 1_000_000 }, 400)).toEqual({
      offset: -1.95,
      delay: 0.3,
      uncertainty: 0.15,
      stratum: 1,
      reference: 'GPS',
    })
  })
})
