/** Pages that are not captured: each ends in a failure that says why, and leaves nothing behind. */
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startFixtureSite } from '../../../testing/site/start-fixture-site.ts'
import { capture, failureOf, ownProcesses, site, workDir, useFixtureSite } from './capture-on-site.fixture.ts'
import { type CaptureLimits } from './index.ts'

useFixtureSite()

const nobodyAnswers = async () => await new Promise<never>(() => undefined)

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

  test('one that is cancelled while its time stamps are still asked for leaves nobody’s failure behind', async () => {
    const stop = new AbortController()
    const cancelled = await failureOf(`${site.origin}/`, {
      signal: stop.signal,
      onProgress: ({ step }) => step === 'network_record' && stop.abort(),
      // An authority that answers when nobody waits any more. What is awaited by nobody would end a process of captures: here, the run.
      notary: { timestampDigest: nobodyAnswers, signArchive: nobodyAnswers },
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
