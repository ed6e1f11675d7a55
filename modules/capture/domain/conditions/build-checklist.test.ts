import { describe, expect, test } from 'vitest'
import { createMessages } from '../../../../platform/messages/messages.ts'
import { conditionsOf, presenceOf } from './conditions.ts'
import { buildChecklist, type Measurements } from './build-checklist.ts'
import type { ClockFacts, TimeSample } from './clock-facts.ts'
import { judgeNames, type NameAnswer, type Registration } from './network-facts.ts'
import type { ChecklistLine } from '../outcome/outcome.ts'

const registration: Registration = {
  subject: '198.51.100.7',
  kind: 'address',
  protocol: 'rdap',
  asked: ['https://rdap.example/ip/198.51.100.7'],
  name: 'Example Télécom',
  handle: 'NET-1',
  country: 'FR',
  range: ['198.51.100.0', '198.51.100.255'],
  registered_at: null,
  changed_at: null,
  expires_at: null,
  asked_at: '2026-11-21T10:00:00.000Z',
  raw: '{}',
  error: null,
}
const sample = (source: string, offset: number | null, uncertainty = 0.02): TimeSample => ({
  source,
  address: '192.0.2.1',
  asked_at: '2026-11-21T10:00:00.000Z',
  offset,
  delay: offset === null ? null : 0.02,
  uncertainty: offset === null ? null : uncertainty,
  stratum: 2,
  reference: 'c0000201',
  reply: '00',
  error: offset === null ? 'timeout' : null,
})
const clock: ClockFacts = {
  before: [sample('a:123', 0.01), sample('b:123', 0.02)],
  after: [sample('a:123', 0.01), sample('b:123', 0.02)],
  origins: [{ origin: 'https://a', offset: 0 }],
  tokens: [],
  step: 0.001,
  synchronised: true,
}
const isPublic = (address: string) => !address.startsWith('10.') && address !== '0.0.0.0'
const nameAnswer = (server: string, rcode: string | null, ...addresses: readonly string[]): NameAnswer => ({
  server,
  name: 'a.example',
  type: 'A',
  transport: rcode === null ? null : 'udp',
  rcode,
  authenticated: false,
  aliases: [],
  addresses: addresses.map((address) => ({ address, ttl: 60 })),
  reply: null,
  error: rcode === null ? 'timeout' : null,
})
const names = (...answers: readonly NameAnswer[]): Measurements['names'] => ({
  ...judgeNames(answers, ['203.0.113.5'], isPublic),
  host: 'a.example',
  used: ['203.0.113.5'],
})

