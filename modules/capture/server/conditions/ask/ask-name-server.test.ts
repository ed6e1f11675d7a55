import { Resolver } from 'node:dns/promises'
import { describe, expect, test } from 'vitest'
import { askNameServer } from './ask-name-server.ts'
import { readDnsAnswer, writeDnsQuestion } from './dns-message.ts'
import { closedPort, dnsName, dnsReply, startNameServer } from '../peers.fixture.ts'

const deps = { signal: new AbortController().signal, timeoutMs: 10_000 }
const question = { name: 'www.example.fr', type: 'A' } as const
const a = (name: string, ...octets: readonly number[]) => ({ name, type: 1, ttl: 300, data: Buffer.from(octets) })
const cname = (name: string, target: string) => ({ name, type: 5, ttl: 60, data: dnsName(target) })

async function answered(
  byUdp: (request: Buffer) => readonly Buffer[],
  byTcp?: (request: Buffer) => Buffer | null,
  timeoutMs = 10_000,
) {
  const peer = await startNameServer(byUdp, byTcp)
  try {
    return { ...(await askNameServer({ ...deps, timeoutMs }, peer.server, question)), tcpAsked: peer.tcpAsked }
  } finally {
    await peer.close()
  }
}

describe('K-33 DNS client', () => {
  test('addresses with their time to live, through aliases; what belongs to another name does not count', async () => {
    const answer = await answered((request) => [
      dnsReply(
        request,
        [
          cname('', 'edge.example.net'),
          a('edge.example.net', 203, 0, 113, 5),
          a('edge.example.net', 203, 0, 113, 6),
          a('evil.example.org', 10, 0, 0, 1),
        ],
        { flags: 0x81a0 },
      ),
    ])
    expect(answer).toMatchObject({
      transport: 'udp',
      rcode: 'NOERROR',
      authenticated: true,
      aliases: ['edge.example.net'],
      addresses: [
        { address: '203.0.113.5', ttl: 300 },
        { address: '203.0.113.6', ttl: 300 },
      ],
      error: null,
    })
    expect(answer.reply).not.toBeNull()
  })

  test('another resolver, asked of the same server, reads the same', async () => {
    const peer = await startNameServer((request) => [dnsReply(request, [a('', 203, 0, 113, 5)])])
    try {
      const resolver = new Resolver()
      resolver.setServers([`127.0.0.1:${String(peer.server.port)}`])
      const answer = await askNameServer(deps, peer.server, question)
      expect(answer.addresses).toEqual(await resolver.resolve4('www.example.fr', { ttl: true }))
    } finally {
      await peer.close()
    }
  })

  test('an answer that was cut is asked for again by TCP', async () => {
    const answer = await answered(
      (request) => [dnsReply(request, [], { flags: 0x8380 })],
      (request) => dnsReply(request, [a('', 203, 0, 113, 9)]),
    )
    expect(answer).toMatchObject({ transport: 'tcp', addresses: [{ address: '203.0.113.9' }], error: null })
    expect(answer.tcpAsked).toHaveLength(1)
    const closed = await answered((request) => [dnsReply(request, [], { flags: 0x8380 })])
    expect(closed).toMatchObject({ transport: null, error: 'closed' })
  })

  test('a name that does not exist, a server that refuses, a server that fails: said as the server says it', async () => {
    for (const [code, name] of [
      [3, 'NXDOMAIN'],
      [5, 'REFUSED'],
      [2, 'SERVFAIL'],
      [15, 'RCODE15'],
    ] as const) {
      const answer = await answered((request) => [dnsReply(request, [], { flags: 0x8180 | code })])
      expect(answer).toMatchObject({ rcode: name, addresses: [], error: null })
    }
  })

  test.each<[string, (request: Buffer) => Buffer]>([
    [
      'a name that points at itself',
      (request) =>
        Buffer.concat([
          dnsReply(request, [a('', 1, 2, 3, 4)]).subarray(0, -16),
          Buffer.from([0xc0, 0x20, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 1, 2, 3, 4]),
        ]),
    ],
    [
      'a record longer than the message',
      (request) => Buffer.concat([dnsReply(request, [a('', 1, 2, 3, 4)]).subarray(0, -6), Buffer.from([255, 255, 1, 2, 3, 4])]),
    ],
    ['an address of three octets', (request) => dnsReply(request, [{ name: '', type: 1, ttl: 1, data: Buffer.from([1, 2, 3]) }])],
    [
      'an alias that runs past its record',
      (request) => dnsReply(request, [{ name: '', type: 5, ttl: 1, data: Buffer.from([9, 97]) }]),
    ],
    ['the start of an answer', (request) => dnsReply(request, [a('', 1, 2, 3, 4)]).subarray(0, -3)],
  ])('%s is not read further', async (_case, make) => {
    const answer = await answered((request) => [make(request)])
    expect(answer).toMatchObject({ addresses: [], error: 'malformed' })
  })

  test('answers to other questions are passed over: another number, another name, a question sent back', async () => {
    const answer = await answered((request) => {
      const other = Buffer.from(dnsReply(request, [a('', 10, 0, 0, 1)]))
      other.writeUInt16BE((other.readUInt16BE(0) + 1) % 65_536, 0)
      const name = Buffer.from(dnsReply(request, [a('', 10, 0, 0, 2)]))
      name.write('xxx', 13)
      return [other, name, request, dnsReply(request, [a('', 203, 0, 113, 5)])]
    })
    expect(answer.addresses).toEqual([{ address: '203.0.113.5', ttl: 300 }])
  })

  test('a circle of aliases ends', () => {
    const asked = writeDnsQuestion(7, question.name, 'A')
    const answer = readDnsAnswer(dnsReply(asked, [cname('', 'b.example'), cname('b.example', question.name)]), {
      id: 7,
      ...question,
    })
    expect(answer?.addresses).toEqual([])
  })

  test('no octets make it hang or throw anything else', () => {
    const asked = writeDnsQuestion(7, question.name, 'A')
    const sound = dnsReply(asked, [cname('', 'edge.example.net'), a('edge.example.net', 203, 0, 113, 5)])
    for (let at = 0; at < sound.length; at += 1) {
      for (const value of [0, 1, 0x3f, 0x40, 0xc0, 0xff]) {
        const changed = Buffer.from(sound)
        changed[at] = value
        let failure: unknown = null
        try {
          readDnsAnswer(changed, { id: 7, ...question })
        } catch (error) {
          failure = error
        }
        if (failure !== null) expect(failure).toMatchObject({ name: 'ProbeError' })
      }
    }
    expect(sound.length).toBeGreaterThan(60)
  })

  test('silence and a closed port are no answers', async () => {
    expect((await answered(() => [], undefined, 50)).error).toBe('timeout')
    expect((await askNameServer(deps, await closedPort(), question)).error).toBe('ECONNREFUSED')
  })
})
