/** Many large answers side by side on one HTTP/2 connection, of which the browser opens more than it uses (six per host, 32 per proxy). */
import { constants, createSecureServer, type Http2SecureServer } from 'node:http2'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { makeCertificates, type FixtureCertificates } from '../../../testing/site/certificates.ts'
import { captureStatic, defaultCaptureLimits, type CaptureResult } from './index.ts'

let certificates: FixtureCertificates
let dir = ''
beforeAll(async () => {
  certificates = await makeCertificates()
  dir = await mkdtemp(join(tmpdir(), 'streams-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const streams = 40
/** Together more than the 10 MB that Node's server gives to one session by default, past which it resets streams. */
const bytes = 300_000

/** @param reset how many of the answers the server breaks off, after their head, as it does when its memory is used up */
async function captureStreams(reset: number): Promise<CaptureResult> {
  const options = { ...certificates.selfSigned, maxSessionMemory: 200 }
  const server: Http2SecureServer = createSecureServer(options, (request, response) => {
    if (request.url === '/') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(
        `<!doctype html><title>waiting</title><link rel="icon" href="data:,"><h1>Été</h1><script>Promise.allSettled(Array.from({length:${streams}},(_,i)=>fetch('/body/'+i).then(r=>r.text()))).then(all=>{document.title=all.map(({value})=>value===undefined?0:value.length).reduce((a,b)=>a+b)+' '+all.length})</script>`,
      )
    } else if (Number(request.url.split('/').at(-1)) < reset) {
      response.writeHead(200)
      response.write('a')
      response.stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM)
    } else response.end('a'.repeat(bytes))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    return await captureStatic(
      {
        evidenceId: 'test',
        url: `https://${address}/`,
        locale: 'en',
        workDir: await mkdtemp(join(dir, 'w-')),
        limits: defaultCaptureLimits,
        allowAddresses: [address],
        includeTlsKeys: false,
        onProgress: () => undefined,
      },
      { clock: systemClock, log: silentLog, signal: new AbortController().signal, isolationOverride: false },
    )
  } finally {
    server.close()
  }
}

test('forty large answers all arrive and are recorded', async () => {
  const { facts } = await captureStreams(0)
  expect(facts.title).toBe(`${streams * bytes} ${streams}`)
  expect(facts.resources).toMatchObject({ total: streams + 1, failed: 0, blocked: 0 })
  expect(facts.completeness).toEqual({ state: 'complete', losses: [] })
}, 180_000)

test('answers that the server itself resets (ENHANCE_YOUR_CALM) are counted as failed; none is waited for', async () => {
  const { facts } = await captureStreams(6)
  expect(facts.title).toBe(`${(streams - 6) * bytes} ${streams}`)
  expect(facts.resources.failed).toBe(6)
  expect(facts.warnings.map(({ code }) => code)).toContain('resources_failed')
}, 180_000)
