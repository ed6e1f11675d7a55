import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { startOutsideTsa } from '../../../../testing/tsa.ts'
import { askNotary } from './ask-notary.ts'
import { createNotary, ownAuthorityOf, type Notary } from './notary.ts'
import { openKeyring } from '../keyring/open-keyring.ts'
import { serveNotary } from './serve-notary.ts'

const clock = systemClock
const log = silentLog
const digest = new Uint8Array(createHash('sha256').update('what passed').digest())
let dir: string
let notary: Notary

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'notary-'))
  const keyring = await openKeyring({ dir: join(dir, 'keys'), clock, log })
  const archiveKeyDir = join(dir, 'archive-keys')
  notary = await createNotary({ keyring, archiveKeyDir, domain: null, urls: [], software: 'probant/0.1.0', clock, log })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Deeper than the 107 octets of a socket's address. */
const deepFolder = (name: string) => join(dir, 'd'.repeat(120), name)

test('a process without keys has digests dated and archives signed by one that holds them', async () => {
  const folder = deepFolder('both')
  const serving = await serveNotary({ notary, folder, log })
  try {
    const [socket = ''] = await readdir(folder)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, socket))).mode & 0o777).toBe(0o600)
    const asking = askNotary({ folder, urls: [], clock, log })
    const dated = await asking.timestampDigest(digest)
    expect(dated).toMatchObject({ embedded: true, authority: 'Probant embedded time authority (not qualified)' })
    expect(dated.caPem).toMatch(/^-----BEGIN CERTIFICATE-----\n/)
    expect(Math.abs(dated.genTime.getTime() - Date.now())).toBeLessThan(60_000)
    expect(Buffer.from(dated.token).includes(Buffer.from(digest))).toBe(true)
    const signed = await asking.signArchive(`sha256:${'ab'.repeat(32)}`, '2026-11-21T10:00:00Z')
    expect(signed).toMatchObject({ hash: `sha256:${'ab'.repeat(32)}`, software: 'probant/0.1.0', version: '0.1.0' })
    await expect(asking.signArchive('anything', '2026-11-21T10:00:00Z')).rejects.toMatchObject({ code: 'sealing.archive_hash' })
  } finally {
    await serving.close()
  }
  expect(await readdir(folder)).toEqual([])
})

test('a socket that a killed process left is passed over, and goes when the next one starts', async () => {
  const folder = join(dir, 'deserted')
  await mkdir(folder, { recursive: true })
  const left = join(folder, 'notary-0000000000000000.sock')
  const { promise, resolve } = Promise.withResolvers<void>()
  const server = createServer().listen(left, resolve)
  await promise
  // What closes without removing its address: another name of the same socket stays.
  const { linkSync } = await import('node:fs')
  linkSync(left, join(folder, 'notary-1111111111111111.sock'))
  await new Promise((done) => server.close(done))
  expect(await readdir(folder)).toEqual(['notary-1111111111111111.sock'])
  await expect(askNotary({ folder, urls: [], clock, log }).signArchive('', '')).rejects.toMatchObject({
    code: 'sealing.notary_unreachable',
  })
  const serving = await serveNotary({ notary, folder, log })
  try {
    const names = await readdir(folder)
    expect(names).toHaveLength(1)
    expect(names).not.toContain('notary-1111111111111111.sock')
    expect((await askNotary({ folder, urls: [], clock, log }).timestampDigest(digest)).embedded).toBe(true)
  } finally {
    await serving.close()
  }
})

test('one that is still starting is waited for', async () => {
  const folder = join(dir, 'starting')
  const dated = askNotary({ folder, urls: [], clock, log, patienceMs: 60_000 }).timestampDigest(digest)
  const serving = await serveNotary({ notary, folder, log })
  try {
    expect((await dated).embedded).toBe(true)
  } finally {
    await serving.close()
  }
})

