import { describe, expect, test } from 'vitest'
import { askStunServer, readStunAnswer } from './ask-stun-server.ts'
import { closedPort, startUdpPeer } from '../peers.fixture.ts'

const deps = { signal: new AbortController().signal, timeoutMs: 10_000 }

/** A success response with the given attributes to the request's transaction. */
function reply(request: Buffer, attributes: readonly (readonly [type: number, value: Buffer])[], type = 0x0101): Buffer {
  const body = Buffer.concat(
    attributes.map(([attribute, value]) => {
      const head = Buffer.alloc(4)
      head.writeUInt16BE(attribute, 0)
      head.writeUInt16BE(value.length, 2)
      return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)])
    }),
  )
  const head = Buffer.alloc(4)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(body.length, 2)
  return Buffer.concat([head, request.subarray(4, 20), body])
}
const mapped = Buffer.from([0, 1, 0x12, 0x34, 198, 51, 100, 7])
const xored = Buffer.from([0, 1, 0, 0, 198 ^ 0x21, 51 ^ 0x12, 100 ^ 0xa4, 7 ^ 0x42])

async function answered(make: (request: Buffer) => readonly Buffer[], timeoutMs = 10_000) {
  const peer = await startUdpPeer(make)
  try {
    return await askStunServer({ ...deps, timeoutMs }, peer)
  } finally {
    await peer.close()
  }
}

describe('K-33 STUN client', () => {
  test('the published response of RFC 5769 §2.2 and §2.3 is read', () => {
    const transaction = Buffer.from('b7e7a701bc34d686fa87dfae', 'hex')
    const four = Buffer.from(
      '0101003c2112a442b7e7a701bc34d686fa87dfae8022000b7465737420766563746f7220002000080001a147e112a643000800142b91f599fd9e90c38c7489f92af9ba53f06be7d780280004c07d4c96',
      'hex',
    )
    expect(readStunAnswer(four, transaction)).toBe('192.0.2.1')
    const six = Buffer.from(
      '010100482112a442b7e7a701bc34d686fa87dfae8022000b7465737420766563746f7220002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d900080014a382954e4be67bf11784c97c8292c275bfe3ed4180280004c8fb0b4c',
      'hex',
    )
    expect(readStunAnswer(six, transaction)).toBe('2001:db8:1234:5678:11:2233:4455:6677')
  })

  test('the address that the server saw, by either attribute', async () => {
    expect(await answered((request) => [reply(request, [[0x0020, xored]])])).toMatchObject({
      address: '198.51.100.7',
      error: null,
    })
    expect(
      await answered((request) => [
        reply(request, [
          [0x8022, Buffer.from('peer')],
          [0x0001, mapped],
        ]),
      ]),
    ).toMatchObject({
      address: '198.51.100.7',
    })
  })

  test.each<[string, (request: Buffer) => readonly Buffer[], string]>([
    ['an error response', (request) => [reply(request, [], 0x0111)], 'refused'],
    ['no address', (request) => [reply(request, [[0x8022, Buffer.from('peer')]])], 'no_address'],
    [
      'an attribute longer than the message',
      (request) => [
        Buffer.concat([reply(request, [[0x0020, xored]]).subarray(0, 22), Buffer.from([255, 255, 0, 0, 0, 0, 0, 0, 0, 0])]),
      ],
      'malformed',
    ],
    [
      'a family that does not exist',
      (request) => [reply(request, [[0x0020, Buffer.from([0, 9, 0, 0, 1, 2, 3, 4])]])],
      'malformed',
    ],
    ['a length beyond the datagram', (request) => [reply(request, [[0x0020, xored]]).subarray(0, 24)], 'malformed'],
  ])('%s gives no address', async (_case, make, error) => {
    expect(await answered(make)).toMatchObject({ address: null, error })
  })

  test('an answer to another transaction is none; nor is silence, nor a closed port', async () => {
    const other = (request: Buffer) => [reply(Buffer.concat([request.subarray(0, 8), Buffer.alloc(12, 9)]), [[0x0020, xored]])]
    expect((await answered(other, 50)).error).toBe('timeout')
    expect((await answered(() => [], 50)).error).toBe('timeout')
    expect((await askStunServer(deps, await closedPort())).error).toBe('ECONNREFUSED')
  })
})
