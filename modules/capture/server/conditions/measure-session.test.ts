/** The conditions of whole captures, in a real browser, each seen in more than one answer by changing the real thing. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock, type Clock } from '../../../../kernel/clock.ts'
import { classifyAddress } from '../../../../kernel/ip-address.ts'
import { chromiumPath } from '../../../../platform/browser/browser-flags.ts'
import { connectCdp } from '../../../../platform/browser/cdp-connection.ts'
import { jailCommand, jailFiles, jailHome, jailScript } from '../../../../platform/browser/jail.ts'
import { killTree } from '../../../../platform/browser/process-tree.ts'
import { createSessionFolder } from '../../../../platform/browser/session-folder.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { makeTalkingBrowser } from '../../../../testing/talking-browser.ts'
import { startFixtureSite, type FixtureSite } from '../../../../testing/site/start-fixture-site.ts'

import { judgeClock, type ClockFacts } from '../../domain/conditions/clock-facts.ts'
import { judgeNames } from '../../domain/conditions/network-facts.ts'
import { captureStatic, defaultCaptureLimits, type CaptureResult } from '../index.ts'
import { deriveMachineId } from './machine/measure-machine.ts'
import {
  createConditionProbes,
  listExtensions,
  measureClockOffset,
  measurePublicAddress,
  measureProxies,
  noOutsideSources,
  type Conditions,
  type OutsideSources,
  type SessionConditions,
} from './index.ts'
import { interfacesOf } from './machine/measure-proxies.ts'
import { closedPort, dnsReply, ntpReply, startNameServer, startUdpPeer, type Peer } from './peers.fixture.ts'
import { defaultTiming, readGateway, type ProbeTiming } from './start-conditions.ts'

const portOf = (server: Server): number => (server.address() as AddressInfo).port

let site: FixtureSite
let workDir: string
beforeAll(async () => {
  site = await startFixtureSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'probant-conditions-'))
})
afterEach(() => rm(workDir, { recursive: true, force: true }))

/** However busy the machine is, peers that answer are heard. */
const patient: ProbeTiming = { askMs: 40_000, nameMs: 40_000, routeMs: 40_000, graceMs: 40_000, graceOfflineMs: 40_000 }

async function capture(
  sources: Partial<OutsideSources>,
  options: {
    readonly path?: string
    readonly origin?: string
    readonly allow?: readonly string[]
    readonly timing?: ProbeTiming
    readonly program?: string
  } = {},
): Promise<CaptureResult> {
  const { path = '/shadow/', timing = patient, origin = site.origin, program } = options

  return captureStatic(
    {
      evidenceId: 'test',
      url: origin + path,
      locale: 'fr',
      workDir,
      limits: defaultCaptureLimits,
      allowAddresses: [...site.addresses, ...(options.allow ?? [])],
      includeTlsKeys: false,
      onProgress: () => undefined,
    },
    {
      clock: systemClock,
      log: silentLog,
      signal: new AbortController().signal,
      isolationOverride: false,
      ...(program === undefined ? {} : { program }),
      conditions: createConditionProbes({ ...noOutsideSources, ...sources }, { timing }),
    },
  )
}
const line = (result: CaptureResult, id: string) => result.facts.checklist.find((one) => one.id === id)
const piece = async (result: CaptureResult, path: string): Promise<unknown> =>
  JSON.parse(await readFile(result.files.find((file) => file.path === path)?.file ?? '', 'utf8'))

/** A STUN server (RFC 8489 §14.1) that says that it was asked from `address`. */
const stunServer = (address: readonly [number, number, number, number]): Promise<Peer> =>
  startUdpPeer((request) => [
    Buffer.concat([
      Buffer.from([0x01, 0x01, 0, 12]),
      request.subarray(4, 20),
      Buffer.from([0x00, 0x01, 0, 8, 0, 1, 0x12, 0x34, ...address]),
    ]),
  ])

/** A time server whose clock is `ahead` seconds of ours. */
const timeServer = (ahead: number): Promise<Peer> => startUdpPeer((request) => [ntpReply(request, ahead)])

