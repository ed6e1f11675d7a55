import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../../kernel/clock.ts'
import { createTlsIdentity } from '../../record/tls-identity.fixture.ts'
import { findService, parentsOf, readRegistration } from './ask-rdap.ts'
import { askWhois } from './ask-whois.ts'
import { createRegistry } from './ask-registry.ts'
import { fetchBounded } from './fetch-bounded.ts'
import { startTcpPeer, startWebPeer, type WebPeer } from '../peers.fixture.ts'

const signal = new AbortController().signal
const vetted = (...allowAddresses: readonly string[]) => ({ allowAddresses, ownAddresses: [] })

/** Shape of RFC 9083 §5.4, §5.3, cut to what is read and what surrounds it. */
const card = (name: string) => [
  'vcard',
  [
    ['version', {}, 'text', '4.0'],
    ['fn', {}, 'text', name],
  ],
]
const network = {
  objectClassName: 'ip network',
  handle: 'NET-198-51-100-0-1',
  startAddress: '198.51.100.0',
  endAddress: '198.51.100.255',
  ipVersion: 'v4',
  name: 'EXAMPLE-NET',
  country: 'FR',
  entities: [
    { objectClassName: 'entity', roles: ['abuse'], vcardArray: card('Abuse desk') },
    { objectClassName: 'entity', roles: ['registrant'], vcardArray: card('Exemple Télécom SAS') },
  ],
  events: [{ eventAction: 'last changed', eventDate: '2024-03-01T00:00:00Z' }],
}
const domain = {
  objectClassName: 'domain',
  ldhName: 'EXAMPLE.FR',
  handle: 'DOM-1',
  entities: [{ objectClassName: 'entity', roles: ['registrar'], vcardArray: card('Registrar Un') }],
  events: [
    { eventAction: 'registration', eventDate: '2001-02-03T04:05:06+01:00' },
    { eventAction: 'expiration', eventDate: '2030-01-01T00:00:00Z' },
    { eventAction: 'last changed', eventDate: 'yesterday' },
  ],
}

async function withRegistry<T>(
  answer: (path: string, origin: string) => { readonly status: number; readonly body: string; readonly location?: string },
  use: (peer: WebPeer, ask: ReturnType<typeof createRegistry>) => Promise<T>,
): Promise<T> {
  const peer: WebPeer = await startWebPeer((path) => answer(path, peer.origin))
  try {
    return await use(peer, createRegistry({ rdapBootstrap: `${peer.origin}/rdap`, whoisServer: null }))
  } finally {
    await peer.close()
  }
}
/** IANA's lists (RFC 9224) that send everything to the peer itself. */
const lists = (path: string, origin: string) =>
  /^\/rdap\/(ipv4|ipv6|dns)\.json$/.test(path)
    ? {
        status: 200,
        body: JSON.stringify({ version: '1.0', services: [[['198.51.100.0/24', 'fr', '2001:db8::/32'], [`${origin}/r/`]]] }),
      }
    : null
const address = { kind: 'address', value: '198.51.100.7' } as const