const good: Measurements = {
  machine: { model: 'Dell R640', serial: 'X1', identity: 'u-1', virtualisation: 'none', container: null },
  os: 'Debian 12',
  kernel: '6.1',
  updates: {
    patched_at: '2026-11-20T08:00:00.000Z',
    upgraded_at: null,
    lists_at: '2026-11-20T07:00:00.000Z',
    pending_security: [],
    pending_other: 3,
    asked_at: '2026-11-21T09:30:00.000Z',
    browser_offered: '156.0.8078.79-1~deb12u1',
  },
  browser: 'Chromium 156.0.8078.79',
  extensions: [{ id: 'mhjf', name: 'Chromium PDF Viewer', location: 'COMPONENT', version: '1' }],
  extensionsOff: true,
  localAddresses: ['192.0.2.10'],
  gateway: '192.0.2.1',
  publicAddresses: [{ source: 'stun:s:3478', asked: '192.0.2.9', address: '198.51.100.7', error: null }],
  provider: registration,
  route: null,
  dnsServers: ['192.0.2.53'],
  names: names(nameAnswer('192.0.2.53:53', 'NOERROR', '203.0.113.5')),
  proxies: { system: [], browser: ['--proxy-server=http://127.0.0.1:3128'], foreign: [], interfaces: ['lo'] },
  onTheWay: { plain: 0, encrypted: 2 },
  firewall: { tool: 'nftables', rules: 12, drops_by_default: true, sha256: 'aa', error: null },
  antivirus: {
    installed: true,
    engine: 'ClamAV 1.4.3',
    signatures: '27460',
    signatures_at: '2026-11-20T08:00:00.000Z',
    scan: { at: '2026-11-21T10:00:05.000Z', files: [{ path: 'capture/source.html', result: 'clean', detail: null }] },
    error: null,
  },
  clock,
  profileEntries: [],
  profileSha256: 'e3',
  responses: 3,
  responsesFromDiskCache: 0,
  responsesOfUnknownOrigin: 0,
  startedAt: '2026-11-21T10:00:00.000Z',
  finishedAt: '2026-11-21T10:00:05.000Z',
  requestedUrl: 'https://a.example/',
  path: [
    { url: 'https://a.example/', status: 301, how: 'address' },
    { url: 'https://a.example/en', status: 200, how: 'redirect' },
  ],
  firstHost: 'a.example',
  askedBy: { page: 2, browser: [], unattributed: [] },
  images: 2,
  imagesMissing: 0,
  connections: 1,
  exchanges: 1,
  losses: 0,
  processesLeft: 0,
  connectionsLeft: 0,
}
const lineOf = (id: string, change: Partial<Measurements>): ChecklistLine => {
  const line = buildChecklist({ ...good, ...change }).find((one) => one.id === id)
  if (line === undefined) throw new Error(`no line ${id}`)
  return line
}
const resultOf = (id: string, change: Partial<Measurements>) => lineOf(id, change).result

const noMachine = { model: null, serial: null, identity: null, virtualisation: null, container: null }
const noFirewall = { tool: null, rules: null, drops_by_default: null, sha256: null, error: 'no_tool' }
const noAntivirus = { installed: false, engine: null, signatures: null, signatures_at: null, scan: null, error: null }

