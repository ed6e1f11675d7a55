import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { haveServer } from '../../../../testing/capture-server.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { drawPng } from '../../../../testing/site/pixels.ts'
import { actorOf, haveAccount, haveGroup, setMember } from '../../../../testing/accounts.ts'
import { createEvidence } from '../ask/create-evidence.ts'
import { listFiles } from '../files/file-store.ts'
import { claimNext, requeueCapture } from '../queue/lease-store.ts'
import { findEvidence } from '../record/store.ts'
import { compareImages, wordsOf } from './read-seen.ts'
import { startLoop } from './start-loop.fixture.ts'
import { claimVantage, failVantage, findVantage, keepVantage, leave, readySecond, renewVantage } from './vantage-store.ts'
import { sampleFacts } from '../sample-facts.test-data.ts'

const database = withDatabase()
let folder: string
let site: Server
let address: string
/** Answers to the page, in the order in which it was asked for. */
let answer: (visit: number, response: ServerResponse) => void
let visits: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probant-vantage-'))
  site = createServer((request, response) => {
    if (request.url === '/') {
      visits += 1
      answer(visits, response)
    } else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  address = `127.0.0.1:${String((site.address() as AddressInfo).port)}`
})
afterAll(async () => {
  site.closeAllConnections()
  site.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  visits = 0
  answer = (visit, response) => respond(response, visit === 1 ? 'for the first' : 'for the other')
  await sql`truncate evidence, capture_process, capture_server cascade`.execute(database.db)
})
const loops: { stop(): Promise<void> }[] = []
afterEach(async () => await Promise.all(loops.splice(0).map(async (loop) => await loop.stop())))

/** Half of the page is of another colour for the other. */
function respond(response: ServerResponse, words: string): void {
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end(
      `<!doctype html><title>Page</title><style>body{margin:0}div{height:400px;background:${words.includes('first') ? '#060' : '#600'}}</style><div></div><p>A page ${words} that asks</p>`,
    )
}

const deps = () => ({
  db: database.db,
  blobs: createFolderBlobStore(join(folder, 'blobs')),
  clock: systemClock,
  log: silentLog,
  secret: 's'.repeat(32),
  allowAddresses: [address],
  scenarios: [] as never,
})

const create = async (options: { server?: string; second_server?: string } = {}) =>
  (await createEvidence(deps(), { url: `http://${address}/`, action: 'static', locale: 'en', close_cookies: false, ...options }))
    .evidence.id

const start = async (id: string, options: { leaseSeconds?: number; meetMs?: number } = {}) =>
  loops.push(await startLoop({ db: database.db, databaseUrl: database.url, folder, id, address, ...options }))

const ended = async (id: string) => {
  await expect
    .poll(async () => (await findEvidence(database.db, id))?.status, { timeout: 120_000, interval: 100 })
    .toBe('completing')
  return await findEvidence(database.db, id)
}

