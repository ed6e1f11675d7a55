import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { loadConfig } from '../../platform/config/config.ts'
import { ownHosts } from '../../platform/http/request/own-hosts.ts'
import { createHttpServer, type HttpServer } from '../../platform/http/server.ts'
import { silentLog } from '../../platform/log/log.ts'
import { serverProgram } from '../../tools/unpack-servers.mjs'
import { freePort } from '../free-port.ts'

/** As docs/operating/tls.md gives it to operators. */
const written = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(
    readFileSync(new URL('../../docs/operating/tls.md', import.meta.url), 'utf8'),
  )?.[1] ?? ''

const name = 'evidence.example'
const folder = mkdtempSync(join(tmpdir(), 'proxies-'))
let server: HttpServer
let upstream = 0
/** Ends the answer that goes on. */
let goOn: () => void
/** Bytes that a body had so far. */
let received = 0

beforeAll(async () => {
  const config = loadConfig({
    PROBANT_ENV: 'production',
    PROBANT_PUBLIC_URL: `https://${name}`,
    PROBANT_HOST: '127.0.0.1',
    PROBANT_TRUSTED_PROXIES: '127.0.0.1',
  })
  server = await createHttpServer({
    config,
    log: silentLog,
    routes: [],
    health: {},
    secret: 'x',
    ownsHost: ownHosts(config, []),
    extend(app) {
      const open = { config: { access: ['open'] } }
      app.get('/who/', open, async ({ ip, protocol, host }) => await Promise.resolve({ ip, protocol, host }))
      app.get('/parts/', open, async (_, reply) => {
        reply.hijack()
        reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
        reply.raw.write('data: first\n\n')
        await new Promise<void>((resolve) => (goOn = resolve))
        reply.raw.end('data: second\n\n')
      })
      app.post('/body/', open, async (request) => {
        for await (const part of request.raw) received += (part as Buffer).length
        return { received }
      })
      app.addContentTypeParser('application/octet-stream', (_, __, done) => done(null))
      app.server.on('upgrade', (_, socket) => {
        socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello')
      })
    },
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const address = server.server.address()
  upstream = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

type Proxy = {
  readonly ports: { readonly http: number; readonly https: number }
  readonly root: string
  readonly program: ChildProcess
}

const answers = async (port: number): Promise<void> => {
  await vi.waitFor(
    async () =>
      await new Promise<void>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.end(resolve)).on('error', reject)
      }),
    { timeout: 60_000 },
  )
}

async function caddy(): Promise<Proxy> {
  const ports = { http: await freePort(), https: await freePort() }
  const storage = join(folder, 'caddy')
  const file = join(folder, 'Caddyfile')
  // Names of examples lead nowhere: certificates come of an authority of its own.
  const around = `{\n\thttp_port ${ports.http}\n\thttps_port ${ports.https}\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tstorage file_system ${storage}\n}\n`
  writeFileSync(file, around + written('caddyfile').replace('127.0.0.1:8080', `127.0.0.1:${upstream}`))
  const program = spawn(serverProgram('caddy'), ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: 'ignore',
    env: { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
  })
  await answers(ports.https)
  return { ports, root: join(storage, 'pki/authorities/local/root.crt'), program }
}

async function nginx(): Promise<Proxy> {
  const ports = { http: await freePort(), https: await freePort() }
  const at = join(folder, 'nginx')
  mkdirSync(at)
  const [certificate, key] = [join(at, 'certificate.pem'), join(at, 'key.pem')]
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', `/CN=${name}`]
  execFileSync('openssl', [...made, '-addext', `subjectAltName=DNS:${name}`, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
  const site = written('nginx')
    .replace('/etc/ssl/evidence.example/certificate.pem', certificate)
    .replace('/etc/ssl/evidence.example/key.pem', key)
    .replace('listen 80;', `listen 127.0.0.1:${ports.http};`)
    .replace('listen 443 ', `listen 127.0.0.1:${ports.https} `)
    .replace('127.0.0.1:8080', `127.0.0.1:${upstream}`)
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${join(at, kind)};`)
  const file = join(at, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off;\nmaster_process off;\npid ${join(at, 'pid')};\nerror_log ${join(at, 'error.log')};\nevents {}\nhttp {\naccess_log off;\n${kept.join('\n')}\n${site}}\n`,
  )
  const program = spawn(serverProgram('nginx'), ['-p', at, '-c', file, '-e', join(at, 'error.log')], { stdio: 'ignore' })
  await answers(ports.https)
  return { ports, root: certificate, program }
}

describe.each([
  ['Caddy', caddy],
  ['nginx', nginx],
])('behind %s, as it is given to operators', (_, start) => {
  let proxy: Proxy
  beforeAll(async () => {
    proxy = await start()
  })
  afterAll(async () => {
    if (proxy === undefined || proxy.program.exitCode !== null) return
    const ended = once(proxy.program, 'exit')
    proxy.program.kill('SIGKILL')
    await ended
  })

  const curl = async (...args: string[]) =>
    (
      await promisify(execFile)(
        'curl',
        ['-sS', '--cacert', proxy.root, '--connect-to', `${name}:443:127.0.0.1:${proxy.ports.https}`].concat([
          '--connect-to',
          `${name}:80:127.0.0.1:${proxy.ports.http}`,
          ...args,
        ]),
        { maxBuffer: 1024 * 1024 },
      )
    ).stdout

  test('who calls is who connects, whatever he says of himself', async () => {
    const forged = ['-H', 'X-Forwarded-For: 203.0.113.9', '-H', 'X-Forwarded-Proto: http', '-H', 'X-Forwarded-Host: evil.example']
    expect(JSON.parse(await curl(`https://${name}/who/`, ...forged))).toEqual({ ip: '127.0.0.1', protocol: 'https', host: name })
    expect(await curl('-o', '/dev/null', '-w', '%{http_code} %{redirect_url}', `http://${name}/fr/proofs/?a=1`)).toMatch(
      /^308 https:\/\/evidence\.example(?::\d+)?\/fr\/proofs\/\?a=1$/,
    )
  })

  test('each part of an answer passes when it comes', async () => {
    const options = { host: '127.0.0.1', port: proxy.ports.https, servername: name, ca: readFileSync(proxy.root) }
    const parts: string[] = []
    await new Promise<void>((resolve, reject) => {
      request({ ...options, path: '/parts/', headers: { host: name } }, (response) => {
        response.setEncoding('utf8').on('data', (part: string) => {
          // The second is only sent once the first was read here.
          if (parts.push(part) === 1) goOn()
        })
        response.on('end', resolve)
      })
        .on('error', reject)
        .end()
    })
    expect(parts.join('')).toBe('data: first\n\ndata: second\n\n')
  })

  test('a long body comes through as it is sent', async () => {
    received = 0
    const length = 24 * 1024 * 1024
    const options = { host: '127.0.0.1', port: proxy.ports.https, servername: name, ca: readFileSync(proxy.root) }
    const answer = await new Promise<string>((resolve, reject) => {
      const sending = request(
        {
          ...options,
          method: 'POST',
          path: '/body/',
          headers: { host: name, 'content-type': 'application/octet-stream', 'content-length': length },
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (part: string) => (text += part))
          response.on('end', () => resolve(text))
        },
      ).on('error', reject)
      sending.write(Buffer.alloc(length / 2), () => {
        // Half of it arrives before the other half is sent.
        vi.waitFor(() => expect(received).toBe(length / 2), { timeout: 60_000 })
          .then(() => sending.end(Buffer.alloc(length / 2)))
          .catch(reject)
      })
    })
    expect(JSON.parse(answer)).toEqual({ received: length })
  })

  test('an upgrade to WebSocket passes', async () => {
    const options = { host: '127.0.0.1', port: proxy.ports.https, servername: name, ca: readFileSync(proxy.root) }
    const said = await new Promise<string>((resolve, reject) => {
      request({
        ...options,
        path: '/live/1',
        headers: {
          host: name,
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        },
      })
        .on('upgrade', (_response, socket, head) => {
          let text = head.toString()
          socket
            .on('data', (part: Buffer) => (text += part.toString()))
            .on('end', () => resolve(text))
            .on('close', () => resolve(text))
        })
        .on('response', ({ statusCode }) => reject(new Error(`answered ${statusCode}`)))
        .on('error', reject)
        .end()
    })
    expect(said).toBe('hello')
  })
})