describe('K-33 the checklist of NF Z67-147', () => {
  test('where everything was measured and holds, all eighteen conditions pass, in the order of the standard', () => {
    const lines = buildChecklist(good)
    expect(lines.map(({ result }) => result)).toEqual(Array.from({ length: 18 }, () => 'pass'))
    expect(lines.map(({ id }) => id)).toEqual([
      'machine',
      'operating_system',
      'browser',
      'network_provider',
      'addresses',
      'dns',
      'proxy',
      'firewall',
      'antivirus',
      'clock',
      'empty_profile',
      'no_saved_data',
      'start_time',
      'visited_first',
      'path',
      'screenshots',
      'network_record',
      'end_of_session',
    ])
  })

  // Lines that cannot have an answer are named in decision 0346.
  test.each<[string, string, Partial<Measurements>, ChecklistLine['result']]>([
    ['machine', 'nothing known', { machine: noMachine }, 'not_measured'],
    ['machine', 'hardware without a serial number', { machine: { ...good.machine, serial: null } }, 'not_measured'],
    [
      'machine',
      'a virtual machine with its identity',
      { machine: { ...noMachine, virtualisation: 'kvm', identity: 'u' } },
      'pass',
    ],
    [
      'machine',
      'a container with its identity',
      { machine: { ...noMachine, virtualisation: 'none', container: 'docker', identity: 'u' } },
      'pass',
    ],
    ['machine', 'a virtual machine without', { machine: { ...noMachine, virtualisation: 'kvm' } }, 'not_measured'],
    ['operating_system', 'a security update waits', { updates: { ...good.updates, pending_security: ['openssl'] } }, 'fail'],
    [
      'operating_system',
      'lists of last month',
      { updates: { ...good.updates, lists_at: '2026-10-01T00:00:00.000Z' } },
      'not_measured',
    ],
    [
      'operating_system',
      'lists of last month that name one',
      { updates: { ...good.updates, lists_at: '2026-10-01T00:00:00.000Z', pending_security: ['openssl'] } },
      'fail',
    ],
    [
      'operating_system',
      'no package manager',
      { updates: { ...good.updates, lists_at: null, pending_security: null } },
      'not_measured',
    ],
    ['browser', 'a foreign extension', { extensions: [{ id: 'x', name: 'Ad', location: 'INTERNAL', version: '1' }] }, 'fail'],
    ['browser', 'the list was not given', { extensions: null }, 'not_measured'],
    ['network_provider', 'no registry answered', { provider: { ...registration, name: null, error: 'timeout' } }, 'not_measured'],
    ['network_provider', 'no public address', { provider: null }, 'not_measured'],
    [
      'path',
      'a visitor goes on, also to what was typed',
      {
        path: [
          ...good.path,
          { url: 'https://b.example/', status: 200, how: 'typed' },
          { url: 'https://b.example/c', status: 200, how: 'link' },
        ],
      },
      'pass',
    ],
    ['path', 'a visitor went further than is listed', { pathCut: true }, 'not_measured'],
    [
      'path',
      'the first page was not typed',
      { path: [{ url: 'https://a.example/', status: 200, how: 'link' }], pathCut: true },
      'fail',
    ],
    ['addresses', 'nobody outside answered', { publicAddresses: [] }, 'not_measured'],
    [
      'addresses',
      'two servers saw two addresses',
      {
        publicAddresses: [
          ...good.publicAddresses,
          { source: 'stun:t:3478', asked: '192.0.2.8', address: '198.51.100.99', error: null },
        ],
      },
      'fail',
    ],
    [
      'addresses',
      'one of each family',
      {
        publicAddresses: [
          ...good.publicAddresses,
          { source: 'stun:t:3478', asked: '2001:db8::1', address: '2001:db8::7', error: null },
        ],
      },
      'pass',
    ],
    ['dns', 'no server known', { dnsServers: [], names: null }, 'not_measured'],
    ['dns', 'an address instead of a name', { names: 'no_name' }, 'pass'],
    ['dns', 'a name whose answer was not recorded', { names: null }, 'not_measured'],
    ['dns', 'nobody answers', { names: names(nameAnswer('s', null)) }, 'not_measured'],
    ['dns', 'other addresses only', { names: names(nameAnswer('s', 'NOERROR', '203.0.113.99')) }, 'not_measured'],
    ['dns', 'the name is denied', { names: names(nameAnswer('s', 'NXDOMAIN')) }, 'fail'],
    ['dns', 'the name leads into a private network', { names: names(nameAnswer('s', 'NOERROR', '10.0.0.1')) }, 'fail'],
    [
      'dns',
      'one denies, one confirms',
      { names: names(nameAnswer('s', 'NXDOMAIN'), nameAnswer('t', 'NOERROR', '203.0.113.5')) },
      'pass',
    ],
    ['proxy', 'a proxy variable is set', { proxies: { ...good.proxies, foreign: ['http_proxy'] } }, 'fail'],
    ['proxy', 'the browser’s network was not read', { proxies: { ...good.proxies, interfaces: null } }, 'not_measured'],
    ['proxy', 'the browser had another way out', { proxies: { ...good.proxies, interfaces: ['lo', 'eth0'] } }, 'not_measured'],
    [
      'firewall',
      'rules that may not be read',
      { firewall: { ...noFirewall, tool: 'nftables', error: 'not_readable' } },
      'not_measured',
    ],
    ['firewall', 'no tool', { firewall: noFirewall }, 'not_measured'],
    ['firewall', 'an input that drops by default', { firewall: { ...good.firewall, rules: 0 } }, 'pass'],
    ['firewall', 'no rule in force', { firewall: { ...good.firewall, rules: 0, drops_by_default: false } }, 'fail'],
    ['firewall', 'no antivirus', { antivirus: noAntivirus }, 'pass'],
    ['antivirus', 'no firewall', { firewall: noFirewall }, 'pass'],
    ['antivirus', 'no antivirus', { antivirus: noAntivirus }, 'fail'],
    [
      'antivirus',
      'signatures of last month',
      { antivirus: { ...good.antivirus, signatures_at: '2026-10-20T00:00:00.000Z' } },
      'fail',
    ],
    ['antivirus', 'signatures without a date', { antivirus: { ...good.antivirus, signatures_at: null } }, 'not_measured'],
    [
      'antivirus',
      'the scan found something',
      {
        antivirus: {
          ...good.antivirus,
          scan: { at: good.startedAt, files: [{ path: 'capture/dom.html', result: 'found', detail: 'Eicar-Test-Signature' }] },
        },
      },
      'fail',
    ],
    ['empty_profile', 'a file was there', { profileEntries: ['f 12 profile/Default/Cookies'] }, 'fail'],
    ['empty_profile', 'an answer of another session', { responsesOfUnknownOrigin: 1 }, 'fail'],
    ['no_saved_data', 'a file of passwords', { profileEntries: ['f 40960 profile/Default/Login Data'] }, 'fail'],
    ['no_saved_data', 'an extension’s folder', { profileEntries: ['d 4096 profile/Default/Extensions'] }, 'fail'],
    ['no_saved_data', 'another file', { profileEntries: ['f 12 profile/Default/Cookies'] }, 'pass'],
    ['start_time', 'a clock shown wrong', { clock: { ...clock, step: 30 } }, 'fail'],
    ['visited_first', 'another page before', { path: [{ url: 'https://b.example/', status: 200, how: 'address' }] }, 'fail'],
    ['visited_first', 'another server before', { firstHost: 'ads.example' }, 'fail'],
    [
      'visited_first',
      'the browser spoke before',
      { askedBy: { page: 2, browser: ['www.google.com:443'], unattributed: [] } },
      'pass',
    ],
    ['visited_first', 'no document seen', { path: [] }, 'not_measured'],
    ['path', 'no document seen', { path: [] }, 'not_measured'],
    [
      'path',
      'the browser was sent on from outside',
      {
        path: [
          { url: 'https://a.example/', status: 200, how: 'address' },
          { url: 'https://b.example/', status: 200, how: 'address' },
        ],
      },
      'fail',
    ],
    ['screenshots', 'none', { images: 0 }, 'fail'],
    ['screenshots', 'one is missing', { imagesMissing: 1 }, 'fail'],
    ['network_record', 'nothing compared', { losses: null }, 'not_measured'],
    ['network_record', 'a body lost', { losses: 1 }, 'fail'],
    ['end_of_session', 'a process survives', { processesLeft: 1 }, 'fail'],
    ['end_of_session', 'a connection is open', { connectionsLeft: 1 }, 'fail'],
  ])('%s: %s', (id, _case, change, result) => {
    expect(resultOf(id, change)).toBe(result)
  })
})