describe('two capture servers', () => {
  test('capture the same address together; what differs is found, and both are in the package', async () => {
    await start('north')
    await start('south')
    await expect
      .poll(async () => await create({ second_server: 'automatic' }).catch(() => null), { timeout: 120_000 })
      .not.toBeNull()
    const { id } = await database.db.selectFrom('evidence').select('id').executeTakeFirstOrThrow()
    const evidence = await ended(id)
    expect(visits).toBe(2)
    const vantage = evidence?.facts?.vantage
    expect(vantage).toMatchObject({ state: 'captured', failure: null, server: { country: 'FR' } })
    const servers = [evidence?.facts?.server?.id, vantage?.server.id]
    expect(new Set(servers)).toEqual(new Set(['north', 'south']))
    expect(vantage?.apart_ms).toBeGreaterThanOrEqual(0)
    const by = Object.fromEntries((vantage?.comparisons ?? []).map((one) => [one.item, one]))
    expect(Object.values(by).map(({ item, result }) => `${item} ${result}`)).toEqual([
      'final_url same',
      'http_status same',
      'certificate same',
      'server_address same',
      'document_body different',
      'visible_text different',
      'image different',
      'resources same',
    ])
    // "A page for the first that asks" and "A page for the other that asks" after the title: 7 of 8 words in common.
    expect(by['visible_text']?.share).toBe(7 / 8)
    expect(by['image']?.share).toBeGreaterThan(0.4)
    expect(by['image']?.share).toBeLessThan(0.6)
    const files = await listFiles(database.db, id)
    const paths = files.filter(({ role }) => role === 'vantage').map(({ path }) => path)
    for (const name of [
      'comparison.json',
      'facts.json',
      'full-page-001.png',
      'archive.wacz',
      'network.pcap',
      'environment/environment.json',
    ])
      expect(paths).toContain(`capture/vantage-2/${name}`)
    expect(vantage?.images.map(({ path }) => path)).toContain('capture/vantage-2/full-page-001.png')
    for (const { path } of vantage?.images ?? []) expect(paths).toContain(path)
    // The first's own pieces stand where they always do, once.
    expect(files.filter(({ role }) => role === 'wacz').map(({ path }) => path)).toEqual(['capture/archive.wacz'])
    // The two documents are those that the site sent, one each.
    const scope = deps().blobs.scope(id)
    const read = async (path: string) => {
      const chunks: Buffer[] = []
      for await (const chunk of await scope.open(files.find((file) => file.path === path)?.sha256 ?? ''))
        chunks.push(chunk as Buffer)
      return Buffer.concat(chunks).toString()
    }
    const documents = [await read('capture/source.html'), await read('capture/vantage-2/source.html')]
    expect(documents.filter((text) => text.includes('for the first'))).toHaveLength(1)
    expect(documents.filter((text) => text.includes('for the other'))).toHaveLength(1)
  }, 300_000)

  test('without another that comes in time the first goes alone, and says so', async () => {
    await haveServer(database.db, 'absent')
    await start('north', { meetMs: 300 })
    const id = await create({ second_server: 'absent' })
    const facts = (await ended(id))?.facts
    expect(visits).toBe(1)
    expect(facts?.vantage).toMatchObject({
      state: 'failed',
      failure: 'not_met',
      server: { id: 'absent' },
      comparisons: [],
      apart_ms: null,
    })
    expect(facts?.completeness).toEqual({ state: 'complete', losses: [] })
  }, 120_000)

  test('kill -9 of the second, in the middle of its page, leaves the first to finish', async () => {
    const waiting: ServerResponse[] = []
    // Neither is answered before both have asked; then the first alone.
    answer = (_, response) => void waiting.push(response)
    await start('north')
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'hold-server.test-program.ts'), database.url, folder, 'south', address],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    )
    try {
      await expect
        .poll(async () => await create({ server: 'north', second_server: 'south' }).catch(() => null), { timeout: 120_000 })
        .not.toBeNull()
      await expect.poll(() => waiting.length, { timeout: 120_000 }).toBe(2)
      child.kill('SIGKILL')
      await once(child, 'exit')
      for (const response of waiting) respond(response, 'for the first')
      const { id } = await database.db.selectFrom('evidence').select('id').executeTakeFirstOrThrow()
      const facts = (await ended(id))?.facts
      expect(facts?.vantage).toMatchObject({ state: 'failed', failure: 'lost', server: { id: 'south' } })
      expect(facts?.title).toBe('Page')
    } finally {
      child.kill('SIGKILL')
    }
  }, 300_000)
})