describe('K-33 conditions of a capture', () => {
  test('clock, route, extensions, way out and first visit are measured in the session, and their raw evidence is in the package', async () => {
    const servers = await Promise.all([timeServer(0), timeServer(0.05), timeServer(600)])
    try {
      const result = await capture({ timeServers: servers, route: true }, { path: '/redirect-once/' })
      expect(line(result, 'clock')).toMatchObject({
        result: 'pass',
        data: { sources: 3, asked: 3, disagree: 1, disagreeing: `127.0.0.1:${String(servers[2].port)}`, origins: 1, tokens: 0 },
        evidence_path: 'environment/clock.json',
      })
      const clock = (await piece(result, 'environment/clock.json')) as ClockFacts
      expect(clock.before.map(({ error }) => error)).toEqual([null, null, null])
      expect(clock.after.map(({ reply }) => reply?.length)).toEqual([96, 96, 96])
      expect(servers.map(({ asked }) => asked.length)).toEqual([2, 2, 2])
      expect(line(result, 'browser')).toMatchObject({ result: 'pass', data: { measured: 'yes', extensions: 0, built_in: 1 } })
      expect(line(result, 'proxy')).toMatchObject({ data: { interfaces: 'lo' } })
      expect(line(result, 'start_time')?.result).toBe('pass')
      expect(line(result, 'visited_first')).toMatchObject({ result: 'pass', data: { host: '127.0.0.1' } })
      expect(line(result, 'path')).toMatchObject({ result: 'pass', data: { steps: 2, redirects: 1, by_page: 0 } })
      expect(await piece(result, 'environment/traceroute.json')).toMatchObject({
        target: '127.0.0.1',
        reached: true,
        hops: [{ hop: 1 }],
      })
      const environment = (await piece(result, 'environment/environment.json')) as {
        browser: { extensions: { location: string }[] }
      }
      expect(environment.browser.extensions.map(({ location }) => location)).toEqual(['COMPONENT'])
      // Nothing of the probes went through the browser's tunnel, nor into its record.
      expect(result.facts.completeness).toEqual({ state: 'complete', losses: [] })
    } finally {
      await Promise.all(servers.map((server) => server.close()))
    }
  }, 180_000)

  test('a browser that talks: what it asked for is told apart from the page, which was still visited first', async () => {
    const talking = await makeTalkingBrowser('beacon.example:8443')
    const other = createServer((_request, response) => response.end())
    const page = createServer((request, response) => {
      const icon = `<link rel="icon" href="http://127.0.0.1:${String(portOf(other))}/icon.png">`
      response
        .writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' })
        .end(`<!doctype html>${icon}<h1>A page whose icon lies elsewhere</h1>`)
    })
    for (const server of [other, page]) await once(server.listen(0, '127.0.0.1'), 'listening')
    try {
      const places = [page, other].map((server) => `127.0.0.1:${String(portOf(server))}`)
      const result = await capture(
        {},
        { path: '/', origin: `http://${String(places[0])}`, allow: places, program: talking.program },
      )
      expect(line(result, 'visited_first')).toMatchObject({
        result: 'pass',
        data: { host: '127.0.0.1', browser: 1, browser_names: 'beacon.example:8443' },
      })
      expect(line(result, 'network_record')).toMatchObject({ data: { unattributed: 0, unattributed_names: '' } })
      const { connections } = (await piece(result, 'capture/dns.json')) as {
        connections: { host: string; port: number; asked_by: string }[]
      }
      expect(connections[0]).toMatchObject({ host: 'beacon.example', asked_by: 'browser' })
      expect(new Map(connections.map(({ host, port, asked_by }) => [`${host}:${String(port)}`, asked_by]))).toEqual(
        new Map([
          ['beacon.example:8443', 'browser'],
          [places[0], 'page'],
          [places[1], 'page'],
        ]),
      )
      expect(await piece(result, 'environment/environment.json')).toMatchObject({
        tunnel: { asked_by: { browser: ['beacon.example:8443'], unattributed: [] } },
      })
    } finally {
      for (const server of [other, page]) {
        server.closeAllConnections()
        server.close()
      }
      await talking.remove()
    }
  }, 180_000)

  /** The probes of a session in which no browser takes part. */
  async function probe(
    sources: Partial<OutsideSources>,
    options: {
      readonly timing?: ProbeTiming
      readonly clock?: Clock
      readonly meanwhile?: (session: SessionConditions) => void
    } = {},
  ): Promise<Conditions> {
    const session = createConditionProbes({ ...noOutsideSources, ...sources }, { timing: options.timing ?? patient }).begin({
      clock: options.clock ?? systemClock,
      signal: new AbortController().signal,
      allowAddresses: [],
      ownAddresses: [],
    })
    options.meanwhile?.(session)
    session.ended()
    return session.collect([])
  }
  const clockResult = (found: Conditions) => judgeClock({ ...found, origins: [], tokens: [], synchronised: null })

  test('time servers that tell another time fail the clock', async () => {
    const servers = await Promise.all([timeServer(-90), timeServer(-90.1)])
    try {
      const judged = clockResult(await probe({ timeServers: servers }))
      expect(judged).toMatchObject({ result: 'fail', sources: 2, disagreeing: [] })
      expect(judged.ntp).toBeCloseTo(90, 0)
    } finally {
      await Promise.all(servers.map((server) => server.close()))
    }
  })

  test('a clock that is set during the session fails, whatever time servers say', async () => {
    let moved = 0
    const found = await probe(
      {},
      {
        clock: { now: () => new Date(Date.now() + moved) },
        meanwhile: () => {
          moved = 3_600_000
        },
      },
    )
    expect(found.step).toBeCloseTo(3600, 0)
    expect(clockResult(found).result).toBe('fail')
  })

  test('where nobody answers, nothing is claimed: silent servers, closed ports, names that do not exist', async () => {
    const silent = await startUdpPeer(() => [])
    const closed = await closedPort()
    try {
      const found = await probe(
        {
          timeServers: [silent, closed, { host: 'nowhere.invalid', port: 123 }],
          nameServers: [silent, closed],
          stunServers: [silent, closed],
          addressEchoes: ['https://nowhere.invalid/'],
          rdapBootstrap: 'https://nowhere.invalid/',
          whoisServer: closed,
          route: true,
        },
        {
          timing: { ...defaultTiming, askMs: 100, nameMs: 100 },
          meanwhile: (session) => session.siteSeen({ host: 'nowhere.invalid', address: '198.51.100.7' }),
        },
      )
      expect(found.before.map(({ offset }) => offset)).toEqual([null, null, null])
      expect(found.before.every(({ error }) => error !== null)).toBe(true)
      // Who was silent is not waited for twice.
      expect(found.after.map(({ error }) => error)).toEqual(['not_asked_again', 'not_asked_again', 'not_asked_again'])
      expect(clockResult(found)).toMatchObject({ result: 'not_measured', sources: 0, asked: 3 })
      expect(found.publicAddresses.map(({ address }) => address)).toEqual([null, null, null])
      expect(found).toMatchObject({ provider: null, siteNetwork: null, siteDomain: null })
      expect(found.names.every(({ addresses }) => addresses.length === 0)).toBe(true)
      expect(judgeNames(found.names.slice(-4), ['198.51.100.7'], () => true)).toMatchObject({
        result: 'not_measured',
        answered: 0,
      })
    } finally {
      await silent.close()
    }
  }, 180_000)

  test('name servers that confirm, differ, or deny the name that the capture went by', async () => {
    const serve = (octets: readonly number[] | null) =>
      startNameServer((question) => [
        octets === null || question.readUInt16BE(question.length - 15) !== 1
          ? dnsReply(question, [], { flags: octets === null ? 0x8183 : 0x8180 })
          : dnsReply(question, [{ name: '', type: 1, ttl: 60, data: Buffer.from(octets) }]),
      ])
    const servers = await Promise.all([serve([198, 51, 100, 7]), serve([198, 51, 100, 99]), serve(null), serve([10, 0, 0, 1])])
    const ask = async (...asked: readonly number[]) => {
      const nameServers = asked.map((i) => (servers[i] as (typeof servers)[number]).server)
      const found = await probe(
        { nameServers },
        { meanwhile: (session) => session.siteSeen({ host: 'page.invalid', address: null }) },
      )
      const theirs = found.names.filter(({ server }) => nameServers.some(({ port }) => server.endsWith(`:${String(port)}`)))
      expect(theirs).toHaveLength(2 * asked.length)
      return judgeNames(
        theirs,
        ['198.51.100.7'],
        (address) => classifyAddress(address).global || address.startsWith('198.51.100.'),
      )
    }
    try {
      expect(await ask(0, 1, 2, 3)).toMatchObject({ result: 'pass', agreeing: 1, different: 1, contradicting: 2 })
      expect(await ask(1)).toMatchObject({ result: 'not_measured', different: 1 })
      expect(await ask(1, 2)).toMatchObject({ result: 'fail', contradicting: 1 })
      expect(await ask(3)).toMatchObject({ result: 'fail', contradicting: 1 })
    } finally {
      await Promise.all(servers.map((server) => server.close()))
    }
  }, 180_000)

  test.each([
    ['one address', 7, 'pass', '192.0.2.7'],
    ['two addresses', 9, 'fail', '192.0.2.7, 192.0.2.9'],
  ] as const)(
    'servers outside that saw %s',
    async (_case, last, expected, seen) => {
      const servers = await Promise.all([stunServer([192, 0, 2, 7]), stunServer([192, 0, 2, last])])
      try {
        const result = await capture({ stunServers: servers })
        expect(line(result, 'addresses')).toMatchObject({ result: expected, data: { public: seen, answered: 2, asked: 2 } })
        expect(await piece(result, 'environment/addresses.json')).toMatchObject({
          public: [{ address: '192.0.2.7' }, { address: `192.0.2.${String(last)}` }],
        })
      } finally {
        await Promise.all(servers.map((server) => server.close()))
      }
    },
    180_000,
  )

  test('a capture server’s own measurements: its clock’s offset, its address, or neither', async () => {
    const servers = await Promise.all([timeServer(-20), timeServer(-20)])
    try {
      expect(await measureClockOffset({ timeServers: servers }, systemClock)).toBeCloseTo(20, 0)
      const closed = await closedPort()
      expect(await measureClockOffset({ timeServers: [closed] }, systemClock)).toBeNull()
      expect(
        await measurePublicAddress({ stunServers: [closed], rdapBootstrap: null, whoisServer: null }, systemClock),
      ).toBeNull()
    } finally {
      await Promise.all(servers.map((server) => server.close()))
    }
  })
})