test.each<[string, Partial<Measurements>, unknown]>([
  ['as new as what is offered', {}, 'newest'],
  ['newer', { browser: 'Chromium 157.0.1.2' }, 'newest'],
  ['older in its last part', { browser: 'Chromium 156.0.8078.9' }, 'older'],
  [
    'older by lists that are old themselves',
    { browser: 'Chromium 150.0.7871.100', updates: { ...good.updates, lists_at: '2026-10-01T00:00:00.000Z' } },
    'older',
  ],
  ['the newest of last month', { updates: { ...good.updates, lists_at: '2026-10-01T00:00:00.000Z' } }, 'not_measured'],
  ['lists that name none', { updates: { ...good.updates, browser_offered: null } }, 'not_measured'],
  ['an offer that is no version', { updates: { ...good.updates, browser_offered: '(none)' } }, 'not_measured'],
])('K-33 the browser’s age, a verdict of no point: %s', (_, change, age) => {
  const line = buildChecklist({ ...good, ...change }).find(({ id }) => id === 'browser')
  expect(line).toMatchObject({ result: 'pass', data: { age } })
})

describe('K-33 the clock', () => {
  const outside = (offset: number, embedded = false) => ({ authority: 'TSA', offset, embedded })
  test.each<[string, Partial<ClockFacts>, ChecklistLine['result']]>([
    ['no source at all', { before: [], after: [], origins: [], synchronised: null }, 'not_measured'],
    ['the system’s word alone', { before: [], after: [], origins: [] }, 'not_measured'],
    ['the system’s word against it', { before: [], after: [], origins: [], synchronised: false }, 'fail'],
    ['silent time servers', { before: [sample('a', null)], after: [sample('a', null)] }, 'not_measured'],
    ['dates of origins alone', { before: [], after: [] }, 'not_measured'],
    [
      'dates of origins against it, nobody else',
      { before: [], after: [], origins: [{ origin: 'https://a', offset: 90 }] },
      'fail',
    ],
    ['an origin off its own, time servers for it', { origins: [{ origin: 'https://a', offset: 90 }] }, 'pass'],
    ['time servers against it', { before: [sample('a', 30)], after: [sample('a', 30)] }, 'fail'],
    ['set right between two answers', { after: [sample('a', -4), sample('b', -4)] }, 'fail'],
    ['off by less than it can be told', { before: [sample('a', 1.4, 0.8)], after: [] }, 'pass'],
    ['one of three contradicts', { before: [sample('a', 0), sample('b', 0.01), sample('c', 50)], after: [] }, 'pass'],
    ['two of three against it', { before: [sample('a', 50), sample('b', 50.01), sample('c', 0)], after: [] }, 'fail'],
    ['one against one', { before: [sample('a', 0), sample('b', 50)], after: [] }, 'fail'],
    ['two near, not meeting', { before: [sample('a', 0, 0.001), sample('b', 0.3, 0.001)], after: [] }, 'pass'],
    ['an outside authority alone', { before: [], after: [], tokens: [outside(-0.4)] }, 'pass'],
    ['an outside authority against it', { tokens: [outside(20)] }, 'fail'],
    ['our own authority confirms nothing', { before: [], after: [], tokens: [outside(0, true)] }, 'not_measured'],
    ['the clock was set meanwhile', { step: -3600 }, 'fail'],
    ['the system says no, time servers yes', { synchronised: false }, 'pass'],
  ])('%s', (_case, change, result) => {
    expect(resultOf('clock', { clock: { ...clock, ...change } })).toBe(result)
  })

  test('servers that contradict the others are named', () => {
    const { data } = lineOf('clock', {
      clock: { ...clock, before: [sample('a', 0), sample('b', 0.01), sample('liar:123', 50)], after: [] },
    })
    expect(data).toMatchObject({ disagree: 1, disagreeing: 'liar:123', sources: 3, offset: 0.01 })
  })
})

