import { execFile, execFileSync } from 'node:child_process'
import { X509Certificate, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPebble, type Pebble } from '../../../testing/acme/open-pebble.ts'
import { withDatabase } from '../../../testing/database.ts'
import { freePort } from '../../../testing/free-port.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import type { Log } from '../../../platform/log/log.ts'
import { ownHosts } from '../../../platform/http/request/own-hosts.ts'
import { createHttpServer, type HttpServer } from '../../../platform/http/server.ts'
import { openCertificateFiles } from '../../../platform/tls/open-certificates.ts'
import { renewalOf, waitAfter } from '../../../platform/tls/renew-certificates.ts'
import { bringForward, listCertificates, takeTurn } from '../../../platform/tls/tls-store.ts'
import { openTls, tlsWork } from './open-tls.ts'
import type { RoleDeps } from './role.ts'

const database = withDatabase()
const [own, partner, elsewhere] = ['evidence.example', 'proofs.partner.example', 'gone.partner.example']
const files = mkdtempSync(join(tmpdir(), 'tls-'))
let plainPort = 0
let now = new Date()
let pebble: Pebble
let deps: RoleDeps
let encipher: NonNullable<Awaited<ReturnType<typeof openTls>>>
let server: HttpServer
let port = 0
const said: string[] = []
const note = (_: object | string, message?: string) => void said.push(message ?? '')
const log: Log = { debug: note, info: note, warn: note, error: note, fatal: note, child: () => log }
const before = getCACertificates('default')

const open = async () => {
  const opened = await openTls(deps, ownHosts(deps.config, [partner]))
  if (opened === null) throw new Error('TLS is not ended here')
  encipher = opened
}

beforeAll(async () => {
  plainPort = await freePort()
  pebble = await openPebble(plainPort)
  setDefaultCACertificates([...before, pebble.trust])
  const config = loadConfig({
    PROBANT_ENV: 'production',
    PROBANT_PUBLIC_URL: `https://${own}`,
    PROBANT_HOST: '127.0.0.1',
    PROBANT_DATA: files,
    PROBANT_TLS: 'acme',
    PROBANT_ACME_TERMS: 'i-agree',
    PROBANT_ACME_DIRECTORY: pebble.directory,
    PROBANT_ACME_CONTACT: 'operator@evidence.example',
    PROBANT_ACME_BINDING: `${pebble.binding.kid}:${pebble.binding.hmacKey}`,
    PROBANT_PLAIN_PORT: String(plainPort),
    PROBANT_MASTER_KEY: randomBytes(32).toString('base64url'),
  })
  deps = { config, db: database.db, databaseUrl: database.url, log, clock: { now: () => now } } as RoleDeps
  const ownsHost = ownHosts(config, [partner])
  await open()
  server = await createHttpServer({ config, log, routes: [], health: {}, secret: 'x', ownsHost, tls: encipher.options })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const address = server.server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
  await encipher.begin(server.server)
})
afterAll(async () => {
  await server?.close()
  await encipher?.close()
  await pebble?.close()
  setDefaultCACertificates(before)
  rmSync(files, { recursive: true, force: true })
})

/** What a worker does of it, each time that its turn comes. */
const work = async (...hosts: string[]) => {
  const [handler] = tlsWork(deps, hosts).handlers
  await handler?.run({}, { log, attempt: 1, maxAttempts: 1, signal: new AbortController().signal })
}
const row = async (host: string) => (await listCertificates(deps.db)).find((each) => each.host === host)

/** Asks as a stranger does who trusts the authority's root alone. */
const curl = async (host: string, ...more: string[]) => {
  const root = join(files, 'root.pem')
  writeFileSync(root, pebble.root)
  const names = [`${host}:443:127.0.0.1:${port}`, `${host}:80:127.0.0.1:${plainPort}`]
  const [status, ...rest] = (
    await promisify(execFile)('curl', [
      '-s',
      '--cacert',
      root,
      '-w',
      '%{stderr}%{http_code} %{redirect_url}',
      ...names.flatMap((name) => ['--connect-to', name]),
      ...more,
    ])
  ).stderr.split(' ')
  return { status: Number(status), location: rest.join(' ') }
}

const shown = async (host: string | undefined): Promise<X509Certificate> =>
  await new Promise((resolve, reject) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      ...(host === undefined ? {} : { servername: host }),
    })
    socket.once('error', reject).once('secureConnect', () => {
      resolve(new X509Certificate(socket.getPeerCertificate(true).raw))
      socket.destroy()
    })
  })

test('certificates are had from an authority, shown at once, for each name its own, and enciphered where they are kept', async () => {
  const jobs = await database.db
    .selectFrom('graphile_worker.jobs' as never)
    .select('task_identifier' as never)
    .execute()
  expect(jobs).toContainEqual({ task_identifier: 'tls.renew_certificates' })
  await expect(curl(own, `https://${own}/health/`)).rejects.toThrow(/Command failed/)
  await work(partner)
  // The notification is on its way: a reader of it is what a visitor is.
  await expect.poll(async () => (await curl(own, `https://${own}/health/`).catch(() => ({ status: 0 }))).status).toBe(200)
  await expect.poll(async () => (await curl(partner, `https://${partner}/health/`).catch(() => ({ status: 0 }))).status).toBe(200)
  expect((await shown(own)).checkHost(partner)).toBeUndefined()
  expect((await shown(undefined)).checkHost(own)).toBe(own)
  await expect(shown('stranger.example')).resolves.toMatchObject({ serialNumber: (await shown(own)).serialNumber })
  const kept = await row(own)
  expect(kept?.next_at).toEqual(renewalOf({ notBefore: kept?.not_before as Date, notAfter: kept?.not_after as Date }))
  expect(kept?.key?.toString('latin1')).not.toContain('PRIVATE KEY')
  expect(kept).toMatchObject({ failures: 0, problem: null })
  expect(await database.db.selectFrom('tls_challenge').selectAll().execute()).toEqual([])
  // Nothing is asked for before it is time.
  await work(partner)
  expect((await row(own))?.chain).toBe(kept?.chain)
})

