import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PNG } from 'pngjs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import { processTree } from '../../../platform/browser/process-tree.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { bigBody, bodyBlock, resourceCount, tallHeight } from '../../../testing/site/good-pages.ts'
import { rowColour, rowHeight } from '../../../testing/site/pixels.ts'
import { startFixtureSite, type FixtureSite } from '../../../testing/site/start-fixture-site.ts'
import {
  captureStatic,
  CaptureFailure,
  defaultCaptureLimits,
  type CaptureLimits,
  type CaptureProgress,
  type CaptureResult,
} from './index.ts'

const run = promisify(execFile)
let site: FixtureSite
let workDir: string

beforeAll(async () => {
  site = await startFixtureSite()
})
afterAll(() => site.close())
/** What Node itself complains about, a leak of listeners for one, ends on a user's stderr. */
const nodeWarnings: string[] = []
const keepWarning = (warning: Error) => void nodeWarnings.push(warning.stack ?? warning.message)
beforeAll(() => void process.on('warning', keepWarning))
afterAll(() => {
  process.off('warning', keepWarning)
  expect(nodeWarnings).toEqual([])
})
beforeEach(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'probant-test-'))
})
afterEach(() => rm(workDir, { recursive: true, force: true }))

type Options = {
  limits?: Partial<CaptureLimits>
  signal?: AbortSignal
  tlsKeys?: boolean
  onProgress?: (progress: CaptureProgress) => void
  allow?: readonly string[]
  operator?: string
}

function capture(url: string, options: Options = {}): Promise<CaptureResult> {
  return captureStatic(
    {
      evidenceId: 'test',
      url,
      locale: 'fr',
      workDir,
      limits: { ...defaultCaptureLimits, totalMs: 60_000, ...options.limits },
      allowAddresses: options.allow ?? site.addresses,
      includeTlsKeys: options.tlsKeys ?? false,
      operator: options.operator,
      onProgress: options.onProgress ?? (() => undefined),
    },
    { clock: systemClock, log: silentLog, signal: options.signal ?? new AbortController().signal, isolationOverride: false },
  )
}

async function failureOf(url: string, options: Options = {}): Promise<CaptureFailure> {
  try {
    await capture(url, options)
  } catch (error) {
    if (error instanceof CaptureFailure) return error
    throw error
  }
  throw new Error(`${url} was captured`)
}

async function presented(origin: string): Promise<string> {
  const { host } = new URL(origin)
  const file = join(workDir, 'presented.pem')
  await run('sh', ['-c', 'openssl s_client -connect "$0" </dev/null 2>/dev/null | openssl x509 -out "$1"', host, file])
  return file
}

const fileOf = (result: CaptureResult, path: string): string => {
  const found = result.files.find((file) => file.path === path)
  if (!found) throw new Error(`no piece ${path}`)
  return found.file
}
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const codes = (result: CaptureResult) =>
  result.facts.warnings.map(({ code }) => code).filter((code) => code !== 'allowed_private_address')

/** Processes that this one started and that still run. */
const ownProcesses = async () => (await processTree(process.pid)).filter(({ pid }) => pid !== process.pid && !before.has(pid))
const before = new Set<number>()
beforeAll(async () => {
  for (const { pid } of await processTree(process.pid)) before.add(pid)
})