test.each(['en', 'fr'] as const)('K-33 every line has its words in %s, whatever was measured', (locale) => {
  const messages = createMessages(locale)
  const bare: Partial<Measurements> = {
    machine: noMachine,
    updates: {
      patched_at: null,
      upgraded_at: null,
      lists_at: null,
      pending_security: null,
      pending_other: null,
      asked_at: null,
      browser_offered: null,
    },
    extensions: null,
    localAddresses: [],
    gateway: null,
    publicAddresses: [],
    provider: null,
    dnsServers: [],
    names: null,
    proxies: { system: [], browser: [], foreign: [], interfaces: null },
    firewall: noFirewall,
    antivirus: noAntivirus,
    clock: { before: [], after: [], origins: [], tokens: [], step: 0, synchronised: null },
    losses: null,
    path: [],
    firstHost: null,
  }
  for (const change of [
    {},
    bare,
    { names: 'no_name' as const, antivirus: { ...noAntivirus, installed: true } },
    { askedBy: { page: 2, browser: ['www.google.com:443', 'b.example:80'], unattributed: ['c.example:443'] } },
    { updates: { ...good.updates, pending_security: ['openssl', 'curl'] }, proxies: { ...good.proxies, foreign: ['x'] } },
  ]) {
    for (const { id, data } of buildChecklist({ ...good, ...change })) {
      const shown = Object.fromEntries(
        Object.entries(data).map(([name, value]) => [
          name,
          value === null ? '–' : typeof value === 'boolean' ? String(value) : value,
        ]),
      )
      const parts = (['title', 'detail', 'why'] as const).map((part) => {
        const name: string = `capture.checklist.${id}.${part}`
        if (!messages.has(name)) throw new Error(`${name} has no words`)
        return messages.format(name, { ...shown, ...presenceOf(data) })
      })
      // No argument is left open, and no line does without its reason.
      for (const part of parts) expect(part).not.toMatch(/[{}]|undefined|null|NaN|^$/)
    }
  }
})

