import { execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { createHttpServer, type HttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { temporaryFolder } from '../../../../testing/keyring.ts'
import {
  formatNote,
  hashFolds,
  inclusionFolds,
  leafHash,
  logEntryOf,
  parseCheckpoint,
  rootOfInclusion,
  tileKey,
  tilesOf,
} from '../../../verification/server/index.ts'
import { compareWithLog } from '../../../verification/domain/log/compare-live.ts'
import { formatTilePath, parseEntryBundle } from '../../../verification/domain/log/tile-path.ts'
import { listLogCheckpoints, readLogState } from '../../contract/log.ts'
import { openKeyring } from '../keyring/open-keyring.ts'
import type { Keyring } from '../keyring/signer.ts'
import { registerLogFiles } from './log-files.ts'
import { openPublicLog } from '../log/open-public-log.ts'
import { logRoutes } from './present-log.ts'
import type { PublicLog } from '../log/public-log.ts'

const run = promisify(execFile)
const origin = 'proofs.example/log'
const newRoot = () => new Uint8Array(randomBytes(32))
const database = withDatabase()
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let keyring: Keyring
let log: PublicLog
let server: HttpServer
let url = ''

beforeAll(async () => {
  folder = await temporaryFolder()
  keyring = await openKeyring({ dir: join(folder.dir, 'keys'), clock: systemClock, log: silentLog })
  log = await openPublicLog({ db: database.db, keyring, clock: systemClock, origin, folder: join(folder.dir, 'log') })
  server = await createHttpServer({
    config: { environment: 'development', publicUrl: 'http://localhost', trustedProxies: [] } as never,
    log: silentLog,
    secret: 'x'.repeat(40),
    clock: systemClock,
    routes: logRoutes({ db: database.db }),
    health: { database: async () => await Promise.resolve('answers') },
    extend: (app) => registerLogFiles(app, { db: database.db }),
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const address = server.server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
})
afterAll(async () => {
  await server.close()
  await folder.remove()
})

const bytesOf = async (path: string) => {
  const response = await fetch(`${url}/${path}`)
  return response.status === 200 ? new Uint8Array(await response.arrayBuffer()) : response.status
}

test('an empty log has no checkpoint, no tile and no state', async () => {
  for (const path of ['log/checkpoint', 'log/tile/0/000', 'log/tile/0/000.p/1', 'log/tile/entries/000.p/1', 'log/checkpoints/1'])
    expect(await bytesOf(path), path).toBe(404)
  const state = readLogState.response.parse(await (await fetch(`${url}/log/state/`)).json())
  expect(state).toEqual({ newest: null, anchored: null, cosigned: null, witnesses: [], witnessed: [] })
})

describe('with entries', () => {
  beforeAll(async () => {
    for (const count of [3, 260, 300]) await Promise.all(Array.from({ length: count }, async () => await log.include(newRoot())))
  })

  test('files are those of tlog-tiles: names, widths, media types, caching, validators', async () => {
    const whole = await fetch(`${url}/log/tile/0/000`)
    expect(whole.headers.get('content-type')).toBe('application/octet-stream')
    expect(whole.headers.get('cache-control')).toContain('immutable')
    expect(whole.headers.get('access-control-allow-origin')).toBe('*')
    expect((await whole.arrayBuffer()).byteLength).toBe(8192)
    const again = await fetch(`${url}/log/tile/0/000`, { headers: { 'if-none-match': whole.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
    expect((await fetch(`${url}/log/tile/0/000`, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(`${url}/log/checkpoint`)).headers.get('cache-control')).toBe('public, max-age=5')
    for (const [path, bytes] of [
      ['tile/0/001', 8192],
      ['tile/0/002.p/51', 51 * 32],
      ['tile/0/002.p/50', 50 * 32],
      ['tile/0/000.p/3', 96],
      ['tile/1/000.p/2', 64],
      ['tile/1/000.p/1', 32],
      ['tile/entries/000', 256 * 34],
      ['tile/entries/002.p/51', 51 * 34],
    ] as const)
      expect([path, ((await bytesOf(`log/${path}`)) as Uint8Array).length]).toEqual([path, bytes])
    for (const path of [
      'tile/0/002',
      'tile/0/002.p/52',
      'tile/0/003.p/1',
      'tile/1/000',
      'tile/1/000.p/3',
      'tile/2/000.p/1',
      'tile/0/0',
      'tile/0/000.p/0',
      'tile/0/000.p/256',
      'tile/00/000',
      'tile/64/000',
      'tile/9/000.p/1',
      'tile/x/000',
      'tile/0/x999/x999/x999/x999/999',
      'tile/entries/003.p/1',
      'tile/0/..%2f000',
      'checkpoints/0',
      'checkpoints/4',
      'checkpoints/563.exe',
      'checkpoints/563.ots',
      'checkpoints/563.tsr',
      'checkpoints/x',
    ])
      expect([path, await bytesOf(`log/${path}`)]).toEqual([path, 404])
  })

  test('whoever has the files alone finds the tree of the checkpoint and the place of an entry', async () => {
    const root = newRoot()
    const { logged } = await log.include(root)
    const checkpoint = parseCheckpoint((await bytesOf('log/checkpoint')) as Uint8Array)
    if (checkpoint === null) throw new Error('no checkpoint')
    const { size } = checkpoint
    expect(size).toBe(564)
    const entry = Buffer.from(logEntryOf(logged.salt, root))
    const bundle = parseEntryBundle((await bytesOf(`log/tile/entries/002.p/${size - 512}`)) as Uint8Array)
    expect(Buffer.from(bundle?.[logged.index - 512] ?? []).equals(entry)).toBe(true)
    const folds = inclusionFolds(logged.index, size)
    const tiles = new Map<string, Uint8Array>()
    for (const tile of tilesOf(folds, size))
      tiles.set(tileKey(tile), (await bytesOf(`log/${formatTilePath(tile)}`)) as Uint8Array)
    const path = hashFolds(folds, tiles)
    expect(rootOfInclusion({ leafHash: leafHash(entry), index: logged.index, size, path })).toEqual(checkpoint.rootHash)
  })

  test('the same, recomputed in Python from the served files, with the signature verified by openssl', async () => {
    const root = newRoot()
    const { proof } = await log.include(root)
    const [proofFile, rootFile] = [join(folder.dir, 'log-proof.txt'), join(folder.dir, 'root.bin')]
    await writeFile(proofFile, proof)
    await writeFile(rootFile, root)
    const oracle = fileURLToPath(new URL('../../../../e2e/oracles/check_log.py', import.meta.url))
    const { vkey } = await keyring.logSigner(origin)
    const args = [oracle, proofFile, rootFile, vkey]
    const { stdout } = await run('python3', [...args, '--tiles', `${url}/log`])
    expect(stdout).toContain('entry 564 of 565\n')
    expect(stdout).toContain('the tiles give the same root\n')
    const broken = Buffer.from(proof)
    broken[broken.indexOf('index') + 60] = (broken[broken.indexOf('index') + 60] ?? 0) ^ 1
    await writeFile(proofFile, broken)
    await expect(run('python3', args)).rejects.toThrow('Command failed')
    await writeFile(proofFile, proof)
    await writeFile(rootFile, newRoot())
    await expect(run('python3', args)).rejects.toThrow('Command failed')
  })

  test('a proof is held against the log of now from its files: grown, of another log, shorter, altered, with tiles missing', async () => {
    const root = newRoot()
    const { proof } = await log.include(root)
    await Promise.all(Array.from({ length: 300 }, async () => await log.include(newRoot())))
    const files = async (path: string) => {
      const found = await bytesOf(`log/${path}`)
      return typeof found === 'number' ? null : found
    }
    const keys = { bitcoin: [], nano: [], log: [(await keyring.logSigner(origin)).vkey], witnesses: [] }
    const deps = { now: () => systemClock.now(), keys }
    const compare = async (given: { proof: Uint8Array; root: Uint8Array }, read = files) => {
      const found = await compareWithLog(given, read, deps)
      return found.outcome === 'compared' ? [found.grown.verdict, found.now?.verdict ?? null] : found.outcome
    }
    expect(await compare({ proof, root })).toEqual(['TOTAL-PASSED', 'TOTAL-PASSED'])
    expect(await compare({ proof, root: newRoot() })).toEqual(['TOTAL-PASSED', 'TOTAL-FAILED'])
    expect(await compare({ proof: root, root })).toBe('unreadable')
    expect(await compare({ proof, root }, async () => await Promise.resolve(null))).toBe('empty')
    expect(await compare({ proof, root }, async () => await Promise.resolve(root))).toBe('unreadable')
    expect(await compare({ proof, root }, async (path) => (path === 'checkpoint' ? await files(path) : null))).toBe(
      'missing_tile',
    )
    // An earlier checkpoint served as the newest: the log would have gone back.
    expect(await compare({ proof, root }, async (path) => await files(path === 'checkpoint' ? 'checkpoints/3' : path))).toEqual([
      'TOTAL-FAILED',
      null,
    ])
    // One octet of one tile: neither the growth nor the place can be shown.
    const altered = async (path: string) => {
      const found = await files(path)
      return found === null || path === 'checkpoint' ? found : found.map((octet, i) => (i === 5 ? octet ^ 1 : octet))
    }
    expect(await compare({ proof, root }, altered)).toEqual(['TOTAL-FAILED', 'TOTAL-FAILED'])
    // Partial tiles that are gone: the whole one is read in their place, where there is one.
    const other = await keyring.logSigner('other.example/log')
    const text = 'other.example/log\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n'
    const foreign = formatNote(text, [{ name: other.name, keyId: other.keyId, signature: await other.sign(Buffer.from(text)) }])
    expect(await compare({ proof, root }, async (path) => (path === 'checkpoint' ? foreign : await files(path)))).toBe(
      'other_log',
    )
  })

  test('states are told without a root, a salt or a name in them', async () => {
    const newest = await log.checkpoint()
    const state = readLogState.response.parse(await (await fetch(`${url}/log/state/`)).json())
    expect(state.newest).toMatchObject({ origin, size: newest?.size, cosignatures: [], timestamps: [], anchor: null })
    const page = async (query: string) =>
      listLogCheckpoints.response.parse(await (await fetch(`${url}/log/checkpoints/${query}`)).json()).results
    const all = await page('?limit=100')
    expect(all.map(({ size }) => size)).toEqual(all.map(({ size }) => size).toSorted((a, b) => b - a))
    expect((await page(`?limit=2&before=${all[1]?.size ?? 0}`)).map(({ size }) => size)).toEqual(
      all.slice(2, 4).map(({ size }) => size),
    )
    expect((await fetch(`${url}/log/checkpoints/?limit=101`)).status).toBe(400)
    for (const { size } of all) expect(parseCheckpoint((await bytesOf(`log/checkpoints/${size}`)) as Uint8Array)?.size).toBe(size)
  })

  test('a worker killed after the log and before the seal leaves one leaf, which the next seal takes', async () => {
    const root = newRoot()
    const program = fileURLToPath(new URL('./include-and-stay.test-program.ts', import.meta.url))
    const before = (await log.checkpoint())?.size ?? 0
    const child = spawn(
      process.execPath,
      [program, database.url, join(folder.dir, 'keys'), join(folder.dir, 'log'), origin, Buffer.from(root).toString('hex')],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    child.kill('SIGKILL')
    await once(child, 'exit')
    const [index = '', salt = ''] = said.toString().trim().split(' ')
    const { logged } = await log.include(root)
    expect([String(logged.index), Buffer.from(logged.salt).toString('hex')]).toEqual([index, salt])
    expect((await log.checkpoint())?.size).toBe(before + 1)
    const known = createHash('sha256').update('probant-log/1\n').update(logged.salt).update(root).digest()
    expect(Buffer.from(logEntryOf(logged.salt, root)).equals(known)).toBe(true)
  })
})
