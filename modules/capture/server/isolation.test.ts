/** None of the address vectors reaches a canary, through the very browser of captures. */
import { execFile } from 'node:child_process'
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import type { CdpSession } from '../../../platform/browser/cdp-connection.ts'
import { jailCommand, jailFiles } from '../../../platform/browser/jail.ts'
import { launchBrowser, type LaunchedBrowser } from '../../../platform/browser/launch-browser.ts'
import { processTree } from '../../../platform/browser/process-tree.ts'
import { createSessionFolder } from '../../../platform/browser/session-folder.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { addressVectors, rebindingAnswers, startCanary, vectorAnswers, type Canary } from '../../../testing/canary.ts'
import { jumps, startAttackSite, type AttackSite, type AttackState, type AttackTarget } from './attack-page.fixture.ts'
import { defaultTunnelLimits, startTunnel, type NameResolver, type Tunnel } from './network/index.ts'
import { draw, seed } from '../../../testing/sweep.ts'

let canary: Canary
let udp: UdpSocket
let datagrams = 0
let site: AttackSite
let dir = ''
let targets: readonly AttackTarget[]

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'isolation-'))
  canary = await startCanary()
  // The same port for datagrams: STUN, TURN, QUIC.
  udp = createSocket({ type: 'udp6', ipv6Only: false })
  udp.on('message', () => (datagrams += 1))
  await new Promise<void>((resolve) => udp.bind(canary.port, '::', resolve))
  site = await startAttackSite()
  targets = addressVectors(canary.privateAddress).map(({ id, host }) => ({ id, host, port: canary.port }))
})
afterAll(async () => {
  await canary.close()
  await site.close()
  udp.close()
  await rm(dir, { recursive: true, force: true })
})

const rebind = rebindingAnswers()
const asked = new Map<string, number>()
const resolver: NameResolver = {
  resolve: (name) => {
    asked.set(name, (asked.get(name) ?? 0) + 1)
    const found = name.startsWith('rebind') ? rebind(name) : vectorAnswers(name, canary.privateAddress)
    return found === null
      ? Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
      : Promise.resolve({ addresses: found.map((address) => ({ address, ttl: 0 })), servers: [] })
  },
}

type Session = { readonly browser: LaunchedBrowser; readonly tunnel: Tunnel; tab(): Promise<CdpSession> }

/** The browser and the tunnel as a capture has them, without its guards over pages. */
async function inBrowser<T>(allow: readonly string[], use: (session: Session) => Promise<T>): Promise<T> {
  const folder = await createSessionFolder()
  const socketPath = join(folder.path, 'egress.sock')
  const tunnel = await startTunnel({
    socketPath,
    recordDir: join(await mkdtemp(join(dir, 'record-')), 'r'),
    resolver,
    allowAddresses: allow,
    ownAddresses: [],
    limits: { ...defaultTunnelLimits, requests: 100_000, connectTimeoutMs: 300 },
    clock: systemClock,
    log: silentLog,
    signal: new AbortController().signal,
  })
  let browser: LaunchedBrowser | undefined
  try {
    if (process.getuid?.() === 0) await chown(socketPath, folder.uid, folder.uid)
    browser = await launchBrowser({
      folder,
      writeKeyLog: false,
      language: 'en-US',
      timeZone: 'UTC',
      window: { width: 1280, height: 800 },
      memoryBytes: 4e9,
      isolation: 'required',
      signal: new AbortController().signal,
    })
    const { cdp } = browser
    const tab = async () => {
      const { targetId } = await cdp.browser.send('Target.createTarget', { url: 'about:blank' })
      const { sessionId } = await cdp.browser.send('Target.attachToTarget', { targetId, flatten: true })
      await cdp.session(sessionId).send('Page.enable')
      return cdp.session(sessionId)
    }
    return await use({ browser, tunnel, tab })
  } finally {
    await browser?.kill()
    await tunnel.close()
    await folder.remove()
  }
}

