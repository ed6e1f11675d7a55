import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { addressVectors, startCanary, vectorAnswers } from '../../../testing/canary.ts'
import { captureStatic, defaultCaptureLimits } from './index.ts'

test('a page that tries every spelling of a private address by every means of the browser reaches none', async () => {
  const canary = await startCanary()
  const vectors = addressVectors(canary.privateAddress)
  const targets = vectors.map(({ host }) => `${host}:${canary.port}`)
  const page = `<!doctype html><meta charset="utf-8"><title>…</title><h1>Tentatives</h1><p id="tried"></p>
${targets.map((target, i) => `<img src="http://${target}/img-${i}" alt="">`).join('\n')}
<iframe src="/redirect?0"></iframe><link rel="preconnect" href="http://127.0.0.1:${canary.port}"><link rel="dns-prefetch" href="//127.0.0.1">
<script>
const targets = ${JSON.stringify(targets).replaceAll('<', '\\u003c')}
let tried = 0
const attempt = (f) => { try { const r = f(); if (r && r.catch) r.catch(() => {}) } catch {} tried += 1 }
for (const t of targets) {
  attempt(() => fetch('http://' + t + '/fetch', { mode: 'no-cors' }))
  attempt(() => new WebSocket('ws://' + t + '/ws'))
}
for (let i = 0; i < targets.length; i += 5) attempt(() => fetch('/redirect?' + i, { mode: 'no-cors' }))
for (const t of targets.slice(0, 20)) {
  attempt(() => navigator.sendBeacon('http://' + t + '/beacon', 'x'))
  attempt(() => new EventSource('http://' + t + '/events'))
}
attempt(() => { const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${canary.port}' }, { urls: 'turn:127.0.0.1:${canary.port}?transport=tcp', username: 'a', credential: 'b' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o)) })
document.getElementById('tried').textContent = tried + ' attempts'
</script>`
  const server = createServer((request, response) => {
    const url = request.url ?? '/'
    if (url.startsWith('/redirect?'))
      response
        .writeHead(302, { location: Buffer.from(`http://${targets[Number(url.slice(10))]}/redirected`).toString('latin1') })
        .end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const workDir = await mkdtemp(join(tmpdir(), 'probant-test-'))
  try {
    const { facts, files } = await captureStatic(
      {
        evidenceId: 'test',
        url: `http://${address}/`,
        locale: 'en',
        workDir,
        limits: { ...defaultCaptureLimits, loadMs: 20_000, settleMs: 5_000, totalMs: 90_000 },
        allowAddresses: [address],
        includeTlsKeys: false,
        onProgress: () => undefined,
      },
      {
        clock: systemClock,
        log: silentLog,
        signal: new AbortController().signal,
        isolationOverride: false,
        resolver: {
          resolve: async (name) => {
            const answers = vectorAnswers(name, canary.privateAddress)
            if (answers === null) throw Object.assign(new Error(name), { code: 'ENOTFOUND' })
            return { addresses: answers.map((one) => ({ address: one, ttl: 60 })), servers: [] }
          },
        },
      },
    )
    const dom = files.find(({ path }) => path === 'capture/dom.html')
    expect(Number(/(\d+) attempts/.exec(await readFile(dom?.file ?? '', 'utf8'))?.[1])).toBeGreaterThan(2 * 88)
    expect(facts.resources.blocked).toBeGreaterThan(88)
    expect(facts.allowed_addresses_used).toEqual([address])
    expect(canary.hits).toEqual([])
  } finally {
    await rm(workDir, { recursive: true, force: true })
    server.closeAllConnections()
    server.close()
    await canary.close()
  }
}, 120_000)