describe('K-33 RDAP', () => {
  test('the holder of an address, by way of IANA’s list', async () => {
    await withRegistry(
      (path, origin) => lists(path, origin) ?? { status: 200, body: JSON.stringify(network) },
      async (peer, registry) => {
        const deps = { clock: systemClock, vetting: vetted(peer.address), signal }
        expect(await registry.ask(deps, address)).toMatchObject({
          protocol: 'rdap',
          name: 'Exemple Télécom SAS',
          handle: 'NET-198-51-100-0-1',
          country: 'FR',
          range: ['198.51.100.0', '198.51.100.255'],
          changed_at: '2024-03-01T00:00:00.000Z',
          registered_at: null,
          raw: JSON.stringify(network),
          error: null,
        })
        expect(peer.asked).toEqual(['/rdap/ipv4.json', '/r/ip/198.51.100.7'])
        await registry.ask(deps, address)
        // The list is kept for the day; the question is asked anew.
        expect(peer.asked.slice(2)).toEqual(['/r/ip/198.51.100.7'])
      },
    )
  })

  test('a name below a registered one: the registry is asked upwards', async () => {
    await withRegistry(
      (path, origin) =>
        lists(path, origin) ??
        (path === '/r/domain/example.fr' ? { status: 200, body: JSON.stringify(domain) } : { status: 404, body: '{}' }),
      async (peer, registry) => {
        const found = await registry.ask(
          { clock: systemClock, vetting: vetted(peer.address), signal },
          { kind: 'domain', value: 'www.example.fr' },
        )
        expect(found).toMatchObject({
          subject: 'example.fr',
          name: 'Registrar Un',
          registered_at: '2001-02-03T03:05:06.000Z',
          expires_at: '2030-01-01T00:00:00.000Z',
          changed_at: null,
        })
        expect(peer.asked).toEqual(['/rdap/dns.json', '/r/domain/www.example.fr', '/r/domain/example.fr'])
      },
    )
  })

  test.each<[string, string, string]>([
    [
      'another network than the one asked about',
      JSON.stringify({ ...network, startAddress: '192.0.2.0', endAddress: '192.0.2.255' }),
      'rdap: other_subject',
    ],
    ['no JSON', '<html>', 'rdap: malformed'],
    ['JSON of another kind', '[1]', 'rdap: malformed'],
    ['more than is read', JSON.stringify({ ...network, remarks: 'x'.repeat(600_000) }), 'rdap: too_large'],
  ])('%s is no answer', async (_case, body, error) => {
    await withRegistry(
      (path, origin) => lists(path, origin) ?? { status: 200, body },
      async (peer, registry) => {
        const found = await registry.ask({ clock: systemClock, vetting: vetted(peer.address), signal }, address)
        expect(found).toMatchObject({ protocol: null, name: null, error })
      },
    )
  })

  test('a member that is not what the standard says costs only itself', () => {
    const odd = { ...network, country: 7, events: 'none', entities: [{ roles: 'registrant' }, ...network.entities] }
    expect(readRegistration(JSON.stringify(odd), address)).toMatchObject({ country: null, name: 'Exemple Télécom SAS' })
  })

  test('a list, or a redirect, that leads into a private network is not followed', async () => {
    const inside = await startWebPeer(() => ({ status: 200, body: JSON.stringify(network) }))
    try {
      for (const location of [
        inside.origin,
        'http://169.254.169.254/latest/',
        'https://10.0.0.1/',
        'http://localhost/',
        'file:///etc/passwd',
      ]) {
        await withRegistry(
          (path, origin) => lists(path, origin) ?? { status: 302, body: '', location: `${location}/x` },
          async (peer, registry) => {
            const found = await registry.ask({ clock: systemClock, vetting: vetted(peer.address), signal }, address)
            expect(found.error).toMatch(/^rdap: (?:refused_|unknown_host|bad_address|not_encrypted)/)
          },
        )
      }
      await withRegistry(
        () => ({ status: 200, body: JSON.stringify({ services: [[['198.51.100.0/24'], [`${inside.origin}/`]]] }) }),
        async (peer, registry) => {
          const found = await registry.ask({ clock: systemClock, vetting: vetted(peer.address), signal }, address)
          expect(found.error).toBe('rdap: refused_loopback')
        },
      )
      expect(inside.asked).toEqual([])
    } finally {
      await inside.close()
    }
  })

  test('a name is dialled at the address that was vetted; one that leads inside is not dialled; an unknown certificate is refused', async () => {
    const resolve = (host: string) => Promise.resolve(host === 'registry.example' ? ['127.0.0.1'] : ['203.0.113.1', '10.0.0.1'])
    const peer = await startWebPeer(() => ({ status: 200, body: 'here' }))
    const identity = createTlsIdentity('ec')
    const secure = createServer({ key: identity.key, cert: identity.cert }, (_request, response) => response.end('secret'))
    await new Promise<void>((listening) => void secure.listen(0, '127.0.0.1', listening))
    const securePort = String((secure.address() as AddressInfo).port)
    try {
      const { port } = new URL(peer.origin)
      const vetting = { ...vetted(peer.address, `127.0.0.1:${securePort}`), resolve }
      const get = (url: string) => fetchBounded({ vetting, signal }, { url, accept: '*/*', maxBytes: 100 })
      expect((await get(`http://registry.example:${port}/`)).text).toBe('here')
      await expect(get(`http://other.example:${port}/`)).rejects.toThrow('refused_')
      await expect(get(`https://registry.example:${securePort}/`)).rejects.toMatchObject({
        code: expect.stringMatching(/SELF_SIGNED|UNABLE|ALTNAME/) as string,
      })
    } finally {
      await peer.close()
      secure.closeAllConnections()
      await new Promise((closed) => void secure.close(closed))
    }
  })

  test('redirects without end are left', async () => {
    await withRegistry(
      (_path, origin) => ({ status: 301, body: '', location: `${origin}/again` }),
      async (peer) => {
        await expect(
          fetchBounded({ vetting: vetted(peer.address), signal }, { url: `${peer.origin}/`, accept: '*/*', maxBytes: 10 }),
        ).rejects.toThrow('redirected')
        expect(peer.asked).toHaveLength(4)
      },
    )
  })

  test('the most specific service counts, HTTPS before HTTP (RFC 9224 §3, §4)', () => {
    const services = {
      services: [
        [['198.0.0.0/8'], ['https://wide.example/']],
        [['198.51.100.0/24'], ['http://plain.example', 'https://narrow.example']],
        [['2001:db8::/32'], ['https://six.example/']],
        [['fr', 'com.fr'], ['https://fr.example/']],
        [['300.1.2.3/8', 'x/y', ''], ['https://broken.example/']],
      ] as [string[], string[]][],
    }
    const find = (kind: 'address' | 'domain', value: string) => findService(services, { kind, value })
    expect(find('address', '198.51.100.7')).toBe('https://narrow.example/')
    expect(find('address', '198.52.0.1')).toBe('https://wide.example/')
    expect(find('address', '2001:db8::7')).toBe('https://six.example/')
    expect(find('address', '203.0.113.1')).toBeNull()
    expect(find('domain', 'a.b.fr')).toBe('https://fr.example/')
    expect(find('domain', 'a.xfr')).toBeNull()
    expect(parentsOf('a.b.c.d.example.fr')).toEqual(['b.c.d.example.fr', 'c.d.example.fr', 'd.example.fr', 'example.fr'])
  })
})