describe('who may be the second', () => {
  const codeOf = async (options: Parameters<typeof create>[0]) =>
    await create(options).then(
      () => null,
      (error: { fields?: { second_server?: string[] } }) => error.fields?.second_server,
    )

  test('another server than the first, known and alive', async () => {
    await haveServer(database.db, 'north')
    expect(await codeOf({ second_server: 'automatic' })).toEqual(['no_second_server'])
    expect(await codeOf({ second_server: 'north' })).toEqual(['no_second_server'])
    expect(await codeOf({ server: 'north', second_server: 'north' })).toEqual(['same_server'])
    expect(await codeOf({ second_server: 'nowhere' })).toEqual(['unknown'])
    await haveServer(database.db, 'gone', { aliveSeconds: -100 })
    expect(await codeOf({ server: 'north', second_server: 'gone' })).toEqual(['no_second_server'])
    expect(await codeOf({ server: 'north', second_server: 'automatic' })).toEqual(['no_second_server'])
    await haveServer(database.db, 'south')
    expect(await codeOf({ second_server: 'automatic' })).toBeNull()
    expect(await codeOf({ server: 'south', second_server: 'north' })).toBeNull()
  })

  test('the one that was asked for as the second never takes the first, and only one takes the second', async () => {
    const [north, south, west] = [
      await haveServer(database.db, 'north'),
      await haveServer(database.db, 'south'),
      await haveServer(database.db, 'west'),
    ]
    const id = await create({ second_server: 'south' })
    expect(await claimNext(database.db, south, 30)).toBeNull()
    // Before the first is under way there is nothing to join.
    expect(await claimVantage(database.db, south, 30)).toBeNull()
    expect((await claimNext(database.db, north, 30))?.id).toBe(id)
    expect(await claimVantage(database.db, north, 30)).toBeNull()
    expect(await claimVantage(database.db, west, 30)).toBeNull()
    expect((await claimVantage(database.db, south, 30))?.evidence.id).toBe(id)
    expect(await claimVantage(database.db, south, 30)).toBeNull()
  })

  test('H-17 a dedicated server is the second of its group’s captures alone', async () => {
    const [group, others, owner] = [await haveGroup(database.db), await haveGroup(database.db), await haveAccount(database.db)]
    await setMember(database.db, owner, group, 'owner')
    const [north, ours] = [
      await haveServer(database.db, 'north'),
      await haveServer(database.db, 'ours', { kind: 'dedicated', group }),
    ]
    const asked = { url: `http://${address}/`, action: 'static', locale: 'en', server: 'north', second_server: 'ours' } as const
    await expect(createEvidence(deps(), asked)).rejects.toMatchObject({ fields: { second_server: ['unknown'] } })
    const { evidence } = await createEvidence(deps(), asked, { addressPrefix: null, actor: actorOf(owner) })
    expect((await claimNext(database.db, north, 30))?.id).toBe(evidence.id)
    const assign = async (to: string) =>
      await sql`update capture_server set owner_group = ${to}::uuid where id = 'ours'`.execute(database.db)
    await assign(others)
    expect(await claimVantage(database.db, ours, 30)).toBeNull()
    await assign(group)
    expect((await claimVantage(database.db, ours, 30))?.evidence.id).toBe(evidence.id)
  })

  test('a second past its time, or of a first that began anew, changes nothing', async () => {
    const [north, south] = [await haveServer(database.db, 'north'), await haveServer(database.db, 'south')]
    const id = await create({ server: 'north', second_server: 'automatic' })
    const first = await claimNext(database.db, north, 30)
    const claim = await claimVantage(database.db, south, 30)
    if (first === null || claim === null) throw new Error('nothing to claim')
    expect(await renewVantage(database.db, id, claim.fence, 30)).toBe(true)
    await leave(database.db, id, 'first')
    expect(await requeueCapture(database.db, id, first.fence, true)).toBe(true)
    expect(await findVantage(database.db, id)).toMatchObject({ status: 'waiting', serverId: null, firstLeftAt: null })
    expect(await renewVantage(database.db, id, claim.fence, 30)).toBe(false)
    expect(await readySecond(database.db, id, claim.fence)).toBe(false)
    expect(await keepVantage(database.db, claim, sampleFacts, [])).toBe(false)
    // Once more, and now the first does not wait any longer.
    await claimNext(database.db, north, 30)
    const again = await claimVantage(database.db, south, 30)
    expect(await failVantage(database.db, id, 'not_met', 'not_ready')).toBe(true)
    expect(await readySecond(database.db, id, again?.fence ?? 0)).toBe(false)
    expect(await failVantage(database.db, id, 'lost', 'not_ended')).toBe(false)
  })
})

describe('what is compared', () => {
  test('images pixel by pixel, with a tolerance, over the longer of the two', async () => {
    const draw = async (name: string, height: number, colourAt: Parameters<typeof drawPng>[2]) => {
      const file = join(folder, name)
      await writeFile(file, drawPng(100, height, colourAt))
      return file
    }
    const plain = await draw('plain.png', 50, () => [100, 100, 100])
    const near = await draw('near.png', 50, () => [116, 84, 100])
    const far = await draw('far.png', 50, (x) => (x < 25 ? [117, 100, 100] : [100, 100, 100]))
    const tall = await draw('tall.png', 100, () => [100, 100, 100])
    const { signal } = new AbortController()
    expect(await compareImages([plain], [near], signal)).toEqual({ share: 1, first: '100 × 50', second: '100 × 50' })
    expect((await compareImages([plain], [far], signal))?.share).toBe(0.75)
    expect(await compareImages([plain], [tall], signal)).toEqual({ share: 0.5, first: '100 × 50', second: '100 × 100' })
    // Cut into pieces differently, the same rows.
    expect((await compareImages([plain, plain], [tall], signal))?.share).toBe(1)
    expect(await compareImages([], [tall], signal)).toBeNull()
  })

  test('words without markup, scripts and styles, in one pass over hostile text', () => {
    const html =
      '<html><head><style>p{}</style><title>A  b</title></head><body><!-- no <p>x</p> --><p>c<b>d</b> é</p><script>"e"</script><scripty>f</scripty>'
    expect(wordsOf(html)).toEqual(['A', 'b', 'c', 'd', 'é', 'f'])
    expect(wordsOf('<script>never closed')).toEqual([])
    expect(wordsOf('<style <script '.repeat(1_000_000))).toEqual([])
    expect(wordsOf('x '.repeat(1_500_000))).toHaveLength(1_000_000)
  })
})