test('one that soon runs out is had anew; who is connected stays so', async () => {
  const first = await shown(own)
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: pebble.root, servername: own })
  const ask = async (): Promise<number> =>
    await new Promise((resolve, reject) => {
      request({ agent, port, host: '127.0.0.1', path: '/health/', headers: { host: own } }, (response) => {
        response.resume().on('end', () => resolve(response.socket?.localPort ?? 0))
      })
        .on('error', reject)
        .end()
    })
  const socket = await ask()
  now = (await row(own))?.next_at as Date
  await work(partner)
  await expect.poll(async () => (await shown(own)).serialNumber).not.toBe(first.serialNumber)
  expect(await ask()).toBe(socket)
  agent.destroy()
})

test('a name that does not lead here is told in the authority’s words, and asked for again after a growing while; others are had', async () => {
  await encipher.close()
  // Two certificates of one second are due in one second: the turn of the installation's own comes with the second work, not the first.
  now = new Date(Number((await row(own))?.next_at) - 60_000)
  try {
    await work(elsewhere)
    const failed = await row(elsewhere)
    expect(failed).toMatchObject({ chain: null, failures: 1, problem: expect.stringMatching(/refused|connect/i) })
    expect(failed?.next_at).toEqual(new Date(now.getTime() + waitAfter(1)))
    expect(said.includes('no certificate could be had')).toBe(true)
    now = new Date(now.getTime() + waitAfter(1))
    await work(elsewhere)
    expect((await row(elsewhere))?.next_at).toEqual(new Date(now.getTime() + waitAfter(2)))
    expect([1, 2, 3, 20].map(waitAfter)).toEqual([900_000, 1_800_000, 3_600_000, 86_400_000])
    // The turn of the installation's own had come, too; its certificate stays in use while a new one cannot be had.
    expect(await row(own)).toMatchObject({ failures: 1, problem: expect.stringMatching(/refused|connect/i) })
    await bringForward(deps.db, now, own)
    const had = (await row(own))?.chain
    await work()
    expect(await row(own)).toMatchObject({ chain: had, failures: 2 })
  } finally {
    await open()
    await encipher.begin(server.server)
  }
})

test('a turn is one worker’s, and another’s once it must be over', async () => {
  const [host, later] = ['turn.example', new Date(now.getTime() + 900_000)]
  const taken = await Promise.all(Array.from({ length: 8 }, async () => await takeTurn(deps.db, host, now, later)))
  expect(taken.filter((each) => each === 0)).toHaveLength(1)
  expect(taken.filter((each) => each === null)).toHaveLength(7)
  expect(await takeTurn(deps.db, host, later, new Date(later.getTime() + 900_000))).toBe(0)
})

test('without TLS visitors are led on, whoever sends anything is refused, and other names and hostile addresses lead nowhere', async () => {
  const led = await curl(partner, `http://${partner}/fr/proofs/?a=1`)
  expect(led).toEqual({ status: 308, location: `https://${partner}/fr/proofs/?a=1` })
  expect((await curl(own, `http://${own}/authenticate/`, '-d', '{"password":"x"}')).status).toBe(403)
  expect(await curl('stranger.example', 'http://stranger.example/')).toEqual({ status: 421, location: '' })
  expect((await curl(own, `http://${own}/.well-known/acme-challenge/nothing`)).status).toBe(404)
  expect((await curl(own, `http://${own}/.well-known/acme-challenge/../../etc/passwd`, '--path-as-is')).location).toBe(
    `https://${own}/etc/passwd`,
  )
  expect((await curl(own, `http://${own}/`, '--request-target', '//evil.example/')).location).toBe(
    `https://${own}//evil.example/`,
  )
  expect((await curl(own, `http://${own}/`, '--request-target', 'http://evil.example/')).status).toBe(400)
})

test('files that somebody else keeps new are shown as they are; half of a pair replaces nothing', async () => {
  const [certificateFile, keyFile] = [join(files, 'cert.pem'), join(files, 'key.pem')]
  const make = (out: string, key: string) =>
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=a.example'].concat([
        '-keyout',
        key,
        '-out',
        out,
      ]),
      { stdio: 'ignore' },
    )
  make(certificateFile, keyFile)
  const looks = Promise.withResolvers<void>()
  const shows: string[] = []
  const opened = await openCertificateFiles({ certificateFile, keyFile, log, everyMs: 5 })
  opened.secure({
    setSecureContext: ({ cert }) => {
      shows.push(String(cert))
      if (shows.length === 2) looks.resolve()
    },
  })
  make(certificateFile, join(files, 'other.pem'))
  await expect.poll(() => said.includes('the certificate could not be read again')).toBe(true)
  expect(shows).toHaveLength(1)
  make(certificateFile, keyFile)
  await looks.promise
  await opened.close()
  expect(shows[1]).not.toBe(shows[0])
  writeFileSync(keyFile, 'nothing')
  await expect(openCertificateFiles({ certificateFile, keyFile, log })).rejects.toThrow()
})
