import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { parseWebAddress } from '../../../../kernel/web-address.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import {
  addressVectors,
  rebindingAnswers,
  startCanary,
  vectorAnswers,
  type AddressVector,
  type Canary,
} from '../../../../testing/canary.ts'
import { defaultTunnelLimits, startTunnel, type NameResolver, type Tunnel } from './index.ts'

let dir = ''
let canary: Canary
let vectors: readonly AddressVector[]
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'canary-'))
  canary = await startCanary()
  vectors = addressVectors(canary.privateAddress)
})
afterAll(async () => {
  await canary.close()
  await rm(dir, { recursive: true, force: true })
})

const answering = (answers: (name: string) => readonly string[] | null): NameResolver => ({
  resolve: (name) => {
    const found = answers(name)
    return found === null
      ? Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
      : Promise.resolve({ addresses: found.map((address) => ({ address, ttl: 0 })), servers: [] })
  },
})

async function withTunnel<T>(
  options: { resolver: NameResolver; allow?: string[]; own?: string[] },
  use: (socketPath: string, tunnel: Tunnel) => Promise<T>,
): Promise<T> {
  const session = await mkdtemp(join(dir, 's-'))
  const socketPath = join(session, 'out.sock')
  const tunnel = await startTunnel({
    socketPath,
    recordDir: join(session, 'record'),
    resolver: options.resolver,
    allowAddresses: options.allow ?? [],
    ownAddresses: options.own ?? [],
    limits: { ...defaultTunnelLimits, connectTimeoutMs: 300 },
    clock: systemClock,
    log: silentLog,
    signal: new AbortController().signal,
  })
  try {
    return await use(socketPath, tunnel)
  } finally {
    await tunnel.close()
  }
}

/** First line and refusal code that the tunnel answers to these bytes. */
async function ask(socketPath: string, text: string): Promise<{ status: string; refused: string | null }> {
  const socket = connect(socketPath)
  socket.on('error', () => undefined)
  socket.write(text, 'utf8')
  const answer = await new Promise<string>((resolve) => {
    let all = ''
    socket.on('data', (chunk: Buffer) => {
      all += chunk.toString('latin1')
      if (all.includes('\r\n\r\n')) resolve(all)
    })
    socket.on('close', () => resolve(all))
  })
  socket.destroy()
  return { status: answer.split(' ')[1] ?? '', refused: /Probant-Refused: (\S+)/.exec(answer)?.[1] ?? null }
}

test('the canary sings: a plain client reaches it by the spellings that systems take', async () => {
  const before = canary.hits.length
  const reached: string[] = []
  for (const { id, host } of vectors.filter(({ id }) =>
    /^(?:loopback|private)-(?:dotted|decimal|hex|octal|mapped|fullwidth|percent)$|^localhost$|^loopback6$/.test(id),
  )) {
    const { hostname } = new URL(`http://${host}:${canary.port}/`)
    await new Promise<void>((resolve, reject) => {
      const outgoing = request({ host: hostname.replace(/[[\]]/g, ''), port: canary.port, agent: false }, (answer) => {
        reached.push(id)
        answer.resume().on('end', resolve)
      })
      outgoing.on('error', reject).end()
    })
  }
  expect(reached).toHaveLength(16)
  expect(canary.hits.length - before).toBe(16)
})