describe('K-33 extensions, as the browser lists them', () => {
  test('one that was loaded is listed beside what is built in', async () => {
    const extension = join(workDir, 'extension')
    const home = join(workDir, 'home')
    await mkdir(extension)
    await mkdir(home, { mode: 0o777 })
    await writeFile(join(extension, 'manifest.json'), JSON.stringify({ manifest_version: 3, name: 'Réécriture', version: '1.2' }))
    const flags = [
      '--headless=new',
      '--no-sandbox',
      '--remote-debugging-pipe',
      `--user-data-dir=${home}`,
      `--load-extension=${extension}`,
      '--no-first-run',
      'about:blank',
    ]
    const child = spawn(chromiumPath, flags, {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      env: { PATH: '/usr/bin:/bin', HOME: home },
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    try {
      const cdp = connectCdp(child.stdio[3] as Writable, child.stdio[4] as Readable)
      const listed = await listExtensions(cdp, AbortSignal.timeout(30_000))
      expect(listed?.map(({ name, location, version }) => [name, location, version])).toContainEqual([
        'Réécriture',
        'COMMAND_LINE',
        '1.2',
      ])
      expect(await listExtensions(cdp, AbortSignal.abort())).toBeNull()
      // Not in a jail here: the browser sees the machine's interfaces.
      expect(await interfacesOf(child.pid as number)).toEqual(await interfacesOf(process.pid))
    } finally {
      await killTree(child.pid as number)
      await ended
    }
  }, 180_000)
})

describe('K-33 what the profile holds before the start', () => {
  test('the jail writes down what it finds: nothing, or each file of a profile that is not empty', async () => {
    const entriesAfter = async (planted: string): Promise<string> => {
      const folder = await createSessionFolder()
      try {
        const texts = { ...jailFiles, 'policies.json': '{}', 'start.sh': `${planted}\n${jailScript}` }
        await Promise.all(Object.entries(texts).map(([name, text]) => writeFile(join(folder.path, name), text, { mode: 0o644 })))
        const [program = '', ...args] = jailCommand({ sessionFolder: folder.path, timeZone: 'UTC', language: 'en' }, [
          '/usr/bin/true',
        ])
        const child = spawn(program, args, { stdio: 'ignore' })
        expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
        return await readFile(join(folder.path, 'profile-before.txt'), 'utf8')
      } finally {
        await folder.remove()
      }
    }
    expect(await entriesAfter('')).toBe('')
    const profile = `${jailHome}/profile/Default`
    expect(await entriesAfter(`mkdir -p ${profile}; printf secret > '${profile}/Login Data'`)).toContain(
      'f 6 profile/Default/Login Data\n',
    )
  })
})

describe('K-33 proxies, gateway, identity', () => {
  const flags = ['--proxy-server=http://127.0.0.1:3128', '--mute-audio']
  test('variables, files, flags and policies that set a proxy are found, without their values', async () => {
    const file = join(workDir, 'environment')
    await writeFile(file, 'PATH=/bin\nexport https_proxy="http://user:secret@proxy:1"\n#http_proxy=x\n')
    const found = await measureProxies({
      environment: { HTTP_PROXY: 'http://user:secret@proxy:1', no_proxy: 'localhost', all_proxy: '' },
      flags: [...flags, '--proxy-pac-url=http://pac/'],
      policies: { ProxyMode: 'pac_script', ProxyPacUrl: 'http://pac/', QuicAllowed: false },
      interfaces: ['lo'],
      environmentFile: file,
    })
    expect(found.foreign).toEqual([
      'HTTP_PROXY',
      '/etc/environment: https_proxy',
      '--proxy-pac-url=http://pac/',
      'ProxyMode="pac_script"',
      'ProxyPacUrl="http://pac/"',
    ])
    expect(JSON.stringify(found)).not.toContain('secret')
    const none = await measureProxies({
      environment: {},
      flags,
      policies: {},
      interfaces: ['lo'],
      environmentFile: join(workDir, 'none'),
    })
    expect(none).toMatchObject({ system: [], foreign: [], browser: ['--proxy-server=http://127.0.0.1:3128'] })
    // A proxy elsewhere is not the tunnel.
    const elsewhere = await measureProxies({
      environment: {},
      flags: ['--proxy-server=http://proxy.example:3128'],
      policies: {},
      interfaces: null,
      environmentFile: join(workDir, 'none'),
    })
    expect(elsewhere.foreign).toEqual(['--proxy-server=http://proxy.example:3128'])
  })

  test('the default gateway is read from the kernel’s table', async () => {
    const table = join(workDir, 'route')
    await writeFile(
      table,
      'Iface\tDestination\tGateway \tFlags\neth0\t000200C0\t00000000\t0001\neth0\t00000000\t010200C0\t0003\n',
    )
    expect(await readGateway(table)).toBe('192.0.2.1')
    await writeFile(table, 'Iface\tDestination\tGateway\nlo\t0000007F\t00000000\t1\n')
    expect(await readGateway(table)).toBeNull()
    expect(await readGateway(join(workDir, 'absent'))).toBeNull()
  })

  test('the machine’s identity is derived as systemd derives it, so that its own stays confidential', async () => {
    // machine-id(5), sd_id128_get_machine_app_specific(3): what systemd-id128 prints for these two.
    const machine = '0123456789abcdef0123456789abcdef'
    expect(deriveMachineId(machine)).toMatch(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
    expect(deriveMachineId(machine)).not.toBe(deriveMachineId(machine.replace('0', '1')))
    expect(deriveMachineId('not an identifier')).toBeNull()
    const own = (await readFile('/etc/machine-id', 'utf8').catch(() => '')).trim()
    const { applicationId } = await import('./machine/measure-machine.ts')
    const printed = await new Promise<string | null>((resolve) => {
      const child = spawn('systemd-id128', ['machine-id', `--app-specific=${applicationId}`], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      let text = ''
      child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
      child.once('error', () => resolve(null)).once('close', (code) => resolve(code === 0 ? text.trim() : null))
    })
    if (printed !== null) expect(deriveMachineId(own)).toBe(printed)
  })
})
