/** A page that is captured whole: every artefact, the record of the wire, long pages and large bodies. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import { bigBody, bodyBlock, resourceCount, tallHeight } from '../../../testing/site/good-pages.ts'
import { rowColour, rowHeight } from '../../../testing/site/pixels.ts'
import { capture, codes, fileOf, ownProcesses, site, workDir, useFixtureSite } from './capture-on-site.fixture.ts'

useFixtureSite()
const run = promisify(execFile)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function presented(origin: string): Promise<string> {
  const { host } = new URL(origin)
  const file = join(workDir, 'presented.pem')
  await run('sh', ['-c', 'openssl s_client -connect "$0" </dev/null 2>/dev/null | openssl x509 -out "$1"', host, file])
  return file
}

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

  test('a page and its workers are told that there is a network, by browsers that can be made to', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<p>${'words '.repeat(100)}</p><p id="told"></p><script>
        const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(navigator.onLine)'])))
        worker.onmessage = ({ data }) => (told.textContent = 'page ' + navigator.onLine + ', worker ' + data)
      </script>`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
      const result = await capture(`http://${address}/`, { allow: [address] })
      const major = Number(/^Chromium (\d+)/.exec(result.facts.machine.browser)?.[1])
      expect(major).toBeGreaterThanOrEqual(150)
      // 150 forgets it as the page comes; 156 does not.
      expect(await readFile(fileOf(result, 'capture/dom.html'), 'utf8')).toContain(
        major === 150 ? 'page false, worker false' : 'page true, worker true',
      )
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