test('88 spellings and more: none reaches a canary, by CONNECT, by plain HTTP, as typed or as a browser writes it', async () => {
  expect(vectors.length).toBeGreaterThanOrEqual(88)
  expect(new Set(vectors.map(({ id }) => id)).size).toBe(vectors.length)
  const before = canary.hits.length
  let asked = 0
  await withTunnel({ resolver: answering((name) => vectorAnswers(name, canary.privateAddress)) }, async (socketPath, tunnel) => {
    for (const { host } of vectors) {
      const typed = `${host}:${canary.port}`
      const written = URL.canParse(`http://${typed}/`) ? new URL(`http://${typed}/`).host : null
      for (const authority of new Set([typed, ...(written === null ? [] : [written])])) {
        for (const text of [
          `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`,
          `GET http://${authority}/ HTTP/1.1\r\nHost: ${authority}\r\n\r\n`,
          `GET http://${authority}/ HTTP/1.1\r\nHost: ${authority}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
        ]) {
          const { status, refused } = await ask(socketPath, text)
          asked += 1
          expect([authority, status]).toEqual([authority, '403'])
          expect(['private_address', 'unparseable_address']).toContain(refused)
        }
      }
    }
    expect(tunnel.totals()).toMatchObject({ requests: asked, opened: 0, refused: asked })
    // Nothing that a URL parser takes may be refused for another reason than where it leads.
    for (const { host, refusal } of tunnel.connections())
      if (host.endsWith('.canary.test')) expect(refusal?.code).toBe('private_address')
  })
  expect(asked).toBeGreaterThan(700)
  expect(canary.hits.length).toBe(before)
})

test('the form refuses what the text alone gives away, with a code that says why', () => {
  for (const { id, host, decidable } of vectors) {
    const result = parseWebAddress(`http://${host}:${canary.port}/`)
    if (decidable) expect([id, result.ok]).toEqual([id, false])
    // A word is refused for being no name of a site, whatever a machine may call by it.
    const isWord = /^(?!localhost)[a-z][a-z0-9-]*$/i.test(host)
    if (decidable && URL.canParse(`http://${host}/`) && !/soft-hyphen/.test(id))
      expect([id, result]).toMatchObject([id, { code: isWord ? 'unparseable_address' : 'private_address' }])
    if (!decidable) expect([id, result.ok]).toEqual([id, true])
  }
})

test('a name that changes its answer is asked once: the second connection goes where the first went', async () => {
  const before = canary.hits.length
  const rebind = rebindingAnswers()
  let asked = 0
  const resolver = answering((name) => {
    asked += 1
    return rebind(name)
  })
  await withTunnel({ resolver }, async (socketPath, tunnel) => {
    for (let i = 0; i < 3; i += 1) await ask(socketPath, `CONNECT rebind.canary.test:${canary.port} HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect(tunnel.connections().flatMap(({ attempts }) => attempts.map(({ address }) => address))).toEqual(
      Array.from({ length: 3 }, () => '192.31.196.1'),
    )
    expect(tunnel.dnsAnswers()).toHaveLength(1)
  })
  expect(asked).toBe(1)
  expect(rebind('rebind.canary.test')).toEqual(['127.0.0.1'])
  expect(canary.hits.length).toBe(before)
})

test('an exception opens one address on one port and nothing beside it', async () => {
  const allow = [`127.0.0.1:${canary.port}`, 'nonsense', '127.1:80']
  const before = canary.hits.length
  await withTunnel({ resolver: answering(() => ['127.0.0.1']), allow }, async (socketPath, tunnel) => {
    const status = async (authority: string): Promise<string> =>
      (await ask(socketPath, `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`)).status
    expect(await status(`127.0.0.1:${canary.port}`)).toBe('200')
    expect(await status(`localhost:${canary.port}`)).toBe('200')
    expect(await status(`named.canary.test:${canary.port}`)).toBe('200')
    expect(await status(`127.0.0.1:${canary.port + 1}`)).toBe('403')
    expect(await status(`127.0.0.2:${canary.port}`)).toBe('403')
    expect(await status(`[::1]:${canary.port}`)).toBe('403')
    expect(await status(`[::ffff:127.0.0.1]:${canary.port}`)).toBe('403')
    expect(await status(`${canary.privateAddress}:${canary.port}`)).toBe('403')
    expect(
      tunnel
        .connections()
        .map(({ allowed_exception }) => allowed_exception)
        .slice(0, 4),
    ).toEqual([true, true, true, false])
  })
  expect(canary.hits.length - before).toBe(3)
})

test('an answer of which one part is excepted and another private is refused whole', async () => {
  const before = canary.hits.length
  await withTunnel(
    { resolver: answering(() => ['127.0.0.1', '127.0.0.2']), allow: [`127.0.0.1:${canary.port}`] },
    async (socketPath) => {
      expect(await ask(socketPath, `CONNECT two.canary.test:${canary.port} HTTP/1.1\r\nHost: x\r\n\r\n`)).toEqual({
        status: '403',
        refused: 'private_address',
      })
    },
  )
  expect(canary.hits.length).toBe(before)
})

test('public addresses of this installation are refused', async () => {
  await withTunnel(
    { resolver: answering(() => ['192.31.196.1']), own: ['192.31.196.1', '2620:4f:8000:0::1'] },
    async (socketPath, tunnel) => {
      for (const authority of ['192.31.196.1:80', '[2620:4f:8000::1]:80', 'own.canary.test:443']) {
        expect(await ask(socketPath, `CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`)).toEqual({
          status: '403',
          refused: 'private_address',
        })
      }
      expect(tunnel.connections().map(({ refusal }) => refusal?.reason)).toEqual(['own_address', 'own_address', 'own_address'])
    },
  )
})
