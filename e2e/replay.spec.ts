/**
 * Our web archive in the replay tool that archives are made for: ReplayWeb.page (package `replaywebpage`, used here alone and
 * never shipped, decision 0128), in a real browser, after the site that was captured is gone.
 */
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test, type Frame, type Page } from '@playwright/test'
import { startFixtureSite } from '../testing/site/start-fixture-site.ts'

// What replays an archive answers from a service worker.
test.use({ serviceWorkers: 'allow' })
test.describe.configure({ mode: 'serial' })

const folder = mkdtempSync(join(tmpdir(), 'probant-replay-'))
const wacz = join(folder, 'archive.wacz')
// The package exports its Electron application alone: the web tool stands beside it, in two files.
const tool = (name: 'ui.js' | 'sw.js') => fileURLToPath(new URL(`../node_modules/replaywebpage/${name}`, import.meta.url))
/** What the site itself answered, before it was closed. */
const served = new Map<string, string>()
const probes = ['/asset/image-3.png', '/asset/lazy-5.png', '/asset/drawing-0.svg', '/asset/drawing-1.svg', '/asset/script-3.js']
let url: string
let server: Server | undefined
let origin: string

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test.beforeAll(async () => {
  const site = await startFixtureSite()
  url = `${site.secure.valid.origin}/resources/`
  const zip = join(folder, 'package.zip')
  try {
    const env = { ...process.env, PROBANT_ALLOW_ADDRESSES: site.addresses.join(',') }
    const args = ['apps/cli/probant.ts', 'capture', url, '-o', zip, '--quiet']
    await new Promise<void>((resolve, reject) => {
      execFile(process.execPath, args, { env }, (error, _out, stderr) => (error === null ? resolve() : reject(new Error(stderr))))
    })
    for (const path of probes) served.set(path, sha256(await ask(new URL(path, url).href)))
  } finally {
    await site.close()
  }
  execFileSync('unzip', ['-q', '-j', zip, 'capture/archive.wacz', '-d', folder])
  server = createServer(answer)
  const listening = server
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${String((listening.address() as AddressInfo).port)}`
})

test.afterAll(async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => (server === undefined ? resolve(null) : server.close(resolve)))
  rmSync(folder, { recursive: true, force: true })
})

async function ask(address: string): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    get(address, { rejectUnauthorized: false }, (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const coding = response.headers['content-encoding']
          const body = Buffer.concat(chunks)
          resolve(coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body)
        })
    }).on('error', reject)
  })
}

/** The tool, the archive by ranges, and a page that shows the one in the other. Nothing else is there. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', origin)
  const text = (type: string, body: string | Buffer) => void response.setHeader('content-type', type).end(body)
  if (pathname === '/') {
    const page = `<replay-web-page style="height:100vh" replaybase="/replay/" source="/archive.wacz" url="${url}"></replay-web-page>`
    return text(
      'text/html',
      `<!doctype html><title>Replay</title><style>body{margin:0}</style><script src="/replay/ui.js"></script>${page}`,
    )
  }
  // Its own worker answers with this page once it is awake; whoever asks sooner asks the server (met once in 30 on a busy machine).
  if (pathname === '/replay/')
    return text('text/html', '<!doctype html><script src="./ui.js"></script><replay-app-main></replay-app-main>')
  if (pathname === '/replay/ui.js') return text('text/javascript', readFileSync(tool('ui.js')))
  if (pathname === '/replay/sw.js') return text('text/javascript', readFileSync(tool('sw.js')))
  if (pathname !== '/archive.wacz') return void response.writeHead(404).end()
  const { size } = statSync(wacz)
  const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '')
  const [first, last] = [range?.[1] ?? '', range?.[2] ?? '']
  const start = first === '' ? (last === '' ? 0 : Math.max(0, size - Number(last))) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last))
  const length = { 'accept-ranges': 'bytes', 'content-length': end - start + 1 }
  if (range === null) response.writeHead(200, length)
  else response.writeHead(206, { ...length, 'content-range': `bytes ${start}-${end}/${size}` })
  if (request.method === 'HEAD') response.end()
  else createReadStream(wacz, { start, end }).pipe(response)
}

/** Addresses whose answer has this content coding, as the archive records them. */
function codedAs(coding: string): string[] {
  const entry = (name: string) => execFileSync('unzip', ['-p', wacz, name], { maxBuffer: 256 * 1024 * 1024 })
  const warc = entry('archive/data.warc.gz')
  const lines = gunzipSync(entry('indexes/index.cdx.gz')).toString('utf8').trim().split('\n')
  return lines
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))) as { url: string; offset: number; length: number })
    .filter(({ offset, length }) => gunzipSync(warc.subarray(offset, offset + length)).includes(`content-encoding: ${coding}`))
    .map((one) => one.url)
}

async function openReplay(page: Page): Promise<Frame> {
  await page.goto(`${origin}/`)
  const replayed = () => page.frames().find((frame) => /\/\d{14}mp_\//.test(frame.url()))
  await expect.poll(() => replayed()?.url(), { timeout: 60_000 }).toContain(`mp_/${url}`)
  const frame = replayed()
  if (frame === undefined) throw new Error('the replayed page has gone')
  await expect(frame.locator('#end')).toHaveText('Fin de la page.', { timeout: 60_000 })
  return frame
}

test('the page is shown from the archive alone: its text, its images, its frames, its answers', async ({ page }, info) => {
  const asked: string[] = []
  page.context().on('request', (request) => asked.push(request.url()))
  const frame = await openReplay(page)
  expect(await frame.title()).toBe('Ressources : œuvres et naïades')
  await expect(frame.locator('h1')).toHaveText(/Les œuvres de l’été/)
  await expect(frame.locator('body')).toContainText('The foreman delivered five works to the hotel at dawn')
  for (const i of [0, 1])
    await expect(frame.frameLocator(`iframe[title="Frame ${i}"]`).locator('body')).toContainText(`Frame ${i}`)
  for (const i of [0, 1, 3, 4]) await expect(frame.locator('#answers')).toContainText(`Réponse n° ${i}`)

  // ReplayWeb.page undoes br and gzip and leaves `deflate` as it is; the archive keeps what the site sent (decision 0128).
  const undone = codedAs('deflate')
  const broken = await frame.locator('img').evaluateAll(async (images: HTMLImageElement[]) => {
    const states = images.map(async (image) => {
      image.loading = 'eager'
      return await image.decode().then(() => null, () => image.alt) // prettier-ignore
    })
    return (await Promise.all(states)).filter((alt) => alt !== null)
  })
  const drawings = undone.map((address) => /drawing-(\d)\.svg$/.exec(address)?.[1]).filter((i) => i !== undefined)
  expect(broken).toEqual(drawings.map((i) => `Drawing ${i}`))
  expect(await frame.locator('img').count()).toBeGreaterThanOrEqual(36)

  // Byte for byte what the site had served.
  for (const path of probes.slice(0, 4)) {
    const bytes = await frame.evaluate(
      async (name) => Array.from(new Uint8Array(await (await fetch(name)).arrayBuffer())),
      new URL(path, url).pathname,
    )
    expect(sha256(Uint8Array.from(bytes)), path).toBe(served.get(path))
  }
  if (process.env['PROBANT_E2E_PICTURES'] === '1') await page.screenshot({ path: info.outputPath('replay.png') })
  // The site is gone, and nobody even tried to reach it, or anything else.
  expect(asked.filter((address) => !address.startsWith(`${origin}/`) && !address.startsWith('data:'))).toEqual([])
})

test('ReplayWeb.page finds the signature of the archive good', async ({ page }) => {
  await openReplay(page)
  const found = await page.evaluate(async () => {
    const open = (name: string) =>
      new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name)
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(new Error('no database')))
      })
    for (const { name } of await indexedDB.databases()) {
      const database = await open(name ?? '')
      if (!database.objectStoreNames.contains('verification')) continue
      return await new Promise<{ id: string; expected: unknown; matched: unknown }[]>((resolve) => {
        const request = database.transaction('verification').objectStore('verification').getAll()
        request.addEventListener('success', () =>
          resolve(request.result as { id: string; expected: unknown; matched: unknown }[]),
        )
      })
    }
    return []
  })
  const byId = new Map(found.map((one) => [one.id, one]))
  expect(byId.get('signature')).toMatchObject({ expected: true, matched: true })
  const digest = JSON.parse(execFileSync('unzip', ['-p', wacz, 'datapackage-digest.json'], { encoding: 'utf8' })) as {
    hash: string
    signedData: { publicKey: string }
  }
  expect(byId.get('datapackageHash')?.expected).toBe(digest.hash)
  expect(byId.get('publicKey')?.expected).toBe(digest.signedData.publicKey)
})
