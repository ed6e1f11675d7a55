import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import * as fc from '../testing/fast-check.ts'
import { expect, test } from 'vitest'
import {
  canonicalIp,
  classifyAddress,
  formatIp,
  isAllowedAddress,
  parseAddressAndPort,
  parseIp,
  parseIpv4,
  parseIpv6,
} from './ip-address.ts'
import { specialPurposeBlocks } from './special-purpose-blocks.ts'
import { share } from '../testing/sweep.ts'

const ipv4 = fc.uint8Array({ minLength: 4, maxLength: 4 })
const ipv6 = fc.uint8Array({ minLength: 16, maxLength: 16 })

test('text and bytes are each other, and canonical text is what the WHATWG URL parser writes', () => {
  fc.assert(
    fc.property(fc.oneof(ipv4, ipv6), (bytes) => {
      const text = formatIp(bytes)
      expect(parseIp(text)).toEqual(Uint8Array.from(bytes))
      expect(new URL(`http://${bytes.length === 4 ? text : `[${text}]`}/`).hostname).toBe(bytes.length === 4 ? text : `[${text}]`)
    }),
    { numRuns: share(2_000) },
  )
})

test('what we take as an address, the system takes as well; odd spellings are none', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9a-fA-F:.]{0,20}$/), (text) => {
      const bytes = parseIp(text)
      if (bytes !== null) expect(isIP(text)).toBe(bytes.length === 4 ? 4 : 6)
      if (isIP(text) === 6) expect(bytes).not.toBeNull()
    }),
    { numRuns: share(20_000) },
  )
  for (const text of ['', '1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.256', '0x1.2.3.4', '1.2.3.4 ', '1.2.3.-4'])
    expect(parseIpv4(text)).toBeNull()
  for (const text of [
    '',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    '12345::',
    ':1::',
    '1::2:',
    '::1%lo',
    '[::1]',
    '::1.2.3',
    '1.2.3.4::',
    '::1.2.3.4:5',
    ':1.2.3.4',
  ])
    expect([text, parseIpv6(text)]).toEqual([text, null])
  expect(formatIp(parseIpv6('::FFFF:1.2.3.4') ?? new Uint8Array())).toBe('::ffff:102:304')
  expect(formatIp(parseIpv6('1:0:0:2:0:0:0:3') ?? new Uint8Array())).toBe('1:0:0:2::3')
  expect(formatIp(parseIpv6('1:2:3:4:5:6:7::') ?? new Uint8Array())).toBe('1:2:3:4:5:6:7:0')
  expect(canonicalIp('::ffff:127.0.0.1')).toBe('127.0.0.1')
})

test('the table of blocks is what the registries of IANA say', () => {
  const refused: string[] = []
  for (const file of ['iana-ipv4-special-registry-1.csv', 'iana-ipv6-special-registry-1.csv']) {
    const rows = parseCsv(readFileSync(new URL(`./iana/${file}`, import.meta.url), 'utf8'))
    expect(rows[0]?.[8]).toBe('Globally Reachable')
    expect(rows.length).toBeGreaterThan(20)
    for (const row of rows.slice(1)) {
      if (row[8] === 'True') continue
      for (const block of (row[0] ?? '').split(',')) refused.push(block.replace(/\[.*/, '').trim())
    }
  }
  const ours = specialPurposeBlocks.map(({ bytes, prefix }) => `${formatIp(bytes)}/${prefix}`)
  // Ours alone: multicast has a registry of its own, and NAT64 is refused although reachable.
  expect(ours.filter((block) => !refused.map(normalise).includes(block))).toEqual(['224.0.0.0/4', '64:ff9b::/96'])
  expect(refused.map(normalise).filter((block) => !ours.includes(block))).toEqual([])
})

const normalise = (block: string): string => {
  const [address = '', prefix = ''] = block.split('/')
  return `${formatIp(parseIp(address) ?? new Uint8Array(4))}/${prefix}`
}

function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end !== ',') rows.push([])
  }
  return rows.filter((row) => row.length > 5)
}

