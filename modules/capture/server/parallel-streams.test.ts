/** Many large answers side by side on one HTTP/2 connection, of which the browser opens more than it uses (six per host, 32 per proxy). */
import { createSecureServer, type Http2SecureServer } from 'node:http2'
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
/** Together more than the 10 MB that Node's server gives to one session by default. */
const bytes = 300_000

async function captureStreams(maxSessionMemory: number): Promise<CaptureResult> {
  const server: Http2SecureServer = createSecureServer({ ...certificates.selfSigned, maxSessionMemory }, (request, response) => {
    if (request.url === '/') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(
        `<!doctype html><title>waiting</title><link rel="icon" href="data:,"><h1>Été</h1><script>Promise.allSettled(Array.from({length:${streams}},(_,i)=>fetch('/body/'+i).then(r=>r.text()))).then(all=>{document.title=all.map(({value})=>value===undefined?0:value.length).reduce((a,b)=>a+b)+' '+all.length})</script>`,
      )
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
  const { facts } = await captureStreams(200)
  expect(facts.title).toBe(`${streams * bytes} ${streams}`)
  expect(facts.resources).toMatchObject({ total: streams + 1, failed: 0, blocked: 0 })
  expect(facts.completeness).toEqual({ state: 'complete', losses: [] })
}, 90_000)

test('answers that the server itself resets (ENHANCE_YOUR_CALM) are counted as failed; none is waited for', async () => {
  const { facts } = await captureStreams(10)
  const [arrived, settled] = facts.title.split(' ').map(Number)
  expect(settled).toBe(streams)
  expect(arrived).toBeLessThan(streams * bytes)
  expect(facts.resources.failed).toBe(streams - (arrived as number) / bytes)
  expect(facts.warnings.map(({ code }) => code)).toContain('resources_failed')
}, 90_000)