async function openAttack(session: Session): Promise<(expression: string) => Promise<unknown>> {
  const page = await session.tab()
  const loaded = new Promise<void>((resolve) => void page.on('Page.loadEventFired', () => resolve()))
  await page.send('Page.navigate', { url: `${site.origin}/` })
  await loaded
  return async (expression) => {
    const { result, exceptionDetails } = await page.send(
      'Runtime.evaluate',
      { expression, returnByValue: true, awaitPromise: true },
      { timeoutMs: 150_000 },
    )
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value as unknown
  }
}

async function attack(session: Session, chosen: readonly AttackTarget[]): Promise<AttackState> {
  const evaluate = await openAttack(session)
  await evaluate(`attack.run(${JSON.stringify(chosen)})`)
  await quiet(session.tunnel)
  return (await evaluate('attack.state')) as AttackState
}

/** What nobody waits for (prefetch, preconnect, beacon) has had its time once the tunnel hears nothing more. */
async function quiet(tunnel: Tunnel): Promise<void> {
  await expect
    .poll(
      async () => {
        const before = tunnel.totals().requests
        await new Promise((resolve) => setTimeout(resolve, 700))
        return tunnel.totals().requests - before
      },
      { timeout: 30_000, interval: 1 },
    )
    .toBe(0)
}

/** Packets that left the jail's network other than by the socket: the kernel's own count, for the processes in it. */
async function jailNetwork(browser: LaunchedBrowser): Promise<{ interfaces: string[]; routes: number; datagramsOut: number }> {
  const [, inside] = await processTree(browser.pid)
  const read = (name: string) => readFile(`/proc/${inside?.pid}/net/${name}`, 'utf8')
  const interfaces = (await read('dev'))
    .split('\n')
    .slice(2)
    .filter((line) => line !== '')
    .map((line) => line.trim().split(':')[0] ?? '')
  const routes = (await read('route')).trim().split('\n').length - 1
  const [names, values] = (await read('snmp')).split('\n').filter((line) => line.startsWith('Udp: '))
  const datagramsOut = Number(values?.split(' ')[names?.split(' ').indexOf('OutDatagrams') ?? -1])
  const six = /^Udp6OutDatagrams\s+(\d+)$/m.exec(await read('snmp6'))?.[1]
  return { interfaces, routes, datagramsOut: datagramsOut + Number(six) }
}