describe('a page of many resources', () => {
  test('every artefact is there, measured and complete', async () => {
    const steps: string[] = []
    const operator = 'Études du Port SARL, RCS Marseille 123 456 789'
    const result = await capture(`${site.origin}/resources/`, {
      operator,
      onProgress: ({ phase, step }) => steps.push(`${phase}.${step}`),
    })
    const { facts } = result
    expect(result.files.map(({ path }) => path).toSorted()).toEqual([
      'capture/actions.jsonl',
      'capture/archive.wacz',
      'capture/console.jsonl',
      'capture/dns.json',
      'capture/dom.html',
      'capture/full-page-001.png',
      'capture/full-page-002.png',
      'capture/network.har',
      'capture/network.pcap',
      'capture/page.mhtml',
      'capture/page.pdf',
      'capture/source.html',
      'capture/viewport.png',
      'environment/addresses.json',
      'environment/checklist.json',
      'environment/clock.json',
      'environment/dns.json',
      'environment/environment.json',
      'environment/reconciliation.json',
      'environment/traceroute.json',
      'environment/whois.json',
    ])
    expect(facts.completeness).toEqual({ state: 'complete', losses: [] })
    expect(facts.http_status).toBe(200)
    expect(facts.title).toBe('Ressources : œuvres et naïades')
    expect(facts.resources).toMatchObject({ total: resourceCount + 1, failed: 0, blocked: 0 })
    expect(facts.server_address).toBe('127.0.0.1')
    expect(facts.allowed_addresses_used).toEqual([site.addresses[0]])
    expect(facts.isolation).toBe('namespaces')
    // Stated, and sealed as that.
    expect(facts.operator).toBe(operator)
    expect(JSON.parse(await readFile(fileOf(result, 'environment/environment.json'), 'utf8'))).toMatchObject({
      operator_as_stated: operator,
    })
    expect(codes(result)).toEqual([])
    expect(steps.at(0)).toBe('preparing.tunnel')
    expect(steps.at(-1)).toBe('finished.captured')

    const served = Buffer.from(await (await fetch(`${site.origin}/resources/`)).arrayBuffer())
    expect(sha256(await readFile(fileOf(result, 'capture/source.html')))).toBe(sha256(served))
    const dom = await readFile(fileOf(result, 'capture/dom.html'), 'utf8')
    expect(dom.startsWith('<!DOCTYPE html>\n<html lang="en">')).toBe(true)
    // Written by scripts, from fetched JSON.
    expect(dom).toContain('<li>Réponse n° 3</li>')
    const har = JSON.parse(await readFile(fileOf(result, 'capture/network.har'), 'utf8')) as {
      log: { entries: { request: { url: string }; response: { status: number } }[] }
    }
    expect(har.log.entries.filter(({ request }) => request.url.includes('/asset/lazy-'))).toHaveLength(6)
    expect(har.log.entries.every(({ response }) => response.status === 200)).toBe(true)
    await run('unzip', ['-tqq', fileOf(result, 'capture/archive.wacz')])
    expect((await run('pdfinfo', [fileOf(result, 'capture/page.pdf')])).stdout).toMatch(/Tagged:\s+yes/)
    expect(PNG.sync.read(await readFile(fileOf(result, 'capture/viewport.png')))).toMatchObject({ width: 1280, height: 800 })
    expect(facts.checklist.find(({ id }) => id === 'empty_profile')).toMatchObject({
      result: 'pass',
      data: { entries: 0, from_cache: 0, sha256: sha256(Buffer.alloc(0)) },
    })
    expect(facts.checklist.find(({ id }) => id === 'end_of_session')).toMatchObject({ result: 'pass', data: { processes: 0 } })
    expect(facts.machine.browser).toMatch(/^Chromium \d+\./)
    const seen = site.hits().find(({ url }) => url === '/resources/')
    const agents = new Set(site.hits().map(({ headers }) => String(headers['user-agent'])))
    expect(seen).toBeDefined()
    expect([...agents].filter((agent) => agent.includes('Headless'))).toEqual([])
    expect(await ownProcesses()).toEqual([])
  }, 180_000)

  test('tshark, given PCAP and keys, exports the very bytes that were served over TLS', async () => {
    const result = await capture(`${site.secure.selfSigned.origin}/resources/`, { tlsKeys: true })
    expect(codes(result)).toEqual(['certificate_error'])
    expect(result.facts.certificate).toMatchObject({ subject: 'CN=self-signed.site.test', error: 'ERR_CERT_AUTHORITY_INVALID' })
    expect(result.facts.completeness.state).toBe('complete')
    const keys = `tls.keylog_file:${fileOf(result, 'capture/tls-keys.log')}`
    const { stdout } = await run(
      'tshark',
      [
        '-r',
        fileOf(result, 'capture/network.pcap'),
        '-o',
        keys,
        '-Y',
        'http2.data.data',
        '-T',
        'fields',
        '-e',
        'http2.body.reassembled.data',
        '-e',
        'http2.data.data',
      ],
      { maxBuffer: 64 * 1024 * 1024 },
    )
    const exported = new Set(stdout.split(/[\s,]+/).map((hex) => sha256(Buffer.from(hex.replaceAll(':', ''), 'hex'))))
    const served = Buffer.from(await (await fetch(`${site.origin}/asset/serif.woff2`)).arrayBuffer())
    expect(exported).toContain(sha256(served))
    const pem = await readFile(fileOf(result, 'capture/certificates.pem'), 'utf8')
    expect(pem.replace(/\s/g, '')).toContain(site.certificates.selfSigned.cert.replace(/\s/g, ''))
  }, 180_000)

  test.each([
    ['valid', 'CN=valid.site.test'],
    ['selfSigned', 'CN=self-signed.site.test'],
    ['expired', 'CN=expired.site.test'],
    ['wrongHost', 'CN=wrong-host.site.test'],
  ] as const)(
    'the %s certificate is the leaf that the wire showed, with the error it met, and nothing is lost by that',
    async (name, subject) => {
      const { origin } = site.secure[name]
      const result = await capture(`${origin}/resources/`)
      // openssl's own reading of what the server presents.
      const { stdout } = await run('openssl', ['x509', '-noout', '-fingerprint', '-sha256', '-in', await presented(origin)])
      const sha = stdout.trim().split('=')[1]?.replaceAll(':', '').toLowerCase()
      // Chromium names the gravest of a certificate's errors: here always that its authority is nobody's.
      expect(result.facts.certificate).toMatchObject({ subject, sha256: sha, error: 'ERR_CERT_AUTHORITY_INVALID' })
      expect(result.facts.warnings).toContainEqual({
        code: 'certificate_error',
        data: { error: 'ERR_CERT_AUTHORITY_INVALID' },
      })
      expect(result.facts.completeness).toEqual({ state: 'complete', losses: [] })
      const har = JSON.parse(await readFile(fileOf(result, 'capture/network.har'), 'utf8')) as {
        log: { entries: { request: { url: string } }[] }
      }
      expect(har.log.entries.filter(({ request }) => request.url === `${origin}/resources/`)).toHaveLength(1)
    },
    180_000,
  )

  test('a picture shown several times is fetched once, and what the memory of the page answers is no loss', async () => {
    const png = PNG.sync.write(new PNG({ width: 1, height: 1 }))
    const server = createServer((request, response) => {
      const picture = request.url === '/i.png'
      response.writeHead(200, { 'content-type': picture ? 'image/png' : 'text/html', 'cache-control': 'max-age=600' })
      if (picture) response.end(png)
      else if (request.url === '/frame') response.end('<img src="/i.png">')
      else
        response.end(`<p>${'words '.repeat(100)}</p><img src="/i.png"><script>onload=()=>{const f=document.createElement('iframe');
          f.src='/frame';document.body.append(f);fetch('/i.png');const i=new Image();i.src='/i.png';document.body.append(i)}</script>`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
      const { facts } = await capture(`http://${address}/`, { allow: [address] })
      expect(facts.completeness).toEqual({ state: 'complete', losses: [] })
      expect(facts.checklist.find(({ id }) => id === 'empty_profile')?.result).toBe('pass')
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }, 180_000)

  test('a 60 MB body is kept whole', async () => {
    const result = await capture(`${site.origin}/big-body/`)
    expect(result.facts.completeness).toEqual({ state: 'complete', losses: [] })
    const hash = createHash('sha256')
    for (let sent = 0, i = 0; sent < bigBody.bytes; i += 1) {
      const part = bodyBlock(i).subarray(0, bigBody.bytes - sent)
      hash.update(part)
      sent += part.length
    }
    const har = JSON.parse(await readFile(fileOf(result, 'capture/network.har'), 'utf8')) as {
      log: { entries: { request: { url: string }; response: { content: { _wireSha256: string } } }[] }
    }
    expect(har.log.entries.find(({ request }) => request.url.endsWith(bigBody.path))?.response.content._wireSha256).toBe(
      hash.digest('hex'),
    )
    expect(await readFile(fileOf(result, 'capture/dom.html'), 'utf8')).toContain(`${bigBody.bytes} bytes`)
  }, 180_000)
})

test('a 41,000-pixel page is whole, line by line, without overlap or gap; what is fixed appears once', async () => {
  const result = await capture(`${site.origin}/tall/?fixed=1`)
  expect(result.facts).toMatchObject({ page_height: tallHeight, captured_height: tallHeight })
  const images = result.facts.images.filter(({ kind }) => kind === 'full_page')
  expect(images.reduce((sum, { height }) => sum + height, 0)).toBe(tallHeight)
  let line = 0
  let wrong = 0
  let header = 0
  for (const image of images) {
    const png = PNG.sync.read(await readFile(fileOf(result, image.path)))
    expect(png).toMatchObject({ width: 1280, height: image.height })
    for (let y = 0; y < png.height; y += 1, line += 1) {
      const pixel = (x: number) => [...png.data.subarray((y * png.width + x) * 4, (y * png.width + x) * 4 + 3)].join()
      if (pixel(50) !== rowColour(Math.floor(line / rowHeight)).join()) wrong += 1
      if (pixel(1100) === '255,0,255') header += 1
    }
  }
  expect({ line, wrong, header }).toEqual({ line: tallHeight, wrong: 0, header: 60 })
  expect(codes(result)).toEqual([])
}, 180_000)

describe('pages that end in a clear failure', () => {
  test('a disk that takes no record is our fault, not the site’s', async () => {
    await mkdir(join(workDir, 'record'))
    // The names of the first connections' files are taken: opening them anew fails as a full disk would, whichever of them is the page's.
    for (const number of [1, 2, 3]) await writeFile(join(workDir, 'record', `conn-000${String(number)}.bin`), '')
    expect((await failureOf(`${site.origin}/slow/`)).code).toBe('internal')
  }, 180_000)

  const quick: Partial<CaptureLimits> = { navigateMs: 3_000, loadMs: 3_000, totalMs: 15_000 }
  test.each([
    ['/download/', 'download'],
    ['/empty/', 'empty_response'],
    ['/no-content/', 'empty_response'],
    ['/redirect-loop/', 'too_many_redirects'],
    ['/js-redirect-loop/', 'too_many_redirects'],
    ['/meta-refresh-loop/', 'too_many_redirects'],
    ['/redirect-private/', 'private_address'],
    ['/redirect-file/', 'unsupported_scheme'],
    ['/slow/', 'timeout'],
  ])(
    '%s: %s',
    async (path, code) => {
      expect((await failureOf(site.origin + path, { limits: quick })).code).toBe(code)
      expect(await ownProcesses()).toEqual([])
    },
    180_000,
  )

  test.each([
    ['http://nowhere.invalid/', 'unknown_host'],
    ['http://10.0.0.1/', 'private_address'],
    ['http://0x7f.1/', 'private_address'],
    ['ftp://example.org/', 'unsupported_scheme'],
    ['https://user:secret@example.org/', 'credentials_in_address'],
    ['not an address', 'unparseable_address'],
  ])(
    '%s: %s',
    async (url, code) => {
      expect((await failureOf(url, { limits: quick })).code).toBe(code)
    },
    180_000,
  )

  test('a closed port is a refused connection', async () => {
    const closed = await startFixtureSite()
    await closed.close()
    expect((await failureOf(`${closed.origin}/`, { allow: closed.addresses })).code).toBe('connection_refused')
  }, 180_000)

  test('a document over the limit', async () => {
    const failure = await failureOf(`${site.origin}/huge-document/`, { limits: { documentBytes: 4 * 1024 * 1024 } })
    expect(failure.code).toBe('too_large')
    expect(await ownProcesses()).toEqual([])
  }, 180_000)

  test('a page that fills the memory', async () => {
    const failure = await failureOf(`${site.origin}/memory-hog/`, { limits: { memoryBytes: 800 * 1024 * 1024 } })
    expect(failure.code).toBe('out_of_memory')
    expect(await ownProcesses()).toEqual([])
  }, 180_000)

  /** `/never/` answers nothing; anything else a line of its head every half second, for five seconds, then a page. */
  async function startSlowSite(): Promise<string> {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (head) => {
        if (head.toString().startsWith('GET /never/')) return
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n')
        let left = 10
        const timer = setInterval(() => {
          socket.write(`X-Left: ${left}\r\n`)
          if ((left -= 1) > 0) return
          clearInterval(timer)
          socket.end('\r\n<!doctype html><title>Slowly</title><p>It came after all.</p>')
        }, 500)
        socket.once('close', () => clearInterval(timer))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  test('a page that never answers is given up long before its time', async () => {
    const host = await startSlowSite()
    const never = await failureOf(`http://${host}/never/`, { limits: { silentMs: 2_000 }, allow: [host] })
    expect([never.code, never.data]).toEqual(['timeout', { seconds: 2, step: 'navigate' }])
  }, 180_000)

  test('a page that advances keeps its time, and is captured', async () => {
    const host = await startSlowSite()
    const slowly = await capture(`http://${host}/slowly/`, { limits: { silentMs: 4_000 }, allow: [host] })
    expect(slowly.facts.title).toBe('Slowly')
  }, 180_000)

  test('a cancelled capture', async () => {
    const stop = new AbortController()
    const cancelled = await failureOf(`${site.origin}/slow-image/`, {
      signal: stop.signal,
      onProgress: ({ step }) => step === 'load' && stop.abort(),
    })
    expect(cancelled.code).toBe('cancelled')
    expect(await ownProcesses()).toEqual([])
  }, 180_000)

  test('a killed browser', async () => {
    const killed = await failureOf(`${site.origin}/slow-image/`, {
      onProgress: ({ step }) => {
        if (step === 'load') void ownProcesses().then(([first]) => process.kill(first?.pid as number, 'SIGKILL'))
      },
    })
    expect(killed.code).toBe('browser_crashed')
    expect(await ownProcesses()).toEqual([])
  }, 180_000)
})

describe('pages that are captured with a warning', () => {
  test.each([
    ['/error/404', ['http_error']],
    ['/blank/', ['blank_page']],
    ['/white-on-white/', ['blank_page']],
    ['/missing-images/', ['missing_images', 'resources_failed']],
    ['/missing-script/', ['resources_failed']],
    ['/login/', ['login_wall']],
    ['/bot-wall/', ['http_error', 'bot_wall']],
    ['/cookie-banner/', ['cookie_banner']],
    ['/redirect-elsewhere/', ['redirected_elsewhere']],
    ['/private-resource/', ['missing_images', 'resources_failed']],
    ['/alert-forever/', ['dialogs_dismissed']],
    ['/popups/', ['popups_blocked']],
    ['/redirect-once/', []],
    ['/window-close/', []],
    ['/permissions/', []],
    ['/service-worker/', []],
    ['/shadow/', []],
  ])(
    '%s: %j',
    async (path, expected) => {
      const result = await capture(site.origin + path)
      expect(codes(result)).toEqual(expected)
    },
    180_000,
  )

  test('a page that never finishes loading is captured as far as it came', async () => {
    const result = await capture(`${site.origin}/endless-stream/`, { limits: { loadMs: 2_000, settleMs: 1_000 } })
    expect(codes(result)).toEqual(['load_timeout'])
    expect(result.facts.completeness.state).toBe('incomplete')
  }, 180_000)

  test.each(['/busy/', '/busy-at-once/'])(
    '%s: a script that never yields is stopped, which is said, and the page is captured',
    async (path) => {
      const result = await capture(site.origin + path, { limits: { loadMs: 3_000, busyMs: 4_000 } })
      expect(codes(result)).toEqual(['script_ended'])
      expect(result.facts.title).toBe('Occupé')
      expect(result.facts.completeness).toEqual({ state: 'complete', losses: [] })
      expect(await readFile(fileOf(result, 'capture/actions.jsonl'), 'utf8')).toContain('"action":"script_ended"')
    },
    180_000,
  )

  test('a page that grows for ever is cut where the limit says, and it is said', async () => {
    const result = await capture(`${site.origin}/endless-scroll/`, { limits: { maxHeight: 10_000 } })
    expect(result.facts.captured_height).toBe(10_000)
    expect(codes(result)).toEqual(['height_cut'])
  }, 180_000)

  test('a body over the limit is cut, and the capture is not called complete', async () => {
    const result = await capture(`${site.origin}/huge-body/`, { limits: { bodyBytes: 4 * 1024 * 1024 } })
    expect(codes(result)).toContain('body_truncated')
    expect(result.facts.completeness.state).toBe('incomplete')
  }, 180_000)

  test('what a shadow tree holds is in the DOM', async () => {
    const dom = await readFile(fileOf(await capture(`${site.origin}/shadow/`), 'capture/dom.html'), 'utf8')
    expect(dom).toContain('<template shadowrootmode="open"><p>Declared in the shade</p></template>')
    expect(dom).toContain('Scripted in the shade')
  }, 180_000)

  test('the console is written down, line by line', async () => {
    const lines = (await readFile(fileOf(await capture(`${site.origin}/console/`), 'capture/console.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: string; text: string })
    expect(lines.map(({ level, text }) => `${level}: ${text}`)).toEqual(expect.arrayContaining(['warning: été', 'error: erreur']))
    expect(lines.some(({ text }) => text.includes('thrown on purpose'))).toBe(true)
  }, 180_000)
})
