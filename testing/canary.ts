/**
 * Spellings of addresses that no capture may reach, and a server that listens on all of this machine's addresses and counts
 * who came. What keeps captures inside is right when every vector was tried and the canary has no hit.
 */
import { execFileSync } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { hostname } from 'node:os'

export type AddressVector = {
  /** Unique, safe in a URL. */
  readonly id: string
  /** Host as it would stand in a URL, brackets included. */
  readonly host: string
  /** The text alone says that it is not public; otherwise only its DNS answer does. */
  readonly decidable: boolean
}

export type CanaryHit = { readonly address: string; readonly first_bytes: string }

export type Canary = {
  readonly port: number
  /** IPv4 address that is private and not loopback when the system lets us add one, else 127.0.0.2. */
  readonly privateAddress: string
  readonly hits: readonly CanaryHit[]
  close(): Promise<void>
}

/** Listens on every address, IPv4 and IPv6, of this machine. */
export async function startCanary(): Promise<Canary> {
  const hits: { address: string; first_bytes: string }[] = []
  const server = createServer((socket) => {
    const hit = { address: socket.localAddress ?? '', first_bytes: '' }
    hits.push(hit)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      hit.first_bytes ||= chunk.subarray(0, 200).toString('latin1')
      socket.end('HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 6\r\nConnection: close\r\n\r\ncanary')
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: 0, host: '::' }, resolve)
  })
  // By process, so that test runs side by side don't remove each other's address.
  const wanted = `10.213.${(process.pid >> 8) & 255}.${process.pid & 255}`
  const added = ip('addr', 'add', `${wanted}/32`, 'dev', 'lo')
  return {
    port: (server.address() as AddressInfo).port,
    privateAddress: added ? wanted : '127.0.0.2',
    hits,
    close: async () => {
      if (added) ip('addr', 'del', `${wanted}/32`, 'dev', 'lo')
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function ip(...args: string[]): boolean {
  try {
    execFileSync('ip', args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const digits = (text: string, zero: number): string => text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
const percent = (text: string): string => Array.from(text, (char) => `%${char.charCodeAt(0).toString(16)}`).join('')
const hexGroups = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string =>
  `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`

/** Every way we know to write an IPv4 address, those included that URL parsers refuse. */
function spellings(address: string): readonly (readonly [string, string])[] {
  const bytes = address.split('.').map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  const groups = hexGroups(bytes)
  return [
    ['dotted', address],
    ['trailing-dot', `${address}.`],
    ['decimal', String(whole)],
    ['decimal-dot', `${whole}.`],
    ['hex', `0x${whole.toString(16)}`],
    ['hex-upper', `0X${whole.toString(16).toUpperCase()}`],
    ['octal', `0${whole.toString(8)}`],
    ['octal-padded', `000${whole.toString(8)}`],
    ['dotted-hex', bytes.map((byte) => `0x${byte.toString(16)}`).join('.')],
    ['dotted-octal', bytes.map((byte) => `0${byte.toString(8)}`).join('.')],
    ['mixed', `0x${a.toString(16)}.${b}.0${c.toString(8)}.${d}`],
    ['two-part', `${a}.${(b << 16) | (c << 8) | d}`],
    ['two-part-hex', `0x${a.toString(16)}.0x${((b << 16) | (c << 8) | d).toString(16)}`],
    ['three-part', `${a}.${b}.${(c << 8) | d}`],
    ['overflow', String(whole + 2 ** 32)],
    ['fullwidth', digits(address, 0xff10)],
    ['mathematical', digits(address, 0x1d7d8)],
    ['ideographic-dots', address.replaceAll('.', '\u3002')],
    ['fullwidth-dots', address.replaceAll('.', '\uff0e')],
    ['percent', percent(address)],
    ['percent-dots', address.replaceAll('.', '%2e')],
    ['soft-hyphen', address.replace('.', '.\u00ad')],
    ['mapped', `[::ffff:${address}]`],
    ['mapped-hex', `[::ffff:${groups}]`],
    ['mapped-long', `[0:0:0:0:0:FFFF:${groups}]`],
    ['compatible', `[::${address}]`],
    ['translated', `[::ffff:0:${address}]`],
    ['nat64', `[64:ff9b::${address}]`],
    ['nat64-local', `[64:ff9b:1::${groups}]`],
    ['six-to-four', `[2002:${groups}::1]`],
    ['teredo', `[2001:0:${groups}:0:ffff:${hexGroups(bytes.map((byte) => 255 - byte))}]`],
    ['isatap', `[2001:470:1:2:0:5efe:${groups}]`],
    ['isatap-local', `[fe80::5efe:${address}]`],
  ]
}

/** Names that only their DNS answer gives away; `vectorAnswers` resolves them. */
const privateNames: Readonly<Record<string, (privateAddress: string) => readonly string[]>> = {
  'loopback.canary.test': () => ['127.0.0.1'],
  'loopback6.canary.test': () => ['::1'],
  'private.canary.test': (address) => [address],
  'mapped.canary.test': () => ['::ffff:127.0.0.1'],
  'nat64.canary.test': () => ['64:ff9b::7f00:1'],
  'six-to-four.canary.test': () => ['2002:7f00:1::1'],
  'unspecified.canary.test': () => ['0.0.0.0'],
  'unspecified6.canary.test': () => ['::'],
  'link-local.canary.test': () => ['169.254.169.254'],
  'unique-local.canary.test': () => ['fd00::2'],
  'mixed-first.canary.test': () => ['127.0.0.1', '192.31.196.1'],
  'mixed-last.canary.test': () => ['192.31.196.1', '127.0.0.1'],
  'mixed-families.canary.test': () => ['192.31.196.1', '::1'],
  'garbage.canary.test': () => ['127.1', 'localhost', '0x7f000001'],
  '127.0.0.1.canary.test': () => ['127.0.0.1'],
  'xn--bcher-kva.canary.test': () => ['127.0.0.1'],
}

export function vectorAnswers(name: string, privateAddress: string): readonly string[] | null {
  return privateNames[name]?.(privateAddress) ?? null
}

/** Answers with a public address at first (one of AS112, which serves no page), then with loopback. */
export function rebindingAnswers(): (name: string) => readonly string[] {
  const asked = new Map<string, number>()
  return (name) => {
    const times = asked.get(name) ?? 0
    asked.set(name, times + 1)
    return times === 0 ? ['192.31.196.1'] : ['127.0.0.1']
  }
}

export function addressVectors(privateAddress: string): readonly AddressVector[] {
  const spelled = [
    ['loopback', '127.0.0.1'],
    ['loopback-other', '127.13.37.1'],
    ['private', privateAddress],
    ['any', '0.0.0.0'],
    ['metadata', '169.254.169.254'],
  ].flatMap(([label = '', address = '']) =>
    spellings(address).map(([form, host]) => ({ id: `${label}-${form}`, host, decidable: true })),
  )
  const plain = [
    ['zero', '0'],
    ['short', '127.1'],
    ['loopback6', '[::1]'],
    ['loopback6-long', '[0000:0000:0000:0000:0000:0000:0000:0001]'],
    ['any6', '[::]'],
    ['link-local6', '[fe80::1]'],
    ['link-local6-zone', '[fe80::1%25lo]'],
    ['link-local6-bare-zone', '[fe80::1%lo]'],
    ['loopback6-zone', '[::1%25lo]'],
    ['unique-local', '[fd00::2]'],
    ['unique-local-fc', '[fc00::1]'],
    ['site-local', '[fec0::1]'],
    ['multicast6', '[ff02::1]'],
    ['documentation6', '[2001:db8::1]'],
    ['documentation6-new', '[3fff::1]'],
    ['segment-routing', '[5f00::1]'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['carrier-nat', '100.64.0.1'],
    ['cloud-endpoint', '168.63.129.16'],
    ['cloud-metadata', '100.100.100.200'],
    ['documentation', '192.0.2.2'],
    ['benchmarking', '198.18.0.1'],
    ['pcp-anycast', '192.0.0.9'],
    ['home-router', '192.168.0.1'],
    ['localhost', 'localhost'],
    ['localhost-upper', 'LOCALHOST'],
    ['localhost-dot', 'localhost.'],
    ['localhost-sub', 'a.b.localhost'],
    ['localhost-fullwidth', '\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54'],
    ['localhost-soft-hyphen', 'local\u00adhost'],
    ['localhost-percent', '%6cocalhost'],
    ['localdomain', 'localhost.localdomain'],
    ['ip6-localhost', 'ip6-localhost'],
    ['single-label', 'intranet'],
    ['machine', hostname().replace(/[^a-zA-Z0-9.-]/g, '') || 'machine'],
    ['mdns', 'printer.local'],
    ['internal', 'metadata.google.internal'],
    ['home-arpa', 'router.home.arpa'],
  ].map(([id = '', host = '']) => ({ id, host, decidable: true }))
  const named = Object.keys(privateNames).map((host) => ({ id: `name-${host.replaceAll('.', '-')}`, host, decidable: false }))
  return [...spelled, ...plain, ...named]
}