test.each([
  ['8.8.8.8', 'global'],
  ['1.1.1.1', 'global'],
  ['126.255.255.255', 'global'],
  ['128.0.0.0', 'global'],
  ['172.15.255.255', 'global'],
  ['172.32.0.0', 'global'],
  ['192.31.196.1', 'global'],
  ['223.255.255.255', 'global'],
  ['2606:4700:4700::1111', 'global'],
  ['2001:4860:4860::8888', 'global'],
  ['2000::', 'global'],
  ['2a00:1450::1', 'global'],
  ['2001:470:1:2:0:5efe:808:808', 'global'],
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'this_network'],
  ['10.255.255.255', 'private_use'],
  ['100.64.0.1', 'shared_address_space'],
  ['100.127.255.255', 'shared_address_space'],
  ['127.0.0.1', 'loopback'],
  ['169.254.169.254', 'link_local'],
  ['172.16.0.1', 'private_use'],
  ['172.31.255.255', 'private_use'],
  ['192.0.0.9', 'protocol_assignment'],
  ['192.0.2.1', 'documentation'],
  ['192.88.99.1', 'relay_anycast'],
  ['192.168.255.255', 'private_use'],
  ['198.19.255.255', 'benchmarking'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['168.63.129.16', 'cloud_endpoint'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::7f00:1', 'not_global_unicast'],
  ['::ffff:8.8.8.8', 'ipv4_mapped'],
  ['64:ff9b::8.8.8.8', 'nat64'],
  ['64:ff9b:1::1', 'nat64'],
  ['100::1', 'discard_only'],
  ['2001::1', 'teredo'],
  ['2001:1::1', 'protocol_assignment'],
  ['2001:2::1', 'benchmarking'],
  ['2001:20::1', 'protocol_assignment'],
  ['2001:db8::1', 'documentation'],
  ['2002:808:808::1', 'six_to_four'],
  ['2001:470:1:2:0:5efe:7f00:1', 'isatap'],
  ['2001:470:1:2:200:5efe:a00:1', 'isatap'],
  ['3fff::1', 'documentation'],
  ['4000::1', 'not_global_unicast'],
  ['5f00::1', 'segment_routing'],
  ['fd00::1', 'unique_local'],
  ['fe80::1', 'link_local'],
  ['fec0::1', 'not_global_unicast'],
  ['ff02::1', 'not_global_unicast'],
  ['localhost', 'unparseable'],
])('%s is %s', (address, reason) => {
  expect(classifyAddress(address)).toEqual({ global: reason === 'global', reason })
})

test('own addresses are refused in either family and spelling', () => {
  expect(classifyAddress('8.8.8.8', ['8.8.8.8'])).toEqual({ global: false, reason: 'own_address' })
  expect(classifyAddress('2606:4700:0::1', ['2606:4700::1']).reason).toBe('own_address')
  expect(classifyAddress('8.8.4.4', ['8.8.8.8']).global).toBe(true)
})

test('exceptions are one address, one port, strictly written', () => {
  expect(parseAddressAndPort('127.0.0.1:8123')).toEqual({ ip: '127.0.0.1', port: 8123 })
  expect(parseAddressAndPort('[0::1]:80')).toEqual({ ip: '::1', port: 80 })
  for (const text of [
    '',
    '127.0.0.1',
    '127.0.0.1:',
    '127.0.0.1:0',
    '127.0.0.1:65536',
    '127.0.0.1:080',
    '127.1:80',
    '::1:80',
    '[::1]',
    'localhost:80',
    '127.0.0.1:80 ',
    '[127.0.0.1]:80',
    '127.0.0.1/8:80',
  ])
    expect([text, parseAddressAndPort(text)]).toEqual([text, null])
  expect(isAllowedAddress(['127.0.0.1:80'], '127.0.0.1', 80)).toBe(true)
  expect(isAllowedAddress(['127.0.0.1:80'], '127.0.0.1', 81)).toBe(false)
  expect(isAllowedAddress(['127.0.0.1:80'], '::ffff:127.0.0.1', 80)).toBe(false)
  expect(isAllowedAddress(['x', '*:80', '0.0.0.0/0:80'], '127.0.0.1', 80)).toBe(false)
})

/**
 * The oracle is CPython's ipaddress.is_global, which was written apart from us. It differs where Python 3.11 follows older
 * registries or another rule; each difference is written here as its own network, in Python, and nowhere else.
 */
const oracle = String.raw`
import ipaddress, sys
n = ipaddress.ip_network
stricter = [n(x) for x in ('224.0.0.0/4', '192.0.0.0/24', '192.88.99.0/24', '168.63.129.16/32',
    '64:ff9b::/96', '2001::/23', '2002::/16', '3fff::/20')]
unicast = n('2000::/3')
def ok(raw):
    a = ipaddress.ip_address(raw)
    if not a.is_global or any(a.version == x.version and a in x for x in stricter): return False
    if a.version == 4: return True
    if a not in unicast: return False
    if raw[8] in (0, 2) and raw[9:12] == b'\x00\x5e\xfe': return ok(raw[12:])
    return True
data = sys.stdin.buffer
out = bytearray()
while (size := data.read(1)):
    out.append(49 if ok(data.read(size[0])) else 48)
sys.stdout.buffer.write(out)
`

test(`${share(1_000_000)} samples: the classifier and an independent oracle agree on every one`, async () => {
  const count = share(1_000_000)
  const edges = specialPurposeBlocks.flatMap(({ bytes, prefix }) => edgesOf(bytes, prefix))
  expect(edges.length).toBeGreaterThan(150)
  // Random by a fixed seed: a third uniform, two thirds close to the edges of the blocks or inside global unicast.
  let state = 0x9e3779b9
  const random = (): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0
    return ((state ^ (state >>> 13)) >>> 8) & 255
  }
  const samples: Uint8Array[] = edges
  while (samples.length < count) {
    const kind = samples.length % 3
    const sample = new Uint8Array(samples.length & 1 ? 4 : 16).map(random)
    if (kind === 1) {
      const block = specialPurposeBlocks[(random() * 256 + random()) % specialPurposeBlocks.length]
      if (block !== undefined) {
        const near = block.bytes.slice()
        const from = Math.max(0, Math.floor(block.prefix / 8) - (random() & 1))
        for (let i = from; i < near.length; i += 1) near[i] = random()
        samples.push(near)
        continue
      }
    }
    if (kind === 2 && sample.length === 16) {
      sample[0] = 0x20 | ((sample[0] ?? 0) & 0x1f)
      if ((random() & 3) === 0) sample.set([random() & 2, 0, 0x5e, 0xfe, [10, 127, 8, 192][random() & 3] ?? 0], 8)
    }
    samples.push(sample)
  }
  const python = spawn('python3', ['-c', oracle], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answered = (async () => {
    const chunks: Buffer[] = []
    for await (const chunk of python.stdout) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  })()
  python.stdin.end(Buffer.concat(samples.flatMap((sample) => [Uint8Array.of(sample.length), sample])))
  const ours = Buffer.from(samples.map((sample) => (classifyAddress(sample).global ? 49 : 48)))
  const theirs = await answered
  expect(theirs.length).toBe(count)
  const wrong = samples.filter((_, i) => ours[i] !== theirs[i])
  expect(wrong.slice(0, 20).map(formatIp)).toEqual([])
  const global = ours.reduce((sum, byte) => sum + (byte === 49 ? 1 : 0), 0)
  expect(global).toBeGreaterThan(count / 5)
  expect(global).toBeLessThan((count / 5) * 4)
})

/** First and last address of a block and their neighbours outside. */
function edgesOf(bytes: Uint8Array, prefix: number): Uint8Array[] {
  const bits = bytes.length * 8
  const first = bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
  const last = first + (1n << BigInt(bits - prefix)) - 1n
  const limit = 1n << BigInt(bits)
  return [first - 1n, first, first + 1n, last - 1n, last, last + 1n]
    .filter((value) => value >= 0n && value < limit)
    .map((value) => Uint8Array.from({ length: bytes.length }, (_, i) => Number((value >> BigInt(bits - 8 - i * 8)) & 255n)))
}