const reached = () => new Set(canary.hits.map(({ first_bytes }) => /^\S+ \/([\w-]+)\//.exec(first_bytes)?.[1] ?? 'other'))
const total = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Of every ten spellings one, drawn anew in each run, by each of these; every spelling by the first and by one of all in turn. */
const each = [
  'fetch-opaque',
  'fetch-tls',
  'img',
  'preload',
  'preconnect',
  'dns-prefetch',
  'websocket',
  'eventsource',
  'beacon',
  'service-worker',
]
/** They speak TLS or say nothing, so the canary does not read which of them came. */
const unnamed = ['fetch-tls', 'iframe-tls', 'websocket-tls', 'preconnect', 'preconnect-tls', 'webrtc-turn']
/** Closed by flags and policies of the browser even to what may be reached. */
const closed = ['icon', 'dns-prefetch', 'speculation', 'ping', 'webrtc-stun', 'webrtc-host', 'webtransport', 'redirect-websocket']

/** What the tunnel may have been asked for in such a session, and what it must have answered. */
function expectRefused(tunnel: Tunnel): void {
  const own = tunnel.connections().filter(({ host, port }) => `${host}:${port}` === site.address)
  const others = tunnel.connections().filter((record) => !own.includes(record))
  expect(others.filter(({ state }) => state !== 'refused')).toEqual([])
  // A spelling that is read in another encoding than it was written in is a public name, which nobody has.
  const nobodys = ({ host, refusal }: (typeof others)[number]) => refusal?.code === 'unknown_host' && host.startsWith('xn--')
  const codes = new Set(others.filter((each) => !nobodys(each)).map(({ refusal }) => refusal?.code))
  expect([...codes].filter((code) => code !== 'private_address' && code !== 'unparseable_address')).toEqual([])
  expect(others.flatMap(({ attempts }) => attempts)).toEqual([])
  // The browser asks for nothing by itself: what is recorded is the page's.
  const known = new Set(targets.map(({ host }) => (URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : host)))
  const asked = (host: string) => known.has(host) || known.has(`${host}.`) || known.has(`[${host}]`)
  expect(others.map(({ host }) => host).filter((host) => host !== '' && !host.startsWith('xn--') && !asked(host))).toEqual([])
}

/** Figures of the run, for whoever reads its output. */
const report = (line: string) => void process.stdout.write(`${line}\n`)

const inside = { interfaces: ['lo'], routes: 0, datagramsOut: 0 }

describe('none reaches a canary listening on loopback and on another private address', () => {
  test('control: once the operator allows the canary, the same page reaches it by each way that is open', async () => {
    await inBrowser([site.address, `127.0.0.1:${canary.port}`, `${canary.privateAddress}:${canary.port}`], async (session) => {
      const chosen = targets.filter(({ id }) => ['loopback-dotted', 'private-dotted'].includes(id))
      expect(chosen).toHaveLength(2)
      const state = await attack(session, chosen)
      const open = Object.keys(state.tried).filter((way) => !closed.includes(way) && !unnamed.includes(way))
      expect(open.length).toBeGreaterThan(40)
      const missing = () => open.filter((way) => !reached().has(way))
      // The page takes its frames away after three seconds, in which a busy machine does not come to each: those are opened again.
      const again = async () => {
        const ways = missing()
        if (ways.length > 0)
          await attack(
            session,
            chosen.map((target) => ({ ...target, ways })),
          )
        return missing()
      }
      await expect.poll(again, { timeout: 90_000, interval: 1 }).toEqual([])
      expect(new Set(canary.hits.map(({ address }) => address.replace('::ffff:', '')))).toEqual(
        new Set(['127.0.0.1', canary.privateAddress]),
      )
      const evaluate = await openAttack(session)
      for (const way of ['fetch-tls', 'iframe-tls', 'websocket-tls']) {
        const before = canary.hits.length
        await evaluate(`attack.run(${JSON.stringify([{ ...chosen[0], ways: [way] }])})`)
        expect([way, canary.hits.length - before]).not.toEqual([way, 0])
      }
      expect(await jailNetwork(session.browser)).toEqual(inside)
      expect(datagrams).toBe(0)
    })
  }, 120_000)

  test('a page tries more than 220 spellings by every way out of a page', async () => {
    expect(targets.length).toBeGreaterThanOrEqual(220)
    const before = canary.hits.length
    await inBrowser([site.address], async (session) => {
      const ways = (await (await openAttack(session))('attack.ways')) as string[]
      const thorough = new Set(draw(targets))
      const state = await attack(
        session,
        targets.map((target, i) => ({
          ...target,
          ways: [...new Set([...(thorough.has(target) ? each : each.slice(0, 1)), ways[(i + seed) % ways.length] as string])],
        })),
      )
      expect(Object.keys(state.tried).toSorted()).toEqual(ways.toSorted())
      const tries = total(state.tried)
      expect(tries).toBeGreaterThan(targets.length * 2)
      expect(session.tunnel.totals().refused).toBeGreaterThan(tries / 4)
      expect(state.read).toEqual([])
      expect(state.candidates).toEqual([])
      expectRefused(session.tunnel)
      expect(await jailNetwork(session.browser)).toEqual(inside)
      report(
        `seed ${seed}: ${tries} tries of ${targets.length} spellings, ${session.tunnel.totals().refused} refused by the tunnel, ${canary.hits.length - before} hits`,
      )
    })
    expect(canary.hits.length).toBe(before)
    expect(datagrams).toBe(0)
  }, 240_000)

  test('navigations: typed, redirected by the server, by meta refresh, by script, and by odd schemes', async () => {
    const before = canary.hits.length
    await inBrowser([site.address], async (session) => {
      const drawn = draw(targets)
      const queue = drawn.flatMap(({ id, host, port }, i) => {
        const to = `http://${host}:${port}/navigate/${id}`
        const kind = jumps[i]
        return [
          to.replace('http', i % 4 === 3 ? 'https' : 'http'),
          ...(kind === undefined ? [] : [`${site.origin}/jump/${kind}?to=${encodeURIComponent(to)}`]),
        ]
      })
      expect(drawn.length).toBeGreaterThan(jumps.length)
      const authority = `127.0.0.1:${canary.port}`
      const image = encodeURIComponent(`<img src="http://${authority}/data"><iframe src="http://${authority}/data"></iframe>`)
      queue.push(
        ...['view-source:http', 'ftp', 'gopher', 'ws', 'ssh', 'telnet', 'smb', 'ldap', 'dict', 'probant'].map(
          (scheme) => `${scheme}://${authority}/scheme`,
        ),
        'file:///etc/passwd',
        'file:///session/egress.sock',
        'view-source:file:///etc/passwd',
        'chrome://net-internals',
        'chrome://inspect',
        'devtools://devtools/bundled/inspector.html',
        'filesystem:http://127.0.0.1/temporary/a',
        'javascript:fetch("http://127.0.0.1")',
        `data:text/html,${image}`,
        `blob:http://${authority}/4e1f8e2e-0000-4000-8000-000000000000`,
      )
      const count = queue.length
      const failures: string[] = []
      const shown: string[] = []
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          const page = await session.tab()
          for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
            const jump = url.startsWith(site.origin)
            const second = Promise.withResolvers<void>()
            let seen = 0
            const off = page.on('Page.frameNavigated', () => void ((seen += 1), seen > 1 && second.resolve()))
            const { errorText, loaderId } = await page
              .send('Page.navigate', { url })
              .catch((error: unknown) => ({ errorText: String(error), loaderId: undefined }))
            if (jump && errorText === undefined && loaderId !== undefined && !/\/30\d\?/.test(url))
              await Promise.race([second.promise, new Promise((resolve) => setTimeout(resolve, 1_500))])
            off()
            if (errorText !== undefined) failures.push(url)
            const { result } = await page.send('Runtime.evaluate', {
              expression: 'document.body ? document.body.innerText : ""',
              returnByValue: true,
            })
            if (/^canary$|root:x:0/m.test(String(result.value))) shown.push(url)
          }
        }),
      )
      await quiet(session.tunnel)
      expect(shown).toEqual([])
      expect(failures.filter((url) => url.startsWith('file:') || url.startsWith('chrome:')).length).toBe(4)
      expectRefused(session.tunnel)
      expect(session.tunnel.totals().refused).toBeGreaterThan(drawn.length / 2)
      expect(await jailNetwork(session.browser)).toEqual(inside)
      report(
        `seed ${seed}: ${count} navigations, ${session.tunnel.totals().refused} refused by the tunnel, ${canary.hits.length - before} hits`,
      )
    })
    expect(canary.hits.length).toBe(before)
    expect(datagrams).toBe(0)
  }, 240_000)

  test('other ports of the same machine, and a name whose answer changes', async () => {
    const before = canary.hits.length
    await inBrowser([site.address], async (session) => {
      const ports = [22, 443, 3128, canary.port]
      const hosts = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', 'loopback.canary.test']
      const ways = ['fetch-opaque', 'fetch-tls', 'img', 'iframe', 'websocket', 'eventsource']
      await attack(
        session,
        hosts.flatMap((host) => ports.map((port) => ({ id: `${port}`, host, port, ways }))),
      )
      expect(
        session.tunnel.connections().filter(({ state, host, port }) => state !== 'refused' && `${host}:${port}` !== site.address),
      ).toEqual([])
      const names = ['rebind-a.canary.test', 'rebind-b.canary.test']
      for (let round = 0; round < 3; round += 1)
        await attack(
          session,
          names.map((host) => ({ id: `round-${round}`, host, port: canary.port, ways })),
        )
      const dialled = session.tunnel.connections().filter(({ host }) => names.includes(host))
      expect(dialled.length).toBeGreaterThan(20)
      // The first answer is kept; the second, loopback, is never asked for.
      expect(new Set(dialled.flatMap(({ attempts }) => attempts.map(({ address }) => address)))).toEqual(
        new Set(['192.31.196.1']),
      )
      expect(names.map((name) => asked.get(name))).toEqual([1, 1])
    })
    expect(canary.hits.length).toBe(before)
  }, 120_000)

  test('whoever took over the browser meets a machine without network, and the tunnel', async () => {
    const before = canary.hits.length
    const folder = await createSessionFolder()
    const socketPath = join(folder.path, 'egress.sock')
    const tunnel = await startTunnel({
      socketPath,
      recordDir: join(dir, 'shell'),
      resolver,
      allowAddresses: [site.address],
      ownAddresses: [],
      limits: defaultTunnelLimits,
      clock: systemClock,
      log: silentLog,
      signal: new AbortController().signal,
    })
    try {
      if (process.getuid?.() === 0) await chown(socketPath, folder.uid, folder.uid)
      for (const [name, text] of Object.entries({ ...jailFiles, 'policies.json': '{}' }))
        await writeFile(join(folder.path, name), text)
      const ask = `printf 'CONNECT ${canary.privateAddress}:${canary.port} HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n' | socat -t 5 - UNIX-CONNECT:/session/egress.sock`
      const lines = [
        ...[
          `127.0.0.1/${canary.port}`,
          `${canary.privateAddress}/${canary.port}`,
          '192.31.196.1/53',
          '169.254.169.254/80',
        ].flatMap((to) => ['tcp', 'udp'].map((kind) => `(echo a > /dev/${kind}/${to}) 2>/dev/null; echo "${kind} ${to} $?"`)),
        `(exec 9<>/dev/tcp/127.0.0.1/3128; printf 'GET http://127.0.0.1:${canary.port}/ HTTP/1.1\\r\\nHost: 127.0.0.1:${canary.port}\\r\\n\\r\\n' >&9; head -n 1 <&9)`,
        `${ask} | head -n 1`,
        'ls / | tr "\\n" " "; echo',
        'ls -d /root /etc/shadow /var/lib /work /home/* /proc/1/root/etc/shadow 2>/dev/null | tr "\\n" " "; echo',
        'cat /proc/net/route /proc/net/ipv6_route | grep -vc " lo$\\|Iface"',
        'id -u; grep CapEff /proc/self/status; grep NoNewPrivs /proc/self/status',
      ]
      const [program, ...args] = jailCommand({ sessionFolder: folder.path, timeZone: 'UTC', language: 'en' }, [
        '/bin/bash',
        '-c',
        lines.join('\n'),
      ])
      const { stdout } = await promisify(execFile)(program as string, args, { timeout: 60_000 })
      // To its own loopback the jail may send what it likes: nobody but the relay listens there.
      expect(stdout.trim().split('\n')).toEqual([
        `tcp 127.0.0.1/${canary.port} 1`,
        `udp 127.0.0.1/${canary.port} 0`,
        `tcp ${canary.privateAddress}/${canary.port} 1`,
        // Without root the private address of the test is one of loopback too, hence the jail's own.
        `udp ${canary.privateAddress}/${canary.port} ${canary.privateAddress.startsWith('127.') ? 0 : 1}`,
        'tcp 192.31.196.1/53 1',
        'udp 192.31.196.1/53 1',
        'tcp 169.254.169.254/80 1',
        'udp 169.254.169.254/80 1',
        'HTTP/1.1 403 Forbidden\r',
        'HTTP/1.1 403 Forbidden\r',
        'bin dev etc home lib lib64 proc sbin session tmp usr var ',
        '/home/witness ',
        '0',
        '1000',
        'CapEff:\t0000000000000000',
        'NoNewPrivs:\t1',
      ])
      expect(tunnel.totals()).toMatchObject({ requests: 2, refused: 2, opened: 0 })
    } finally {
      await tunnel.close()
      await folder.remove()
    }
    expect(canary.hits.length).toBe(before)
    expect(datagrams).toBe(0)
  }, 180_000)
})