describe('K-33 whois', () => {
  test('where RDAP does not answer, whois is asked, and its referral followed', async () => {
    const registry = await startTcpPeer(
      () => 'NetRange:  198.51.100.0 - 198.51.100.255\r\nOrgName:   Example Networks\r\nCountry: FR\r\nRegDate: 2001-01-02\r\n',
    )
    const first = await startTcpPeer(() => `% IANA\r\nrefer: 127.0.0.1:${String(registry.port)}\r\n`)
    try {
      const asked = createRegistry({ rdapBootstrap: null, whoisServer: first })
      const vetting = vetted(`127.0.0.1:${String(first.port)}`, `127.0.0.1:${String(registry.port)}`)
      expect(await asked.ask({ clock: systemClock, vetting, signal }, address)).toMatchObject({
        protocol: 'whois',
        name: 'Example Networks',
        country: 'FR',
        range: ['198.51.100.0', '198.51.100.255'],
        registered_at: '2001-01-02T00:00:00.000Z',
        asked: [`127.0.0.1:${String(first.port)}`, `127.0.0.1:${String(registry.port)}`],
        error: null,
      })
      expect(registry.asked[0]?.toString()).toBe('198.51.100.7\r\n')
    } finally {
      await Promise.all([registry.close(), first.close()])
    }
  })

  test('a referral into a private network, to itself, or to nothing readable is not followed', async () => {
    const inside = await startTcpPeer(() => 'OrgName: Inside\r\n')
    const first = await startTcpPeer(() => `refer: 127.0.0.1:${String(inside.port)}\r\nOrgName: Outside\r\n`)
    try {
      const vetting = vetted(`127.0.0.1:${String(first.port)}`)
      await expect(askWhois({ vetting, signal }, first, address)).rejects.toThrow('refused_loopback')
      expect(inside.asked).toEqual([])
    } finally {
      await Promise.all([inside.close(), first.close()])
    }
    for (const refer of ['; rm -rf /', 'whois://bad host', '']) {
      const peer = await startTcpPeer(() => `refer: ${refer}\r\nOrgName: Here\r\n`)
      const self = await startTcpPeer(
        (request) => `refer: 127.0.0.1:${String(self.port)}\r\nOrgName: ${request.toString().trim()}\r\n`,
      )
      try {
        expect(await askWhois({ vetting: vetted(`127.0.0.1:${String(peer.port)}`), signal }, peer, address)).toMatchObject({
          name: 'Here',
        })
        const found = await askWhois({ vetting: vetted(`127.0.0.1:${String(self.port)}`), signal }, self, address)
        expect(found).toMatchObject({ name: '198.51.100.7', asked: [`127.0.0.1:${String(self.port)}`] })
      } finally {
        await Promise.all([peer.close(), self.close()])
      }
    }
  })

  test('an answer without end is cut; one without a holder is none', async () => {
    const long = await startTcpPeer(() => `OrgName: First\r\n${'x'.repeat(300_000)}`, { end: false })
    const empty = await startTcpPeer(() => 'No match\r\n')
    try {
      const found = await askWhois({ vetting: vetted(`127.0.0.1:${String(long.port)}`), signal }, long, address)
      expect(found.name).toBe('First')
      expect(found.raw).toHaveLength(65_536)
      await expect(askWhois({ vetting: vetted(`127.0.0.1:${String(empty.port)}`), signal }, empty, address)).rejects.toThrow(
        'not_registered',
      )
    } finally {
      await Promise.all([long.close(), empty.close()])
    }
  })
})