describe('K-33 what is said of the machine', () => {
  const said = (locale: 'en' | 'fr', id: string, data: ChecklistLine['data']): string => {
    const messages = createMessages(locale)
    const name: string = `capture.checklist.${id}.detail`
    if (!messages.has(name)) throw new Error(`${name} has no words`)
    const values = Object.entries(data).map(([key, value]) => [key, value ?? 'not measured'] as const)
    return messages.format(name, { ...Object.fromEntries(values), ...presenceOf(data) }).replaceAll(/[\u00a0\u202f]/g, ' ')
  }

  test('when the package manager was asked what waits, which may have been for a session before', () => {
    const { data } = lineOf('operating_system', {})
    expect(said('en', 'operating_system', data)).toMatch(
      /not installed: none \(asked: 2026-11-21T09:30:00\.000Z\)\. Date of its lists: /,
    )
    expect(said('fr', 'operating_system', data)).toMatch(
      /non installées : aucune \(demandé le 2026-11-21T09:30:00\.000Z\)\. Date de ses listes : /,
    )
    // It did not answer; and a line that was sealed before it was told.
    const silent = lineOf('operating_system', { updates: { ...good.updates, pending_security: null, asked_at: null } }).data
    expect(said('en', 'operating_system', silent)).toMatch(/not installed: not measured\. Date/)
    const { asked_at: _, ...before } = data
    expect(said('fr', 'operating_system', before)).toMatch(/non installées : aucune\. Date/)
  })

  test('is what was measured: nothing that is met stands over “not measured”', () => {
    const virtual = lineOf('machine', { machine: { ...noMachine, virtualisation: 'kvm', identity: '3f4e' } })
    expect(virtual.result).toBe('pass')
    expect(said('en', 'machine', virtual.data)).toBe(
      'Virtual machine or container: kvm. Identity of this machine: 3f4e. No model could be read. No serial number could be read.',
    )
    expect(said('fr', 'machine', virtual.data)).toBe(
      'Machine virtuelle ou conteneur : kvm. Identité de cette machine : 3f4e. Aucun modèle n’a pu être lu. Aucun numéro de série n’a pu être lu.',
    )
    expect(said('en', 'machine', lineOf('machine', {}).data)).toBe(
      'Hardware, not a virtual machine or container. Identity of this machine: u-1. Model: Dell R640. Serial number: X1.',
    )
    expect(said('en', 'machine', lineOf('machine', { machine: noMachine }).data)).toContain('could not be told')
  })

  test('holds for lines that were sealed before, and the heading among them is no condition', () => {
    const sealed: readonly ChecklistLine[] = [
      { id: 'standard', result: 'pass', data: { standard: 'NF Z67-147' }, evidence_path: null },
      {
        id: 'protection',
        result: 'fail',
        data: {
          firewall: 'no_tool',
          tool: null,
          rules: 0,
          antivirus: 'none',
          engine: null,
          signatures_at: null,
          scan: 'no',
          clean: 0,
          found: 0,
          findings: '',
        },
        evidence_path: null,
      },
    ]
    expect(conditionsOf(sealed).map(({ id }) => id)).toEqual(['protection'])
    expect(said('en', 'protection', sealed[1]?.data ?? {})).toContain('Antivirus: none found (ClamAV was looked for).')
  })
})