test('where nobody holds keys, outside authorities are asked without any; with none, it is said', async () => {
  const tsa = await startOutsideTsa()
  try {
    const folder = join(dir, 'absent')
    const dated = await askNotary({ folder, urls: [tsa.url], clock, log }).timestampDigest(digest)
    expect(dated.embedded).toBe(false)
    expect(tsa.requests()).toBe(1)
    await expect(askNotary({ folder, urls: [], clock, log, patienceMs: 0 }).timestampDigest(digest)).rejects.toMatchObject({
      code: 'sealing.no_timestamp',
    })
  } finally {
    await tsa.close()
  }
})

test('E-55 who wants no authority outside asked has digests dated by the embedded one alone, or not at all', async () => {
  const tsa = await startOutsideTsa()
  const folder = join(dir, 'own-only')
  try {
    const keyring = await openKeyring({ dir: join(dir, 'keys'), clock, log })
    const archiveKeyDir = join(dir, 'archive-keys')
    const holding = await createNotary({ keyring, archiveKeyDir, domain: null, urls: [tsa.url], software: 'p/1', clock, log })
    const serving = await serveNotary({ notary: holding, folder, log })
    const asking = askNotary({ folder, urls: [tsa.url], clock, log, patienceMs: 0 })
    try {
      expect((await asking.timestampDigest(digest)).embedded).toBe(false)
      const before = tsa.requests()
      expect((await ownAuthorityOf(asking).timestampDigest(digest)).embedded).toBe(true)
      await ownAuthorityOf(asking).signArchive(`sha256:${'ab'.repeat(32)}`, '2026-11-21T10:00:00Z')
      expect(tsa.requests()).toBe(before)
    } finally {
      await serving.close()
    }
    await expect(ownAuthorityOf(asking).timestampDigest(digest)).rejects.toMatchObject({ code: 'sealing.no_timestamp' })
    expect((await asking.timestampDigest(digest)).embedded).toBe(false)
  } finally {
    await tsa.close()
  }
})

test('an authority that hangs is given up, and the embedded one dates the session', async () => {
  const tsa = await startOutsideTsa({ behaviour: 'slow' })
  try {
    const keyring = await openKeyring({ dir: join(dir, 'keys'), clock, log })
    const archiveKeyDir = join(dir, 'archive-keys')
    const patient = await createNotary({
      keyring,
      archiveKeyDir,
      domain: null,
      urls: [tsa.url],
      software: 'probant/0.1.0',
      clock,
      log,
    })
    expect(await patient.timestampDigest(digest)).toMatchObject({ embedded: true })
  } finally {
    await tsa.close()
  }
})

test('nothing but the two requests is answered, whatever is asked', async () => {
  const folder = join(dir, 'strict')
  const serving = await serveNotary({ notary, folder, log })
  const [socket = ''] = await readdir(folder)
  const ask = (path: string, body: string, method = 'POST') =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const call = request({ socketPath: join(folder, socket), path, method, agent: false }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
      })
      call.on('error', reject).end(body)
    })
  try {
    for (const [path, body] of [
      ['/', '{}'],
      ['/keys', '{}'],
      ['/timestamp', '{}'],
      ['/timestamp', '{"sha256":"ab"}'],
      ['/timestamp', 'nonsense'],
      ['/timestamp', '[]'],
      ['/timestamp', `{"sha256":"${'a'.repeat(10_000)}"}`],
      ['/archive-signature', '{"hash":1,"created":2}'],
      ['/archive-signature', '{"hash":"root of somebody","created":"2026-11-21T10:00:00Z"}'],
    ] as const) {
      const { status, text } = await ask(path, body)
      expect(status, `${path} ${body.slice(0, 40)}`).toBe(400)
      expect(Object.keys(JSON.parse(text) as object).toSorted()).toEqual(['code', 'data'])
    }
    expect((await ask('/timestamp', '', 'GET')).status).toBe(400)
  } finally {
    await serving.close()
  }
})
